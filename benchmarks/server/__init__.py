"""The server and its page: durability, load, clicks, pictures."""
