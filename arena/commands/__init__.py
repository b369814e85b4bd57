"""The command line: one file is one command, or a few similar ones, some lines over the rest."""
