"""Benchmarks: `arena bench` measures engines, the referee, the workers and the tuner."""
