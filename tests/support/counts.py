"""Counts of results and of pairs: random ones, and those that fishtest and fastchess judged."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from support.samples import ROOT

DATA = ROOT / "tests/data/match_statistics.json"
CASES = {case["name"]: case for case in json.loads(DATA.read_text())["cases"]}
trinomial = st.lists(st.integers(0, 10**5), min_size=3, max_size=3)
pentanomial = st.lists(st.integers(0, 10**5), min_size=5, max_size=5)
counts = trinomial | pentanomial


def counts_of(case: dict[str, Any]) -> list[int]:
    given = case["input"]
    if case["kind"] == "trinomial":
        return [given["losses"], given["draws"], given["wins"]]
    return [given["LL"], given["LD"], given["WL"] + given["DD"], given["WD"], given["WW"]]
