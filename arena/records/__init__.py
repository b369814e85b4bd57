"""Files of games that other programs read and write: one file of code each, named as users type."""
