"""Figures of the moves of games: what they cost, and what their scores are worth."""
