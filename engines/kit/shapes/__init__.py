"""The boards of `balance`, `live_dead` and `shape_table`, which keep shapes of points and lines."""
