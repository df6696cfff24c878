"""One HTML file that says what a study has found."""
