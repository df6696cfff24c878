"""Scripts that run in the environments of public tools for votes of several people."""
