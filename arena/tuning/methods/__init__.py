"""Methods of search for weights; one file is one. The contract is `arena/tuning/method.py`."""
