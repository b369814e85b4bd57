"""Sources of openings; one file is one source. The contract is `arena/match/opening.py`."""
