"""Commands that change a study other than by answering: names, merges, splits, retractions."""
