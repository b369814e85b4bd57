"""The referee's rules: one file is one game, its name is what users type."""
