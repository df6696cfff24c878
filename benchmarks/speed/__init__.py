"""Seconds, memory and growth, as ratios to something measured in the same run."""
