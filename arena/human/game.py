"""A game with persons in it, who may take moves back: parts of it, each played by `play_game`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import replace
from typing import Any

from arena.engine import Engine, Limit
from arena.errors import ConfigError
from arena.game import Game
from arena.human.display import Display
from arena.human.hints import Adviser
from arena.human.player import Human, QuitError
from arena.human.setup import Setup
from arena.human.take_back import AwayError, Note, Seat, TakeBackError, thoughts
from arena.human.terminal import Talk
from arena.interrupt import escapable
from arena.match.copies import marks_of_text
from arena.match.opening import fault_of, spelt
from arena.match.play import moves_text, play_game
from arena.match.record import GameRecord, Job
from arena.plugins.build import close_engine, load_engine

EXIT_CODES: dict[type[BaseException], int] = {QuitError: 0, EOFError: 1, KeyboardInterrupt: 130}
"""Ways to leave a game, and the exit codes that tell a script of them."""


class UnfinishedError(Exception):
    """The game was left after these moves; with the exit code for it."""

    def __init__(self, moves: str, code: int) -> None:
        super().__init__(moves, code)
        self.moves = moves
        self.code = code


Leave = Callable[[UnfinishedError], object]


def play_with_persons(setup: Setup, talk: Talk, leave: Leave | None = None) -> GameRecord:
    """Play a game; each time that moves are taken back, go on from there as from an opening.

    ConfigError as `single.play`; UnfinishedError if the game is left. `leave`, if given, is called
    with that where Ctrl-C meets a search that does not return; then the process ends.
    """
    if message := fault_of(setup.game, setup.opening, setup.terms):
        raise ConfigError(message)
    job = Job(*setup.names, opening=spelt(setup.game, setup.opening), seed=setup.terms.seed)
    notes, limits, part = list[Note](), setup.limits, job
    display = Display(setup, notes, talk.say)
    with seated(setup, notes, talk) as (human, seats), leaving(setup, display, leave):
        display.open()
        while True:
            kept = len(notes)
            try:
                last = play_game(
                    setup.game, seats, part, limits=limits, terms=setup.terms, watch=display
                )
                break
            except TakeBackError as wish:
                # The clocks, too, go back to what they were.
                limits = limits_at(notes[wish.note :], limits)
                part = replace(job, opening=moves_text(setup.game, notes[wish.note].p.moves))
                del notes[wish.note :]
    if last.reason != "resignation":  # then it is still there to see
        display.close()
    return whole_record(setup.game, job, notes, kept, last, human.help_taken)


@contextmanager
def seated(
    setup: Setup, notes: list[Note], talk: Talk
) -> Iterator[tuple[Human, tuple[Seat, Seat]]]:
    """The person and both seats, from which answers are noted; the engines are closed at the end.

    ConfigError if an engine cannot be built.
    """
    with ExitStack() as stack:
        adviser = stack.enter_context(closing(Adviser(setup)))
        human = Human(setup, notes, adviser, talk)
        players: list[Engine] = [human, human]
        if setup.engine:
            index = setup.players.index(setup.engine)
            players[index] = load_engine(setup.engine, setup.game)
            stack.callback(close_engine, players[index], setup.engine)
        yield human, (Seat(players[0], notes), Seat(players[1], notes))


@contextmanager
def leaving(setup: Setup, display: Display, leave: Leave | None) -> Iterator[None]:
    """Raise UnfinishedError if the game is left meanwhile; an error of ours stays what it is."""

    def left(why: type[BaseException]) -> UnfinishedError:
        return UnfinishedError(moves_text(setup.game, display.p.moves), EXIT_CODES[why])

    try:
        with escapable(lambda: leave(left(KeyboardInterrupt))) if leave else nullcontext():
            yield
    except (AwayError, KeyboardInterrupt) as away:
        error = away.__cause__ or away
        raise (left(type(error)) if type(error) in EXIT_CODES else error) from None


def limits_at(notes: Sequence[Note], otherwise: tuple[Limit, Limit]) -> tuple[Limit, Limit]:
    """The limits of either seat's first answer among these."""
    known = {note.p.turn: note.limit for note in reversed(notes)}
    return known.get(1, otherwise[0]), known.get(2, otherwise[1])


def whole_record(
    game: Game, job: Job, notes: Sequence[Note], kept: int, last: GameRecord, help_taken: str
) -> GameRecord:
    """The record of all parts, from the notes `kept` of those before the last, and its record."""
    before = thoughts(game, notes[:kept])
    columns: dict[str, Any] = {
        name: " ".join(filter(None, (before[name], getattr(last, name))))
        for name in ("times", "nodes", "depths", "scores")
    }
    # A last answer that no record can hold is noted, too.
    whole = thoughts(game, notes[: len(columns["times"].split())])
    start, digest = marks_of_text(game, job.opening, last.moves)
    return replace(
        last,
        opening=job.opening,
        detail="; ".join(filter(None, (last.detail, help_taken))),
        **columns,
        pv=whole["pv"],
        info=whole["info"],
        start=start,
        digest=digest,
    )
