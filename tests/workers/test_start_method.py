"""Workers are forked; the calling program keeps its own way to start processes."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator

import pytest
from support.samples import ROUND, Write, player

import arena

TALKS = player('logger.info("hello"); return Choice(self.game.moves(p)[p.ply % 3])')


@pytest.fixture(autouse=True)
def the_start_method() -> Iterator[None]:
    before = multiprocessing.get_start_method(allow_none=True)
    yield
    multiprocessing.set_start_method(before, force=True)


def played(write: Write) -> arena.Run:
    """Four games by two workers, in which each player says hello in the log."""
    file = write(ROUND.replace("engine: random_mover}", "engine: ./talks.py}", 2))
    write(TALKS, "talks.py")
    return arena.run(file, workers=2, results=file.parent)


@pytest.mark.parametrize("method", [None, "spawn", "fork"])
def test_a_run_leaves_the_start_method_as_it_was(write: Write, method: str | None) -> None:
    multiprocessing.set_start_method(method, force=True)
    run = played(write)
    assert multiprocessing.get_start_method(allow_none=True) == method
    assert len(run.records()) == 12
    assert "hello" in (run.folder / "arena.log").read_text()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this is such a system")
def test_without_what_only_linux_has_the_games_are_the_same(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = played(write).records()
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.delattr(os, "pidfd_open")
    monkeypatch.delattr(os, "sched_getaffinity")
    multiprocessing.set_start_method("spawn", force=True)
    file = write(ROUND.replace("engine: random_mover}", "engine: ./talks.py}", 2), "there.yaml")
    run = arena.run(file, workers=2, results=file.parent)
    assert [game.moves for _, game in run.records()] == [game.moves for _, game in here]
    assert "hello" in (run.folder / "arena.log").read_text()
