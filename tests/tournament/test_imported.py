"""Games out of a run and into another, and games of other programs."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st
from support.edited_runs import edited_games
from support.reports import shown
from support.samples import Write

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.engine import Remark
from arena.match.record import GameRecord
from arena.plugins.load import Named, checked
from arena.records.formats import sgf
from arena.records.opening_file import opening_file
from arena.records.written import WrittenGame
from arena.storage import database
from arena.storage.database import Store, imported_files, kept_games
from arena.storage.folder import read_store
from arena.tournament.combine import report_runs
from arena.tournament.exchange.exporting import export, written_of
from arena.tournament.exchange.importing import Imported, ImportedGameCheck, import_games, rule_text

FIVE = "B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd];B[ae]"
FOUR = FIVE.rpartition(";")[0]


@pytest.fixture
def run(write: Write, tmp_path: Path) -> arena.Run:
    return arena.run(write(), workers=0, results=tmp_path)


def sgf_game(rest: str, names: str = "PB[a]PW[b]", rule: str = "0") -> str:
    return f"(;FF[4]GM[4]SZ[15]RU[{rule}]{names}{rest})\n"


def brought_in(folder: Path, text: str | bytes, name: str = "in", **options: object) -> Imported:
    """The games of one file as a run; with what was left out as its `told`."""
    file = folder / f"{name}.txt"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return import_games(name, [file], results=folder, **options)  # type: ignore[arg-type]


def left_out(folder: Path, text: str, **options: object) -> list[str]:
    """The faults of a file in which one game, the first one, is right."""
    found: list[str] = []
    text = sgf_game(f"RE[B+];{FIVE}") + text
    done = brought_in(folder, text, told=lambda fault: found.append(str(fault)), **options)
    assert (done.games, done.left_out) == (1, len(found))
    return [each.removeprefix(str(folder / "in.txt")) for each in found]


def records(folder: Path, name: str = "in") -> list[GameRecord]:
    return [record for _, record in arena.open_run(name, results=folder).records()]


@pytest.mark.parametrize("form", ["sgf", "jsonl"])
def test_a_run_that_went_out_comes_in_the_same(run: arena.Run, tmp_path: Path, form: str) -> None:
    file = tmp_path / f"out.{form}"
    assert export(run.folder, form=form, output=file) == 12
    import_games("in", [file], results=tmp_path)
    before = [replace(record, seed=0) for _, record in run.records()]
    assert [replace(record, seed=0) for record in records(tmp_path)] == before
    there, back = run.report(), arena.open_run("in", results=tmp_path).report()
    assert back.standings.equals(there.standings)
    assert back.pairs.equals(there.pairs)
    assert list(back.games["pair"]) == list(there.games["pair"])
    again = BytesIO()
    export("in", form="sgf", output=again, results=tmp_path)
    found = [replace(each, event="", date="") for each in sgf.read(BytesIO(again.getvalue()), "f")]
    first = BytesIO()
    export(run.folder, form="sgf", output=first)
    assert found == [
        replace(each, event="", date="", line=other.line)
        for each, other in zip(sgf.read(BytesIO(first.getvalue()), "f"), found, strict=True)
    ]


def test_a_file_for_each_game_comes_in_by_the_rule_that_is_given(
    run: arena.Run, tmp_path: Path
) -> None:
    export(run.folder, form="psq", output=f"{tmp_path}/games/")
    files = sorted((tmp_path / "games").iterdir())
    assert [file.name for file in files][:2] == ["000001.psq", "000002.psq"]
    with pytest.raises(ConfigError, match=r"000001.psq:1: it does not tell its rule: give it"):
        import_games("in", files, results=tmp_path)
    done = import_games("in", files, game="gomoku:rule=freestyle", results=tmp_path)
    assert (done.games, done.players) == (12, 3)
    before = [(record.moves, record.winner, record.reason) for _, record in run.records()]
    assert [(each.moves, each.winner, each.reason) for each in records(tmp_path)] == before


def test_games_without_a_told_opening_are_no_pairs_and_yet_evidence(
    run: arena.Run, tmp_path: Path
) -> None:
    export(run.folder, output=tmp_path / "out.psq")
    import_games("in", [tmp_path / "out.psq"], game="gomoku:rule=freestyle", results=tmp_path)
    report = arena.open_run("in", results=tmp_path).report()
    assert list(report.standings["distinct_pairs"]) == [0, 0, 0]
    assert sorted(report.games["pair"]) == list(range(1, 13))
    there = run.report().standings.set_index("name")
    here = report.standings.set_index("name")
    assert here["score"].equals(there["score"].reindex(here.index))
    assert (here["rating"] != 0).any()
    assert "12 games have no other on the same opening" in report.notes[1]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (sgf_game("RE[B+];B[aa];W[aa]"), ":2: move 2, 0,0, is not legal"),
        (sgf_game(f"RE[B+];{FIVE};W[oo]"), "it is over after move 9 (line), but has 10"),
        (sgf_game(f"RE[W+];{FIVE}"), "its result is second, but first by the rules"),
        (sgf_game(f"RE[0];{FIVE}"), "its result is draw, but first by the rules"),
        (sgf_game(f";{FOUR}"), "it has no result, and it goes on by the rules"),
        (sgf_game(f"RE[2-0];{FOUR}"), "its result [2-0] is not understood, and it goes on by the"),
        (sgf_game(f"RE[{'?' * 99}];{FOUR}"), f"its result [{'?' * 60}] is not understood"),
        (sgf_game(f"AP[arena:1]GC[line]RE[B+];{FOUR}"), "said to be 'line', but by the rules"),
        (sgf_game(f"AP[arena:1]GC[time]RE[0];{FOUR}"), "said to be 'time', but its result is draw"),
        (sgf_game(f"RE[B+];{FIVE}", names=""), "does not tell the names of both players"),
        (sgf_game(f"RE[B+];{FIVE}", names="PB[a]PW[a]"), "a plays against itself"),
        (sgf_game(f"RE[B+];{FIVE}", rule="1"), "it is of gomoku:size=15,rule=standard, and not of"),
        (sgf_game(f"RE[B+];{FIVE}", rule="golf"), "it does not tell its rule"),
        (sgf_game(f"RE[B+];{FIVE}").replace("SZ[15]", "SZ[19]"), "it is of gomoku:size=19"),
        (sgf_game(f"RE[B+];{FIVE}").replace("SZ[15]", "SZ[40]"), "size must be at most 25"),
        ("hello", ":2: no game of SGF"),
    ],
)
def test_a_doubtful_game_is_left_out_and_named(tmp_path: Path, text: str, fault: str) -> None:
    (found,) = left_out(tmp_path, text)
    assert found.startswith(":2: ")
    assert fault in found


@pytest.mark.parametrize(
    ("rest", "winner", "reason", "detail"),
    [
        (f"RE[B+R];{FOUR}", 1, "resignation", ""),
        (f"RE[B+];{FOUR}", 1, "resignation", "by the word of its file"),
        (f"RE[W+T];{FOUR}", 2, "time", ""),
        (f"RE[0];{FOUR}", None, "agreement", "by the word of its file"),
        (f"TE[White win by forbidden move]RE[W+1];{FOUR}", 2, "illegal move", None),
        (f"AP[arena:1]GC[crash: exit code 1]RE[B+F];{FOUR}", 1, "crash", "exit code 1"),
        (f"AP[arena:1]GC[line]RE[B+];{FIVE}", 1, "line", ""),
        (f";{FIVE}", 1, "line", ""),
    ],
)
def test_only_what_moves_do_not_show_is_taken_from_the_file(
    tmp_path: Path, rest: str, winner: int | None, reason: str, detail: str | None
) -> None:
    brought_in(tmp_path, sgf_game(rest))
    (record,) = records(tmp_path)
    assert (record.winner, record.reason) == (winner, reason)
    assert record.detail == ("by the word of its file" if detail is None else detail)


@pytest.mark.parametrize("code", ["1", "11"])
def test_a_game_that_is_said_to_be_go_or_hex_comes_in_if_asked_for(
    tmp_path: Path, code: str
) -> None:
    misnamed = sgf_game(f"RE[黑中盘胜];{FOUR}").replace("GM[4]", f"GM[{code}]")
    (found,) = left_out(tmp_path, misnamed)
    assert f"it is of another game, GM[{code}]: if it is Gomoku, say so" in found
    brought_in(tmp_path, misnamed, "asked", game="gomoku:rule=freestyle")
    (record,) = records(tmp_path, "asked")
    assert (record.winner, record.reason) == (1, "resignation")


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("games.xml", b'<?xml version="1.0"?>\n<games>\n<game id="1">', "RIF, the XML of RenjuNet"),
        ("games.rif", b"?", "RIF, the XML of RenjuNet"),
        ("book", b"\xffRenLib\xff\x03\x04" + bytes(10), "a library of RenLib"),
        ("one.pos", bytes([3, 112, 113, 97]), "a position saved by Piskvork"),
        ("one.txt", b"15\r\n15\r\n2\r\n7 7\r\n8 7\r\n", "a game saved by Yixin"),
        ("one.REC", b"abc", "a game in the format of Gomotur"),
    ],
)
def test_a_format_that_is_known_and_not_read_is_named(
    tmp_path: Path, name: str, content: bytes, format: str
) -> None:
    (tmp_path / name).write_bytes(content)
    told = re.escape(f"{name}: is {format}") + ".*, which is not read here: save its games as SGF"
    with pytest.raises(ConfigError, match=told):
        import_games("in", [tmp_path / name], results=tmp_path)
    with pytest.raises(ConfigError, match=told):
        opening_file(tmp_path / name)


def test_games_that_tell_one_opening_are_pairs(tmp_path: Path) -> None:
    """The games of c-gomoku-cli, which marks the moves; a third one is alone."""
    moves = FIVE.replace("B[aa]", "B[aa]C[opening move]")
    games = [sgf_game(f"RO[1.1]RE[B+1];{moves}", names) for names in ("PB[a]PW[b]", "PB[b]PW[a]")]
    brought_in(tmp_path, "".join([*games, games[0]]))
    assert [(each.opening, each.round) for each in records(tmp_path)] == [
        ("0,0", 1),
        ("0,0", 1),
        ("0,0", 2),
    ]
    report = arena.open_run("in", results=tmp_path).report()
    assert list(report.games["pair"]) == [1, 1, 2]
    assert list(report.standings["distinct_pairs"]) == [1, 1]


def test_a_size_that_is_not_given_is_the_files(tmp_path: Path) -> None:
    psq = "Piskvorky 20x20, 11:11, 0\n1,1,0\n20,20,0\na\nb\n15\n"
    brought_in(tmp_path, psq, game="gomoku:rule=standard")
    assert arena.open_run("in", results=tmp_path).config.terms.game == checked(
        "game", "gomoku:size=20,rule=standard"
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"winner": 3}, "winner is 3"),
        ({"winner": True}, "winner is True"),
        ({"round": 1 << 64}, "round is 18446744073709551616"),
        ({"round": 10**18 + 1}, "round is 1000000000000000001"),
        ({"moves": 1}, "moves is 1"),
        ({"detail": "\ud800"}, "detail is"),
        ({"reason": "boredom"}, "reason is 'boredom'"),
        ({"plies": 1}, "its moves are not its opening"),
        ({"opening": "0,0"}, "its moves are not its opening"),
        ({"times": "1"}, "what is kept of the game cannot be read"),
        ({"times": "-1", "nodes": "0", "depths": "0", "scores": "-"}, "no number of seconds"),
        ({"times": "1", "nodes": "9" * 20, "depths": "0", "scores": "-"}, "more than 64 bits"),
        ({"first": " x"}, "blanks around"),
        ({"extra": 1}, "unknown key 'extra'"),
        ({"rules": "golf"}, "unknown game 'golf'"),
        ({"rules": None}, "it does not tell its rule"),
        ({"reason": "time", "winner": None}, "by the rules, its end is"),
    ],
)
def test_a_line_of_json_is_checked_as_a_game(
    run: arena.Run, tmp_path: Path, change: dict[str, object], fault: str
) -> None:
    out = BytesIO()
    export(run.folder, form="jsonl", output=out)
    first, second, *_ = out.getvalue().splitlines()
    changed = json.dumps(json.loads(second) | change).encode()
    found: list[str] = []
    brought_in(tmp_path, first + b"\n" + changed, told=lambda each: found.append(str(each)))
    assert len(found) == 1
    assert "in.txt:2: " in found[0]
    assert fault in found[0]


def test_games_of_the_last_round_that_can_be_go_into_those_after_it(
    run: arena.Run, tmp_path: Path
) -> None:
    out = BytesIO()
    export(run.folder, [1], form="jsonl", output=out)
    line = json.dumps(json.loads(out.getvalue()) | {"round": 10**18}) + "\n"
    assert brought_in(tmp_path, 2 * line).games == 2
    assert [record.round for record in records(tmp_path)] == [10**18, 10**18 + 1]


def test_of_a_game_whose_pieces_move_only_json_can_be_had(write: Write, tmp_path: Path) -> None:
    text = """
        game: two_eat_one
        max_plies: 20
        openings: {list: [""]}
        engines: [{name: one, engine: random_mover}, {name: two, engine: random_mover}]
    """
    run = arena.run(write(text), workers=0, results=tmp_path)
    for form in ("sgf", "psq"):
        with pytest.raises(ConfigError, match=f"{form} has no games of two_eat_one"):
            export(run.folder, form=form, output=BytesIO())
    export(run.folder, form="jsonl", output=tmp_path / "out.jsonl")
    import_games("in", [tmp_path / "out.jsonl"], results=tmp_path)
    assert records(tmp_path) == [record for _, record in run.records()]


def test_chosen_games_and_openings_are_written(run: arena.Run, tmp_path: Path) -> None:
    out = BytesIO()
    assert export(run.folder, [3, 12], form="jsonl", output=out) == 2
    assert [json.loads(line)["game"] for line in out.getvalue().splitlines()] == [3, 12]
    assert export(run.folder, form="openings", output=tmp_path / "openings.txt") == 2
    lines = (tmp_path / "openings.txt").read_text().splitlines()
    assert lines == list(run.config.openings)
    with pytest.raises(ConfigError, match="there is no game 13 in"):
        export(run.folder, [1, 13], output=out)
    with pytest.raises(ConfigError, match="nowhere/x: No such file or directory"):
        export(run.folder, output=tmp_path / "nowhere/x")


def said(arguments: Sequence[object]) -> str:
    done = CliRunner().invoke(command, list(map(str, arguments)))
    assert isinstance(done.exception, ConfigError), done.output
    return str(done.exception)


def test_an_imported_run_is_looked_at_but_not_gone_on_with(run: arena.Run, tmp_path: Path) -> None:
    export(run.folder, output=tmp_path / "out.sgf")
    results = ["--results", tmp_path]
    arguments = ["import", "in", tmp_path / "out.sgf", *results]
    done = CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)
    assert done.output.startswith("Imported 12 games of 3 players. Kept in ")
    assert "games are kept here: choose another name" in said(arguments)
    assert "choose another name" in said(["import", "round", tmp_path / "out.sgf", *results])
    config = tmp_path / "in/config.yaml"
    assert said(["run", config, *results]).startswith(
        f"{config}:1:7: this is of imported games, which were played elsewhere"
    )
    own = (tmp_path / "round.yaml").read_text()
    (tmp_path / "in.yaml").write_text(own)
    message = "imported games, which were played elsewhere, are kept here"
    assert message in said(["run", tmp_path / "in.yaml", "--workers", 0, *results])
    with pytest.raises(ConfigError, match="cannot be gone on with"):
        arena.open_run("in", results=tmp_path).play(None)  # type: ignore[arg-type]
    done = CliRunner().invoke(command, ["replay", "in", "3", "--results", str(tmp_path)])
    assert done.exit_code == 0
    assert "it was imported, and its players are not known here" in done.output
    assert len(records(tmp_path)) == 12


def test_runs_are_reported_with_imported_ones(run: arena.Run, tmp_path: Path) -> None:
    export(run.folder, output=tmp_path / "out.sgf")
    import_games("in", [tmp_path / "out.sgf"], results=tmp_path)
    report = report_runs(["round", "in"], results=tmp_path)
    assert len(report.games) == 24
    assert "one (in)" in set(report.standings["name"])
    assert shown(report)


def test_the_files_are_kept_in_the_database_however_many_they_are(
    run: arena.Run, tmp_path: Path
) -> None:
    export(run.folder, form="psq", output=f"{tmp_path}/games/")
    files = sorted((tmp_path / "games").iterdir())
    files[4].write_text("Piskvorky 7x7, 0:0, 1\n1,1,0\n")
    import_games("in", files, game="gomoku:rule=freestyle", results=tmp_path)
    kept = read_store(tmp_path / "in", imported_files) or []
    assert [each.file for each in kept] == list(map(str, files))
    assert [each.sha256 for each in kept] == [
        sha256(each.read_bytes()).hexdigest() for each in files
    ]
    counts = [(0, 1) if number == 4 else (1, 0) for number in range(12)]
    assert [(each.games, each.left_out) for each in kept] == counts
    assert "games/0000" not in (tmp_path / "in/config.yaml").read_text()
    (note, *_) = arena.open_run("in", results=tmp_path).report().notes
    assert f"from {', '.join(map(str, files[:3]))} and 9 more; they are taken for all" in note


def test_a_game_of_somebody_who_is_not_in_the_config_is_named(tmp_path: Path) -> None:
    brought_in(tmp_path, sgf_game(f"RE[B+];{FIVE}"))
    edited_games(tmp_path / "in", lambda game: replace(game, first="c"))
    with pytest.raises(ConfigError, match="game 1 is of c, who is not in"):
        arena.open_run("in", results=tmp_path).report()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("is_packed", [True, False])
def test_a_file_is_read_in_the_encoding_that_its_mark_tells(
    tmp_path: Path, encoding: str, is_packed: bool
) -> None:
    game = sgf_game(f"RE[B+];{FIVE}", names="PB[王]PW[é]")
    data = ("\ufeff" * encoding.endswith("be") + game).encode(encoding)
    found = brought_in(tmp_path, gzip.compress(data) if is_packed else data)
    assert not found.notes
    assert [*arena.open_run(found.folder).config.names] == ["王", "é"]


def test_the_encoding_that_was_taken_is_told_and_another_can_be_given(tmp_path: Path) -> None:
    game = sgf_game(f"RE[黑中盘胜];{FOUR}", names="PB[王晓明]PW[李四]").encode("gbk")
    found = brought_in(tmp_path, game)
    (note,) = found.notes
    assert "GB18030" in note
    assert "--encoding" in note
    assert [*arena.open_run(found.folder).config.names] == ["王晓明", "李四"]
    found = brought_in(tmp_path, game, encoding="gb2312", fresh=True)
    assert not found.notes
    assert [*arena.open_run(found.folder).config.names] == ["王晓明", "李四"]
    declared = game.replace(b"(;", b"(;CA[UTF-8]", 1)
    (note,) = brought_in(tmp_path, declared, fresh=True).notes
    assert "GB18030, other than it tells (UTF-8)" in note
    with pytest.raises(ConfigError, match="is not in utf-8"):
        brought_in(tmp_path, game, encoding="utf-8", fresh=True)
    with pytest.raises(ConfigError, match=r"--encoding: .*Big5"):
        brought_in(tmp_path, game, encoding="bigg5", fresh=True)


def test_a_pipe_is_imported_as_a_file_is(tmp_path: Path) -> None:
    there, here = os.pipe()
    with open(here, "wb") as stream:
        stream.write(sgf_game(f"RE[B+];{FIVE}").encode())
    try:
        assert import_games("in", [f"/dev/fd/{there}"], results=tmp_path).games == 1
    finally:
        os.close(there)
    with pytest.raises(ConfigError, match="is larger than"):
        import_games("none", ["/dev/zero"], form="jsonl", results=tmp_path)


def test_an_import_that_fails_changes_nothing(run: arena.Run, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no game came in; 1 was left out"):
        brought_in(tmp_path, "hello", "round", form="sgf", fresh=True)
    with pytest.raises(ConfigError, match="does not begin as SGF, PSQ or our lines of JSON do"):
        brought_in(tmp_path, "hello", "round", fresh=True)
    assert len(arena.open_run(run.folder).records()) == 12
    assert not list(run.folder.glob("import*"))
    brought_in(tmp_path, sgf_game(f"RE[B+];{FIVE}"), "round", fresh=True)
    assert len(records(tmp_path, "round")) == 1


@pytest.mark.parametrize("name", ["", "a/b", "..", ".x", "-x"])
def test_a_name_that_is_no_folders_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="name must be that of a folder"):
        import_games(name, [tmp_path / "x"], results=tmp_path)


def test_games_are_streamed_in_batches(
    run: arena.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BATCH", 5)
    export(run.folder, output=tmp_path / "out.sgf")
    import_games("in", [tmp_path / "out.sgf"], results=tmp_path)
    with closing(Store(tmp_path / "in/arena.db", read_only=True)) as rows:
        assert list(kept_games(rows).records()) == list(rows.each())
        assert len(list(rows.each())) == 12


RULES = ("freestyle", "standard")
GAMES = [f"gomoku:size={size},rule={rule}" for size in (5, 15, 25) for rule in RULES]
GAMES += ["renju", "tictactoe"]


@settings(max_examples=30)
@given(st.sampled_from(GAMES), st.integers(0, 10**9), st.booleans())
def test_any_game_of_stones_is_the_same_after_sgf(name: str, seed: int, has_remarks: bool) -> None:
    """Random games, as the referee keeps them."""
    from random import Random

    named, random = checked("game", name), Random(seed)
    judge = ImportedGameCheck(named)
    p, game = judge.game.start(), judge.game
    while not (outcome := game.outcome(p)) and random.random() < 0.98:
        p = game.play(p, random.choice(game.moves(p)))
    opening = random.randrange(p.ply) if p.ply else 0
    told = (Remark(ply % 2 + 1, 0.25, 9, 2, 3) for ply in range(opening, p.ply))
    written = WrittenGame(
        size=game.size,
        moves=tuple(divmod(move, game.size) for move in p.moves),
        opening=opening,
        first="a",
        second="b",
        rule=rule_text(named),
        result={1: "first", 2: "second", None: "draw"}[outcome.winner] if outcome else "first",
        reason=outcome.reason if outcome else "time",
        remarks=(*(None,) * opening, *told) if has_remarks and p.ply > opening else (),
        round="3",
    )
    record = judge.record_of(written)

    def point(text: str) -> tuple[int, int]:
        return divmod(game.parse(text), game.size)

    facts = {"size": game.size, "rule": rule_text(named), "event": "", "date": ""}
    back = written_of(record, point, **facts)  # type: ignore[arg-type]
    assert back == written
    (found,) = sgf.read(BytesIO(sgf.text(back)), "f")
    assert isinstance(found, WrittenGame)
    assert judge.record_of(found) == record
    assert Named(named.name).name in name
