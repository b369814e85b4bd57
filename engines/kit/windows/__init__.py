"""The boards of `five_tuple`, which keep the gain of every cell in windows of five cells."""
