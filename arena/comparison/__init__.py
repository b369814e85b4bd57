"""Two runs, or two studies, side by side: for a command and for the server's page."""
