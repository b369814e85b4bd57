"""The rules of games: one file each, named as users type it."""
