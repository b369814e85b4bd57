"""Formats of files of games; one file is one format, named as users type it."""
