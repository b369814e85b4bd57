"""How long a test, or a match, would take: in sentences, tables and a section of a page."""
