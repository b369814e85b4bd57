"""Very many files, and very many runs: an import of a file a game, its report, a list of runs."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from arena.bench import Measurement
from arena.config.settings import Config, Player
from arena.errors import install_command
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.records.formats import psq
from arena.server.pages import html
from arena.server.serving import has_packages
from arena.server.watch.run_list import EVERYTHING, RunFilter, RunFolders, RunList
from arena.tournament.run import Run
from arena.workers.pool import local
from benchmarks.measures.records import cost_of, random_games

FILES = 11_400
RUNS = 2_000
RULE = "gomoku:rule=freestyle"


def rows(repeat: int) -> Iterator[Measurement]:
    """CPU seconds of each command on the files, and of two looks at the runs; `repeat` is ignored.

    A command's have its start in them.
    """
    with tempfile.TemporaryDirectory() as name:
        yield row_of_files(Path(name))
    with tempfile.TemporaryDirectory() as name:
        yield row_of_runs(Path(name)) if has_packages() else {"needs": install_command("web")}


def row_of_files(folder: Path) -> Measurement:
    """An import of as many files, each with a game, as `*.psq` stands for."""
    games, page, results = folder / "games", folder / "page.html", ["--results", str(folder)]
    games.mkdir()
    for number, game in enumerate(random_games(FILES)):
        (games / f"{number:06}.psq").write_bytes(psq.text(game))
    files = list(map(str, sorted(games.iterdir())))
    taken_in = cost_of(["import", "many", *files, "--game", RULE, *results])[0]
    report = cost_of(["report", "many", *results])[0]
    made = cost_of(["report", "many", "--format", "html", "-o", str(page), *results])[0]
    return {
        "name": "many/files",
        "files": FILES,
        "import": taken_in,
        "report": report,
        "page": made,
        "kilobytes": page.stat().st_size / 1000,
    }


def row_of_runs(folder: Path) -> Measurement:
    """The page that lists as many runs, as the server first makes it, and later."""
    one, game = folder / "0", Named("tictactoe")
    players = [Player(name, Named("random_mover")) for name in ("one", "two")]
    openings = Openings(Named("list", {"list": [""]}), game)
    config = Config(
        name="0",
        terms=Terms(game=game),
        openings=openings,
        players=tuple(players),
        format=Named("round_robin"),
    )
    Run(one, config).play(local(0))
    for number in range(1, RUNS):
        shutil.copytree(one, folder / str(number))
    with closing(RunFolders(folder)) as folders:
        run_list, of_player = RunList(folders), RunFilter(player="two")
        looks = [seconds_of_look(run_list) for _ in range(2)]
        looks += [
            sum(seconds_until_read(run_list, of_player)),
            seconds_of_look(run_list, of_player),
        ]
    columns = ("first", "later", "player_first", "player_later")
    return {"name": "many/runs", "runs": RUNS, **dict(zip(columns, looks, strict=True))}


def seconds_of_look(run_list: RunList, wanted: RunFilter = EVERYTHING) -> float:
    """CPU seconds of one page of the list, once what was seen is seen anew."""
    began = time.thread_time()
    html("run_list.html", list=run_list.page(wanted))
    took = time.thread_time() - began
    time.sleep(30 * took)
    return took


def seconds_until_read(run_list: RunList, wanted: RunFilter) -> Iterator[float]:
    """CPU seconds of each look until the players of all runs are known."""
    while True:
        began = time.thread_time()
        page = run_list.page(wanted)
        html("run_list.html", list=page)
        yield time.thread_time() - began
        if not page.unread:
            return
