"""What papers printed, beside what comes out here."""
