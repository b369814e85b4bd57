"""Two runs side by side: for a command and for the server's page."""
