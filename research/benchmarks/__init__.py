"""Benchmarks for maintainers, of the harness and the tuner: see `python -m benchmarks`."""
