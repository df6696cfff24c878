"""Piles in parts that grow: rows that a journal knows are found again, and others join."""
