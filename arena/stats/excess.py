"""Chance as an explanation of why some have more of something than others."""

from __future__ import annotations


def chance_of_excess(few: int, of: int, others: int, of_others: int) -> float:
    """The chance that one lot holds `few` marked items or more of its `of`, were all lots alike.

    `others` of the `of_others` items in all other lots are marked: Fisher's exact test, one-sided.
    """
    # Most of a second to import, which no run should wait for: machines hardly ever differ.
    from scipy.stats import hypergeom

    return float(hypergeom.sf(few - 1, of + of_others, few + others, of))
