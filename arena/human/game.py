"""A game with persons in it, who may take moves back: parts of it, each played by `play_game`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace

from arena.engine import Engine, Limit
from arena.errors import ConfigError
from arena.game import Game
from arena.human.hints import Adviser
from arena.human.player import Human, QuitError, Talk
from arena.human.screen import Screen
from arena.human.take_back import AwayError, Note, Seat, TakeBackError, thoughts
from arena.interrupt import escapable
from arena.match.opening import fault_of, spelt
from arena.match.play import moves_text, play_game
from arena.match.record import GameRecord, Job
from arena.match.terms import Terms
from arena.plugins.load import HUMAN, Named, close_engine, load_engine, parse_named

Limits = tuple[Limit, Limit]

EXIT_CODES: dict[type[BaseException], int] = {QuitError: 0, EOFError: 1, KeyboardInterrupt: 130}
"""How a person leaves a game, and what a script is told of it."""


class UnfinishedError(Exception):
    """The game was left after these moves; with the exit code for it."""

    def __init__(self, moves: str, code: int) -> None:
        super().__init__(moves, code)
        self.moves = moves
        self.code = code


def is_human(player: str) -> bool:
    """Whether a player, as typed, is a person; ConfigError if it is given parameters."""
    named = parse_named(player)
    if named.name == HUMAN and named.parameters:
        raise ConfigError(f"{player}: {HUMAN} has no parameters")
    return named.name == HUMAN


def seat_names(first: str, second: str) -> tuple[str, str]:
    """The players' names in the record: two persons are told apart."""
    if not is_human(first):
        return first, HUMAN if is_human(second) else second
    return HUMAN, f"{HUMAN}-2" if is_human(second) else second


def sit(
    game: Game,
    first: str,
    second: str,
    talk: Talk,
    *,
    opening: str = "",
    limit: Limit | None = None,
    seed: int = 0,
    max_plies: int | None = None,
    with_scores: bool = False,
    leave: Callable[[UnfinishedError], object] | None = None,
) -> GameRecord:
    """Play one game in which at least one player is `human`; the limit is the engine's.

    `with_scores` tells the engine's score and expected line after each of its moves. ConfigError
    as `friendly.play`; UnfinishedError if the game is left. `leave`, if given, is called with that
    where Ctrl-C meets a search that does not return; then the process ends.
    """
    if message := fault_of(game, opening, max_plies):
        raise ConfigError(message)
    names, notes, limit = seat_names(first, second), list[Note](), limit or Limit()
    persons = [seat for seat, player in ((1, first), (2, second)) if is_human(player)]
    engine = next((player for player in (first, second) if not is_human(player)), None)
    screen = Screen(game, names, persons, talk.say, notes, with_scores)
    with ExitStack() as stack:
        adviser = stack.enter_context(closing(Adviser(game, engine, limit, seed)))
        human = Human(game, names, persons, notes, adviser, talk)
        players: list[Engine] = [human, human]
        limits = [Limit(), Limit()]
        if engine:
            seat = 3 - persons[0]
            players[seat - 1], limits[seat - 1] = load_engine(engine, game), limit
            stack.callback(close_engine, players[seat - 1], engine)
        job = Job(*names, opening=spelt(game, opening), seed=seed)
        screen.open()
        if leave:
            stack.enter_context(escapable(lambda: leave(left(game, KeyboardInterrupt, screen))))
        try:
            record = play_in_parts(game, players, job, limits, max_plies, screen, notes)
        except (AwayError, KeyboardInterrupt) as away:
            raise unfinished(game, away, screen) from None
    if record.reason != "resignation":  # then it is still there to see
        screen.close()
    return replace(record, detail="; ".join(filter(None, (record.detail, human.help_taken))))


def play_in_parts(
    game: Game,
    players: Sequence[Engine],
    job: Job,
    limits: Sequence[Limit],
    max_plies: int | None,
    screen: Screen,
    notes: list[Note],
) -> GameRecord:
    """Play the game; each time that moves are taken back, go on from there as from an opening."""
    seats = Seat(players[0], notes), Seat(players[1], notes)
    part = job
    while True:
        kept = len(notes)
        try:
            played = play_game(
                game,
                seats,
                part,
                limits=(limits[0], limits[1]),
                terms=Terms(game=Named(game.name), max_plies=max_plies),
                watch=screen,
            )
            return whole_record(job, notes[:kept], played)
        except TakeBackError as wish:
            # The clocks, too, go back to what they were.
            limits = [limit_at(notes[wish.note :], seat, limits[seat - 1]) for seat in (1, 2)]
            part = replace(job, opening=moves_text(game, notes[wish.note].p.moves))
            del notes[wish.note :]


def limit_at(notes: Sequence[Note], seat: int, otherwise: Limit) -> Limit:
    """What limited the first of these answers of one seat."""
    return next((note.limit for note in notes if note.p.turn == seat), otherwise)


def whole_record(job: Job, before: Sequence[Note], last: GameRecord) -> GameRecord:
    """The record of all parts, from the notes of those before the last, and its record."""
    earlier = thoughts(before)

    def joined(one: str, other: str) -> str:
        return " ".join(filter(None, (one, other)))

    return replace(
        last,
        opening=job.opening,
        times=joined(earlier.times, last.times),
        nodes=joined(earlier.nodes, last.nodes),
        depths=joined(earlier.depths, last.depths),
        scores=joined(earlier.scores, last.scores),
    )


def unfinished(game: Game, away: BaseException, screen: Screen) -> BaseException:
    """What leaving the game means; an error of ours stays what it is."""
    error = away.error if isinstance(away, AwayError) else away
    return left(game, type(error), screen) if type(error) in EXIT_CODES else error


def left(game: Game, why: type[BaseException], screen: Screen) -> UnfinishedError:
    """The game was left where the screen shows it."""
    return UnfinishedError(moves_text(game, screen.p.moves), EXIT_CODES[why])
