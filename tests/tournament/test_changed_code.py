"""Games of edited code: never mixed unless that is wanted, and then said for ever."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.samples import ROUND, Write

import arena
from arena import ConfigError
from arena.config.reader import read_config
from arena.plugins.source_files import digest_of
from arena.storage import history
from arena.storage.database import Store
from arena.storage.history import with_digests
from arena.tournament.combine import report_runs
from arena.workers.pool import local

OWN = """
    import helper
    GAMES = ("*",)
    from arena.engines.random_mover import engine
"""
EDITED = "the code of two changed after 8 of its games: helper.py"
NOTE = (
    "The code of two changed after 8 of its games, and those before and after count alike: "
    "helper.py."
)

Play = Callable[..., arena.Run]


@pytest.fixture
def play(write: Write, tmp_path: Path) -> Play:
    """Play, or go on with, a run of a user's engine."""
    write("N = 1\n", "helper.py")
    write(OWN, "own.py")

    def play(count: int = 2, **options: Any) -> arena.Run:
        text = ROUND.replace("two, engine: random_mover", "two, engine: ./own.py")
        file = write(text.replace("count: 2", f"count: {count}"))
        return arena.run(file, **{"workers": 0, "results": tmp_path / "results", **options})

    return play


def notes(run: arena.Run) -> list[str]:
    return [note for note in arena.open_run(run.folder).report().notes if "code" in note]


def refused(play: Play, expected: str) -> None:
    with pytest.raises(ConfigError) as caught:
        play(3)
    first, advice = (fault.message for fault in caught.value.faults)
    assert first == expected
    assert "accept_changes=True" in advice
    assert "fresh=True" in advice


def test_a_run_does_not_go_on_with_edited_code(play: Play, write: Write) -> None:
    play()
    write("N = 1  # a comment\n", "helper.py")
    refused(play, EDITED)
    write("N = 1\n", "helper.py")
    run = play(3)
    assert (len(run.games()), notes(run)) == (18, [])


def test_an_edit_of_the_engine_itself_is_one_too(play: Play, write: Write) -> None:
    play()
    write(OWN.replace("import helper", "from beside import N"), "own.py")
    write("N = 1\n", "beside.py")
    refused(play, "the code of two changed after 8 of its games: beside.py, helper.py, own.py")


def test_edited_code_is_accepted_and_the_report_says_so_for_ever(play: Play, write: Write) -> None:
    play()
    write("N = 2\n", "helper.py")
    run = play(3, accept_changes=True)
    assert (len(run.games()), notes(run)) == (18, [NOTE])
    assert notes(play(4)) == [NOTE], "nothing has changed since"
    write("N = 33\n", "helper.py")
    refused(play, EDITED.replace("after 8", "after 16"))
    again = play(4, accept_changes=True)
    assert notes(again) == [NOTE, NOTE.replace("after 8", "after 16")]
    combined = report_runs([again.folder], results=again.folder.parent).notes
    assert [note for note in combined if "code" in note] == notes(again)
    assert notes(play(2, fresh=True)) == []


def test_code_of_who_has_played_no_game_may_change(play: Play, write: Write) -> None:
    play(stop=lambda: True)
    write("N = 2\n", "helper.py")
    assert notes(play()) == []


def test_who_comes_back_with_other_code_is_known(play: Play, write: Write, tmp_path: Path) -> None:
    play()
    results = tmp_path / "results"
    arena.run(write(ROUND.replace("- {name: two, engine: random_mover}", "")), results=results)
    write("N = 2\n", "helper.py")
    refused(play, EDITED)


def test_engines_that_come_along_are_no_exception(play: Play) -> None:
    with closing(Store(play().folder / "arena.db")) as store:
        facts = store.facts()
        for entry in facts["engines"]:
            entry["files"]["engines/random_mover.py"] = "before"
        store.note(facts)
    with pytest.raises(ConfigError) as caught:
        play(3)
    assert [fault.message for fault in caught.value.faults[:-1]] == [
        f"the code of {name} changed after 8 of its games: engines/random_mover.py"
        for name in ("one", "two", "three")
    ]


def test_runs_of_other_code_are_of_other_players(play: Play, write: Write, tmp_path: Path) -> None:
    one = play()
    write("N = 2\n", "helper.py")
    other = play(results=tmp_path / "others")
    names = set(report_runs([one.folder, other.folder], results="").standings["name"])
    assert {"one", "three"} < names
    assert "two" not in names
    assert len(names) == 4


@pytest.mark.parametrize("workers", [0, 1])
def test_a_run_plays_and_keeps_the_code_that_was_read_with_its_config(
    write: Write, tmp_path: Path, workers: int
) -> None:
    own = "GAMES = ('*',)\nfrom arena.engines.random_mover import engine as mover\n"
    write(own + "def engine(game, *, depth: int = 1): return mover(game)\n", "own.py")
    before = digest_of(tmp_path / "own.py")
    file = write(ROUND.replace("two, engine: random_mover", "two, engine: ./own.py, depth: 2"))
    run = arena.Run(tmp_path / "results", read_config(file))
    write(own + "def engine(game, *, reach: int = 1): return mover(game)\n", "own.py")
    run.play(local(workers))
    assert set(run.games()["reason"]) <= {"line", "full board"}
    with closing(Store(run.folder / "arena.db")) as store:
        kept = {entry["name"]: entry["files"] for entry in store.facts()["engines"]}
    assert kept["two"]["own.py"] == before


@pytest.mark.slow
def test_an_accepted_change_that_no_game_has_followed_may_be_taken_back(
    play: Play, write: Write
) -> None:
    play()
    for text in ("N = 2\n", "N = 33\n"):
        write(text, "helper.py")
        assert notes(play(2, accept_changes=True)) == [NOTE]
        assert notes(play(2)) == [NOTE], "accepted once is enough"
    write("N = 1\n", "helper.py")
    run = play(3)
    assert (len(run.games()), notes(run)) == (18, [])


def test_digests_of_the_kit_are_of_what_this_process_imported_whoever_uses_it(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = str(write("GAMES = ('*',)\nfrom arena.engines.random_mover import engine", "own.py"))
    name, entry = "arena/engines/random_mover.py", {"name": "own", "engine": own}
    before = with_digests(entry)["files"][name]
    monkeypatch.setattr(history, "digest_of", lambda file: "edited")
    monkeypatch.setattr(history, "KEPT_SOURCES", {})
    assert with_digests(entry)["files"][name] == before
    assert with_digests(entry)["files"]["own.py"] == "edited"
