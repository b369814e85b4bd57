"""Reports that people send around do not tell where their files are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.page_texts import page_data, page_text
from support.reports import shown
from support.samples import Write, player

import arena
from arena.report.answer import Answer
from arena.report.numbers import without_home
from arena.report.page.render import page_of

FILE = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 4, seed: 1}}
    engines:
      - {name: own, engine: ./sub/own.py}
      - {name: other, engine: random_mover}
"""


@pytest.mark.parametrize(("home", "shown_as"), [(".", "sub/own.py"), ("..", "~/{name}/sub/own.py")])
def test_pages_and_texts_have_paths_from_where_people_work(
    write: Write, monkeypatch: pytest.MonkeyPatch, home: str, shown_as: str
) -> None:
    file = write(FILE, "run.yaml")
    (file.parent / "sub").mkdir()
    (file.parent / "sub" / "own.py").write_text(player('raise ValueError("lost")'))
    run = arena.run(file, workers=0, results=file.parent / "results")
    folder = file.parent if home == "." else file.parent / "results"
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str((file.parent / home).resolve()))
    path = shown_as.format(name=file.parent.name)
    found = run.report()
    for form in ("table", "markdown", "html"):
        text = shown(found, form)
        page = page_text(text) + page_data(text) if form == "html" else text
        assert path in page
        assert str(file.parent) not in page
    assert str(file.parent) in json.loads(shown(found, "json"))["games"][0]["detail"]
    assert str(file.parent) in (run.folder / "config.yaml").read_text()


def test_only_whole_folders_are_shortened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ada")
    text = f"{tmp_path}/a.py, /other{tmp_path}/a.py, {tmp_path}s/a.py, /home/ada/b.py, /home/adam/b"
    assert without_home(text) == text.replace(f"{tmp_path}/a.py", "a.py", 1).replace(
        "/home/ada/", "~/"
    )
    assert re.match("a.py, /other/", without_home(text))


def test_the_root_is_no_folder_to_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getcwd", lambda: "/")
    monkeypatch.setenv("HOME", "/")
    for text in ("x = 1; // a comment", "/tmp/a.py failed"):
        assert without_home(text) == text


def test_scripts_of_a_page_stay_as_their_digests_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getcwd", lambda: "/nowhere")
    script = re.findall("<script.*?</script>", page_of(Answer({}, list)), re.DOTALL)
    word = next(found[1] for found in re.finditer(r"(/[^/\n]+)/", script[-1]))
    monkeypatch.setattr("os.getcwd", lambda: word)
    assert without_home(script[-1]) != script[-1], "a text that is no script"
    assert re.findall("<script.*?</script>", page_of(Answer({}, list)), re.DOTALL) == script
