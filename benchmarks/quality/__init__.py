"""What is said about results: advice, doubt, rechecks, features of piles."""
