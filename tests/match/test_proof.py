"""Games that the referee ends by a proof: at the right ply, with a line that holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from time import sleep

import pytest
from support.samples import ROOT, Write
from support.sweep import cases
from twins.boards import game_of
from twins.fours import check_win
from twins.solver import ends, has_fours
from twins.solver_board import CUT, FOURS_ALLOWED, Solving, new_solving, show

import arena
from arena.config.reader import read_config
from arena.engine import Choice, Limit
from arena.engines.kit.shapes.table import Rule
from arena.errors import ConfigError
from arena.game import Game, Move, Position
from arena.games.gomoku import Gomoku
from arena.match.adjudication import proof
from arena.match.play import moves_text, place_opening, play_game
from arena.match.record import GameRecord, Job
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.records.formats import sgf
from arena.tournament.exchange.exporting import written_of
from arena.tournament.replay import rules_difference

GAME = game_of("freestyle")
PROOF = Named("proof", {"fours": 20, "nodes": 2000})
KNOWN = [
    case
    for case in json.loads((ROOT / "research/benchmarks/positions/vcf.json").read_text())["cases"]
    if case["rule"] == "freestyle" and case["fours"] > 2
]
CASES = [[row * GAME.size + column for column, row in case["moves"]] for case in KNOWN]
"""Lines of play after which the side to move wins by fours."""
CASE, MOVES = KNOWN[0], CASES[0]
WINNER = 1 + len(MOVES) % 2


class Told:
    """Plays as it is told, then on the first cells that are free."""

    def new_game(self, seed: int) -> None:
        pass

    def choose(self, p: Position, limit: Limit) -> Choice:
        move = MOVES[p.ply] if p.ply < len(MOVES) else p.cells.index(0)
        return Choice(move, score=(-1) ** p.ply)

    def close(self) -> None:
        pass


def played(plies: int, *rules: Named, limit: Limit | None = None, **terms: int) -> GameRecord:
    """The game after an opening of this number of its moves."""
    job = Job("one", "two", moves_text(GAME, MOVES[:plies]))
    told = Terms(game=Named("gomoku"), adjudication=rules, margin=0, **terms)
    limits = (limit or Limit(),) * 2
    return play_game(GAME, (Told(), Told()), job, limits=limits, terms=told)


def positions(game: Game, record: GameRecord) -> list[Position]:
    """The positions after the opening's last move, and after each one since."""
    moves = [game.parse(text) for text in record.moves.split()]
    line = list(accumulate(moves, game.play, initial=game.start()))  # type: ignore[arg-type]
    return line[len(record.opening.split()) :]


def line_of(game: Game, record: GameRecord) -> tuple[Move, ...]:
    """The line of a game won by proof."""
    return tuple(map(game.parse, record.detail.split()))


def test_a_game_ends_before_the_turn_of_the_side_that_wins() -> None:
    record = played(len(MOVES) - 1, PROOF)
    assert (record.winner, record.reason, record.plies) == (WINNER, "won by proof", len(MOVES))
    last = positions(GAME, record)[-1]
    assert len(line_of(GAME, record)) == 2 * CASE["fours"] + 1
    check_win(GAME, last, line_of(GAME, record))
    assert rules_difference(GAME, record) is None


@pytest.mark.parametrize("bounds", [{"fours": 1, "nodes": 2000}, {"fours": 20, "nodes": 1}])
def test_what_the_bounds_leave_open_is_played_on(bounds: dict[str, int]) -> None:
    assert played(len(MOVES) - 1, Named("proof", bounds)).plies > len(MOVES)


def test_what_was_searched_before_changes_nothing() -> None:
    search = proof.search_of(GAME, 20, 40)
    line = [place_opening(GAME, moves_text(GAME, moves)) for moves in CASES]
    found = [search(p) for p in line]
    assert [search(p) for p in reversed(line)] == found[::-1]
    assert {None} < {each if each is None else bool(each) for each in found}


def test_an_opening_that_is_won_already_is_played_on() -> None:
    record = played(len(MOVES), PROOF)
    assert record.plies > len(MOVES)


def test_a_win_after_the_last_ply_that_counts_is_none() -> None:
    needed = len(MOVES) + 2 * CASE["fours"] + 1
    ends = [played(len(MOVES) - 1, PROOF, max_plies=needed - short) for short in (0, 1)]
    assert [record.reason for record in ends] == ["won by proof", "ply cap"]


def test_a_proof_counts_before_the_scores() -> None:
    scores = Named("resign", {"score": 1, "moves": 1})
    assert played(len(MOVES) - 2, scores).plies == len(MOVES)
    assert played(len(MOVES) - 2, scores, PROOF).reason == "won by proof"


def test_its_time_is_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "search_of", lambda *_: lambda _: sleep(0.03))
    clock = Limit(seconds=0.02, time_left=0.1)
    record = played(len(MOVES) - 1, PROOF, limit=clock, max_plies=len(MOVES) + 10)
    assert record.reason == "ply cap"
    assert max(map(float, record.times.split())) < 0.02


def test_the_line_goes_along_to_other_programs() -> None:
    record = played(len(MOVES) - 1, PROOF)

    def point(text: str) -> tuple[int, int]:
        row, column = divmod(GAME.parse(text), GAME.size)
        return row, column

    text = sgf.text(written_of(record, point, size=15, rule="", event="", date=""))
    assert f"won by proof: {record.detail}" in text.decode()


@pytest.mark.parametrize("game", ["tictactoe", "{gomoku: {rule: caro}}"])
def test_a_game_without_a_search_is_refused_with_the_place(game: str, write: Write) -> None:
    players = "[{name: one, engine: random_mover}, {name: two, engine: random_mover}]"
    file = write(f"game: {game}\nproof: {{fours: 3}}\nengines: {players}\n")
    with pytest.raises(ConfigError, match=r":2:1: proof: no engine looks for forced wins in "):
        read_config(file)


RULES: list[Rule] = ["freestyle", "standard", "renju"]
GOMOKU = "{{gomoku: {{rule: {}}}}}"
CONFIG = """
game: {game}
openings: {{random: {{plies: 6, count: {count}, seed: 5, spread: 3}}}}
engines:
  - {{name: random, engine: random_mover}}
  - {{name: other, engine: {other}, depth: 1}}
  - {{name: shapes, engine: live_dead, depth: 1}}
"""


def kept(folder: Path, text: str, workers: int) -> list[GameRecord]:
    """The games of a run in a folder of its own."""
    folder.mkdir()
    (folder / "run.yaml").write_text(text)
    run = arena.run(folder / "run.yaml", workers=workers, results=folder)
    return [record for _, record in run.records()]


@pytest.mark.slow
def test_any_number_of_workers_ends_the_games_alike(tmp_path: Path) -> None:
    text = CONFIG.format(game="{gomoku: {size: 9}}", other="five_tuple", count=4)
    text += "proof: {fours: 20, nodes: 500}\n"
    whole = [kept(tmp_path / str(n), text, workers=n) for n in (0, 2)]
    one, other = ([(r.moves, r.winner, r.reason, r.detail) for r in each] for each in whole)
    assert sorted(one) == sorted(other)
    assert Counter(reason for *_, reason, _ in one)["won by proof"] > len(one) / 2


def wins_by_fours(solver: Solving, game: Gomoku, p: Position) -> bool:
    """True if the slow solver finds that the side to move wins by fours."""
    show(solver, game, p)
    solver.numbers[:] = 0
    solver.numbers[FOURS_ALLOWED] = 1_000_000
    if ends(solver, p.turn)[0] > 0:
        return True
    must, second = ends(solver, 3 - p.turn)
    found = second == 0 and has_fours(solver, p.turn, must)
    assert not solver.numbers[CUT]
    return bool(found)


def first_proof(
    game: Game, line: Sequence[Position], search: proof.ForcedWin
) -> Iterator[tuple[Position, Sequence[Move] | None]]:
    """Each position that the referee would judge, with its finding, up to the first win."""
    for p in line[1:]:
        if game.outcome(p):
            return
        found = search(p)
        yield p, found
        if found:
            return


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("rule", RULES)
def test_no_proof_contradicts_the_slow_solver(rule: Rule, tmp_path: Path) -> None:
    """2 000 kept games of three rules, judged ply by ply: every line wins by the referee's rules,
    and what is said to be no win is none. A game that another player has won was not converted."""
    rules = game_of(rule)
    game, other = ("renju", "balance") if rule == "renju" else (GOMOKU.format(rule), "five_tuple")
    text = CONFIG.format(game=game, other=other, count=cases(112))
    records = kept(tmp_path / "run", text, workers=0)
    search, solver = proof.search_of(rules, 20, 2000), new_solving(rules)
    counts = Counter[str]()
    for record in records:
        line = positions(rules, record)
        for p, found in first_proof(rules, line, search):
            if found is not None:
                assert bool(found) == wins_by_fours(solver, rules, p), moves_text(rules, p.moves)
            if found:
                check_win(rules, p, tuple(found))
                counts["proofs"] += 1
                counts["converted"] += record.winner == p.turn
    assert counts["proofs"] > 0.8 * len(records)
    assert counts["converted"] > 0.9 * counts["proofs"]
