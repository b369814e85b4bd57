"""Methods of search for weights: one file is one method, its name is what users type."""
