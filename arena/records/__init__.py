"""Games and openings as other programs write them; one file is one format."""
