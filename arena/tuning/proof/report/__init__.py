"""The proof of new weights as people read it: frames, tables, sentences, its part of a page."""
