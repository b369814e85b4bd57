"""The search of shapes: how deep a CPU second leads, time to depth, and how soon wins are seen.

Counters (`cutoffs`, `first_cutoffs`, `forced_nodes`) and wins that are `proven` are read from what
an engine says of its moves; a figure that it does not keep is left blank.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from arena.bench import Measurement
from arena.engine import Choice, Engine, Limit
from arena.game import Game, Move, Position
from arena.match.play import place_opening
from arena.plugins import load
from arena.plugins.parameters import Parameter, parameters

SEARCHED = ("balance", "live_dead")
"""The engines whose searches are measured; each with every value of its `search`."""
DEPTHS = (6, 12)
"""The depths whose time is measured, where a CPU second leads as far."""
PILOT_NODES = 100_000
"""Nodes that tell how many a CPU second has."""
VCF_NODES = 15_000
"""Nodes allowed for a win by fours: some 20 ms of the selective search."""
POSITIONS = Path(__file__).parent.parent / "positions"


class Solvable(NamedTuple):
    """A position with a known win by fours, and the moves known to begin one."""

    rule: str
    moves: Sequence[Move]
    best: Sequence[Move]


class SearchedMove(NamedTuple):
    """An engine's choice, and the CPU seconds that it took."""

    choice: Choice
    seconds: float


def rows(repeat: int) -> Iterator[Measurement]:
    """Two rows for each search: on quiet positions, and on known wins by fours."""
    for name in SEARCHED:
        for options in searches_of(name):
            label = "/".join((f"search/{name}", *options.values()))
            yield {"name": label, **quiet_figures(name, options, repeat)}
    for name in SEARCHED:
        for options in searches_of(name):
            label = "/".join((f"search/{name}", *options.values(), "vcf"))
            yield {"name": label, **fours_figures(name, options, repeat)}


def searches_of(name: str) -> list[dict[str, str]]:
    """Each value of an engine's parameter `search`; nothing to choose if it has none."""
    search = parameter(name, "search")
    return [{"search": value} for value in search.choices] if search else [{}]


def parameter(engine: str, name: str) -> Parameter | None:
    """An engine's parameter of that name."""
    known = parameters(load.factory("engine", engine))
    return next((each for each in known if each.name == name), None)


def searcher(name: str, options: dict[str, str], rule: str = "freestyle") -> tuple[Game, Engine]:
    """A game by its rule, and an engine that searches as deep as it can."""
    game = load.load_game("renju" if rule == "renju" else f"gomoku:rule={rule}")
    depth = parameter(name, "depth")
    deepest = {"depth": int(depth.range.high)} if depth and depth.range else {}
    return game, load.factory("engine", name)(game, **options, **deepest)


def quiet_figures(name: str, options: dict[str, str], repeat: int) -> Measurement:
    """Medians over quiet positions, each searched `repeat` times; shares are of the sums."""
    game, engine = searcher(name, options)
    positions = quiet_positions(game)
    seconds = [second(engine, p) for p in positions for _ in range(repeat)]
    choices = [each.choice for each in seconds]
    depth = median(each.depth for each in choices)
    figures: Measurement = {
        "positions": len(positions),
        "seconds": median(each.seconds for each in seconds),
        "depth": depth,
        "branching": median(each.nodes ** (1 / max(1, each.depth)) for each in choices),
        "nodes_per_second": sum(each.nodes for each in choices)
        / sum(each.seconds for each in seconds),
        "first_cutoffs": counted_share(choices, "first_cutoffs", "cutoffs"),
        "forced_nodes": counted_share(choices, "forced_nodes", "nodes"),
    }
    for plies in DEPTHS:
        limit = Limit(depth=plies, nodes=10**12)
        figures[f"seconds_to_{plies}"] = (
            median(searched(engine, p, limit).seconds for p in positions for _ in range(repeat))
            if depth >= plies
            else None
        )
    return figures


def second(engine: Engine, p: Position) -> SearchedMove:
    """The move after about one CPU second, from nothing.

    The limit is one of nodes, as many as a second has: a clock would count other programs too.
    """
    pilot = searched(engine, p, Limit(nodes=PILOT_NODES))
    nodes = int(pilot.choice.nodes / pilot.seconds)
    return searched(engine, p, Limit(nodes=max(nodes, PILOT_NODES)))


def searched(engine: Engine, p: Position, limit: Limit) -> SearchedMove:
    """The engine's move as in the first move of a game."""
    engine.new_game(0)
    began = process_time()
    choice = engine.choose(p, limit)
    return SearchedMove(choice, process_time() - began)


def counted_share(choices: Sequence[Choice], part: str, whole: str) -> float | None:
    """The sum of one counter divided by that of another; None where one is not kept."""
    found, everything = counted(choices, part), counted(choices, whole)
    return None if found is None or not everything else found / everything


def counted(choices: Sequence[Choice], counter: str) -> float | None:
    """The sum of a counter over all choices; None where it is not kept."""
    if counter == "nodes":
        return sum(choice.nodes for choice in choices)
    counts = [choice.info.get(counter) for choice in choices]
    return None if None in counts else sum(float(count) for count in counts if count is not None)


def fours_figures(name: str, options: dict[str, str], repeat: int) -> Measurement:
    """Known wins by fours: those that are seen, by this first move or another, and their time."""
    found, milliseconds = 0, []
    players: dict[str, Any] = {}
    for case in known_fours():
        if case.rule not in players:
            players[case.rule] = searcher(name, options, case.rule)
        game, engine = players[case.rule]
        p = reached(game, case.moves)
        answers = [searched(engine, p, Limit(nodes=VCF_NODES)) for _ in range(repeat)]
        choice = answers[0].choice
        found += choice.move in case.best or float(choice.info.get("proven", 0)) > 0
        milliseconds.append(1000 * median(each.seconds for each in answers))
    return {
        "positions": len(milliseconds),
        "solved": found,
        "milliseconds": median(milliseconds),
        "slowest": max(milliseconds),
    }


def known_fours() -> list[Solvable]:
    """The positions of a file that gives columns first, as moves on 15 x 15 points."""
    cases = json.loads((POSITIONS / "vcf.json").read_text(encoding="utf-8"))["cases"]
    return [
        Solvable(
            case["rule"],
            [15 * row + column for column, row in case["moves"]],
            [15 * row + column for column, row in case["winning_first_moves"]],
        )
        for case in cases
    ]


def quiet_positions(game: Game) -> list[Position]:
    """Positions from the middle of games that no fours decide."""
    lines = (POSITIONS / "quiet.txt").read_text(encoding="utf-8").splitlines()
    return [place_opening(game, line) for line in lines if not line.startswith("#")]


def reached(game: Game, moves: Sequence[Move]) -> Position:
    """The position after these moves."""
    p = game.start()
    for move in moves:
        p = game.play(p, move)
    return p
