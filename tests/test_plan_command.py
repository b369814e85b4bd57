"""`arena plan`: from options, from a file, from a run; and what a test says of its length."""

from __future__ import annotations

import json
import re

import pytest
from support.samples import Write
from support.typed import invoked as typed

MATCH = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 3, count: 12}}
    engines:
      - {name: new, engine: random_mover}
      - {name: old, engine: random_mover}
"""
FORMAT = "format: {sprt: {elo1: 300, beta: 0.1, pairs: 40}}"
TEST = MATCH.replace("openings:", f"{FORMAT}\n    openings:")


def planned(*words: str) -> dict[str, object]:
    done = typed("plan", *words, "--json")
    assert done.exit_code == 0, done.stdout
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_answer_comes_first_with_what_would_end_a_test_before() -> None:
    done = typed("plan", "--elo1", "20", "--seconds", "6", "--workers", "2")
    answer = "About 810 pairs (95 % within 2,000), 1 h 21 min with 2 workers, if the first player "
    assert done.stdout.startswith(f"{answer}is 20 Elo better: power 95 %.\n\nThe test, if")
    assert "no game drawn and 50 % of the pairs split" in done.stdout
    done = typed("plan", "--elo1", "5", "--pairs", "1000")
    assert re.match(r"About 1,000 pairs, if .*: power 0 %; undecided after 1,000 ", done.stdout)
    assert "need more" not in typed("plan", "--elo1", "20", "--openings", "5000").stdout
    done = typed("plan", "--elo1", "20", "--openings", "1000")
    assert re.search(r"There are 1,000 openings\. .* 27 % of the tests need more\.", done.stdout)


def test_more_split_pairs_make_a_test_of_elo_shorter() -> None:
    found = (planned("--split", split, "--pairs", "1000000") for split in ("0.2", "0.8"))
    few, many = (each["course"] for each in found)
    assert isinstance(few, list)
    assert isinstance(many, list)
    assert all(2 < one["mean"] / two["mean"] < 6 for one, two in zip(few, many, strict=True))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--alpha 0.7", "--alpha must be at most 0.49, not 0.7"),
        ("--elo0 20", "--elo0: must be less than elo1"),
        ("--elo1 nan", "--elo1 must be a finite number, not nan"),
        ("--model elo", "--model must be 'logistic' or 'normalized', not 'elo'"),
        ("--draws 0.5 --split 0.3", "--draws, --split: 0.5 draws and 0.3 split pairs leave no "),
        ("--draws nan", "--draws, --split: nan draws and 0.5 split pairs leave no pairs"),
        ("--seconds 0", "--seconds: must be more than 0 and less than 1e+09, not 0"),
        ("--seconds inf", "--seconds: must be more than 0 and less than 1e+09, not inf"),
        ("--openings -3", "--openings: must be more than 0 and less than 1e+09, not -3"),
        ("nothing", "unknown run 'nothing'"),
    ],
)
def test_what_cannot_be_planned_is_told_with_its_option(words: str, message: str) -> None:
    done = typed("plan", *words.split())
    assert message in str(done.exception)


def test_a_run_gives_its_pairs_its_times_and_its_openings(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(MATCH, "match.yaml")
    monkeypatch.chdir(file.parent)
    assert typed("run", str(file), "--workers", "0").exit_code == 0
    basis = planned("match")["basis"]
    assert isinstance(basis, dict)
    assert (basis["one"], basis["openings"]) == ("new", None)
    assert sum(basis["shares"]) == pytest.approx(13)
    assert 0 < basis["seconds"] < 1
    assert "As in its 24 games: 12 distinct pairs (" in basis["told"]
    given = planned("match", "--seconds", "2", "--split", "0.6")["basis"]
    assert isinstance(given, dict)
    assert (given["seconds"], given["shares"]) == (2, [0.2, 0, 0.6, 0, 0.2])


def test_a_file_gives_the_parameters_of_its_test(write: Write) -> None:
    file = write(TEST, "test.yaml")
    found = planned(str(file), "--alpha", "0.01")
    expected = {"elo0": 0, "elo1": 300, "beta": 0.1, "alpha": 0.01, "pairs": 40}
    assert found["test"] == expected | {"model": "logistic"}


def test_a_run_of_three_has_no_plan(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(MATCH + "      - {name: third, engine: random_mover}\n", "three.yaml")
    monkeypatch.chdir(file.parent)
    assert typed("run", str(file), "--workers", "0").exit_code == 0
    assert f"{file}: a plan is of two" in str(typed("plan", str(file)).exception)
    message = "three: a plan is of two players, or of one test; no such games are kept here"
    assert message in str(typed("plan", "three").exception)
