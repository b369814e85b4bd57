"""Command lines of known words in any order, and of unknown ones: no game is played by any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from socket import socket
from types import SimpleNamespace

import click
import pytest
from hypothesis import given, strategies as st
from hypothesis.strategies import DrawFn
from support.rubbish import OFTEN, TEXT, no_games, typed
from support.samples import ROUND
from support.studies import STUDY

import arena
from arena.cli import arena as command
from arena.game import Outcome
from arena.match.record import Job, record
from arena.plugins import load

pytestmark = [pytest.mark.slow, pytest.mark.sweep]
WORDS = [
    *("round", "empty", "weights", "round.yaml", "weights.yaml", "own.yaml", "a.txt", "results"),
    *("gomoku", "gomoku:size=7", "gomoku:size=0", "tictactoe", "renju", "swiss", "sprt", "human"),
    *("random_mover", "random_mover:x=1", "five_tuple:depth=2", "five_tuple:depth=.nan", "minimax"),
    *("./none.py", "no.such", "..", ".", "", "-", "--", "-1", "0", "1", "3", str(10**18), "1.5"),
    *("depth=2", "depth=2,depth=3", "seconds=nan", "seconds=inf", "clock=1+1", "clock=", "=", ","),
    *("7,7 7,8", "7,7 7,7", "0,0", "one", "one=100", "one=", "two=1e5", "=", "games", "standings"),
    *("table", "json", "csv", "markdown", "parquet", "board", "moves", "'", '"', "\udcff", "nan"),
]
JOB = Job("one", "two", "3,3")
DRAW = record(JOB, Outcome(None, "full board"), "", "3,3 3,4")
SUBCOMMANDS: dict[str, click.Command] = {
    f"{name} {sub}": each
    for name, group in command.commands.items()
    if isinstance(group, click.Group)
    for sub, each in group.commands.items()
}


@st.composite
def lines(draw: DrawFn) -> list[str]:
    """A command with some of its options and arguments, right or wrong."""
    every = {**command.commands, **SUBCOMMANDS}
    name = draw(st.sampled_from([*every, "--help", "--version", ""]))
    known = every.get(name, command).params
    options = [each for param in known if isinstance(param, click.Option) for each in param.opts]
    word = st.sampled_from(WORDS) | st.sampled_from([*options, "--help"]) | TEXT
    words = draw(st.lists(word, max_size=6))
    for param in known:
        if isinstance(param, click.Argument) and draw(st.integers(0, 3)):
            words.insert(0, draw(st.sampled_from(WORDS)))
    return [*(name.split() or [""]), *words]


@pytest.fixture(scope="module", autouse=True)
def nothing_is_played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder with runs and files, and players that cannot be asked."""
    folder = tmp_path_factory.mktemp("fuzz")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("round.yaml").write_text(ROUND)
        Path("a.txt").write_text("h8i9\nh8i9\nh8h8\n")
        Path("weights.yaml").write_text(STUDY.replace("./coin.py", "five_tuple"))
        patch.setattr("arena.match.openings.random.TRIES", 20)
        arena.run("round.yaml", workers=0)
        patch.setattr("arena.workers.pool.Local.play", no_games)
        patch.setattr("arena.tournament.replay.play_game", lambda *_, **__: DRAW)
        patch.setattr("arena.bench.rows_in_turn", lambda *_: [])
        unmeasured = SimpleNamespace(**vars(load) | {"factory": lambda *_: lambda *_: []})
        patch.setattr("arena.bench.load", unmeasured)
        patch.setattr("benchmarks.cases.beside_baseline", lambda *_: [])
        patch.setattr("arena.tuning.study.sampled_pace", lambda *_: None)
        patch.setattr("arena.server.serving.serve_until_stopped", no_service)
        server = SimpleNamespace(serve_forever=lambda: None)
        patch.setattr("arena.commands.tune.make_server", lambda *_: server)
        page = nullcontext(SimpleNamespace(address=""))
        patch.setattr("arena.server.page_process.page_process", lambda *_: page)
        yield


def no_service(_: object, sockets: Sequence[socket], *__: object) -> None:
    for each in sockets:
        each.close()


@given(line=lines())
@OFTEN
def test_a_command_line_is_done_or_refused(line: list[str]) -> None:
    typed(*line)
