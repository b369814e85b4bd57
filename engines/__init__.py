"""The players: one file is one engine, its name is what users type."""
