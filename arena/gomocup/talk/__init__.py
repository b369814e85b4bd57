"""The conversation with a brain, in tournaments and in checks."""
