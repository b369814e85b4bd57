"""A selective search over shapes: deep where it matters, with claims of wins that hold."""
