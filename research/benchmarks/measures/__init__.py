"""Benchmarks beside the engines': one file is one, its name is what users type."""
