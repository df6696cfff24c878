"""The default method and the others, on data sets and piles."""
