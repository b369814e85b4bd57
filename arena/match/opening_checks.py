"""A file of openings looked through: what cannot be played, doubles, and games won already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from arena.game import Game, Position
from arena.match.copies import marks
from arena.match.opening import fault_of
from arena.match.play import moves_text, place_opening
from arena.plugins.build import ForcedWin
from arena.records.opening_file import OpeningFile, Part

FindingKind = Literal["fault", "double", "symmetric double", "forced win", "perhaps forced win"]


@dataclass(frozen=True, slots=True)
class OpeningFinding:
    """One thing wrong with an opening of a file."""

    line: int
    kind: FindingKind
    message: str


@dataclass(frozen=True, slots=True)
class OpeningCheck:
    """All that was found in a file."""

    whole: OpeningFile
    stones: Mapping[int, int]  # Openings that can be played, by their moves
    findings: list[OpeningFinding]


def check_openings(game: Game, whole: OpeningFile, forced_win: ForcedWin | None) -> OpeningCheck:
    """Look through a file; without a search, not for forced wins."""
    stones, findings, seen = Counter[int](), list[OpeningFinding](), FirstLines(game)
    for part in whole.parts:
        try:
            text = moves_text(game, whole.moves(game, part))
            fault = fault_of(game, text)
        except ValueError as error:
            fault = str(error)
        if fault:
            findings.append(OpeningFinding(part.line, "fault", fault))
            continue
        p = place_opening(game, text)
        stones[p.ply] += 1
        if finding := seen.finding(part, p):
            findings.append(finding)
        elif forced_win:
            findings += forced_wins(game, part, p, forced_win)
    return OpeningCheck(whole, dict(sorted(stones.items())), findings)


class FirstLines:
    """Holds the line of the first opening of each kind."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._by_moves: dict[tuple[int, ...], int] = {}
        self._by_mark: dict[str, int] = {}

    def finding(self, part: Part, p: Position) -> OpeningFinding | None:
        """The finding that an opening stands there already, if it does."""
        mark, _ = marks(self._game, p, p)
        if (first := self._by_moves.setdefault(p.moves, part.line)) != part.line:
            return OpeningFinding(part.line, "double", f"is that of line {first} once more")
        if (first := self._by_mark.setdefault(mark, part.line)) != part.line:
            message = f"is that of line {first} turned, mirrored or with its moves in another order"
            return OpeningFinding(part.line, "symmetric double", message)
        return None


def forced_wins(
    game: Game, part: Part, p: Position, forced_win: ForcedWin
) -> Iterator[OpeningFinding]:
    """The finding that the side to move wins by force, if it does."""
    line = forced_win(p)
    if line is None:
        message = f"whether player {p.turn} wins by fours could not be told"
        yield OpeningFinding(part.line, "perhaps forced win", message)
    elif line:
        message = f"player {p.turn}, who is to move, wins by fours: {moves_text(game, line)}"
        yield OpeningFinding(part.line, "forced win", message)
