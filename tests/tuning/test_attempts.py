"""Proofs of one engine in one results folder: on openings that none has played, and counted."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import optuna
import pytest
from click.testing import CliRunner
from support.samples import Write
from support.studies import COIN, FIT, STUDY, after, tuned

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.match.play import moves_text, place_opening
from arena.match.record import key
from arena.plugins.load import load_game
from arena.storage.database import Store
from arena.tuning.fit.fit import Fit
from arena.tuning.settings.reader import read_users_study
from arena.tuning.study import Study

POINT = {"power": 30}  # As strong as the default: what `coin.py` does, hangs on its weight
SHORT = STUDY.replace("elo0: -100, elo1: 0, pairs: 300", "elo0: 0, elo1: 120, pairs: 40")
THIRD = "3rd attempt: of three such tests of equals one proves a gain in 14 %"
TRIED = "2nd attempt: of two such tests of equals one proves a gain in 9.8 %"


@pytest.fixture(autouse=True)
def _in_its_folder(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    monkeypatch.chdir(tmp_path)
    write(COIN, "coin.py")


def proved(write: Write, name: str, text: str = SHORT, point: Any = POINT, **more: Any) -> Study:
    file = write(text, f"{name}.yaml")
    return arena.prove(optuna.create_study(), file, point, workers=0, **more)


def openings_of(study: Study | Fit) -> set[str]:
    return {key(game)[2] for _, game in study.matches.test.records()}


def kept_starts(study: Study | Fit) -> list[str]:
    return list(arena.open_run(study.folder / "verification").config.openings)


def listed(count: int, start: int = 0) -> list[str]:
    return list(read_users_study("drawn.yaml").openings.part(start, count))


def with_list(starts: list[str], text: str = SHORT) -> str:
    return text.replace("{random: {plies: 3}}", json.dumps({"list": starts}))


def test_the_same_study_under_other_names_counts_and_plays_unseen_openings(write: Write) -> None:
    studies = [proved(write, name) for name in ("one", "two", "three")]
    first, second, third = studies
    assert kept_starts(first) == list(first.config.test_openings(40))
    assert len({len(kept_starts(each)) for each in studies}) == 1
    seen = set[str]()
    for each in studies:
        assert openings_of(each)
        assert not seen & {*kept_starts(each)}
        seen |= openings_of(each)
    assert "attempt" not in str(first.verdict)
    assert TRIED in second.verdict.sentence
    assert THIRD in third.verdict.sentence
    assert first.frames().attempts.empty
    rows = third.frames().attempts.to_dict("records")
    assert [(row["attempt"], row["study"]) for row in rows] == [(1, "one"), (2, "two")]
    assert first.proof
    assert rows[0]["elo"] == first.proof.standing.elo
    assert [(row["decision"], row["passed"]) for row in rows] == [("H0", False)] * 2
    for form in ("table", "json", "html"):
        told = CliRunner().invoke(command, ["report", "three", "--format", form]).output
        assert " ".join(THIRD.split()) in " ".join(told.split())


def test_a_later_proof_changes_nothing_of_one_that_has_begun(write: Write) -> None:
    first = proved(write, "one")
    second = proved(write, "two", **after(5))
    begun, told = openings_of(second), kept_starts(second)
    assert 0 < len(begun) < 10
    proved(write, "three")
    shutil.rmtree(first.folder)
    again = proved(write, "two")
    assert TRIED in again.verdict.sentence
    assert [row["study"] for row in again.frames().attempts.to_dict("records")] == ["one"]
    assert begun < openings_of(again)
    assert kept_starts(again) == told


def test_more_pairs_are_drawn_from_what_nobody_has_played_since(write: Write) -> None:
    close = SHORT.replace("elo1: 120", "elo1: 90").replace("seed: 3", "seed: 6")
    few = proved(write, "one", close.replace("pairs: 40", "pairs: 20"))
    begun = kept_starts(few)
    assert len(begun) == 20
    other = proved(write, "two", close.replace("pairs: 40", "pairs: 60"))
    assert openings_of(other)
    more = proved(write, "one", close)
    assert kept_starts(more)[:20] == begun
    assert len(set(kept_starts(more))) == 40
    assert len(openings_of(more)) > 20
    assert not openings_of(other) & {*kept_starts(more)}
    assert "attempt" not in str(more.verdict)


@pytest.mark.parametrize(
    ("change", "is_told"),
    [
        (("[weight, power]", "[power]"), True),
        (("[weight, power]", "[weight]"), False),
        (("./coin.py", "./penny.py"), False),
    ],
)
def test_another_engine_is_no_attempt(write: Write, change: tuple[str, str], is_told: bool) -> None:
    write(COIN, "penny.py")
    proved(write, "one", SHORT.replace("[weight, power]", "[power]"))
    point = {"weight": 0.21} if change[1] == "[weight]" else POINT
    second = proved(write, "two", SHORT.replace(*change), point)
    assert ("2nd attempt" in second.verdict.sentence) is is_told
    assert (kept_starts(second) == list(second.config.test_openings(40))) is not is_told


def test_edited_code_is_the_same_engine(write: Write) -> None:
    proved(write, "one")
    write(COIN + "\n# edited\n", "coin.py")
    assert TRIED in proved(write, "two").verdict.sentence


def test_a_proof_that_stopped_before_its_first_game_is_none(write: Write) -> None:
    proved(write, "one", stop=lambda: True)
    second = proved(write, "two")
    assert "attempt" not in str(second.verdict)
    one = proved(write, "one", SHORT.replace("elo1: 120", "elo1: 130"))
    assert TRIED in one.verdict.sentence


def test_openings_of_another_study_s_trials_are_seen(write: Write) -> None:
    text = SHORT.replace("plies: 3", "plies: 3, count: 4, skip: 10")
    study = optuna.create_study()
    study.optimize(arena.objective(write(text, "one.yaml"), workers=0), n_trials=1)
    met = {opening for trial in study.trials for opening in trial.user_attrs["openings"]}
    arena.prove(study, "one.yaml", POINT, workers=0, **after(1))
    second = proved(write, "two", text.replace("skip: 10", "skip: 0"))
    assert len(met) == 4
    assert met < {*second.config.test_openings(40)}
    assert not met & {*kept_starts(second)}
    assert len(kept_starts(second)) == 40


def test_trials_that_were_played_elsewhere_leave_other_openings_for_the_test(write: Write) -> None:
    seen = list(read_users_study(write(SHORT, "study.yaml")).test_openings(40))[3:9]
    study = optuna.create_study()
    study.add_trial(
        optuna.trial.create_trial(value=1.0, user_attrs={"openings": [*seen, "of my own"]})
    )
    found = arena.prove(study, "study.yaml", POINT, workers=0)
    assert not {*seen} & {*kept_starts(found)}
    assert len(kept_starts(found)) == 40
    assert "attempt" not in str(found.verdict)


@pytest.mark.parametrize(
    "sources",
    [
        "openings: {swap2: {seed: 1}}",
        "vary: {openings: [{random: {plies: 3}}, {random: {plies: 4}}, {random: {seed: 5}}]}",
    ],
)
def test_openings_of_any_source_are_left_out(write: Write, sources: str) -> None:
    text = SHORT.replace("openings: {random: {plies: 3}}", sources).replace("size: 9", "size: 15")
    text = text.replace("pairs: 40", f"pairs: 40{', condition_pairs: 10' * ('vary' in text)}")
    first, second = (proved(write, name, text) for name in ("one", "two"))
    assert len(openings_of(first)) > 5
    assert not openings_of(first) & {*kept_starts(second)}
    assert len(kept_starts(first)) == len(kept_starts(second)) == 40 + 2 * ("vary" in text)


@pytest.mark.parametrize("is_mirrored", [False, True])
def test_a_list_gives_what_is_left_of_it_or_is_refused(write: Write, is_mirrored: bool) -> None:
    write(SHORT, "drawn.yaml")
    starts, game = listed(60), load_game("gomoku:size=9")
    again = starts
    if is_mirrored:
        lines = [place_opening(game, each).moves for each in starts]
        again = [
            moves_text(game, [game.turned(move, game.symmetries[4]) for move in line])
            for line in lines
        ]
        assert not {*starts} & {*again}
    first = proved(write, "one", with_list(starts), **after(12))
    played = len(openings_of(first))
    assert 0 < played < 28
    with pytest.raises(ConfigError) as refused:
        proved(write, "two", with_list(again))
    left = f"only {30 - played} of 30 openings are left"
    assert left in str(refused.value)
    assert "give `openings` of which there are more, or fewer `pairs`" in str(refused.value)
    assert not Path("results/two/verification").exists()
    fewer = with_list(again).replace("pairs: 40", f"pairs: {30 - played}")
    second = proved(write, "two", fewer)
    assert kept_starts(second) == again[30 + played :]


def test_pairs_that_others_have_played_since_are_no_more_pairs(write: Write) -> None:
    write(SHORT, "drawn.yaml")
    starts = listed(60)
    few = with_list(starts).replace("pairs: 40", "pairs: 20")
    proved(write, "one", few, **after(5))
    backwards = with_list([*starts[:30], *reversed(starts[30:])]).replace("pairs: 40", "pairs: 20")
    second = proved(write, "two", backwards, **after(9))
    assert openings_of(second) < {*starts[50:]}
    told = str(arena.open_study("one").verdict)
    with pytest.raises(ConfigError, match=r"only 2\d of 30 openings are left"):
        proved(write, "one", few.replace("pairs: 20", "pairs: 30"))
    config = Path("results/one/config.yaml")
    config.write_text(config.read_text().replace("pairs: 20", "pairs: 30"), encoding="utf-8")
    assert str(arena.open_study("one").verdict) == told


def test_too_few_openings_are_refused_before_the_first_trial(write: Write) -> None:
    write(SHORT, "drawn.yaml")
    text = with_list(listed(60))
    proved(write, "one", text)
    for more in ({}, {"fresh": True}):
        with pytest.raises(ConfigError, match=r"only \d+ of 30 openings are left for the test"):
            arena.tune(write(text, "two.yaml"), workers=0, **more)
    assert not Path("results/two/arena.db").exists()
    with pytest.raises(ConfigError, match=r"only \d+ of 30 openings"):
        arena.objective(write(text, "one.yaml"), workers=0, fresh=True)
    assert not Path("results/one/attempts").exists()
    assert Path("results/one/verification/arena.db").exists()


def test_fresh_keeps_a_proof_that_had_a_game_and_plays_others(write: Write) -> None:
    first = proved(write, "one")
    begun, proof = openings_of(first), first.proof
    arena.objective("one.yaml", workers=0, fresh=True)
    assert arena.open_study("one/attempts/1").proof == proof
    assert arena.open_study("one").proof is None
    second = proved(write, "one")
    assert begun
    assert not begun & {*kept_starts(second)}
    assert TRIED in second.verdict.sentence
    assert [row["study"] for row in second.frames().attempts.to_dict("records")] == [
        "one/attempts/1"
    ]
    third = proved(write, "two")
    assert THIRD in third.verdict.sentence
    arena.objective("one.yaml", workers=0, fresh=True)
    assert TRIED in arena.open_study("one/attempts/2").verdict.sentence
    told = proved(write, "one").frames().attempts["study"]
    assert list(told) == ["one/attempts/1", "one/attempts/2", "two"]


def test_a_proof_from_before_others_were_counted_knows_those_under_its_name(write: Write) -> None:
    proved(write, "one")
    arena.objective("one.yaml", workers=0, fresh=True)
    proved(write, "two")
    proved(write, "one")
    assert THIRD in arena.open_study("one").verdict.sentence
    with closing(sqlite3.connect("results/one/arena.db")) as database:
        database.execute("DELETE FROM search WHERE name = 'attempts'")
        database.commit()
    older = arena.open_study("one")
    assert TRIED in older.verdict.sentence
    assert list(older.frames().attempts["study"]) == ["one/attempts/1"]


def test_a_study_that_is_tuned_anew_keeps_its_attempt(write: Write) -> None:
    text = SHORT.replace("budget: 120", "budget: 24")
    first = tuned(write, text)
    second = tuned(write, text, fresh=True)
    assert first.trials.told == second.trials.told
    kept = arena.open_study(first.folder / "attempts" / "1")
    assert kept.proof
    assert openings_of(kept)
    assert not openings_of(kept) & {*kept_starts(second)}
    assert TRIED in second.verdict.sentence


def test_a_fit_and_a_study_of_one_engine_know_each_other(write: Write) -> None:
    study = """
        game: {gomoku: {size: 7}}
        engine: {engine: five_tuple, depth: 1}
        parameters: [three]
        vary: {}
        openings: {random: {plies: 3, seed: 3}}
        verification: {elo0: 0, elo1: 200, pairs: 20}
    """
    file = write(FIT.replace("games: 8", "games: 40"), "fitted.yaml")
    fitted = arena.fit(file, workers=0)
    assert fitted.proof
    assert "attempt" not in str(fitted.verdict)
    found = proved(write, "study", study, {"three": 7}, **after(3))
    assert TRIED in found.verdict.sentence
    told = CliRunner().invoke(command, ["report", "study", "--format", "json"]).output
    assert TRIED in json.loads(told)["verdict"]["basis"]
    made = {game.opening for game in fitted.records()}
    seen = made | {game.opening for _, game in fitted.matches.test.records()}
    assert not seen & {*kept_starts(found)}
    again = arena.fit(file, workers=0, fresh=True, **after(42))
    assert THIRD in again.verdict.sentence
    assert arena.open_fit("fitted/attempts/1").proof
    assert not (seen | openings_of(found)) & {*kept_starts(again)}


@pytest.mark.parametrize("file", ["arena.db", "verification/arena.db"])
def test_damaged_and_foreign_folders_beside_are_left_out(write: Write, file: str) -> None:
    proved(write, "one")
    proved(write, "two")
    Path("results/one", file).write_bytes(b"no database at all")
    foreign = Path("results/foreign/verification/arena.db")
    foreign.parent.mkdir(parents=True)
    foreign.write_bytes(b"")
    shutil.copytree("results/two", "results/odd/attempts/first")
    for name, players in {"none": [], "text": ["x"], "number": 3}.items():
        shutil.copytree("results/two", f"results/{name}")
        with closing(Store(Path("results", name, "arena.db"))) as store:
            store.note(store.facts() | {"players": players})
    Path("results/odd/attempts/2").write_text("a file\n", encoding="utf-8")
    third = proved(write, "three")
    told = list(third.frames().attempts["study"])
    assert set(told) == {"two", "odd/attempts/first"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("elo0: 0", "elo0: -100"), "verification.elo0: 0.0 -> -100.0"),
        (("plies: 3", "plies: 3, seed: 8"), "openings.random.seed: 0 -> 8"),
        (("pairs: 40", "pairs: 30"), "verification.pairs: 40 -> 30"),
        (("pairs: 40", "pairs: 40, alpha: 0.1"), "verification.alpha: 0.05 -> 0.1"),
        (("pairs: 40", "pairs: 40, opponent_pairs: 50"), "verification.opponent_pairs: 100 -> 50"),
        (("    seed: 3", "    vary: {sulks: [false, true]}\n    seed: 3"), "vary: None -> "),
    ],
)
def test_what_a_proof_rests_on_stays(write: Write, change: tuple[str, str], told: str) -> None:
    proved(write, "one", **after(3))
    with pytest.raises(ConfigError, match=f"(?s){told}.*chosen after games were seen"):
        proved(write, "one", SHORT.replace(*change))


def test_a_test_from_below_nought_tells_the_number_alone(write: Write) -> None:
    below = SHORT.replace("elo0: 0, elo1: 120", "elo0: -600, elo1: -300")
    proved(write, "one", below)
    second = proved(write, "two")
    assert second.verdict.sentence.endswith("; 2nd attempt.")
    (row,) = second.frames().attempts.to_dict("records")
    assert (row["decision"], row["passed"]) == ("H1", True)


def test_a_new_opponent_takes_the_proof_back_until_it_is_met(write: Write) -> None:
    below = SHORT.replace("elo0: 0, elo1: 120", "elo0: -600, elo1: -300")
    first = proved(write, "one", below)
    assert (first.folder / "tuned.yaml").exists()
    met = below + "    opponents: [{name: rival, engine: ./coin.py}]\n"
    again = proved(write, "one", met, stop=lambda: True)
    assert again.verdict.text == "Gain not proved yet"
    assert not (first.folder / "tuned.yaml").exists()


def test_a_source_of_which_nothing_was_seen_is_stored_as_it_is(write: Write) -> None:
    proved(write, "one", SHORT.replace("plies: 3", "plies: 3, skip: 200"))
    second = proved(write, "two")
    assert TRIED in second.verdict.sentence
    assert second.matches.test.config.openings.source == second.config.test_openings(40).source
