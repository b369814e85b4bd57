"""Talks with our brains, without pipes: lines in, answers out."""

from __future__ import annotations

import time

from arena.gomocup.engine_as_brain.conversation import Conversation, RuleSet
from arena.plugins.load import checked


def conversation(engine: str = "random_mover") -> Conversation:
    return Conversation(RuleSet(checked("engine", engine)), lambda: 'name="mine"')


def said(to: Conversation, *lines: str) -> list[str]:
    return [answer for line in lines for answer in to.answers(line, time.monotonic())]


def last_said(to: Conversation, *lines: str) -> str:
    return said(to, *lines)[-1]
