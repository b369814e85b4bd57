"""A list of tests that this machine, or a cluster, plays one after the other."""
