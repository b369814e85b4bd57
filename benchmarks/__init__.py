"""What only maintainers measure: the harness and the tuner. `python -m benchmarks` lists it."""
