"""The check of `verification`: the test that is to prove a gain."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from arena.config.reader import Reader
from arena.plugins import load
from arena.plugins.parameters import parameters
from arena.stats.sprt import bounds, llr
from arena.tuning.settings.config import verification_keys

VERIFICATION = {"elo1": 20.0}
"""The default of the test: a gain worth the trouble begins here."""
OWN_KEYS = [parameter.name for parameter in parameters(verification_keys)]
"""Keys of `verification` that are no parameters of the test."""


class ProofReader(Reader):
    """Goes through a study's file, and holds what it says of the test."""

    def verification(self, value: object) -> dict[str, Any]:
        """The parameters of the test at the end, and `opponent_pairs`; faults if none can pass."""
        path = ("verification",)
        faults = len(self.faults)
        given = VERIFICATION if value is None else value
        if not isinstance(given, dict):
            self.fault(f"must be a mapping (key: value), not {value!r}", path)
            given = {}
        of_test = {key: each for key, each in given.items() if key not in OWN_KEYS}
        own = {key: each for key, each in given.items() if key in OWN_KEYS}
        test = self.fit(load.factory("format", "sprt"), VERIFICATION | of_test, path, also=OWN_KEYS)
        found = {**test, **self.fit(verification_keys, own, path)}
        if len(self.faults) == faults:
            self.check_test(test)
        return found

    def check_test(self, test: dict[str, Any]) -> None:
        """Note if the test could never pass."""
        path, elo0, elo1, pairs = ("verification",), test["elo0"], test["elo1"], test["pairs"]
        if elo0 >= elo1:
            self.fault(f"elo0, {elo0:g}, must be less than elo1, {elo1:g}", path)
        elif pairs < (least := least_pairs(test)):
            self.fault(f"{pairs} pairs cannot prove a gain even if all are won; {least} can", path)


def least_pairs(test: dict[str, Any]) -> int:
    """The number of pairs that prove a gain if all are won."""
    _, upper = bounds(test["alpha"], test["beta"])

    def evidence(pairs: int) -> float:
        return llr([0, 0, 0, 0, pairs], test["elo0"], test["elo1"], test["model"])

    return 1 + bisect_left(range(1, 10**6), upper, key=evidence)
