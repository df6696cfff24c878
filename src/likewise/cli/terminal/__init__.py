"""The terminal: keys that are read, pages that are drawn, and the loops between them."""
