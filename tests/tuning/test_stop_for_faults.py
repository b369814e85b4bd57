"""A study stops for an engine, or an opponent, that only loses by its own faults."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.played_trials import OPENINGS, PLAN, SPACE, played
from support.processes import finished
from support.samples import Write, player
from support.studies import COIN, OPPONENT, STUDY, tuned

import arena
from arena.match.game_row import row_of
from arena.match.pairs import FirstGames, Results
from arena.match.record import GameRecord, Job
from arena.plugins.load import factory
from arena.report.run_answer import STOPPED
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tuning.report.study_answer import stopped_text, study_answer
from arena.tuning.study import Study, StudyReferee, read
from arena.tuning.trials import Trials
from arena.workers.pool import local

BROKEN = COIN.replace("if self.random.random() > self.luck:", 'raise ValueError("boom")')
BROKEN = BROKEN.replace("\n            return Choice(None)\n", "\n")
BAD = player('raise ValueError("boom")')
SMALL = STUDY.replace("games: 8", "games: 4")
"""Trials of two pairs, so that the first eight games are those of two trials."""
AGAINST_BAD = OPPONENT.replace("./coin.py, weight: 0.5", "./bad.py")


def broken(write: Write, text: str, workers: int = 0, **more: object) -> Study:
    """A study of an engine that loses all its games by exceptions."""
    write(BROKEN, "broken.py")
    name = f"study_{workers}.yaml"
    return tuned(write, text.replace("./coin.py", "./broken.py", 1), workers, name, **more)


def beginning(study: Study) -> tuple[object, ...]:
    """All that is told of a study which has stopped."""
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
    """A game that the player to move first loses by its own fault."""
    return replace(played(job), winner=2, reason="exception")


@pytest.mark.parametrize("seed", range(5))
def test_games_that_end_in_any_order_change_nothing(seed: int) -> None:
    told = []
    for workers in (1, 2, 4, 9):
        plan = replace(PLAN, games=2, lag=4)
        first = FirstGames(["engine"], lambda name: "engine")
        tuner = factory("method", "spsa")(SPACE, plan)
        trials = Trials(plan, tuner, [], OPENINGS, None, first_games=first)
        order, results, under_way = random.Random(seed), Results(), list[Job]()
        jobs = trials.jobs(results)
        while True:
            while len(under_way) < workers and (job := next(jobs, None)):
                under_way.append(job)
            if not under_way:
                break
            job = under_way.pop(order.randrange(len(under_way)))
            results.add(row_of(lost(job)))
            if order.random() < 0.5:
                trials.advance(results)
        trials.advance(results)
        assert next(jobs, "none") == "none", "no job, not even after some record"
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
    command = [sys.executable, "-m", "arena", "tune", str(file), "--results", str(tmp_path)]
    done = finished([*command, "--workers", "1"], text=True)
    assert done.returncode == 4, done.stderr
    assert "Stopped: " in done.stderr
    assert "To play on all the same: arena tune" in done.stderr
    assert "--keep-going" in done.stderr


DRAW = "        if self.random.random() > self.luck:"
FAILS_LATER = f"""
        if Path(__file__).with_name("now").exists():
            if abs(self.luck - 0.66) > 1e-9:  # at all weights but the default
                raise ValueError("boom")
            return Choice(self.random.choice(self.game.moves(p)))
{DRAW}"""


@pytest.mark.slow
def test_a_proof_so_stopped_has_not_passed(write: Write, tmp_path: Path) -> None:
    later = COIN.replace(DRAW, FAILS_LATER).replace(
        "import random", "import random\nfrom pathlib import Path"
    )
    write(later, "coin.py")
    file = write(STUDY, "study.yaml")
    study = read(file, results=tmp_path)
    site = local(0)
    study.play(site)
    write("", "now")
    study.matches.play(site)
    assert study.proof
    assert study.proof.row["decision"] == "only faults"
    assert not study.proof.has_passed
    assert study.verdict.basis.endswith("; only faults")
    assert stopped_text(study).startswith("tuned raised an exception in 8 of its first 8 games")


@pytest.mark.slow
def test_a_proof_by_faults_of_the_default_weights_has_not_passed(
    write: Write, tmp_path: Path
) -> None:
    fails_at_default = FAILS_LATER.replace("> 1e-9:", "< 1e-9 and self.random.random() < 0.05:")
    later = COIN.replace(DRAW, fails_at_default).replace(
        "import random", "import random\nfrom pathlib import Path"
    )
    write(later, "coin.py")
    study = read(write(STUDY, "study.yaml"), results=tmp_path)
    site = local(0)
    study.play(site)
    write("", "now")
    study.matches.play(site)
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
