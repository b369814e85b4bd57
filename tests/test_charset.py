"""Texts that tell no encoding: names of many languages are read as they were written."""

from __future__ import annotations

import pytest

from arena.charset import Guess, superset

NAMES = {
    "cp1250": [
        *("Petr Laštovička", "Jiří Novák", "Ondřej Kučera", "Dvořák", "Růžička", "Vaňek", "Čáp"),
        *("Łukasz Żółć", "Wałęsa", "Dębski", "Poznań", "Świątek", "Zięba", "Lech Kaczyński"),
        *("Erdős Pál", "Szűcs Győző", "Böszörményi Zsófia", "Petrović", "Đoković", "Brătianu"),
    ],
    "cp1252": [
        *("Müller – Weiß", "Jürgen Großmann", "Löwe", "Übel", "Ärger", "Joe’s", "Zoë"),
        *("François Hélène", "Thérèse", "Loïc", "Brûlé", "Benoît", "Véronique Forêt", "Lefèvre"),
        *("José Nuñez", "Ibáñez", "Muñoz", "García", "Ángel", "João Simões", "Gonçalves"),
        *("Søren Kjær", "Jørgensen", "Åsa Öberg", "Niccolò", "Þór Sigurðsson"),
    ],
    "gb18030": ["王晓明", "李昞", "淺", "黑中盘胜", "AI五子棋", "刘伟 vs 王芳"],
    "cp950": ["陳小明", "許功蓋", "林志玲", "黑勝"],
    "cp932": ["田中ソ", "表", "佐藤", "やまだ", "カタカナ"],
    "cp949": ["김철수", "박정환", "이세돌", "최"],
    "cp1251": ["Иванов", "Пётр", "Ия", "Юрий", "Белые выиграли"],
}


@pytest.mark.parametrize(
    ("encoding", "name"), [(encoding, name) for encoding, names in NAMES.items() for name in names]
)
@pytest.mark.parametrize("form", ["{}", "(;GM[4]SZ[15]PB[{}]PW[Smith];B[aa])"])
def test_a_single_name_is_enough_to_tell_its_encoding(encoding: str, name: str, form: str) -> None:
    text = form.format(name)
    assert Guess().decoded(text.encode(encoding))[0] == text


@pytest.mark.parametrize("data", [b"\xf8\xed", b"Ji\xf8\xed Nov\xe1k", b"\xaa\xa1\xaa\xa2"])
def test_no_guess_makes_characters_for_private_use(data: bytes) -> None:
    text, _ = Guess().decoded(data)
    assert not any("\ue000" <= character <= "\uf8ff" for character in text)


def test_a_name_stands_for_the_encoding_that_programs_mean_by_it() -> None:
    assert [superset(each) for each in ("gb2312", "latin-1", "utf-16", "klingon")] == [
        "gb18030",
        "cp1252",
        None,
        None,
    ]


def test_letters_that_two_encodings_share_rule_out_neither() -> None:
    guess = Guess()
    for name in [*30 * ["José Novák"], "Jiří Dvořák"]:
        assert guess.decoded(name.encode("cp1250"))[0] == name
