"""What the fault bench is made of: people, a network that fails, a server that dies, a checker."""
