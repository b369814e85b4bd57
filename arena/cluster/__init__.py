"""Games on the machines of a dask cluster.

`places.py` is the door, `dispatcher.py` gives out the games, `task.py` plays them at a worker, and
says in which four ways that is stopped.
"""
