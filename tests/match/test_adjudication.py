"""Games that are ended early: by repetition, scores and proofs, at the ply that a recount says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from time import sleep

import pytest
from hypothesis import given, strategies as st
from support.players import Idle
from support.samples import ROOT, Write
from support.sweep import cases
from twins.boards import game_of
from twins.solver import CUT, FOURS_ALLOWED, Solving, ends, has_fours, new_solving, show
from twins.threats import check_win

import arena
from arena import load_engine, load_game
from arena.config.reader import read_config
from arena.engine import Choice, Limit, Remark
from arena.engines.kit.shapes.table import Rule
from arena.errors import ConfigError
from arena.game import Game, Move, Outcome, Position
from arena.games.gomoku import Gomoku
from arena.games.two_eat_one import TwoEatOne
from arena.match.adjudication import Repetition, early_ends, proof, rules_of
from arena.match.opening import fault_of
from arena.match.play import moves_text, place_opening, play_game
from arena.match.record import GameRecord, Job
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.records.formats import sgf
from arena.tournament.exchange.exporting import written_of
from arena.tournament.replay import rules_difference

GAME = TwoEatOne()
TO_AND_FRO = "0,0-1,0 4,0-3,0 1,0-0,0 3,0-4,0"


class Shuffler(Idle):
    """Goes to and fro with one piece."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        return Choice(GAME.parse(TO_AND_FRO.split()[p.ply % 4]))


class Endless(TwoEatOne):
    """The same rules without an end by repetition."""

    repetitions = None


def shuffle(game: TwoEatOne = GAME, opening: str = "", max_plies: int | None = None) -> GameRecord:
    job = Job("one", "two", opening=opening)
    terms = Terms(game=Named("two_eat_one"), max_plies=max_plies)
    return play_game(game, (Shuffler(), Shuffler()), job, terms=terms)


@pytest.mark.parametrize("plies", [0, 1, 4, 7])
def test_the_third_occurrence_is_a_draw_the_start_and_the_opening_included(plies: int) -> None:
    record = shuffle(opening=" ".join((TO_AND_FRO.split() * 2)[:plies]))
    assert (record.winner, record.reason, record.plies) == (None, "repetition", 8)
    assert record.moves == f"{TO_AND_FRO} {TO_AND_FRO}"
    assert rules_difference(GAME, record) is None


def test_the_same_stones_with_the_other_to_move_are_another_position() -> None:
    count = Repetition(2)
    assert count.outcome(Position(b"\1\2", 1)) is None
    assert count.outcome(Position(b"\1\2", 2)) is None
    assert count.outcome(Position(b"\1\2", 1)) == Outcome(None, "repetition")


def test_a_record_whose_moves_repeat_too_little_or_too_much_is_found_out() -> None:
    record = shuffle()
    moves = record.moves.split()
    short = replace(record, moves=" ".join(moves[:-1]))
    assert "its end is None" in (rules_difference(GAME, short) or "")
    long = replace(record, moves=" ".join([*moves, moves[0]]), reason="ply cap")
    assert "repetition" in (rules_difference(GAME, long) or "")


def test_without_repetition_the_cap_comes_the_matchs_or_the_games_own() -> None:
    for max_plies, plies in ((None, 200), (300, 200), (9, 9)):
        record = shuffle(Endless(), max_plies=max_plies)
        assert (record.winner, record.reason, record.plies) == (None, "ply cap", plies)
    assert shuffle(max_plies=7).reason == "ply cap"
    assert shuffle(max_plies=8).reason == "repetition"


def test_random_games_end_where_a_recount_says() -> None:
    engine = load_engine("random_mover", GAME)
    reasons = set()
    for seed in range(60):
        record = play_game(GAME, (engine, engine), Job("one", "two", seed=seed))
        reasons.add(record.reason)
        p = GAME.start()
        seen = Counter([(p.cells, p.turn)])
        for text in record.moves.split():
            assert max(seen.values()) < 3
            assert p.ply < 200
            assert GAME.outcome(p) is None
            p = GAME.play(p, GAME.parse(text))
            seen[p.cells, p.turn] += 1
        outcome = GAME.outcome(p)
        expected = (
            outcome.reason if outcome else "repetition" if max(seen.values()) == 3 else "ply cap"
        )
        assert record.reason == expected
        assert rules_difference(GAME, record) is None
    assert reasons == {"few pieces", "ply cap"}


def test_an_opening_that_is_drawn_already_is_refused() -> None:
    opening = " ".join([TO_AND_FRO] * 2)
    assert "a draw (repetition)" in (fault_of(GAME, opening) or "")
    assert "a draw (repetition)" in (fault_of(GAME, opening + " 0,0-1,0") or "")
    assert "a draw (repetition)" in (fault_of(GAME, opening + " 0,1-1,1") or "")
    assert fault_of(GAME, TO_AND_FRO) is None
    assert shuffle(opening=opening).times == ""


def resigned(told: list[tuple[int, int | None]], score: int, moves: int) -> int | None:
    """The winner by the law of `resign`, the long way: from the (mover, score) of every ply."""
    latest = told[-2 * moves :]
    for winner in (1, 2):
        if len(latest) == 2 * moves and latest[-1][0] != winner:
            signs = [(1 if mover == winner else -1, each) for mover, each in latest]
            if all(each is not None and sign * each >= score for sign, each in signs):
                return winner
    return None


def drawn(told: list[tuple[int, int | None]], score: int, moves: int, after: int) -> bool:
    """True if the game is a draw by the law of `draw`, computed the long way."""
    latest = [each for _, each in told[-2 * moves :]]
    is_small = all(each is not None and -score <= each <= score for each in latest)
    return len(told) >= after and len(latest) == 2 * moves and is_small


SCORES = st.lists(st.sampled_from([None, -100, -99, -20, 0, 20, 21, 99, 100, 101]), max_size=40)
AGREED = st.lists(st.sampled_from([None, 30, 50, 50, 60, 60, 60, -60]), max_size=40).map(
    lambda found: [each and each * (-1) ** ply for ply, each in enumerate(found)]
)
"""Scores of games in which the first player is mostly ahead, as both see it."""


@given(st.one_of(SCORES, AGREED), st.sampled_from([20, 50, 100]), st.integers(1, 4))
def test_resign_and_draw_are_their_laws(scores: list[int | None], score: int, moves: int) -> None:
    values = {"score": score, "moves": moves}
    for after in (0, 7):
        wanted = Named("resign", values), Named("draw", {**values, "after": after})
        resign, draw = rules_of(GAME, wanted)
        for ply in range(1, len(scores) + 1):
            p = Position(b"", ply % 2 + 1, tuple(range(ply)))
            told = [((i % 2) + 1, each) for i, each in enumerate(scores[:ply])]
            winner = resigned(told, score, moves)
            expected = winner and Outcome(winner, "won by scores")
            said = Remark(3 - p.turn, score=scores[ply - 1])
            assert resign.outcome(p, said) == expected
            is_drawn = drawn(told, score, moves, after)
            assert draw.outcome(p, said) == (Outcome(None, "drawn by scores") if is_drawn else None)


def test_of_rules_that_act_at_once_the_one_that_decides_comes_first() -> None:
    gomoku = load_game("gomoku")
    found = [
        Named("draw_at_empty", {"draw_at_empty": 223}),
        Named("draw", {"score": 500, "moves": 1, "after": 0}),
        Named("resign", {"score": 100, "moves": 1}),
    ]
    reasons = []
    while found:
        terms = Terms(game=Named("gomoku"), adjudication=tuple(found), max_plies=2)
        ends = early_ends(gomoku, terms)
        assert ends
        p = gomoku.play(gomoku.start(), 0)
        assert ends.outcome(p, Remark(1, score=200)) is None
        outcome = ends.outcome(gomoku.play(p, 1), Remark(2, score=-200))
        assert outcome
        reasons.append((outcome.winner, outcome.reason))
        found.pop()
    assert reasons == [(1, "won by scores"), (None, "drawn by scores"), (None, "few cells left")]


BOARD = game_of("freestyle")
PROOF = Named("proof", {"fours": 20, "nodes": 2000})
KNOWN = [
    case
    for case in json.loads((ROOT / "research/benchmarks/positions/vcf.json").read_text())["cases"]
    if case["rule"] == "freestyle" and case["fours"] > 2
]
CASES = [[row * BOARD.size + column for column, row in case["moves"]] for case in KNOWN]
"""Lines of play after which the side to move wins by fours."""
CASE, MOVES = KNOWN[0], CASES[0]
WINNER = 1 + len(MOVES) % 2


class Told(Idle):
    """Plays as it is told, then on the first cells that are free."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        move = MOVES[p.ply] if p.ply < len(MOVES) else p.cells.index(0)
        return Choice(move, score=(-1) ** p.ply)


def played(plies: int, *rules: Named, limit: Limit | None = None, **terms: int) -> GameRecord:
    job = Job("one", "two", moves_text(BOARD, MOVES[:plies]))
    told = Terms(game=Named("gomoku"), adjudication=rules, margin=0, **terms)
    limits = (limit or Limit(),) * 2
    return play_game(BOARD, (Told(), Told()), job, limits=limits, terms=told)


def positions(game: Game, record: GameRecord) -> list[Position]:
    moves = [game.parse(text) for text in record.moves.split()]
    line = list(accumulate(moves, game.play, initial=game.start()))  # type: ignore[arg-type]
    return line[len(record.opening.split()) :]


def line_of(game: Game, record: GameRecord) -> tuple[Move, ...]:
    return tuple(map(game.parse, record.detail.split()))


def test_a_game_ends_before_the_turn_of_the_side_that_wins() -> None:
    record = played(len(MOVES) - 1, PROOF)
    assert (record.winner, record.reason, record.plies) == (WINNER, "won by proof", len(MOVES))
    last = positions(BOARD, record)[-1]
    assert len(line_of(BOARD, record)) == 2 * CASE["fours"] + 1
    check_win(BOARD, last, line_of(BOARD, record))
    assert rules_difference(BOARD, record) is None


@pytest.mark.parametrize("bounds", [{"fours": 1, "nodes": 2000}, {"fours": 20, "nodes": 1}])
def test_what_the_bounds_leave_open_is_played_on(bounds: dict[str, int]) -> None:
    assert played(len(MOVES) - 1, Named("proof", bounds)).plies > len(MOVES)


def test_what_was_searched_before_changes_nothing() -> None:
    search = proof.search_of(BOARD, 20, 40)
    line = [place_opening(BOARD, moves_text(BOARD, moves)) for moves in CASES]
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
        row, column = divmod(BOARD.parse(text), BOARD.size)
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
