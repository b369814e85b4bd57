"""A fit of weights as people read it: its verdict, its frames, its charts, its page."""
