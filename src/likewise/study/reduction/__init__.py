"""Large piles: a study of items that stand for all the others, and which these are."""
