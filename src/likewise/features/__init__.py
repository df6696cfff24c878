"""Features: numbers by which pictures, texts and table rows can be compared."""
