"""A match in one line: its players and their names, its file, and the check of its brains."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from support.samples import ROOT, player

from arena.config.reader import read_config
from arena.config.settings import parse_limit, to_data
from arena.config.shipped import BALANCED
from arena.config.typed_match import BALANCED_BOOK, TypedMatch, balanced_openings, read_match
from arena.config.typed_player import check_command, typed_players
from arena.engine import Limit
from arena.errors import ConfigError
from arena.match.copies import notes_on
from arena.match.openings.book import book_file
from arena.match.terms import Terms
from arena.plugins.build import load_engine
from arena.plugins.load import Named, checked, load_game, parse_named
from arena.records.opening_file import opening_file
from arena.tournament.schedule import Schedule

LIMITS = {"gomocup-renju": "300s,clock=1000"}
OWN = player("return Choice(self.game.moves(p)[0])")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two versions of an engine, and of a program, in folders."""
    monkeypatch.chdir(tmp_path)
    for name in ("v1", "v2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "own.py").write_text(OWN)
        (tmp_path / name / "test_own.py").write_text("def test(): pass\n")
        (tmp_path / f"p{name}").mkdir()
        (tmp_path / f"p{name}" / "notes.txt").write_text("")
        (tmp_path / f"p{name}" / "pbrain-x").write_text("#!/bin/sh\n")
        (tmp_path / f"p{name}" / "pbrain-x").chmod(0o755)
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "balanced.txt").touch()
    (tmp_path / "mine.yaml").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("one", "other", "names", "engines"),
    [
        ("balance", "live_dead", "balance live_dead", "balance live_dead"),
        ("balance:depth=4,range=2", "human", "balance-depth-4-range-2 human", "balance human"),
        ("balance", "balance", "balance balance-2", "balance balance"),
        ("./own.py", "./own.py:x=0.5", "own own-x-0.5", "./own.py ./own.py"),
        ("./v1", "./v2/", "v1 v2", "./v1/own.py ./v2/own.py"),
        ("v1/own.py", "v2/own.py", "v1-own v2-own", "v1/own.py v2/own.py"),
        ("v1/own.py", "v1/own.py", "own own-2", "v1/own.py v1/own.py"),
        ("./pv1", "./pv2", "pv1 pv2", "./pv1/pbrain-x ./pv2/pbrain-x"),
        ("./pv1/pbrain-x", "balance", "pbrain-x balance", "./pv1/pbrain-x balance"),
        ("own.py:name=new,limit=d3", "./own.py", "new own", "own.py ./own.py"),
        ("own.py:limit=d3", "own.py", "own-depth-3 own", "own.py own.py"),
        ("./pv1/pbrain-x:info.a=1,info.b=2", "balance", "pbrain-x-a-1-b-2 balance",
         "./pv1/pbrain-x balance"),
        ("python3 own.py:x=1", "python3 own.py -v :x=1", "own-x-1 own-v-x-1",
         "python3 own.py python3 own.py -v"),
        ("gomocup:command=./p/x", "balance", "gomocup-command-x balance", "gomocup balance"),
    ],
)  # fmt: skip
def test_players_have_names_that_differ_and_can_name_a_folder(
    one: str, other: str, names: str, engines: str
) -> None:
    players = typed_players(one, other)
    assert " ".join(each.name for each in players) == names
    assert " ".join(each.engine for each in players) == engines


def test_the_current_folder_has_its_own_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "v2")
    assert [each.name for each in typed_players("../v1", ".")] == ["v1", "v2"]


def test_names_are_no_longer_than_a_folder_can_be() -> None:
    long = f"balance:{','.join(f'key{i}=1' for i in range(40))}"
    players = typed_players(long, long)
    assert len({each.name for each in players}) == 2
    assert len(TypedMatch((long, long)).run_name) <= 100


@pytest.mark.parametrize(
    ("one", "message"),
    [
        ("./v3", "no such engine file"),
        ("ownn", "unknown engine 'ownn'; did you mean 'own.py'?"),
        ("own2", "unknown engine 'own2'; did you mean 'own.py'?"),
        ("./own", "no such engine file: .*/own; did you mean 'own.py'?"),
        ("v1/won.py", "no such engine file: .*/v1/won.py; did you mean 'own.py'?"),
        ("mine.yaml", "mine.yaml: is a config, not an engine: arena run mine.yaml"),
        ("results/mine/tuned.yaml", "tuned.yaml: no such file"),
        ("./balence", "no such engine file"),
        ("balence", "balence: unknown engine 'balence'; did you mean 'balance'?"),
        ("v1", "v1: is no engine's name; for what is here, type ./v1"),
        ("balance:depth=99", "balance:depth=99: depth must be at most 20, not 99"),
        ("balance:depth", "'depth' must be written key=value"),
        ("./v1:x=3", "./v1:x=3: unknown key 'x'"),
        ("", "^the name of a player is missing"),
        (" ", "^the name of a player is missing"),
        (":depth=1", ":depth=1: the name of a player is missing"),
    ],
)
def test_a_wrong_player_is_told_by_its_own_words(one: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        read_match(TypedMatch((one, "live_dead")))


def test_a_folder_has_one_engine_or_says_what_is_wrong(folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(ConfigError, match="empty: holds no engine file"):
        typed_players("./empty", "balance")
    with pytest.raises(ConfigError, match="a match needs at least two players"):
        read_match(TypedMatch(("./v1",)))


def test_a_folder_of_several_counts_as_these_engines_before_programs(folder: Path) -> None:
    (folder / "v1/build").write_text("#!/bin/sh\n")
    (folder / "v1/build").chmod(0o755)
    assert typed_players("./v1", "./v2")[0].engine == "./v1/own.py"
    (folder / "v1/other.py").write_text(OWN)
    players = typed_players("./v1:x=1", "./v2")
    assert [each.name for each in players] == ["other-x-1", "own-x-1", "v2"]
    assert [each.engine for each in players] == ["./v1/other.py", "./v1/own.py", "./v2/own.py"]


def test_a_folder_counts_as_the_folders_in_it_that_hold_a_player(folder: Path) -> None:
    (folder / "none").mkdir()
    (folder / "pv1/pbrain-y.EXE").touch()
    (folder / "own.py").unlink()
    players = typed_players(".")
    files = ["pv1/pbrain-x", "pv1/pbrain-y.EXE", "pv2/pbrain-x", "v1/own.py", "v2/own.py"]
    assert [each.engine for each in players] == [f"./{each}" for each in files]
    names = ["pv1-pbrain-x", "pbrain-y.EXE", "pv2-pbrain-x", "v1-own", "v2-own"]
    assert [each.name for each in players] == names


def test_the_one_program_of_a_folder_says_how_it_would_be_executable(folder: Path) -> None:
    (folder / "theirs").mkdir()
    (folder / "theirs/pbrain").write_text("#!/bin/sh\n")
    with pytest.raises(ConfigError, match=r"is not executable: chmod \+x .*/theirs/pbrain"):
        load_engine(typed_players("./theirs", "balance")[0].engine, load_game("gomoku"))
    (folder / "theirs/notes").touch()
    with pytest.raises(ConfigError, match="theirs: holds no engine file"):
        typed_players("./theirs", "balance")


def test_executable_python_files_that_make_no_engine_are_brains(folder: Path) -> None:
    for name in ("brain", "other brain"):
        (folder / "theirs").mkdir(exist_ok=True)
        (folder / f"theirs/{name}.py").write_text("#!/usr/bin/env python3\ninput()\n")
        (folder / f"theirs/{name}.py").chmod(0o755)
        (folder / "theirs/notes.py").write_text("x = 1\n")
        players = typed_players("./theirs:startup=60", "balance")[:-1]
        assert all(each.is_program for each in players)
        assert {each.entry["startup"] for each in players} == {60}
    assert [each.name for each in players] == ["brain-startup-60", "other-brain-startup-60"]
    one, other = (each.engine for each in players)
    assert (one, other) == ("python3 theirs/brain.py", "python3 'theirs/other brain.py'")


def test_options_of_a_player_are_those_of_its_entry(folder: Path) -> None:
    brain = "./pv1/pbrain-x:startup=60,info.thread_num=4,board=true"
    match = TypedMatch((brain, "python3 own.py :limit=d2"), info=("hash=1", "thread_num=1"))
    first, second = read_match(match)[0].players
    told = [first.engine.parameters[key] for key in ("startup", "info", "board")]
    assert told == [60, {"hash": 1, "thread_num": 4}, True]
    assert second.limit == Limit(depth=2)
    assert second.engine.parameters["info"] == {"hash": 1, "thread_num": 1}


def test_several_meet_each_other_or_one_meets_them_all() -> None:
    three = TypedMatch(("random_mover", "five_tuple", "live_dead"), games=6)
    for match, format, couples in (
        (three, "round_robin", 3),
        (replace(three, gauntlet=True), "gauntlet", 2),
        (replace(three, gauntlet=True, openings="random:count=2"), "gauntlet", 2),
    ):
        config, _ = read_match(match)
        assert config.format.name == format
        assert Schedule(config).total == 6 * couples
        assert config.name == "random_mover-vs-2-others"
    for openings in (None, "random:count=3"):
        config, _ = read_match(TypedMatch(("balance", "live_dead"), games=10, openings=openings))
        assert config.format.parameters["pairs"] == [5], "as many games as were asked for"
    with pytest.raises(ConfigError, match="--sprt 0 10: a test is of two players, not of 3"):
        read_match(replace(three, sprt=(0, 10)))


@pytest.mark.parametrize(("games", "pairs"), [(None, 5000), (60, 30)])
def test_a_test_ends_after_so_many_games(games: int | None, pairs: int) -> None:
    match = TypedMatch(("random_mover", "five_tuple"), games=games, sprt=(0, 10))
    config, _ = read_match(match)
    assert Schedule(config).total == 2 * pairs
    assert len(config.openings) == pairs
    assert ("--games 60" in match.words) == (games == 60)


@pytest.mark.parametrize(
    ("preset", "game"),
    [
        ("gomocup-freestyle", "gomoku:size=20,rule=freestyle"),
        ("gomocup-standard", "gomoku:size=15,rule=standard"),
        ("gomocup-renju", "renju"),
        ("gomocup-caro", "gomoku:size=15,rule=caro_exact"),
        ("gomocup-fast", "gomoku:size=20,rule=freestyle"),
    ],
)
def test_a_preset_has_the_terms_of_its_league(preset: str, game: str) -> None:
    match = TypedMatch(("random_mover", "random_mover"), games=2, preset=preset)
    config, text = read_match(match)
    seconds = (5, 120) if preset == "gomocup-fast" else (300, 1000)
    assert config.terms.game == checked("game", game)
    assert config.terms.limit == Limit(seconds=seconds[0], time_left=seconds[1], increment=0)
    assert config.terms.memory == 350
    assert f"\npreset: {preset}\n" in text
    assert "limit" not in text


def test_what_stands_beside_a_preset_wins() -> None:
    match = TypedMatch(
        ("random_mover", "random_mover"),
        preset="gomocup-standard", limit="d1", memory=500, game="gomoku:size=19",
    )  # fmt: skip
    terms = read_match(match)[0].terms
    assert terms.game == checked("game", "gomoku:size=19,rule=standard")
    assert (terms.limit, terms.memory) == (Limit(depth=1), 500)
    renju = read_match(replace(match, preset="gomocup-renju", game="gomoku"))[0].terms
    assert renju.game == checked("game", "gomoku")


@pytest.mark.parametrize(
    "match",
    [
        TypedMatch(("./v1", "./v2"), preset="gomocup-renju", gauntlet=True),
        TypedMatch(("balance", "live_dead")),
        TypedMatch(("./v1", "./v2"), games=10, limit="20000n", seed=3, name="versions"),
        TypedMatch(("balance", "live_dead"), sprt=(0, 10), limit="10+0.1"),
        TypedMatch(("balance", "live_dead"), openings="random:plies=6,count=20", game="renju"),
        TypedMatch(("balance", "random_mover"), game="gomoku:size=9,rule=standard", limit="d9"),
        TypedMatch(("balance", "live_dead"), games=400, openings=str(BALANCED)),
    ],
    ids=lambda match: match.words,
)
def test_its_file_is_the_same_match(match: TypedMatch, undrawn: None) -> None:
    config, text = read_match(match)
    match.file.write_text(text)
    assert to_data(read_config(match.file)) == to_data(config)
    assert (config.name, config.terms.seed) == (match.run_name, match.seed)
    assert config.terms.limit == parse_limit(match.limit or LIMITS.get(match.preset, "0.1s"))
    assert text.startswith(f"# {match.words}\nname: ")


def test_its_words_are_those_that_make_it() -> None:
    match = TypedMatch(("./my engine.py", "balance"), sprt=(-10, 0), limit="d4", openings="a b.txt")
    assert match.words == (
        "arena match './my engine.py' balance --sprt -10 0 --limit d4 --openings 'a b.txt'"
    )


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("./a:b/own.py", "./a:b/own.py"),
        ("./a:b/own.py:depth=3", "./a:b/own.py"),
        ("a:b", "a:b"),
        ("~/a:b/own.py:depth=3", "~/a:b/own.py"),
        ("balance:depth=3", "balance"),
        ("./a/own.py:depth=3", "./a/own.py"),
    ],
)
def test_a_path_that_is_there_may_have_a_colon(
    typed: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    (folder / "a:b").mkdir()
    (folder / "a:b/own.py").touch()
    named = parse_named(typed)
    assert (named.name, named.parameters) == (name, {"depth": 3} if "depth" in typed else {})


def test_openings_are_balanced_and_none_comes_twice_in_any_number() -> None:
    game = load_game("gomoku")
    balanced = [part.text for part in opening_file(BALANCED).parts]
    of_book = [part.text for part in opening_file(book_file(BALANCED_BOOK)).parts]
    found = list(islice(balanced_openings(5), 2000))
    assert found[:115] == balanced
    assert [*filter(set(of_book).__contains__, found)] == found[115:1614]
    assert not set(found[1614:]) & set(islice(balanced_openings(6), 1614, 2000))
    assert not notes_on(game, found)
    assert BALANCED.read_bytes() == (ROOT / "configs/openings/balanced15.txt").read_bytes()


def test_openings_of_other_games_and_of_tests_are_random(undrawn: None) -> None:
    config, _ = read_match(TypedMatch(("balance", "live_dead"), games=240))
    assert list(config.openings) == list(islice(balanced_openings(0), 120))
    for other in (
        TypedMatch(("balance", "live_dead"), sprt=(0, 10), seed=5),
        TypedMatch(("balance", "live_dead"), game="gomoku:rule=standard", seed=5),
    ):
        config, _ = read_match(other)
        source = config.openings.source
        assert (source.name, source.parameters["seed"]) == ("random", 5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sprt": (10, 0)}, "--sprt 10 0: elo0 must be less than elo1"),
        ({"name": "a/b"}, "--name a/b: name must be that of a folder"),
        ({"openings": "nix.txt"}, "--openings nix.txt: nix.txt: no such file"),
        ({"openings": "random:plys=4"}, "unknown key 'plys'; did you mean 'plies'"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": "tictactoe"}, "live_dead: engine live_dead cannot play tictactoe"),
        ({"limit": "5x"}, "5x: a limit is written 0.1s, 20000n or d4"),
        ({"limit": "0s"}, "seconds must be more than 0"),
        *(({"limit": blank}, "a limit is written 0.1s") for blank in ("", " ", ",", "d4,", " ,d4")),
        ({"openings": "balance.txt"}, "no such file; did you mean balanced.txt"),
        ({"resign": ""}, "^--resign.*: .* must be written key=value"),
        ({"draw": "5,x"}, "^--draw.*: .* must be written key=value"),
        *(({"name": name}, f"^--name {name}: name (must|has) [^\n]*$") for name in ("", " ", "\t")),
    ],
)
@pytest.mark.usefixtures("undrawn")
def test_wrong_options_are_told_by_their_words(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_match(TypedMatch(("balance", "live_dead"), **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        *(("0.1s", Limit(seconds=0.1)), (".5s", Limit(seconds=0.5))),
        *(("20000n", Limit(nodes=20000)), ("d4", Limit(depth=4))),
        *(("10+0.1", Limit(time_left=10, increment=0.1)), ("d4, 2s", Limit(depth=4, seconds=2))),
        ("depth=4,100n", Limit(depth=4, nodes=100)),
        ("depth=4,seconds=0.5", Limit(depth=4, seconds=0.5)),
        ("clock=60", Limit(time_left=60, increment=0)),
        *((wrong, None) for wrong in ("depth=0", "deep=1", "depth", "depth=x", "depth=1,depth=2")),
        *((wrong, None) for wrong in ("١s", "١n", "d١", "١٠+٠.١", "seconds=١", "10+٠.١")),
    ],
)
def test_limits_have_a_short_form(text: str, limit: Limit | None) -> None:
    with nullcontext() if limit else pytest.raises(ConfigError):
        assert parse_limit(text) == limit


GOMOKU = Terms(game=Named("gomoku"))
LARGE = Terms(game=Named("gomoku", {"size": 20, "rule": "standard"}), margin=0.2, memory=100)
OPTIONS = "--rule standard --size 20 --seconds 0.1 --margin 0.2 --memory 100"
TOLD = {"command": "python3 'a b.py'", "info": {"threads": 2, "book": "a b"}}


@pytest.mark.parametrize(
    ("own", "limit", "terms", "options"),
    [
        ({"command": "./b"}, Limit(seconds=1), GOMOKU, "./b"),
        ({"command": ["./b", "x"]}, Limit(depth=3), GOMOKU, "-- ./b x"),
        (TOLD, Limit(), GOMOKU, "--info threads=2 --info 'book=a b' -- python3 'a b.py'"),
        (
            {"command": "./b", "folder": "/c"},
            Limit(seconds=0.1),
            LARGE,
            f"{OPTIONS} --folder /c ./b",
        ),
        ({"command": "./b"}, Limit(), Terms(game=Named("renju")), "--rule renju ./b"),
    ],
)
def test_it_has_the_words_of_the_program_and_all_that_a_check_would_take_otherwise(
    own: dict[str, object], limit: Limit, terms: Terms, options: str
) -> None:
    assert check_command(Named("gomocup", own), limit, terms) == f"arena check {options}"
    assert not check_command(Named("balance"), limit, terms), "there is none for an engine"
