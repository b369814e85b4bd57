"""SGF: what is written is read back, what others write is read, and faults have their line."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings, strategies as st
from sgfmill.sgf import Sgf_game
from support.written_games import written_games

from arena.engine import Remark
from arena.errors import Fault
from arena.records.formats import sgf
from arena.records.written import WrittenGame
from arena.text import Guess

HEAD = b"(;FF[4]GM[4]SZ[15]"
CLI = b"""(;FF[4]GM[4]GN[1]EV[A x B]DT[2026.11.21 10:00:00]RO[1.1]RU[1]SZ[15]PB[A]PW[B]RE[W+1]\
TE[White win by opponent timeout]
;B[hh]C[opening move];W[ao]C[12ms]
)
"""


def read(data: bytes) -> list[WrittenGame | Fault]:
    return list(sgf.read(BytesIO(data), "f"))


def game(data: bytes) -> WrittenGame:
    (found,) = read(data)
    assert isinstance(found, WrittenGame), found
    return found


def fault(data: bytes) -> str:
    (found,) = read(data)
    assert isinstance(found, Fault), found
    return str(found)


@settings(max_examples=20)
@given(st.lists(written_games(), max_size=4))
def test_games_are_read_back_as_they_were_written(games: list[WrittenGame]) -> None:
    found = read(b"".join(map(sgf.text, games)))
    assert [replace(each, line=0) for each in found if isinstance(each, WrittenGame)] == games


@settings(max_examples=20)
@given(written_games(), st.integers(1, 40))
def test_the_size_of_a_read_does_not_matter(drawn: WrittenGame, size: int) -> None:
    whole = sgf.text(drawn) * 3

    class Slow(BytesIO):
        def read(self, size_: int | None = -1, /) -> bytes:
            return super().read(size)

    assert list(sgf.read(Slow(whole), "f")) == read(whole)


def test_the_library_reads_what_is_written() -> None:
    """Its rows count from the bottom."""
    drawn = WrittenGame(size=15, moves=((0, 2), (14, 1)), first="a]", second="中\\", result="draw")
    found = Sgf_game.from_bytes(sgf.text(drawn))
    moves = [node.get_move() for node in found.get_main_sequence()[1:]]
    assert moves == [("b", (14, 2)), ("w", (0, 1))]
    assert (found.get_player_name("b"), found.get_player_name("w")) == ("a]", "中\\")
    assert found.get_root().get("RE") == "0"


def test_a_game_of_c_gomoku_cli_is_read() -> None:
    names = {"first": "A", "second": "B", "event": "A x B", "round": "1.1", "rule": "1"}
    end = {"result": "second", "reason": "time", "date": "2026.11.21 10:00:00"}
    moves, remarks = ((7, 7), (14, 0)), (None, Remark(2, 0.012))
    facts = {"line": 1, "size": 15, "moves": moves, "opening": 1, "remarks": remarks}
    assert game(CLI) == WrittenGame(**facts, **names, **end)


KOREAN_AND_JAPANESE = ["흑 불계승", "黒中押し勝ち"]
RESULTS = {
    ("first", ""): ["B+", "B+1", "Black wins", "黑胜", "B", "1-0"],
    ("first", "resignation"): [
        "B+R",
        "Black wins by resignation",
        "黑中盘胜",
        *KOREAN_AND_JAPANESE,
    ],
    ("first", "exception"): ["B+F"],
    ("second", ""): ["White wins by five in a row", "white", "0 : 1", "백승"],
    ("second", "resignation"): ["白中盘胜"],
    ("second", "time"): ["W+T", "W+Time", "white won on time", "白方超时胜", "白番の時間切れ勝ち"],
    ("draw", ""): ["0", "Draw", "B+DRAW", "Drawn", "和棋", "1/2-1/2", "引き分け"],
    ("unknown", ""): ["Void", "?", ""],
}


@pytest.mark.parametrize(("result", "texts"), RESULTS.items())
def test_results_are_read_in_all_their_spellings(result: tuple[str, str], texts: list[str]) -> None:
    for text in texts:
        found = game(HEAD + f"RE[{text}];B[aa])".encode())
        assert (found.result, found.reason, found.unread_result) == (*result, ""), text


@pytest.mark.parametrize("text", ["2-0", "Black winsome", "Bob", "ºÚÊ¤", "黑负?"])
def test_a_result_that_is_not_understood_is_kept_as_it_stands(text: str) -> None:
    found = game(HEAD + f"RE[{text}];B[aa])".encode())
    assert (found.result, found.unread_result) == ("unknown", text)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        *((b"PB[\xe9]", "é"), ("PB[é]".encode(), "é"), (b"CA[iso-8859-1]PB[\xe9]", "é")),
        *(("CA[GB18030]PB[中文]".encode("gb18030"), "中文"), (b"PB[a\r\nb]", "a b")),
        *((b"PB[a\\]\\\\b]", "a]\\b"), (b"PB[[Clan]Joe]PW[x]", "[Clan]Joe")),
        *((b"PB[a]b [c] d]", "a]b [c] d"), (b"PB[:]]C[\\]]", ":]")),
    ],
)
def test_names_are_read_in_their_character_set(data: bytes, name: str) -> None:
    assert game(HEAD + data + b";B[aa])").first == name


@pytest.mark.parametrize("is_told", [True, False])
@pytest.mark.parametrize(
    ("encoding", "first", "second"),
    [
        *(
            ("gb18030", "王晓明", "李昞"),
            ("gb18030", "王晓淺", "陈立新"),
            ("big5", "陳小明", "許功蓋"),
        ),
        *(
            ("shift_jis", "田中ソ", "表"),
            ("euc_kr", "김철수", "이세돌"),
            ("cp1251", "Иванов", "Пётр"),
        ),
        *(("cp1250", "Jiří Novák", "Łukasz Żółć"), ("cp1252", "José", "Søren")),
        ("utf-8", "王", "é"),
    ],
)
def test_names_in_any_encoding_are_read_whatever_signs_their_bytes_look_like(
    encoding: str, first: str, second: str, is_told: bool
) -> None:
    """The second bytes of some are those of brackets and backslashes."""
    told = f"CA[{encoding}]" if is_told else ""
    text = f"{told}PB[{first}]PW[{second}]C[{second}];B[aa]C[{first}];W[bb])\n"
    found = read(2 * (HEAD + text.encode(encoding)))
    assert [each.line for each in found if isinstance(each, WrittenGame)] == [1, 2]
    for each in found:
        assert isinstance(each, WrittenGame)
        assert (each.first, each.second, each.moves) == (first, second, ((0, 0), (1, 1)))
        assert bool(each.guessed) == (not is_told and encoding != "utf-8")


@pytest.mark.parametrize(
    ("told", "encoding", "first", "second"),
    [
        *(("ISO-2022-JP", "iso2022_jp", "竹内", "表"), ("csISO2022JP", "iso2022_jp", "和田", "ソ")),
        *(
            ("iso-2022-jp-2", "iso2022_jp_2", "竹", "é"),
            ("ISO-2022-KR", "iso2022_kr", "김철수", "이세돌"),
        ),
        *(("HZ-GB-2312", "hz", "王晓明", "刘伟"), ("GB2312", "gbk", "喆", "模模")),
        *(("Big5", "cp950", "碁", "許功蓋"), ("ISO-8859-1", "latin-1", "Ã©", "é")),
    ],
)
def test_a_declared_encoding_is_taken_whatever_the_bytes_look_like(
    told: str, encoding: str, first: str, second: str
) -> None:
    text = f"{HEAD.decode()}CA[{told}]PB[{first}]PW[{second}]C[{second}];B[aa]C[{first}];W[bb])\n"
    data = text.encode(encoding)
    found = [each for each in read(data + data) if isinstance(each, WrittenGame)]
    assert [(each.first, each.second, each.guessed) for each in found] == [(first, second, "")] * 2
    assert [each.moves for each in found] == [((0, 0), (1, 1))] * 2


def test_a_game_that_a_guessed_encoding_may_have_broken_names_the_option() -> None:
    broken = "PB[表]PW[十能]EV[cup]RE[B+];B[hh];W[aa]C[評表];B[lh])".encode("cp932")
    assert "--encoding" in fault(HEAD + broken)
    assert "--encoding" not in fault(HEAD + b"PB[x]7;B[aa])")
    assert "--encoding" not in fault(HEAD + "CA[UTF-8]PB[表]7;B[aa])".encode())


@pytest.mark.parametrize("wrong", ["klingon", "UTF-16", "UTF-8", "ascii", "idna", "base64", ""])
def test_a_character_set_that_the_text_is_not_in_is_passed_over(wrong: str) -> None:
    found = game(HEAD + f"CA[{wrong}]PB[黑中盘胜];B[aa])".encode("gbk"))
    assert (found.first, found.guessed) == ("黑中盘胜", "GB18030")


def test_a_name_that_is_not_clear_alone_is_read_as_those_before_it() -> None:
    names = 150 * ["王晓明", "刘伟", "张强", "陈立新", "李昞", "淺"]
    found = read(b"".join(HEAD + f"PB[{name}];B[aa])\n".encode("gb18030") for name in names))
    assert [each.first for each in found[3:] if isinstance(each, WrittenGame)] == names[3:]


@pytest.mark.parametrize("data", [b"\xff\xfe\xfa", b"\x81", b"\xaa\xa1\xaa\xa2"])
def test_every_text_is_read_somehow(data: bytes) -> None:
    text, encoding = Guess().decoded(data)
    assert text.encode(encoding) == data


def test_games_in_several_encodings_stand_in_one_file() -> None:
    texts = [("utf-8", "", "棋é"), ("big5", "CA[big5]", "許功蓋"), ("gbk", "", "王晓明")]
    games = [HEAD + f"{told}PB[{name}];B[aa])\n".encode(code) for code, told, name in texts]
    found = read(b"".join(games))
    assert [getattr(each, "first", each) for each in found] == [name for _, _, name in texts]


@pytest.mark.parametrize("node", [";KK[1]XX[y][z]", ";EL[aa]", ";MULTIGOGM[1]C[x]", ";"])
def test_properties_of_other_programs_between_moves_mean_nothing(node: str) -> None:
    assert game(HEAD + f";B[aa]{node};W[bb])".encode()).moves == ((0, 0), (1, 1))


@pytest.mark.parametrize("size", ["15:15", "15x15", "15 x 15", " 15 "])
def test_a_square_board_may_be_told_by_both_its_sides(size: str) -> None:
    assert game(f"(;SZ[{size}];B[oo])".encode()).size == 15


def test_blanks_and_marks_around_games_and_other_lines_of_play_do_not_matter() -> None:
    bom = b"\xef\xbb\xbf"
    found = read(bom + HEAD + b"\r\n;B[aa]\r\n;W[bb])\r\n\r\n" + bom + HEAD + b";B[cc])\r\n\x1a")
    assert [each.line for each in found if isinstance(each, WrittenGame)] == [1, 5]
    assert game(HEAD + b";B[aa](;W[bb];B[cc])(;W[dd]))").moves == ((0, 0), (1, 1), (2, 2))


def test_a_large_board_has_a_point_where_smaller_ones_have_a_pass() -> None:
    assert game(b"(;SZ[20];B[tt])").moves == ((19, 19),)
    assert fault(b"(;SZ[19];B[tt])") == "f:1: move 1 is a pass"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"hello", "no game of SGF, which begins with (;"),
        (HEAD + b";B[]", "is not closed: a ) or ] is missing"),
        (HEAD + b";B[])", "move 1 is a pass"),
        (HEAD + b";B[ap])", "move 1, [ap], is no point of a board of 15"),
        (HEAD + b";B[h8])", "move 1, [h8], is no point of a board of 15"),
        (HEAD + b";W[aa])", "move 1 is by White"),
        (HEAD + b";B[aa];B[bb])", "move 2 is by Black"),
        (HEAD + b";B[aa][bb])", "move 1 stands there twice"),
        (HEAD + b";B[aa];b[bb])", "after move 1, [bb] is no move: moves are B[...]"),
        (HEAD + b";B[aa];WW[bb])", "after move 1, WW[bb] is no move"),
        (HEAD + b";B[aa];B_X[aa];W[bb])", "after move 1, B[aa] is followed by 'B_X[aa]"),
        (HEAD + b"PB[x]7;B[aa])", "PB[x] is followed by '7;B[aa])'"),
        (HEAD + b"PB[x] (y] z);B[aa])", "PB[x] is followed by"),
        (HEAD + b"AB[aa])", "stones are set up (AB, AW)"),
        (b"(;GM[4];B[aa])", "does not tell the size of the board (SZ)"),
        (b"(;SZ[15:20];B[aa])", "SZ[15:20] is no size of a square board"),
        (b"(;SZ[0];B[aa])", "SZ[0] is no size"),
        (b"(;GM[2]SZ[15];B[aa])", "GM[2] is not GM[4]"),
        (b"(;GM[1]SZ[19];B[aa])", "GM[1] is not GM[4]"),
        (HEAD + b"PB[a]PB[b];B[aa])", "PB stands twice"),
    ],
)
def test_what_is_no_game_of_stones_is_a_fault(data: bytes, message: str) -> None:
    assert message in fault(data)
    assert fault(data).startswith("f:1: ")


@pytest.mark.parametrize(
    "broken", [b";B[aa]\n", b";B[aa\n", b";C[\\]\n", b";B[aa])x\n", b"B\n", b"C[\n"]
)
def test_a_broken_game_does_not_take_the_next_one_with_it(broken: bytes) -> None:
    first, *faults, last = read(HEAD + b";B[aa])\n" + HEAD + broken + HEAD + b";B[bb])\n")
    assert isinstance(first, WrittenGame)
    assert isinstance(last, WrittenGame)
    assert (last.moves, last.line) == (((1, 1),), 3)
    assert [str(each)[:4] for each in faults if isinstance(each, Fault)] == ["f:2:"]


def test_what_is_never_closed_is_given_up_at_some_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgf, "READ_BYTES", 100)
    monkeypatch.setattr(sgf, "LONGEST_GAME", 1000)
    first, *_, last = read(HEAD + b"C[" + b"." * 5000 + b"\n" + HEAD + b";B[bb])" + b" " * 500)
    assert str(first).startswith("f:1: the game is not closed")
    assert isinstance(last, WrittenGame)
    assert last.line == 2
