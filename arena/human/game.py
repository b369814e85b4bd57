"""A game with persons at a terminal, from its seats to its record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext

from arena.engine import Engine
from arena.errors import ConfigError
from arena.human.display import Display
from arena.human.hints import Adviser
from arena.human.parts import play_parts
from arena.human.player import Human, QuitError
from arena.human.setup import Setup, engine_named
from arena.human.take_back import AwayError, Help, Note, Seat
from arena.human.terminal import Talk
from arena.match.opening import fault_of
from arena.match.play import moves_text
from arena.match.record import GameRecord
from arena.plugins.build import close_engine, load_engine
from arena.processes.interrupt import escapable

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
    notes, taken = list[Note](), Help()
    display = Display(setup, notes, talk.say)
    with seated(setup, notes, talk, taken) as seats, leaving(setup, display, leave):
        display.open()
        record = play_parts(setup, seats, notes, taken, display)
    if record.reason != "resignation":  # then it is still there to see
        display.close()
    return record


@contextmanager
def seated(setup: Setup, notes: list[Note], talk: Talk, taken: Help) -> Iterator[tuple[Seat, Seat]]:
    """Both seats, from which answers are noted; the engines are closed at the end.

    ConfigError if an engine cannot be built.
    """
    with ExitStack() as stack:
        adviser = stack.enter_context(closing(Adviser(setup)))
        human = Human(setup, notes, adviser, talk, taken)
        players: list[Engine] = [human, human]
        if setup.engine:
            index = setup.players.index(setup.engine)
            players[index] = load_engine(engine_named(setup.engine), setup.game)
            stack.callback(close_engine, players[index], setup.names[index])
        yield Seat(players[0], notes), Seat(players[1], notes)


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
