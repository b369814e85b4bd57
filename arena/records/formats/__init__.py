"""Formats of files of games; one file is one format. The contract is `arena/records/written.py`."""
