"""Faults of engines in a study: what it says of those of its search, and when it stops for them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner
from support.played_trials import OPENINGS, PLAN, SPACE, play, played, results_of
from support.samples import Write, player
from support.studies import COIN, OPPONENT, STUDY, trials_of, tuned

import arena
from arena.cli import arena as command
from arena.match.pairs import FirstGames
from arena.match.record import GameRecord, Job
from arena.plugins.load import factory, parse_parameters
from arena.report.run_answer import STOPPED
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tuning.report.frames import frames_of, slices_frame, study_verdict, trials_frame
from arena.tuning.report.search_faults import faults_texts
from arena.tuning.report.study_answer import stopped_text, study_answer
from arena.tuning.report.study_charts import history_figure, slices_text
from arena.tuning.space import Values
from arena.tuning.study import Study, StudyReferee, read, trial_text
from arena.tuning.trials import Told, Trials
from arena.workers.pool import local

FROM = 5  # Points with `n` from here on fail in every game


def is_failing(name: str) -> bool:
    return "=" in name and parse_parameters(name)["n"] >= FROM


def failing(job: Job, rival: str) -> GameRecord:
    """A game that a point with a large `n` loses by its own fault; else this rival does so."""
    record = played(job)
    for winner, name in ((2, job.first), (1, job.second)):
        if is_failing(name):
            return replace(record, winner=winner, reason="exception")
    for winner, name in ((2, job.first), (1, job.second)):
        if name == rival:
            return replace(record, winner=winner, reason="time")
    return record


def search(
    method: str, rivals: Sequence[str], failing_rival: str = ""
) -> tuple[Trials, list[GameRecord]]:
    trials = Trials(PLAN, factory("method", method)(SPACE, PLAN), rivals, OPENINGS, None)
    return trials, play(trials, 1, game=lambda job: failing(job, failing_rival))


def config(rivals: Sequence[str]) -> Any:
    named = [each for each in rivals if each != "default"]
    return SimpleNamespace(
        space=SPACE, rivals=list(rivals), opponents=named, is_users=False, command="arena tune"
    )


KINDS = pytest.mark.parametrize(
    ("method", "rivals"), [("random", ["default"]), ("spsa", []), ("spsa", ["a"]), ("tpe", ["a"])]
)


@KINDS
def test_frames_count_faults_of_trials_and_points(method: str, rivals: Sequence[str]) -> None:
    trials, games = search(method, rivals)
    faulty = Counter(game.round for game in games if game.reason == "exception")
    frame, slices = trials_frame(SPACE, trials.told), slices_frame(trials.told)
    assert dict(zip(frame["trial"], frame["faults"], strict=True)) == {
        trial: faulty[trial] for trial in frame["trial"]
    }
    assert 0 < frame["doubtful"].sum() < len(frame)
    assert list(frame["doubtful"]) == list(frame["faults"] > 0)  # one of eight games is many
    of_n = slices[slices["parameter"] == "n"]
    assert list(of_n["faults"] > 0) == list(of_n["value"] >= FROM)
    assert set(slices.loc[slices["doubtful"], "trial"]) == set(faulty)


def sentence(told: Sequence[Told], *rivals: str) -> str:
    return "".join(faults_texts(config(rivals), told))


@KINDS
def test_a_sentence_says_how_many_and_at_which_values(method: str, rivals: Sequence[str]) -> None:
    trials, games = search(method, rivals)
    faulty = sum(game.reason == "exception" for game in games)
    assert sentence(trials.told, *rivals).startswith(
        f"{faulty} of {len(games)} games of the search ended by faults of the engine, all of them "
        f"with n above {FROM - 1}."
    )


def test_faults_of_opponents_are_told_apart_and_gather_at_no_values() -> None:
    trials, games = search("tpe", ["a"], "a")
    reasons = Counter(game.reason for game in games)
    assert sentence(trials.told, "a").startswith(
        f"240 of 240 games of the search ended by faults, {reasons['exception']} of the engine "
        f"(all of them with n above 4) and {reasons['time']} of the opponents."
    )
    theirs = [replace(each, faults=[0, 1]) for each in trials.told]
    told = "30 of 240 games of the search ended by faults of the opponents. "
    assert sentence(theirs, "a").startswith(told)
    assert sentence([replace(each, faults=[0, 0]) for each in theirs], "a") == ""


def test_the_default_that_fails_as_rival_is_the_engine() -> None:
    text = sentence(search("tpe", ["default"], "default")[0].told, "default")
    assert text.startswith("240 of 240 games of the search ended by faults of the engine")
    assert "opponents" not in text


def with_faults(faults: Callable[[Values], int]) -> list[Told]:
    trials, _ = search("random", ["a"])
    return [replace(told, faults=[faults(told.trial.points[0]), 0]) for told in trials.told]


@pytest.mark.parametrize("seed", range(5))
def test_faults_at_any_values_gather_nowhere(seed: int) -> None:
    chance = random.Random(seed)
    told = with_faults(lambda _: chance.randrange(3))
    text = sentence(told, "a")
    assert f"{sum(each.faults[0] for each in told)} of 240 games" in text
    assert "of them with" not in text


def test_faults_may_gather_at_low_values_and_some_elsewhere() -> None:
    told = with_faults(lambda point: 5 if point["n"] in (0, 1) else int(point["n"] == 9))
    low = sum(each.faults[0] for each in told if each.trial.points[0]["n"] in (0, 1))
    assert f", {low} of them with n at most 1. " in sentence(told, "a")
    assert low < sum(each.faults[0] for each in told)


def test_on_the_screen_an_elo_that_rests_on_faults_is_marked() -> None:
    trials, _ = search("random", ["default"])
    for told in trials.told:
        assert ("? Elo at" in trial_text(told)) == (told.faulty_games > 0)
        assert (f", {told.faulty_games} of 8 games ended" in trial_text(told)) == told.is_doubtful


def test_charts_mark_an_elo_that_rests_on_faults_and_count_such_trials() -> None:
    trials, _ = search("random", ["default"])
    faulty = [told.faulty_games > 0 for told in trials.told]
    for end in (faulty.index(True), faulty.index(False)):
        told = trials.told[: end + 1]
        frames = frames_of(SPACE, told, trials.tuner.recommend(), None, None)
        assert history_figure(frames).caption.endswith("?.") == faulty[end]
        count = sum(faulty[: end + 1])
        assert (f" The Elo of {count} trial" in slices_text(frames)) == (count > 0)


def test_the_verdict_on_a_search_counts_its_faults() -> None:
    trials, games = search("random", ["default"])
    faulty = sum(game.reason == "exception" for game in games)
    told = f"{faulty} of 240 games of the search ended by faults"
    study = SimpleNamespace(plan=PLAN, compares=False, **vars(config(["default"])))
    values = {"x": 0.1, "n": 2}
    verdict = study_verdict(cast(Any, study), trials, cast(Any, values), None, Path())
    assert (verdict.tone, verdict.basis) == ("open", f"{len(trials.told)} trials; {told}")
    trials.told[:] = [each for each in trials.told if not each.faulty_games]
    verdict = study_verdict(cast(Any, study), trials, cast(Any, values), None, Path())
    assert (verdict.tone, verdict.basis) == ("open", f"{len(trials.told)} trials")


DRAW = "        if self.random.random() > self.luck:"
FAILS = COIN.replace(
    DRAW, f"        if self.bad > 4 and self.random.random() < 0.5:\n            1 / 0\n{DRAW}"
)
FAILS = FAILS.replace("    sulks:", "    bad: Annotated[int, Range(1, 9)] = 2,\n    sulks:")
FAILS = FAILS.replace("return Player(game, ", "player = Player(game, ")
FAILS += "    player.bad = bad\n    return player\n"
SEARCH = STUDY.replace("coin.py", "fails.py").replace("power", "bad").replace("spsa", "random")


@pytest.mark.slow
def test_a_report_begins_its_notes_with_them_and_the_terminal_ends_with_them(write: Write) -> None:
    write(FAILS, "fails.py")
    alone = tuned(write, SEARCH)
    records = [each for told in alone.trials.told for each in told.faults]
    contents = study_answer(alone)
    count = f"{sum(records)} of 120 games of the search ended by faults"
    assert contents.notes[0].startswith(f"{count} of the engine, all of them with bad above 4.")
    assert contents.verdict
    assert contents.verdict.basis.endswith(f"; {count}")
    assert (alone.frames().trials["faults"].sum(), trials_of(alone)[1].user_attrs["faults"]) == (
        sum(records),
        sum(alone.trials.told[1].faults),
    )
    folder = alone.folder.parent
    words = ["tune", str(folder.parent / "study.yaml"), "--workers", "0", "--results", str(folder)]
    shown = CliRunner().invoke(command, words, catch_exceptions=False).stdout
    last = shown[shown.index("To look at it in a browser") :]
    assert last.count(count) == 2, "in a sentence, and in the verdict"


BROKEN = COIN.replace("if self.random.random() > self.luck:", 'raise ValueError("boom")')
BROKEN = BROKEN.replace("\n            return Choice(None)\n", "\n")
BAD = player('raise ValueError("boom")')
SMALL = STUDY.replace("games: 8", "games: 4")
"""Trials of two pairs, so that the first eight games are those of two trials."""
AGAINST_BAD = OPPONENT.replace("./coin.py, weight: 0.5", "./bad.py")


def broken(write: Write, text: str, workers: int = 0, **more: object) -> Study:
    write(BROKEN, "broken.py")
    name = f"study_{workers}.yaml"
    return tuned(write, text.replace("./coin.py", "./broken.py", 1), workers, name, **more)


def beginning(study: Study) -> tuple[object, ...]:
    told = [(each.trial, each.answer, each.games) for each in study.trials.told]
    return told, stopped_text(study), list(study.frames().trials.columns)


@pytest.mark.slow
@pytest.mark.parametrize("text", [STUDY, SMALL, OPPONENT])
def test_it_stops_after_the_same_trials_with_any_number_of_workers(write: Write, text: str) -> None:
    alone = broken(write, text)
    stopped = stopped_text(alone)
    assert "broken.py raised an exception in 8 of its first 8 games" in stopped
    assert stopped.endswith("start it again with --keep-going (in Python, keep_going=True)")
    assert not alone.advice
    assert len(alone.trials.told) == (text == SMALL)
    for workers in (1, 2, 4):
        assert beginning(broken(write, text, workers)) == beginning(alone)


def test_within_a_long_trial_it_stops_after_the_eighth_game(write: Write) -> None:
    study = broken(write, STUDY.replace("games: 8", "games: 24"))
    assert len(read_store(study.folder, Store.games) or []) == 8


def lost(job: Job) -> GameRecord:
    return replace(played(job), winner=2, reason="exception")


@pytest.mark.parametrize("seed", range(5))
def test_games_that_end_in_any_order_change_nothing(seed: int) -> None:
    told = []
    for workers in (1, 2, 4, 9):
        plan = replace(PLAN, games=2, lag=4)
        first = FirstGames(["engine"], lambda name: "engine")
        tuner = factory("method", "spsa")(SPACE, plan)
        trials = Trials(plan, tuner, [], OPENINGS, None, first_games=first)
        results = results_of(play(trials, workers, seed, game=lost))
        trials.advance(results)
        assert next(trials.jobs(results), "none") == "none", "no job, not even after some record"
        assert first.faulty == "engine"
        assert trials.is_at_end
        assert not trials.is_over
        told.append([(each.trial, each.answer) for each in trials.told])
    assert len(told[0]) == 3, "in the fourth trial of two games it stops"
    assert all(each == told[0] for each in told)


@pytest.mark.slow
def test_an_opponent_that_only_fails_stops_it_too(write: Write) -> None:
    write(BAD, "bad.py")
    write(COIN.replace("> self.luck", "> 1"), "lucky.py")  # gives up in no game
    study = tuned(write, AGAINST_BAD.replace("./coin.py", "./lucky.py", 1))
    assert stopped_text(study).startswith("rival raised an exception in 8 of its first 8 games")


@pytest.mark.slow
def test_started_again_it_stops_at_once_unless_it_is_to_keep_going(write: Write) -> None:
    first = broken(write, STUDY)
    seen: list[object] = []
    assert beginning(broken(write, STUDY, watch=seen.append)) == beginning(first)
    assert len(seen) == 1, "no game was played"
    on = broken(write, STUDY, keep_going=True)
    assert on.trials.is_over
    assert stopped_text(on) == ""


def test_its_report_says_so_first(write: Write) -> None:
    study = broken(write, STUDY)
    answer = study_answer(study)
    (warning,) = answer.warnings
    assert warning == f"study_0 stopped by itself. {stopped_text(study)}"
    assert dict(answer.facts)["State"] == STOPPED
    reopened = arena.open_study(study.folder)
    assert stopped_text(reopened) == stopped_text(study)


@pytest.mark.slow
def test_the_command_ends_with_a_status_of_its_own(write: Write, tmp_path: Path) -> None:
    write(BROKEN, "coin.py")
    file = write(STUDY, "study.yaml")
    words = ["tune", str(file), "--results", str(tmp_path), "--workers", "1"]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 4, done.stderr
    assert "Stopped: " in done.stderr
    assert "To play on all the same: arena tune" in done.stderr
    assert "--keep-going" in done.stderr


FAILS_LATER = f"""
        if Path(__file__).with_name("now").exists():
            if abs(self.luck - 0.66) > 1e-9:  # at all weights but the default
                raise ValueError("boom")
            return Choice(self.random.choice(self.game.moves(p)))
{DRAW}"""


def failing_in_its_proof(write: Write, folder: Path, fails: str) -> Study:
    with_path = COIN.replace("import random", "import random\nfrom pathlib import Path")
    write(with_path.replace(DRAW, fails), "coin.py")
    study, site = read(write(STUDY, "study.yaml"), results=folder), local(0)
    study.play(site)
    write("", "now")
    study.matches.play(site)
    return study


@pytest.mark.slow
def test_a_proof_so_stopped_has_not_passed(write: Write, tmp_path: Path) -> None:
    study = failing_in_its_proof(write, tmp_path, FAILS_LATER)
    assert study.proof
    assert study.proof.row["decision"] == "only faults"
    assert not study.proof.has_passed
    assert study.verdict.basis.endswith("; only faults")
    assert stopped_text(study).startswith("tuned raised an exception in 8 of its first 8 games")


@pytest.mark.slow
def test_a_proof_by_faults_of_the_default_has_not_passed(write: Write, tmp_path: Path) -> None:
    fails_at_default = FAILS_LATER.replace("> 1e-9:", "< 1e-9 and self.random.random() < 0.05:")
    study = failing_in_its_proof(write, tmp_path, fails_at_default)
    assert study.proof
    assert study.proof.row["llr"] >= study.proof.row["upper"], "the bound of H1 was reached"
    assert study.proof.row["decision"] == "too many faults"
    assert not study.proof.has_passed
    assert not (study.folder / "tuned.yaml").exists()
    assert study.verdict.basis.endswith("; too many faults")


@pytest.mark.slow
@pytest.mark.parametrize("start", [tuned, broken])
def test_over_or_stopped_it_has_no_move_on_trial(
    write: Write, monkeypatch: pytest.MonkeyPatch, start: Callable[..., Study]
) -> None:
    start(write, STUDY)
    openings: list[str | None] = []
    check = StudyReferee.check

    def spied(referee: StudyReferee, here: bool, opening: str | None) -> None:
        openings.append(opening)
        check(referee, here, opening)

    monkeypatch.setattr(StudyReferee, "check", spied)
    start(write, STUDY)
    assert openings == [None]
