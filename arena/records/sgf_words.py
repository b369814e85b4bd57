"""The words of SGF about a game's end and its moves: results, and comments by ours and others."""

from __future__ import annotations

import re

from arena.engine import Remark
from arena.game import FAULTS, REASONS
from arena.records.written import Result

OPENING_MARK = "opening"
OPENING_MARKS = (OPENING_MARK, "opening move")
"""Comments on moves that no player chose: ours, and c-gomoku-cli's."""
COMMENT = re.compile(
    r"(?:score (?P<score>-?\d{1,18}))?(?:(?:^|, )depth (?P<depth>\d{1,18}))?"
    r"(?:(?:^|, )(?P<nodes>\d{1,18}) nodes)?(?:(?:^|, )(?P<seconds>\d{1,9}(?:\.\d{1,9})?) s)?"
)
MILLISECONDS = re.compile(r"(\d{1,12})ms")
DRAWS = ("0", "draw", "drawn", "jigo", "和", "和棋", "和局", "平局")
UNTOLD = ("", "?", "void")
WINS = re.compile(r"(b|black|w|white)(?:\+| (?:wins|won)\b(?: by\b| on\b)?)(.*)", re.DOTALL)
CHINESE_WINS = re.compile("([黑黒白])[方棋]?(中盘|中盤|超时|超時)?[胜勝]")
"""Black or White, and the reason why the other lost."""
LOSSES = {
    **dict.fromkeys(("r", "resign", "resignation", "中盘", "中盤"), "resignation"),
    **dict.fromkeys(("t", "time", "timeout", "超时", "超時"), "time"),
    **dict.fromkeys(("f", "forfeit"), "exception"),
}
"""Reasons by what is said beside the winner."""
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


def ending(text: str) -> tuple[Result, str]:
    """The result that RE tells, and the reason if it tells one."""
    word = text.strip().lower()
    if word in DRAWS:
        return "draw", ""
    if not (win := WINS.fullmatch(word) or CHINESE_WINS.fullmatch(word)):
        return "unknown", ""
    if win[2] == "draw":  # by RenLib
        return "draw", ""
    is_second = win[1].startswith(("w", "白"))
    return ("second" if is_second else "first"), LOSSES.get((win[2] or "").strip(), "")


def result_of_sgf(result: Result, reason: str) -> str:
    """The mirror of `ending`."""
    if result in ("first", "second"):
        return f"{'B' if result == 'first' else 'W'}+{LETTERS_OF_LOSSES.get(reason, '')}"
    return "0" if result == "draw" else "?"


def own_ending(text: str) -> tuple[str, str]:
    """Our reason and detail, as our own files have them in GC."""
    reason, _, detail = text.partition(": ")
    return (reason, detail) if reason in REASONS else ("", "")


def foreign_reason(text: str) -> str:
    """The reason that c-gomoku-cli gives in TE; empty where it gives none of these."""
    words = text.lower()
    return next((reason for word, reason in FOREIGN.items() if word in words), "")


def remark_in(text: str, seat: int) -> Remark | None:
    """The numbers in the comment on a player's move; None for a comment of another kind."""
    if time := MILLISECONDS.fullmatch(text):
        return Remark(seat, float(time[1]) / 1000)
    found = COMMENT.fullmatch(text)
    if not found or not text:
        return None
    nodes, depth = (int(found[key] or 0) for key in ("nodes", "depth"))
    score = int(found["score"]) if found["score"] else None
    return Remark(seat, float(found["seconds"] or 0), nodes, depth, score)


def comment(remark: Remark) -> str:
    """The mirror of `remark_in`; the seconds are to the microsecond, as records have them."""
    parts = [
        None if remark.score is None else f"score {remark.score}",
        f"depth {remark.depth}" if remark.depth else None,
        f"{remark.nodes} nodes" if remark.nodes else None,
        f"{remark.seconds:.6f}".rstrip("0").rstrip(".") + " s",
    ]
    return ", ".join(filter(None, parts))
