"""Commands: one file each, named as users type it, a few lines over the rest."""
