"""How figures are written for people: Elo, intervals, shares."""

from __future__ import annotations

from arena.stats import ELO_LIMIT


def elo_text(elo: float, low: float, high: float) -> str:
    """Elo; of a player that won, or lost, everything: only the bound that is known."""
    if elo >= ELO_LIMIT:
        return f">{low:+.0f}"
    if elo <= -ELO_LIMIT:
        return f"<{high:+.0f}"
    return f"{elo:+.0f}"


def interval_text(low: float, high: float) -> str:
    """The interval's ends; one beyond the range of Elo is not known."""
    has_low, has_high = low > -ELO_LIMIT, high < ELO_LIMIT
    if has_low and has_high:
        return f"{low:+.0f} to {high:+.0f}"
    return f"{low:+.0f} or more" if has_low else f"{high:+.0f} or less" if has_high else "unknown"


def share_text(share: float) -> str:
    """A share of one as per cent."""
    return f"{share:.1%}"
