"""SGF: one collection of any number of games; the first line of play of each is the game."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import BinaryIO

from sgfmill import sgf_grammar
from sgfmill.sgf_grammar import Coarse_game_tree

from arena.engine import Remark
from arena.errors import Fault
from arena.records.sgf_pieces import Piece, pieces
from arena.records.sgf_words import (
    OPENING_MARK,
    OPENING_MARKS,
    UNTOLD,
    comment,
    ending,
    foreign_reason,
    own_ending,
    remark_in,
    result_of_sgf,
)
from arena.records.written import Point, WrittenGame

Properties = Mapping[str, Sequence[bytes]]

OWN_NAME = "arena"
LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LAST_WITH_PASS = 19
"""Boards up to this size have `tt` outside, and take it for a pass."""
GAME_CODE = "4"
MISNAMED = ("1", "11")
"""Codes of Go and Hex, which some programs give their games of Gomoku."""
GOMOKU_SIZE = "15"
"""Rows and columns of a board that is hardly one of Go or Hex."""
SETUP = ("AB", "AW", "AE")
WITHOUT_MOVE = {
    *("C", "N", "V", "DM", "GB", "GW", "HO", "UC", "BM", "DO", "IT", "TE", "MN", "KO", "PL", "AR"),
    *("CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TR", "BL", "WL", "OB", "OW", "FG", "PM", "VW"),
}
"""Properties that a node may have in which nobody moves."""
ASCII = bytes(range(32, 127))


def read(stream: BinaryIO, name: str) -> Iterator[WrittenGame | Fault]:
    """The games of a collection, one by one; a `Fault` in place of each that cannot be read."""
    for piece in pieces(stream):
        try:
            yield game_in(piece)
        except (LookupError, ValueError) as error:
            yield Fault(f"{name}:{piece.line}", fault_words(error))


def fault_words(error: Exception) -> str:
    """The reason why a game cannot be read."""
    if isinstance(error, UnicodeError):
        return "its text is not in its character set (CA)"
    if isinstance(error, LookupError):
        return "its character set (CA) is not known"
    return str(error)


def game_in(piece: Piece) -> WrittenGame:
    """The game in one piece of a collection; ValueError or LookupError if there is none."""
    if piece.fault:
        raise ValueError(piece.fault)
    tree = sgf_grammar.parse_sgf_game(piece.data)
    nodes: list[Properties] = list(sgf_grammar.main_sequence_iter(tree))
    facts = texts_of(nodes[0], piece.data)
    size = size_of(facts)
    moves, remarks, marked = moves_in(nodes, size)
    told_result, code = facts.get("RE", ""), facts.get("GM", GAME_CODE)
    result, reason = ending(told_result)
    detail, is_ours = "", facts.get("AP", "").partition(":")[0] == OWN_NAME
    if is_ours:
        reason, detail = own_ending(facts.get("GC", ""))
    elif result != "unknown":
        reason = foreign_reason(facts.get("TE", "")) or reason
    return WrittenGame(
        line=piece.line,
        size=size,
        moves=moves,
        opening=marked if marked or is_ours else None,
        first=facts.get("PB", ""),
        second=facts.get("PW", ""),
        rule=facts.get("RU", ""),
        result=result,
        unread_result="" if result != "unknown" or told_result.lower() in UNTOLD else told_result,
        other_game="" if code == GAME_CODE else f"GM[{code}]",
        reason=reason,
        detail=detail,
        remarks=remarks,
        event=facts.get("EV", ""),
        round=facts.get("RO", ""),
        date=facts.get("DT", ""),
    )


def texts_of(root: Properties, data: bytes) -> dict[str, str]:
    """The facts that a game begins with, as texts; ValueError or LookupError for other bytes."""
    encoding, facts = encoding_of(root, data), {}
    for name, values in root.items():
        if name in SETUP or name in ("B", "W"):
            continue
        if len(values) == 1:
            facts[name] = str(sgf_grammar.simpletext_value(values[0]).decode(encoding)).strip()
        elif name in ("FF", "GM", "CA", "SZ", "PB", "PW", "RE", "RU"):
            raise ValueError(f"{name} stands twice in what it tells of the game")
    return facts


def encoding_of(root: Properties, data: bytes) -> str:
    """The character set that a game names, or else UTF-8 if its bytes are that, or Latin-1."""
    if "CA" in root:
        name = codecs.lookup(root["CA"][0].decode("ascii", "replace").strip()).name
        if ASCII.decode(name, "replace") != ASCII.decode():
            raise ValueError(f"its character set (CA) is {name}, which brackets cannot be read in")
        return name
    try:
        data.decode()
    except UnicodeDecodeError:
        return "ISO-8859-1"
    return "UTF-8"


def size_of(facts: Mapping[str, str]) -> int:
    """The size of the board; ValueError if there is none for Gomoku."""
    code = facts.get("GM", GAME_CODE)
    is_misnamed = code in MISNAMED and facts.get("SZ") == GOMOKU_SIZE
    if code != GAME_CODE and not is_misnamed:
        raise ValueError(f"it is of another game: GM[{code[:9]}] is not GM[{GAME_CODE}]")
    if "SZ" not in facts:
        raise ValueError("it does not tell the size of the board (SZ)")
    if not re.fullmatch("[0-9]{1,2}", facts["SZ"]) or not 0 < int(facts["SZ"]) <= len(LETTERS):
        raise ValueError(f"SZ[{facts['SZ'][:9]}] is no size of a square board")
    return int(facts["SZ"])


def moves_in(
    nodes: Sequence[Properties], size: int
) -> tuple[tuple[Point, ...], tuple[Remark | None, ...], int]:
    """The moves, what is told of each (nothing if of none), and the number of opening moves."""
    moves: list[Point] = []
    remarks: list[Remark | None] = []
    marked = 0
    for number, node in enumerate(nodes):
        point = move_of(node, len(moves), size, is_root=number == 0)
        if point is None:
            continue
        raw = node.get("C", (b"",))[0]
        text = sgf_grammar.text_value(raw).decode("ascii", "replace").strip()
        remarks.append(remark_in(text, len(moves) % 2 + 1))
        marked += text in OPENING_MARKS and marked == len(moves)
        moves.append(point)
    return tuple(moves), tuple(remarks) if any(remarks) else (), marked


def move_of(node: Properties, plies: int, size: int, is_root: bool) -> Point | None:
    """The move in a node, if there is one; ValueError for what Gomoku does not have."""
    mover, other = ("W", "B") if plies % 2 else ("B", "W")
    if any(name in node for name in SETUP):
        raise ValueError("stones are set up (AB, AW), so that the order of moves is not told")
    if len(node.get("C", ())) > 1:
        raise ValueError(f"after move {plies}, a comment stands twice")
    if other in node:
        raise ValueError(f"move {plies + 1} is by {'White' if other == 'W' else 'Black'}")
    if mover in node:
        values = node[mover]
        if len(values) > 1:
            raise ValueError(f"move {plies + 1} stands there twice")
        return point_of(values[0], plies, size)
    if not is_root and not WITHOUT_MOVE.issuperset(node):
        raise ValueError(f"after move {plies}, something is neither a move nor a comment")
    return None


def point_of(raw: bytes, plies: int, size: int) -> Point:
    """The point that two letters are."""
    if not raw or (raw == b"tt" and size <= LAST_WITH_PASS):
        raise ValueError(f"move {plies + 1} is a pass")
    if len(raw) != 2 or not all(letter in LETTERS[:size] for letter in raw):
        shown = raw[:9].decode("ascii", "backslashreplace")
        raise ValueError(f"move {plies + 1}, [{shown}], is no point of a board of {size}")
    return LETTERS.index(raw[1]), LETTERS.index(raw[0])


def text(game: WrittenGame) -> bytes:
    """The game as one of a collection; ValueError for a size that SGF cannot have."""
    if game.size > len(LETTERS):
        raise ValueError(f"SGF has no boards of {game.size}")
    tree = Coarse_game_tree()
    tree.sequence = [facts_of_root(game), *(node_of(game, i) for i in range(len(game.moves)))]
    return bytes(sgf_grammar.serialise_game_tree(tree)) + b"\n"


def facts_of_root(game: WrittenGame) -> Properties:
    """The facts that the game begins with."""
    ending_text = f"{game.reason}: {game.detail}" if game.detail else game.reason
    facts = {
        "FF": "4",
        "GM": "4",
        "CA": "UTF-8",
        "SZ": str(game.size),
        "PB": game.first,
        "PW": game.second,
        "RE": result_of_sgf(game.result, game.reason),
        "DT": game.date,
        "EV": game.event,
        "RO": game.round,
        "RU": game.rule,
        "GC": ending_text,
    }
    raw = {name: [sgf_grammar.escape_text(fact.encode())] for name, fact in facts.items() if fact}
    return {**raw, "AP": [own_version()]}


def node_of(game: WrittenGame, i: int) -> Properties:
    """One move, and what is told of it."""
    row, column = game.moves[i]
    point = bytes((LETTERS[column], LETTERS[row]))
    is_opening = game.opening is not None and i < game.opening
    remark = game.remarks[i] if game.remarks else None
    words = OPENING_MARK if is_opening else comment(remark) if remark else ""
    return {"BW"[i % 2]: [point]} | ({"C": [words.encode()]} if words else {})


@cache
def own_version() -> bytes:
    """This program and its version, as AP has them."""
    return f"{OWN_NAME}:{version('gomoku-arena')}".encode()
