"""False claims, counted: equal players who are looked at, who crash, or who are proved again and
again; and the pairs that a true claim takes. `python -m claims NAME`, in the folder `research/`."""
