"""The pages of reference: their lists are complete, and what they show can be read and runs."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import optuna
import pytest
from ruamel.yaml import YAML
from support.samples import ROOT, ROUND, Write
from support.studies import let_go

import arena
from arena import Choice, Limit
from arena.cli import arena as command
from arena.config.reader import TERMS, parameter_names, read_config
from arena.config.settings import tournament_keys
from arena.config.shipped import STARTER
from arena.game import REASONS
from arena.match.play import place_opening
from arena.plugins.build import evaluation_of
from arena.plugins.catalogue import document_of
from arena.plugins.load import Kind, Named, factory, load_game, names
from arena.plugins.parameters import fit, parameters
from arena.records.opening_file import OPENING_FORMATS
from arena.tuning.fit.config import MADE, fit_keys, make_keys, read_fit
from arena.tuning.fit.frames import FitFrames
from arena.tuning.fit.result_fit import FitResult
from arena.tuning.proof.report import ProofFrames
from arena.tuning.settings.config import study_keys
from arena.tuning.settings.reader import read_tuning


def page(name: str) -> str:
    return (ROOT / f"{name}.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def rows(text: str) -> set[str]:
    return {*re.findall(r"^\| `(\w+)/?` \|", text, re.MULTILINE)}


def table(text: str, head: str) -> str:
    return re.findall(rf"\| {head}.*?\n\n", text, re.DOTALL)[0]


README, API, ENGINES, WRITING, TOURNAMENTS, FITTING, TUNING = map(
    page,
    [
        "README",
        *(f"docs/{name}" for name in ("api", "engines", "writing_engines", "tournaments")),
        *("docs/fitting", "docs/tuning"),
    ],
)
EXAMPLES = blocks(API, "python")
COMMANDS = {name for name, each in command.commands.items() if not each.hidden}


def test_every_folder_of_the_arena_is_named() -> None:
    folders = {file.parent.name for file in ROOT.glob("arena/*/__init__.py")}
    assert folders - {"engines"} == rows(page("docs/architecture"))


def test_every_command_is_listed_and_those_of_the_readme_exist() -> None:
    pages = page("docs/commands"), README
    listed, shown = ({*re.findall(r"^arena (\w+)", each, re.MULTILINE)} for each in pages)
    assert listed == COMMANDS >= shown


def test_every_public_name_is_described() -> None:
    described = re.findall(r"^\.\. auto\w+:: arena\.(\w+)", API, re.MULTILINE)
    assert sorted(described) == sorted(arena.__all__)


@pytest.mark.parametrize("name", arena.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    assert re.search(rf"\barena\.{name}\b", "".join(EXAMPLES))


@pytest.mark.slow
def test_the_examples_of_names_run_from_the_first_to_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found: dict[str, object] = {}
    for code in EXAMPLES:
        exec(code, found)
    assert {"run", "record", "choice", "study", "fit"} <= found.keys()


@pytest.mark.parametrize("name", ["api", "gallery"])
def test_code_that_is_shown_is_python(name: str) -> None:
    for code in blocks(page(f"docs/{name}"), "python"):
        compile(code, name, "exec")


@pytest.mark.parametrize("kind", ["engine", "game"])
def test_each_engine_and_game_has_a_row_and_its_source_document(kind: Kind) -> None:
    assert set(names(kind)) <= rows(ENGINES)
    documents = dict(re.findall(r"^\| (00\d) \| .* \| (.*) \|$", ENGINES, re.MULTILINE))
    assert sorted(documents) == ["000", "001", "002", "003", "004"]
    for name in names(kind):
        for number in re.findall(r"\b00\d\b", document_of(kind, name)):
            assert kind == "game" or f"`{name}`" in documents[number]


def test_each_reason_why_a_game_ends_has_a_row() -> None:
    found = re.findall(r"^\| (`.*?) \|", WRITING, re.MULTILINE)
    assert set(REASONS) <= {name for row in found for name in re.findall(r"`([^`]*)`", row)}


@pytest.mark.parametrize("value", [Choice, Limit])
def test_every_field_of_what_is_given_and_answered_is_named(value: type) -> None:
    for field in dataclasses.fields(value):
        assert f"`{field.name}`" in WRITING


def run_example(word: str, **found: object) -> dict[str, Any]:
    """The names that are there after the one example for writers of engines with this in it."""
    (code,) = (text for text in blocks(WRITING, "python") if word in text)
    exec(code, found)
    return found


@pytest.mark.slow
def test_the_forcing_search_is_called_as_shown() -> None:
    game = arena.load_game("gomoku")
    p = place_opening(game, "7,7 0,0 7,8 0,2 7,9 0,4")
    assert run_example("ForcingSearch", game=game, p=p)["line"]


def test_the_evaluation_shown_is_one() -> None:
    game = arena.load_game("gomoku")
    value = run_example("def evaluate")["evaluate"](game, pair=10, depth=3)
    assert value(place_opening(game, "7,7 0,0 7,8 0,2 7,9 0,4")) == 10


def test_the_lines_of_formats_are_formats_and_their_parameters() -> None:
    (block,) = blocks(page("docs/formats"), "yaml")
    shown = []
    for line in block.splitlines():
        value = YAML(typ="safe").load(line)["format"]
        ((name, given),) = (value if isinstance(value, dict) else {value: {}}).items()
        _, misfits = fit(factory("format", name), given)
        assert not misfits
        shown.append(name)
    assert sorted(shown) == [*names("format")]


def test_the_table_of_a_tournaments_file_has_every_key() -> None:
    shown = re.findall(r"^\| `(\w+)`", table(TOURNAMENTS, "key "), re.MULTILINE)
    assert sorted(shown) == sorted(TERMS | parameter_names(tournament_keys))


LINES = [
    line
    for block in blocks(TOURNAMENTS, "yaml")
    for line in block.splitlines()
    if line.startswith(("openings:", "limit:", "proof:", "resign:", "draw"))
]


@pytest.mark.parametrize("line", LINES)
def test_the_lines_of_a_tournaments_file_can_be_read(line: str, write: Write) -> None:
    ((key, value),) = YAML(typ="safe").load(line).items()
    rest = re.sub(rf"^ *{key}:.*\n", "", ROUND, flags=re.MULTILINE).replace("size: 7", "size: 15")
    openings = "\n".join(f"h8{column}{row}" for column in "abcdefg" for row in range(1, 9))
    write(openings, "openings.txt")
    read_config(write(f"    {key}: {value}\n{rest}"))


@pytest.mark.parametrize("source", names("source of openings"))
def test_every_parameter_of_the_sources_of_openings_is_named(source: str) -> None:
    for name in parameter_names(factory("source of openings", source)):
        assert f"`{name}`" in TOURNAMENTS or f"{name}:" in TOURNAMENTS


def test_every_format_of_files_of_openings_is_named() -> None:
    shown = table(TOURNAMENTS, r"format \| one opening")
    assert set(re.findall(r"^\| `(\w+)`", shown, re.MULTILINE)) == set(OPENING_FORMATS)


def uncommented(text: str) -> str:
    """The text with the lines that stand in comments."""
    return re.sub(r"^# ", "", text, flags=re.MULTILINE)


(FIT,) = blocks(FITTING, "yaml")


def test_the_file_of_a_fit_has_every_key_and_can_be_read(write: Write, undrawn: None) -> None:
    text = uncommented(FIT)
    known = {each.name: each for each in parameters(fit_keys)}
    assert {*known} <= set(re.findall(r"^(\w+):", text, re.MULTILINE)) <= {*known, *TERMS}
    (made,) = re.findall(r"^make:.*?\n(?=\w)", text, re.DOTALL | re.MULTILINE)
    own = {each.name for each in parameters(make_keys)}
    assert set(re.findall(r"^  (\w+):", made, re.MULTILINE)) == own
    config = read_fit(write(text, "better_threes.yaml"))
    assert config.games == ("round", "club")
    for field in dataclasses.fields(config.settings):
        assert getattr(config.settings, field.name) == known[field.name].default, field.name


def test_engines_can_be_fitted_and_parameters_be_left_out(write: Write, undrawn: None) -> None:
    game = load_game(read_fit(write(FIT, "better_threes.yaml")).terms.game)
    for name in ("five_tuple", "live_dead", "balance"):
        assert f"`{name}`" in FITTING
        assert evaluation_of(Named(name, {}), game)
    without = re.sub(r"^parameters:.*\n", "", FIT, flags=re.MULTILINE)
    assert not read_fit(write(without, "better_threes.yaml")).space.axes


def test_what_the_page_on_fits_names_is_there() -> None:
    own, proofs = ({each.name for each in dataclasses.fields(k)} for k in (FitFrames, ProofFrames))
    assert all(f"`{name}`" in FITTING for name in own - proofs)
    assert f"`results/NAME/{MADE}`" in FITTING
    assert f"`{FitResult.parameter}-DIGEST.npz`" in FITTING


SHORT, STUDY = blocks(TUNING, "yaml")


def test_the_file_of_a_study_has_every_key_and_can_be_read(write: Write, undrawn: None) -> None:
    text = uncommented(STUDY)
    known = {each.name: each for each in parameters(study_keys)}
    assert {*known} <= set(re.findall(r"^(\w+):", text, re.MULTILINE)) <= {*known, *TERMS}
    config = read_tuning(write(text.replace("method: ascent", "method: tpe")))  # as start needs
    assert config.plan.budget == 20_000
    assert f"{known['method'].default} (the default)" in text


def test_the_short_file_of_a_study_tunes_two_weights(write: Write, undrawn: None) -> None:
    assert [axis.name for axis in read_tuning(write(SHORT)).space.axes] == ["three", "other_three"]


def test_every_method_is_named() -> None:
    assert set(re.findall(r"`(\w+)`", table(TUNING, "method"))) >= set(names("method"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
def test_the_code_on_tuning_runs(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    text = STUDY
    for old, new in {
        "size: 9": "size: 7",
        "depth: 2}": "depth: 1}",
        "budget: 20000": "budget: 40",
        "games: 40 ": "games: 4 ",
        "elo1: 20,": "elo1: 200,",
        "pairs: 5000": "pairs: 20",
    }.items():
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / "configs").mkdir()
    write(text, "configs/bold_threes.yaml")
    monkeypatch.chdir(tmp_path)
    shared: dict[str, object] = {}
    for code in blocks(TUNING, "python"):
        exec(code, shared)
    pictures = {"history.svg", "slices.svg", "importance.svg"}
    assert {file.name for file in Path("pictures").iterdir()} == pictures
    mirrored = shared["mirrored"]
    assert isinstance(mirrored, optuna.Study)
    assert len(mirrored.trials) == 10
    let_go(mirrored)
    matplotlib.pyplot.close("all")


def test_the_engine_of_the_readme_and_the_one_that_init_writes_play(tmp_path: Path) -> None:
    (code,) = (text for text in blocks(README, "python") if "GAMES" in text)
    (tmp_path / "my_engine.py").write_text(code, encoding="utf-8")
    for folder in (tmp_path, STARTER):
        record = arena.play("gomoku", f"{folder / 'my_engine.py'}:width=5", "five_tuple:depth=2")
        assert (record.winner, record.reason) == (2, "line")
    written = (STARTER / "my_engine.py").read_text(encoding="utf-8")
    assert f"```python\n{written}```" in WRITING


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        (STARTER / "configs/match.yaml", None, "openings: {games} games."),
        (ROOT / "configs/round.yaml", README, "ten players, {games} games"),
    ],
)
def test_a_tournament_has_as_many_games_as_is_said(file: Path, text: str, words: str) -> None:
    config = read_config(file)
    games = len(config.names) * (len(config.names) - 1) * len(config.openings)
    assert words.format(games=games) in (text or file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["match", "sprt", "study"])
def test_every_file_that_init_writes_is_of_its_own_name(name: str, undrawn: None) -> None:
    read = read_tuning if name == "study" else read_config
    assert read(STARTER / f"configs/{name}.yaml").name == name
