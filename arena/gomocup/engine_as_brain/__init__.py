"""Our engines as brains: commands in, answers out."""
