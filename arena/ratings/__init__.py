"""Ratings over all runs of a folder: for a command and for the server's page."""
