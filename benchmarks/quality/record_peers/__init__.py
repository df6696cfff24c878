"""Scripts that run tools for record linkage, each in an environment of its own."""
