"""A folder at play, as other processes see it."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE

import pytest
from support.processes import running

from arena.storage.at_play import ask_to_stop, forget_stop, is_asked_to_stop, is_at_play
from arena.storage.folder import locked

HOLD = """
import sys
from pathlib import Path
from arena.storage.folder import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_at_play_as_long_as_another_process_plays_there(tmp_path: Path) -> None:
    assert not is_at_play(tmp_path)
    with locked(tmp_path):
        pass
    assert not is_at_play(tmp_path)
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with running(command, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        assert is_at_play(tmp_path)
        process.kill()
        process.wait()
        assert not is_at_play(tmp_path)


def test_to_ask_gives_up_no_lock_of_this_process(tmp_path: Path) -> None:
    with locked(tmp_path):
        assert not is_at_play(tmp_path)
        command = [sys.executable, "-c", HOLD, str(tmp_path)]
        with running(command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE) as process:
            _, error = process.communicate(timeout=30)
        assert b"this run is being played already" in error


def test_a_wish_to_stop_lasts_until_the_next_start(tmp_path: Path) -> None:
    assert not is_asked_to_stop(tmp_path)
    ask_to_stop(tmp_path)
    ask_to_stop(tmp_path)
    assert is_asked_to_stop(tmp_path)
    forget_stop(tmp_path)
    forget_stop(tmp_path)
    assert not is_asked_to_stop(tmp_path)


def test_a_wish_is_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "stop").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="stop"):
        ask_to_stop(tmp_path)
    assert not (tmp_path / "elsewhere").exists()
