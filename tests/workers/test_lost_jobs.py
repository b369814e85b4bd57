"""Games that were lost with their workers, given out again."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from support.samples import Write, player

from arena.config.settings import Player
from arena.match.record import Job
from arena.match.terms import Terms
from arena.plugins.load import Named, checked
from arena.workers import pool
from arena.workers.logs import LogFile
from arena.workers.referee import Referee

KILLED_TWICE = player("""
    with open(f"{__file__}.turns", "a+") as turns:
        turns.write(f"{time.monotonic()}\\n")
        turns.seek(0)
        if len(list(turns)) <= 2:
            os.kill(os.getpid(), signal.SIGKILL)
    return Choice(self.game.moves(p)[0])
""")


@pytest.mark.slow
def test_a_game_that_one_more_kill_would_end_waits_for_the_kills_of_other_players_only(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "QUIET", 2.0)
    files = [write(KILLED_TWICE, f"{name}.py") for name in ("one", "two")]
    players = [Player(each.stem, checked("engine", str(each))) for each in files]
    referee = Referee(Terms(game=Named("tictactoe")), players)
    job = Job("one", "two", "", 1, 1)
    (record,) = pool.Local(1).play([job], referee, LogFile(tmp_path / "log"))
    assert record.reason == "line"
    turns = [Path(f"{each}.turns").read_text().split() for each in files]
    one, two = [[float(moment) for moment in each] for each in turns]
    # Both are killed twice. From then on it is one whom another kill would cost the game, and two
    # has been killed since; at last both are suspects, and nobody else is killed.
    again = [later - earlier for earlier, later in pairwise([*one[:3], two[1], two[2]])]
    assert again[2] > 2.0
    assert max(again[0], again[1], again[3]) < 2.0
