"""Benchmarks for users: `arena bench` times engines and the worker processes."""
