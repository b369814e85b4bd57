"""Games of a run for other programs: one by one from the database into files."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from arena.errors import ConfigError, Fault
from arena.files import written
from arena.games.gomoku import Gomoku
from arena.match.opening_rules import opening_text
from arena.match.record import FIELDS, GameRecord, remarks_of, values_of
from arena.plugins import load
from arena.plugins.load import load_game
from arena.records.formats import jsonl
from arena.records.written import RESULTS, Point, WrittenGame
from arena.storage.database import Store
from arena.storage.folder import make_folder, read_store
from arena.tournament.exchange.importing import rule_text
from arena.tournament.run import PathLike, Run, open_run

NUMBER_DIGITS = 6  # Digits of a game's number in the name of a file

Text = Callable[[int, GameRecord], bytes]
"""A function of a game's number and its record: the game in some format."""
Write = Callable[[int, bytes], object]


def export(
    run: PathLike,
    games: Sequence[int] = (),
    *,
    form: str | None = None,
    output: PathLike | BinaryIO,
    results: PathLike = "results",
) -> int:
    """Write games of a run (all, or those with these numbers), and return how many.

    The form, if none is given, is that of the ending of `output`, or else SGF. Of openings, each
    distinct one counts. To a file or stream; to a file for each game if `output` is a folder, or
    ends with a slash. Files of the form that are there are replaced. ConfigError for a run or game
    that is not there, a game that the form does not have, and a file that cannot be written.
    """
    opened = open_run(run, results=results)
    form = form or _form_of_ending(output)
    text = _text_in(form, opened)
    numbered = _chosen_games(opened, games) if games else _all_games(opened)
    if (first := next(numbered, None)) is None:
        raise ConfigError(f"no game was played yet in {opened.folder}")
    count = 0
    with ExitStack() as stack:
        write = _writer(output, form, stack)
        for number, record in chain([first], numbered):
            if piece := text(number, record):
                write(number, piece)
                count += 1
    return count


def _form_of_ending(output: PathLike | BinaryIO) -> str:
    """The form that the ending of a path tells; ConfigError for one of no form."""
    path = os.fspath(output) if isinstance(output, str | os.PathLike) else ""
    ending = Path(path).suffix.removeprefix(".").lower()
    known = load.names("record format")
    if path.endswith("/") or Path(path).is_dir() or not ending:
        return "sgf"
    if ending not in known:
        forms = ", ".join(f".{each}" for each in known)
        raise ConfigError(Fault(path, f"must end with {forms}, or have its --format named"))
    return ending


def _writer(output: PathLike | BinaryIO, form: str, stack: ExitStack) -> Write:
    """A function that writes one game after the other; the stack closes what it opens."""
    if not isinstance(output, str | os.PathLike):
        return lambda number, piece: output.write(piece)
    path = Path(output)
    if is_folder := os.fspath(output).endswith("/") or path.is_dir():
        make_folder(path)
    if not is_folder or form == "openings":
        path = path / "openings.txt" if is_folder else path
        file = stack.enter_context(written(path, form))
        return lambda number, piece: file.write(piece)

    def write(number: int, piece: bytes) -> None:
        with written(path / f"{number:0{NUMBER_DIGITS}}.{form}", form) as file:
            file.write(piece)

    return write


def _text_in(form: str, run: Run) -> Text:
    """The text of a run's games in a format; ConfigError if that does not have such games."""
    named = run.config.terms.game
    if form == "openings":
        return _openings_text()
    if form == "jsonl":
        head = {"rules": str(named), "run": run.config.name}
        return lambda number, record: jsonl.text(
            {**head, "game": number} | dict(zip(FIELDS, values_of(record), strict=True))
        )
    game = load_game(named)
    if not isinstance(game, Gomoku):
        raise ConfigError(f"{form} has no games of {named.name}, whose pieces move; jsonl has")
    points = {game.text(move): divmod(move, game.size) for move in range(game.size**2)}
    text = load.module("record format", form).text
    written = partial(
        written_of,
        point=points.__getitem__,
        size=game.size,
        rule=rule_text(named),
        event=run.config.name,
        date=_dates_of(run),
    )

    def stones(number: int, record: GameRecord) -> bytes:
        """The game; ConfigError for what the format cannot have, or a record edited by hand."""
        try:
            return bytes(text(written(record)))
        except (ConfigError, KeyError, ValueError) as error:
            raise ConfigError(Fault(f"{run.folder}, game {number}", str(error))) from None

    return stones


def written_of(
    record: GameRecord,
    point: Callable[[str], Point],
    *,
    size: int,
    rule: str,
    event: str,
    date: str,
) -> WrittenGame:
    """The game as files have it; ConfigError if what is kept of its choices cannot be read."""
    opening, moves = len(record.opening.split()), record.moves.split()
    remarks = remarks_of(record)[: len(moves) - opening]
    before, after = (None,) * opening, (None,) * (len(moves) - opening - len(remarks))
    return WrittenGame(
        size=size,
        moves=tuple(map(point, moves)),
        opening=opening,
        first=record.first,
        second=record.second,
        rule=rule,
        result=RESULTS[record.winner],
        reason=record.reason,
        detail=record.detail,
        comment=opening_text(record),
        remarks=(*before, *remarks, *after) if remarks else (),
        event=event,
        round=str(record.round),
        date=date,
    )


def _openings_text() -> Text:
    seen = {""}

    def line(number: int, record: GameRecord) -> bytes:
        if record.opening in seen:
            return b""
        seen.add(record.opening)
        return f"{record.opening}\n".encode()

    return line


def _dates_of(run: Run) -> str:
    sessions = read_store(run.folder, Store.sessions) or []
    days = {
        datetime.fromtimestamp(at).date() for each in sessions for at in (each.began, each.ended)
    }
    return ",".join(map(str, sorted(days)))


def _chosen_games(run: Run, games: Sequence[int]) -> Iterator[tuple[int, GameRecord]]:
    """The games with these numbers; ConfigError if one is missing."""
    chosen = list(_all_games(run, set(games)))
    if missing := sorted(set(games) - {number for number, _ in chosen}):
        raise ConfigError(f"there is no game {missing[0]} in {run.folder}")
    return iter(chosen)


def _all_games(run: Run, wanted: Collection[int] = ()) -> Iterator[tuple[int, GameRecord]]:
    """The counted games with their numbers, read one by one; only those `wanted`, if some are."""
    games = run.counted().games
    if wanted:
        games = games.at([i for i, number in enumerate(games.numbers) if number in wanted])
    return zip(games.numbers, games.records(), strict=True)
