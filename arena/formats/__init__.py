"""Which pairs meet: one file is one format, its name is what users type."""
