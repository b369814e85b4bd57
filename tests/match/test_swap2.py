"""Swap2: every way through the opening, faults in it, and the seats that come of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from support.game_records import results_of
from support.players import Idle, Unmoved

from arena import Choice, Limit, load_game
from arena.format import Pairing
from arena.game import Position
from arena.match.opening import Openings
from arena.match.play import play_game
from arena.match.record import GameRecord, job_of, key
from arena.match.terms import Clock, Terms
from arena.plugins.load import Named, checked

GAME = load_game("gomoku:size=9")
SUGGESTED = "4,4 3,3 5,6"
SWAP2 = "swap2 "
THREE, TWO = (40, 30, 51), (20, 60)
Answer = Any


def quick(p: Position) -> int:
    return p.cells.index(0) if p.turn == 1 else p.cells.rindex(0)


class Maker(Idle):
    """Answers in the opening by a list, and then lets Black win; notes its colours."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[int, Limit]] = []
        self.colours: set[int] = set()

    def open(self, p: Position, limit: Limit) -> Answer:
        self.asked.append((p.ply, limit))
        answer = self.answers.pop(0)
        return answer() if callable(answer) else answer

    def choose(self, p: Position, limit: Limit) -> Choice:
        self.colours.add(p.turn)
        return Choice(quick(p), 5)


class Scorer(Maker):
    """Knows nothing of openings; its score is always the same."""

    open = None  # type: ignore[assignment]

    def __init__(self, score: int | None) -> None:
        super().__init__()
        self.score = score

    def choose(self, p: Position, limit: Limit) -> Choice:
        self.colours.add(p.turn)
        return Choice(quick(p), self.score)


def game(proposer: Any, other: Any, first: str = "A", **options: Any) -> GameRecord:
    second = "B" if first == "A" else "A"
    job = job_of((first, second, SWAP2 + SUGGESTED, 1), 7)
    return play_game(GAME, (proposer, other), job, **options)


WAYS = [
    (["swap"], [], "swap", 3),
    ([(0,)], [], "stay", 3),
    ([TWO], ["swap"], "two swap", 5),
    ([TWO], [(0,)], "two stay", 5),
]


@pytest.mark.parametrize("first", ["A", "B"])
@pytest.mark.parametrize(("chosen", "then", "words", "stones"), WAYS)
def test_each_way_through_it(
    first: str, chosen: list[Answer], then: list[Answer], words: str, stones: int
) -> None:
    proposer, other = Maker(THREE, *then), Maker(*chosen)
    found = game(proposer, other, first)
    black_is_proposer = words in ("stay", "two swap")
    second = "B" if first == "A" else "A"
    black, white = (first, second) if black_is_proposer else (second, first)
    assert (found.first, found.second) == (black, white)
    assert found.proposer == (1 if black_is_proposer else 2)
    assert [each.partition(":")[0] for each in found.swap2.split()] == ["three", *words.split()]
    assert found.opening.split() == [GAME.text(move) for move in (*THREE, *TWO)[:stones]]
    assert found.moves.startswith(found.opening)
    assert (proposer.colours, other.colours) == (
        ({1}, {2}) if black_is_proposer else ({2}, {1})
    )  # neither is ever asked to move for the other
    assert found.reason == "line"
    assert len(found.times.split()) == found.plies - stones
    assert key(found) == (first, second, SWAP2 + SUGGESTED, 1)
    assert job_of(key(found), 7) == job_of((first, second, SWAP2 + SUGGESTED, 1), 7)


@pytest.mark.parametrize(
    ("score", "words"), [(-1, "three swap"), (0, "three stay"), (None, "three stay")]
)
def test_engines_without_open_follow_suggestions_and_scores(score: int | None, words: str) -> None:
    found = game(Scorer(3), Scorer(score))
    assert " ".join(each.partition(":")[0] for each in found.swap2.split()) == words
    assert found.opening == SUGGESTED
    assert (found.first == "B") == (score == -1)


def late(seconds: float, answer: Answer) -> Callable[[], Answer]:
    def answered() -> Answer:
        time.sleep(seconds)
        return answer

    return answered


def raises() -> None:
    raise ValueError("no opening")


FAULTS = [
    ([(40, 40, 41)], [], "A", "illegal move"),
    ([(40, 41)], [], "A", "illegal move"),
    ([(40, 41, 999)], [], "A", "illegal move"),
    (["swap"], [], "A", "illegal move"),
    (["garbage"], [], "A", "exception"),
    ([None], [], "A", "exception"),
    ([raises], [], "A", "exception"),
    ([late(0.3, THREE)], [], "A", "time"),
    ([THREE], [(40,)], "B", "illegal move"),
    ([THREE], [(40, 0)], "B", "illegal move"),
    ([THREE], [(0, 1, 2)], "B", "illegal move"),
    ([THREE], [late(0.3, "swap")], "B", "time"),
    ([THREE], [late(0.3, (0,))], "B", "time"),
    ([THREE, TWO], [TWO], "A", "illegal move"),
    ([THREE, (20,)], [TWO], "A", "illegal move"),
    ([THREE, raises], [TWO], "A", "exception"),
]


@pytest.mark.parametrize(("of_proposer", "of_other", "loser", "reason"), FAULTS)
def test_faults_in_the_opening_lose(
    of_proposer: list[Answer], of_other: list[Answer], loser: str, reason: str
) -> None:
    terms, limit = Terms(game=Named("gomoku"), margin=0), Limit(seconds=0.2)
    found = game(Maker(*of_proposer), Maker(*of_other), terms=terms, limits=(limit, limit))
    assert (found.player(3 - (found.winner or 0)), found.reason) == (loser, reason)
    assert key(found)[:2] == ("A", "B")


def test_the_clock_runs_from_the_first_question_and_goes_with_its_player() -> None:
    proposer, other = Maker(late(0.2, THREE), "swap"), Maker(TWO)
    limits = Limit(time_left=10), Limit(time_left=20)
    left: dict[int, list[float]] = {1: [], 2: []}

    class Listener(Unmoved):
        def asks(self, p: Position, clock: Clock, seat: int) -> None:
            left[seat].append(clock.limit.time_left or 0)

    found = game(proposer, other, limits=limits, observer=Listener())
    assert left[1][0] == 10
    assert all(9 < each < 9.81 for each in left[1][1:])
    assert all(19.5 < each <= 20 for each in left[2])
    assert found.swap2.startswith("three:0.2")


def test_the_observer_knows_players_by_their_seats_in_the_schedule() -> None:
    asked: list[tuple[int, int]] = []

    class Listener(Unmoved):
        def asks(self, p: Position, clock: Clock, seat: int) -> None:
            asked.append((p.ply, seat))

    game(Maker(THREE), Maker("swap"), observer=Listener())
    assert asked[:5] == [(0, 1), (3, 2), (3, 1), (4, 2), (5, 1)]


def test_a_pair_counts_by_its_players_whatever_their_colours() -> None:
    there = game(Maker(THREE), Maker("swap"), "A")
    back = game(Maker(THREE), Maker((80,)), "B")
    assert there.first == back.first == "B"  # so that both games have the same colours
    result = results_of([there, back]).get(Pairing("A", "B", SWAP2 + SUGGESTED, 1))
    assert result
    assert [each.player(each.winner or 0) for each in (there, back)] == ["A", "A"]
    assert result.points == 4


def openings(count: int, seed: int = 0, game: str = "gomoku") -> list[str]:
    source = Named("swap2", {"count": count, "seed": seed, "skip": 0}, is_checked=True)
    return list(Openings(source, checked("game", game)))


def test_each_pair_is_suggested_stones_of_its_own_by_the_seed() -> None:
    found = openings(1000)
    assert len(set(found)) == 1000
    assert openings(50) == found[:50]
    assert openings(50, seed=1) != found[:50]
    part = Openings(
        Named("swap2", {"count": 60, "seed": 0, "skip": 0}, is_checked=True),
        checked("game", "gomoku"),
    ).part(20, 10)
    assert list(part) == found[20:30]


@pytest.mark.parametrize("wanted", ["gomoku:size=7", "gomoku:size=20", "renju", "gomoku:size=25"])
def test_the_stones_are_on_any_board(wanted: str) -> None:
    rules = load_game(wanted)
    for text in openings(20, game=wanted):
        moves = [rules.parse(word) for word in text.removeprefix(SWAP2).split()]
        assert len(set(moves)) == 3


def test_a_player_has_its_limit_in_either_colour() -> None:
    proposer, other = Maker(THREE), Maker("swap")
    game(proposer, other, limits=(Limit(depth=1), Limit(depth=2)))
    assert (proposer.asked[0][1].depth, other.asked[0][1].depth) == (1, 2)
