"""Files of games and of openings that other programs read and write."""
