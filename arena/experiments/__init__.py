"""The kinds of experiments, a file each: see `arena/experiment.py`."""
