"""A scripted person for the experiments in a browser."""
