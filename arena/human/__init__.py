"""Games with persons: typed moves, hints, take-backs, and the archive of their games."""
