"""Wins by forcing moves, found on the boards of `shapes`: fours, live threes, and predictions."""
