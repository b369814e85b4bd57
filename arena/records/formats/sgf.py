"""SGF: one collection of any number of games; the first line of play of each is the game."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import BinaryIO

from sgfmill import sgf_grammar
from sgfmill.sgf_grammar import Coarse_game_tree

from arena.engine import Remark
from arena.errors import Fault
from arena.game import FAULTS, REASONS
from arena.records.written import Point, Result, WrittenGame
from arena.text import PAIRS, SHIFTS, TITLES, Guess, certain_encodings

Properties = Mapping[str, Sequence[bytes]]

BEGINNING = b"("
OWN_NAME = "arena"
LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LAST_WITH_PASS = 19  # Boards up to this size have `tt` outside, and take it for a pass
GAME_CODE = "4"
MISNAMED = ("1", "11")  # Codes of Go and Hex, which some programs give their games of Gomoku
GOMOKU_SIZE = "15"  # Rows and columns of a board that is hardly one of Go or Hex
SETUP = ("AB", "AW", "AE")
LIKE_MOVES = ("", "BB", "WW")
"""Properties of unknown meaning that may be meant as moves; the first stands for names of small
letters only."""
OPENING_MARK = "opening"
OPENING_MARKS = (OPENING_MARK, "opening move")
"""Comments on moves that no player chose: ours, and c-gomoku-cli's."""
COMMENT = re.compile(
    r"(?:score (?P<score>-?\d{1,18}))?(?:(?:^|, )depth (?P<depth>\d{1,18}))?"
    r"(?:(?:^|, )(?P<nodes>\d{1,18}) nodes)?(?:(?:^|, )(?P<seconds>\d{1,9}(?:\.\d{1,9})?) s)?"
)
MILLISECONDS = re.compile(r"(\d{1,12})ms")
SQUARE = re.compile(r"([0-9]{1,2})(?:\s*[:x*]\s*\1)?")
"""The size of a board, alone or as columns and rows."""
DRAWS = {
    *("0", "draw", "drawn", "jigo", "1/2-1/2", "1/2", "½-½", "½", "0.5-0.5"),
    *("和", "和棋", "和局", "平局", "引き分け", "引分", "持碁", "무승부"),
}
UNTOLD = ("", "?", "void")
NUMBERS_OF_WINS: Mapping[str, Result] = {"1-0": "first", "0-1": "second"}
"""Results as in chess: Black, who begins, is the first."""
WINS = re.compile(
    r"(black|white|b|w)(?:\+|(?: (?:wins|won|win)\b(?: by\b| on\b)?)|(?=$))(.*)", re.DOTALL
)
EAST_ASIAN_WINS = re.compile(
    r"([黑黒白흑백])[番方棋]?の?\s*(中盘|中盤|中押し?|불계|超时|超時|時間切れ?|시간)?\s*[胜勝승]ち?"
)
"""Black or White, and the reason why the other lost."""
LOSSES = {
    **dict.fromkeys(("r", "resign", "resignation", "中盘", "中盤"), "resignation"),
    **dict.fromkeys(("中押し", "中押", "불계"), "resignation"),
    **dict.fromkeys(("t", "time", "timeout", "超时", "超時"), "time"),
    **dict.fromkeys(("時間切れ", "時間切", "시간"), "time"),
    **dict.fromkeys(("f", "forfeit"), "exception"),
}
"""Reasons by the word beside the winner."""
LETTERS_OF_LOSSES: dict[str, str] = {
    **dict.fromkeys(FAULTS, "F"),
    **dict.fromkeys(("time", "hang"), "T"),
    "resignation": "R",
}
FOREIGN = {
    "time": "time",
    "illegal": "illegal move",
    "forbidden": "forbidden",
    "resign": "resignation",
    "crash": "crash",
}
"""Words by which c-gomoku-cli tells why a game ended, and our reasons."""
READ_BYTES = 1 << 16
LONGEST_GAME = 1 << 20  # Most bytes of a game; a longer one lacks a bracket somewhere
BLANK = b" \t\r\n\f\v\0\x1a" + codecs.BOM_UTF8
"""Bytes between games that mean nothing: also of an end of file as DOS marks it, or a BOM."""
TOKEN = re.compile(rb"[()]|\[[^\]\\]*(?:\\.[^\]\\]*)*(\]?)", re.DOTALL)
TOKENS_OF_PAIRS = {
    name: re.compile(
        rb"[()]|\[(?:%(pair)s|\\(?:%(pair)s|.)|[^\]\\])*(\]?)" % {b"pair": pair}, re.DOTALL
    )
    for name, pair in PAIRS.items()
}
"""The same in encodings whose characters may have bytes that look like brackets."""
VALUE = re.compile(
    rb"\[((?:[^\]\\]|\\.|\](?!\s*(?:[\[;()]|[A-Z][A-Za-z]*\s*\[|\Z)))*)\]", re.DOTALL
)
"""A value, up to the first bracket that something of SGF follows."""
BRACKET = re.compile(rb"\\.|\]", re.DOTALL)  # A sign that is escaped, or a bracket that is not
WELL_FORMED = re.compile(
    rb"(?:\s*(?:[;()]|(?P<name>[A-Za-z]+)(?P<value>(?:\s*\[(?:[^\]\\]|\\.)*\])+)))*", re.DOTALL
)
CHARACTER_SET = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([^\]]*?)\s*\]")
MOVE = re.compile(rb";\s*[BW]\s*\[")
GAME_BEGINNING = re.compile(rb"\(\s*;")
ROOT = re.compile(rb"\(\s*;\s*(?:FF|GM|CA|AP|SZ|GN)\s*\[")
"""The beginning of a game, by properties that no variation has."""
ROOT_LINE = re.compile(rb"[\r\n]\s*(?=" + ROOT.pattern + rb")")
LONGEST_ROOT = 64
UNCLOSED = "the game is not closed: a ) or ] is missing"


def read(stream: BinaryIO, name: str) -> Iterator[WrittenGame | Fault]:
    """The games of a collection, one by one; a `Fault` in place of each that cannot be read."""
    for piece in pieces(stream):
        try:
            yield game_in(piece)
        except ValueError as error:
            taken = f"; its encoding was taken for {piece.guessed}: --encoding gives another"
            message = f"{error}{taken}" if piece.guessed else str(error)
            yield Fault(f"{name}:{piece.line}", message)


def game_in(piece: Piece) -> WrittenGame:
    if piece.fault:
        raise ValueError(piece.fault)
    nodes = _nodes_in(piece.data)
    facts = texts_of(nodes[0])
    size = size_of(facts)
    moves, remarks, marked = _moves_in(nodes, size)
    told_result, code = facts.get("RE", ""), facts.get("GM", GAME_CODE)
    result, reason = ending(told_result)
    detail, is_ours = "", facts.get("AP", "").partition(":")[0] == OWN_NAME
    if is_ours:
        reason, detail = _own_ending(facts.get("GC", ""))
    elif result != "unknown":
        reason = _foreign_reason(facts.get("TE", "")) or reason
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
        guessed=piece.guessed,
        misdeclared=facts.get("CA", "") if piece.guessed else "",
    )


def _nodes_in(data: bytes) -> list[Properties]:
    """The nodes of the first line of play.

    A bracket that must be within a text, since nothing of SGF follows it, is taken for a part of
    it. ValueError says which property is followed by something else.
    """
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError:
        try:
            tree = sgf_grammar.parse_sgf_game(VALUE.sub(_with_escapes, data))
        except ValueError as error:
            raise ValueError(_broken_property(data) or str(error)) from None
    return list(sgf_grammar.main_sequence_iter(tree))


def _with_escapes(value: re.Match[bytes]) -> bytes:
    """A value in brackets, the brackets within it escaped; as it is if a move is within it."""
    if MOVE.search(value[1]):
        return value[0]
    return b"[" + BRACKET.sub(lambda found: b"\\" + found[0][-1:], value[1]) + b"]"


def _broken_property(data: bytes) -> str:
    """A message on the property after which a game cannot be read any more; empty if none is."""
    good = WELL_FORMED.match(data)
    if not good or not good["name"] or not (rest := data[good.end() :].strip()):
        return ""
    moves = len(MOVE.findall(good[0]))
    value = (good["name"] + good["value"]).decode(errors="replace")
    following = rest.decode(errors="replace").splitlines()[0][:20]
    return (
        f"{f'after move {moves}, ' if moves else ''}{value[:40]} is followed by {following!r}, "
        "which is no SGF: names of properties are letters, and a ] within a text is written \\]"
    )


def texts_of(root: Properties) -> dict[str, str]:
    """The facts at the root of a game, as texts. Raises ValueError for one with two values."""
    facts = {}
    for name, values in root.items():
        if name in SETUP or name in ("B", "W"):
            continue
        if len(values) == 1:
            facts[name] = str(sgf_grammar.simpletext_value(values[0]).decode()).strip()
        elif name in ("FF", "GM", "CA", "SZ", "PB", "PW", "RE", "RU"):
            raise ValueError(f"{name} stands twice in what it tells of the game")
    return facts


def size_of(facts: Mapping[str, str]) -> int:
    code = facts.get("GM", GAME_CODE)
    is_misnamed = code in MISNAMED and facts.get("SZ") == GOMOKU_SIZE
    if code != GAME_CODE and not is_misnamed:
        raise ValueError(f"it is of another game: GM[{code[:9]}] is not GM[{GAME_CODE}]")
    if "SZ" not in facts:
        raise ValueError("it does not tell the size of the board (SZ)")
    numbers = SQUARE.fullmatch(facts["SZ"])
    if not numbers or not 0 < int(numbers[1]) <= len(LETTERS):
        raise ValueError(f"SZ[{facts['SZ'][:9]}] is no size of a square board")
    return int(numbers[1])


def _moves_in(
    nodes: Sequence[Properties], size: int
) -> tuple[tuple[Point, ...], tuple[Remark | None, ...], int]:
    """The moves, the remarks with them (nothing if of none), and the number of opening moves."""
    moves: list[Point] = []
    remarks: list[Remark | None] = []
    marked = 0
    for number, node in enumerate(nodes):
        point = move_of(node, len(moves), size, is_root=number == 0)
        if point is None:
            continue
        raw = node.get("C", (b"",))[0]
        text = sgf_grammar.text_value(raw).decode("ascii", "replace").strip()
        remarks.append(_remark_in(text, len(moves) % 2 + 1))
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
    for name in LIKE_MOVES:
        if name in node and not is_root:
            shown = f"{name}[{node[name][0][:9].decode()}]"
            raise ValueError(f"after move {plies}, {shown} is no move: moves are B[...] and W[...]")
    return None


def point_of(raw: bytes, plies: int, size: int) -> Point:
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
    tree.sequence = [_facts_of_root(game), *(_node_of(game, i) for i in range(len(game.moves)))]
    return bytes(sgf_grammar.serialise_game_tree(tree)) + b"\n"


def _facts_of_root(game: WrittenGame) -> Properties:
    facts = {
        "FF": "4",
        "GM": "4",
        "CA": "UTF-8",
        "SZ": str(game.size),
        "PB": game.first,
        "PW": game.second,
        "RE": _result_of_sgf(game.result, game.reason),
        "DT": game.date,
        "EV": game.event,
        "RO": game.round,
        "RU": game.rule,
        "GC": f"{game.reason}: {game.detail}" if game.detail else game.reason,
        "C": game.comment,
    }
    raw = {name: [sgf_grammar.escape_text(fact.encode())] for name, fact in facts.items() if fact}
    return {**raw, "AP": [own_version()]}


def _node_of(game: WrittenGame, i: int) -> Properties:
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


def ending(text: str) -> tuple[Result, str]:
    """The result that RE tells, and the reason if it tells one."""
    word = text.strip().lower()
    if word in DRAWS:
        return "draw", ""
    if numbers := NUMBERS_OF_WINS.get(word.replace(" ", "").replace(":", "-")):
        return numbers, ""
    win = WINS.fullmatch(word) or EAST_ASIAN_WINS.fullmatch(word)
    if not win:
        return "unknown", ""
    if win[2] == "draw":  # by RenLib
        return "draw", ""
    is_second = win[1].startswith(("w", "白", "백"))
    return ("second" if is_second else "first"), LOSSES.get((win[2] or "").strip(), "")


def _result_of_sgf(result: Result, reason: str) -> str:
    """The mirror of `ending`."""
    if result in ("first", "second"):
        return f"{'B' if result == 'first' else 'W'}+{LETTERS_OF_LOSSES.get(reason, '')}"
    return "0" if result == "draw" else "?"


def _own_ending(text: str) -> tuple[str, str]:
    """Our reason and detail, as our own files have them in GC."""
    reason, _, detail = text.partition(": ")
    return (reason, detail) if reason in REASONS else ("", "")


def _foreign_reason(text: str) -> str:
    """The reason that c-gomoku-cli gives in TE; empty where it gives none of these."""
    words = text.lower()
    return next((reason for word, reason in FOREIGN.items() if word in words), "")


def _remark_in(text: str, seat: int) -> Remark | None:
    """The numbers in the comment on a player's move; None for a comment of another kind."""
    if time := MILLISECONDS.fullmatch(text):
        return Remark(seat, float(time[1]) / 1000)
    numbers = COMMENT.fullmatch(text)
    if not numbers or not text:
        return None
    nodes, depth = (int(numbers[key] or 0) for key in ("nodes", "depth"))
    score = int(numbers["score"]) if numbers["score"] else None
    return Remark(seat, float(numbers["seconds"] or 0), nodes, depth, score)


def comment(remark: Remark) -> str:
    """The mirror of `_remark_in`; the seconds are to the microsecond, as records have them."""
    parts = [
        None if remark.score is None else f"score {remark.score}",
        f"depth {remark.depth}" if remark.depth else None,
        f"{remark.nodes} nodes" if remark.nodes else None,
        f"{remark.seconds:.6f}".rstrip("0").rstrip(".") + " s",
    ]
    return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class Piece:
    """The bytes of one game in UTF-8, or the reason why they are none."""

    line: int
    data: bytes
    fault: str = ""
    guessed: str = ""
    """The encoding that was taken for the bytes that were there, if the game does not tell it."""


def pieces(stream: BinaryIO) -> Iterator[Piece]:
    """Cut a collection into its games, and into what stands between them that is no game."""
    buffer = bytearray(stream.read(READ_BYTES))
    line = 1  # the line of the file at which the buffer begins
    is_over, guess = False, Guess()
    while True:
        piece = _cut_off(bytes(buffer), is_over, guess)
        if piece is None:  # the first piece may end beyond the buffer
            more = stream.read(max(READ_BYTES, len(buffer)))
            buffer += more
            is_over = not more
            if is_over and not buffer.strip(BLANK):
                return
            continue
        start, end, fault = piece
        data = bytes(buffer[start:end])
        line += buffer.count(b"\n", 0, start)
        if data:
            declared = _declared_encoding(data)
            text, encoding = guess.decoded(data, declared)
            is_guess = encoding not in certain_encodings(declared)
            guessed = TITLES.get(encoding, encoding) if is_guess else ""
            yield Piece(line, text.encode(), fault, guessed)
        line += data.count(b"\n")
        del buffer[:end]


def _declared_encoding(data: bytes) -> str:
    """The character set that a game names; empty if it names none."""
    declared = CHARACTER_SET.search(MOVE.split(data, maxsplit=1)[0])
    return declared[1].decode("ascii", "replace") if declared else ""


def _token_in(data: bytes, start: int, guess: Guess) -> re.Pattern[bytes]:
    """The pattern of the tokens of the game that begins there, in its encoding."""
    if data.isascii() and not SHIFTS.search(data):
        return TOKEN
    following = ROOT.search(data, start + 1)
    game = data[start : following.start() if following else len(data)]
    name = guess.encoding(game, _declared_encoding(game))
    return TOKENS_OF_PAIRS.get(re.sub(r"(iso2022_jp)_.*", r"\1", name), TOKEN)


def _cut_off(data: bytes, is_over: bool, guess: Guess) -> tuple[int, int, str] | None:
    """The first piece: its start, end, and what is wrong with it; None if more must be read."""
    start = len(data) - len(data.lstrip(BLANK))
    if not is_over and len(data) - start < LONGEST_ROOT:
        return None
    if not GAME_BEGINNING.match(data, start):
        return junk(data, start, is_over)
    depth = 0
    for token in _token_in(data, start, guess).finditer(data, start):
        at = token.start()
        if data[at] == ord("("):
            if not is_over and len(data) - at < LONGEST_ROOT:
                break
            if depth and ROOT.match(data, at):
                return start, at, "the game is not closed: a ) is missing"
            depth += 1
        elif data[at] == ord(")"):
            depth -= 1
            if not depth:
                return start, token.end(), ""
        elif not token[1]:
            break
        elif (swallowed := ROOT_LINE.search(token[0])) and b"\\" not in token[0][swallowed.end() :]:
            return start, at + swallowed.end(), UNCLOSED
    if is_over or len(data) - start > LONGEST_GAME:
        # What follows a bracket left open is read as text: go on where a game begins for sure.
        following = ROOT_LINE.search(data, start + 1)
        end = following.end() if following else len(data)
        return start, end, UNCLOSED
    return None


def junk(data: bytes, start: int, is_over: bool) -> tuple[int, int, str] | None:
    """The text before the next game, which is none."""
    following = GAME_BEGINNING.search(data, start)
    if not following and not is_over and len(data) - start <= LONGEST_GAME:
        return None
    end = following.start() if following else len(data)
    return (start, end, "no game of SGF, which begins with (;") if data[start:end] else None
