"""Commands that show what was found, and how far a pile has got."""
