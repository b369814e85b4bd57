"""A person at the board: what is typed and shown, take-backs and hints, and the games kept."""
