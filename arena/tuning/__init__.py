"""Tuning: the weights of an engine, searched by matches against itself and others."""
