"""How weights are searched: one file is one method, its name is what users type."""
