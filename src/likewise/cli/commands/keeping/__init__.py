"""Commands that keep answers elsewhere: files of answers, backups, and whether they are sound."""
