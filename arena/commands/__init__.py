"""What users type: one file a command, a few lines over the rest."""
