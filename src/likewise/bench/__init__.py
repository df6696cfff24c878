"""The bench: methods compared on data sets, experiments described by TOML files.

An *experiment* is a list of *tasks*; the *runner* carries them out and keeps the rows they yield;
the *report* shows them. What a task does is its *kind*, a function in `kinds.py`.
"""
