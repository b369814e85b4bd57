"""The command `arena fit`: how it ends."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from support.samples import Write, player

from arena.cli import arena as command

FIT = """
    kind: fit
    game: {gomoku: {size: 7}}
    engine: five_tuple
    parameters: [three]
    make:
      engines:
      - {name: sound, engine: random_mover}
      - {name: bad, engine: ./bad.py}
      games: 12
    opponents:
    - {name: shallow, engine: five_tuple, depth: 1}
    - {name: shapes, engine: live_dead, depth: 1}
    vary: {}
"""


@pytest.mark.slow
def test_it_stops_for_a_player_that_only_loses_by_its_own_faults(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(player('raise ValueError("boom")'), "bad.py")
    file = write(FIT, "fitted.yaml")
    monkeypatch.chdir(file.parent)
    call = ["fit", "fitted.yaml", "--workers", "0"]
    stopped = CliRunner().invoke(command, call)
    assert stopped.exit_code == 4
    assert "Stopped: bad raised an exception in 8 of its first 8 games" in stopped.output
    going_on = CliRunner().invoke(command, [*call, "--keep-going"])
    assert "the games have 0 positions to fit to" in str(going_on.exception)
