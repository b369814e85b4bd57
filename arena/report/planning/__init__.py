"""The length of a test, or of a match, in sentences, tables and a section of a page."""
