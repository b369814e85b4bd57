"""Texts that tell no encoding: games by players of many countries are read as they were written."""

from __future__ import annotations

import pytest

from arena.text import Guess, superset

GAME = "(;GM[4]SZ[15]EV[{}]PB[{}]PW[{}]RE[{}];B[aa];W[bb])\n"
GAMES = {
    "gb18030": ("全国五子棋锦标赛", "王晓明", "刘伟", "黑中盘胜"),
    "cp950": ("台北五子棋公開賽", "陳小明", "許功蓋", "白勝"),
    "cp932": ("名人戦 第一局", "田中ソ", "佐藤太郎", "黒中押し勝ち"),
    "cp949": ("렌주 대회 결승", "김철수", "박정환", "흑 불계승"),
    "cp1251": ("Чемпионат России", "Иванов", "Пётр Сушков", "Белые выиграли"),
    "cp1250": ("Mistrovství Čech", "Petr Laštovička", "Łukasz Żółć", "B+R"),
    "cp1252": ("Vereinsmeisterschaft Köln", "Jürgen Großmann", "François Hélène", "B+R"),
}


@pytest.mark.parametrize(("encoding", "words"), GAMES.items())
@pytest.mark.parametrize("count", [1, 100])
def test_the_encoding_of_a_file_is_told_by_its_words(
    encoding: str, words: tuple[str, ...], count: int
) -> None:
    text, guess = GAME.format(*words), Guess()
    assert [guess.decoded(text.encode(encoding))[0] for _ in range(count)] == [text] * count


def test_a_name_that_is_not_clear_alone_is_read_as_those_before_it() -> None:
    guess, names = Guess(), ["王晓明", "刘伟", "张强", "陈立新", "李昞", "淺"]
    read = [guess.decoded(GAME.format("", name, "", "").encode("gb18030"))[0] for name in names]
    assert all(name in text for name, text in zip(names[3:], read[3:], strict=True))


@pytest.mark.parametrize("data", [b"\xff\xfe\xfa", b"\x81", b"\xaa\xa1\xaa\xa2"])
def test_every_text_is_read_somehow(data: bytes) -> None:
    text, encoding = Guess().decoded(data)
    assert text.encode(encoding) == data


def test_a_name_stands_for_the_encoding_that_programs_mean_by_it() -> None:
    assert [superset(each) for each in ("gb2312", "latin-1", "utf-16", "klingon")] == [
        "gb18030",
        "cp1252",
        None,
        None,
    ]
