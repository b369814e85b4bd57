"""`python -m claims NAME`: simulated runs, and the share of them that end with a claim."""

from __future__ import annotations

import argparse
import importlib

NAMES = ("looks", "advice", "faults", "sequential", "attempts", "power")
RUNS = 1_500


def main() -> None:
    """Print the tables of a simulation."""
    parser = argparse.ArgumentParser(prog="python -m claims", description=__doc__)
    parser.add_argument("name", choices=NAMES, metavar="NAME", help=f"of: {', '.join(NAMES)}")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"in each cell [{RUNS:,}]")
    parser.add_argument("--seed", type=int, default=1, help="of the first run [1]")
    parser.add_argument("--workers", type=int, default=1, help="processes [1]")
    asked = parser.parse_args()
    found = importlib.import_module(f"claims.{asked.name}")
    for line in found.lines(range(asked.seed, asked.seed + asked.runs), asked.workers):
        print(line, flush=True)


if __name__ == "__main__":
    main()
