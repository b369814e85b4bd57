"""Kernels that several engines share."""
