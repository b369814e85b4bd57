"""Games on the machines of a dask cluster.

`site.py` is the door, `dispatcher.py` gives out the games, `task.py` plays them at a worker, and
says in which four ways that is stopped.
"""
