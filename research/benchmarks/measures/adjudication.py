"""Adjudication: the games that each rule ends early, the time that saves, and what it costs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time

from arena.bench import Measurement
from arena.config.settings import Config, Player
from arena.engine import Limit
from arena.game import Game, Position
from arena.match.adjudication import rules_of
from arena.match.opening import Openings
from arena.match.play import place_opening
from arena.match.record import GameRecord, key, remarks_of
from arena.match.terms import Terms
from arena.plugins.load import Named, load_game
from arena.tournament.run import Run
from arena.workers.pool import Local

RULES_TRIED = (
    Named("proof", {"fours": 20, "nodes": 2000}),
    Named("resign", {"score": 10_000, "moves": 3}),
    Named("draw", {"score": 10_000, "moves": 10, "after": 60}),
    Named("draw_at_empty", {"draw_at_empty": 25}),
)
OPENINGS_PLAYED = 30
FIELD = {"five_tuple": 4, "live_dead": 3, "balance": 3}
"""The players, by their depth."""

Played = Mapping[tuple[str, str, str, int], GameRecord]


def rows(repeat: int) -> Iterator[Measurement]:
    """A row for each rule, and one for all at once: the run with it beside the run without.

    Both have the same games up to the ply where a rule acts. Each run is played once.
    """
    config = tournament(FIELD, OPENINGS_PLAYED)
    whole = games(config)
    for rules in (*((rule,) for rule in RULES_TRIED), RULES_TRIED):
        name = rules[0].name if len(rules) == 1 else "all"
        figures = compared(whole, games(config, rules))
        cost = 1e6 * seconds_a_ply(config.terms.game, rules, list(whole.values()))
        yield {"name": f"adjudication/{name}", **figures, "microseconds_a_ply": cost}


def seconds_a_ply(game: Named, rules: tuple[Named, ...], records: Sequence[GameRecord]) -> float:
    """CPU time of the referee to ask these rules after each ply of whole games."""
    played = load_game(game)
    lines = [(line_of_play(played, record), [None, *remarks_of(record)]) for record in records]
    asked = [rules_of(played, rules) for _ in records]  # builds what they need
    began = process_time()
    for (line, remarks), each in zip(lines, asked, strict=True):
        for p, said in zip(line, remarks, strict=True):
            for rule in each:
                rule.outcome(p, said)
    return (process_time() - began) / sum(len(line) for line, _ in lines)


def line_of_play(game: Game, record: GameRecord) -> Sequence[Position]:
    """The positions after the opening, and after each move since."""
    line = [place_opening(game, record.opening)]
    for text in record.moves.split()[line[0].ply :]:
        line.append(game.play(line[-1], game.parse(text)))
    return line


def compared(whole: Played, ended: Played) -> Measurement:
    """The figures of a run with rules, beside those of its games without."""
    pairs = [(whole[each], ended[each]) for each in whole]
    total = sum(thought(old, old) for old, _ in pairs)
    early = [(old, new) for old, new in pairs if old.reason != new.reason]
    return {
        "games": len(pairs),
        "ended_early": len(early),
        "plies_saved": 1 - sum(new.plies for _, new in pairs) / sum(old.plies for old, _ in pairs),
        "seconds_saved": 1 - sum(thought(*pair) for pair in pairs) / total,
        "verdicts_changed": sum(old.winner != new.winner for old, new in early),
    }


def thought(whole: GameRecord, ended: GameRecord) -> float:
    """Seconds that the engines took in the whole game, up to where the other one ended."""
    return sum(map(float, whole.times.split()[: len(ended.times.split())]))


def tournament(depths: Mapping[str, int], starts: int) -> Config:
    """A round robin of these engines on Gomoku, 15 x 15, from `starts` openings."""
    game = Named("gomoku", {"size": 15})
    drawn = {"plies": 6, "count": starts, "seed": 1, "spread": 3, "skip": 0}
    return Config(
        name="adjudication",
        terms=Terms(game=game),
        format=Named("round_robin"),
        openings=Openings(Named("random", drawn), game),
        players=tuple(
            Player(name, Named(name), Limit(depth=depth)) for name, depth in depths.items()
        ),
    )


def games(config: Config, rules: tuple[Named, ...] = ()) -> Played:
    """The games of a run in a folder of its own, ended early by these rules."""
    with tempfile.TemporaryDirectory() as folder:
        terms = replace(config.terms, adjudication=rules)
        run = Run(Path(folder) / config.name, replace(config, terms=terms))
        run.play(Local(2))
        return {key(record): record for _, record in run.records()}
