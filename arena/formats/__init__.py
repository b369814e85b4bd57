"""Formats of a tournament: one file each, named as users type it."""
