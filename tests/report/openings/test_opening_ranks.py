"""Openings ranked by games whose shares are known, and what leaving some out gains elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner, Result
from support.game_records import game
from support.samples import ROUND, Write

import arena
from arena.cli import arena as command
from arena.errors import ConfigError
from arena.match.record import GameRecord, Numbered
from arena.report.openings.opening_ranks import kept_text, played_pairs, ranked_openings
from arena.stats.evidence import (
    PairEvidence,
    PairSums,
    evidence_gain,
    share_intervals,
    sprt_games,
)


def numbered(games: list[GameRecord]) -> Numbered:
    return list(enumerate(games, start=1))


def pair(one: str, two: str, winners: str, opening: str, round: int = 1) -> list[GameRecord]:
    """Both games of a pair: a winner's name for each, or `=`, in which `one` moves first first."""
    seats = ((one, two), (two, one))
    found = []
    for (first, second), winner in zip(seats, winners, strict=True):
        seat = {first: 1, second: 2}.get(winner)
        found.append(game(first, second, seat, opening, round, moves=f"{opening} {first} {round}"))
    return found


def lopsided(rounds: int) -> list[GameRecord]:
    """Openings that always give the game to the first player, and others that `a` wins mostly."""
    source, found = Random(3), []
    for round in range(1, rounds + 1):
        for i in range(6):
            found += pair("a", "b", "ab", f"split{i}", round)
            found += pair(
                "a", "b", source.choice(["aa", "aa", "ab", "a=", "bb"]), f"even{i}", round
            )
    return found


def test_each_opening_has_its_pairs_and_shares_with_intervals() -> None:
    games = [
        *pair("a", "b", "ab", "o1"), *pair("a", "b", "ab", "o1", 2), *pair("a", "b", "aa", "o1", 3),
        *pair("a", "b", "ba", "o2"), *pair("a", "c", "b="[::-1].replace("b", "c"), "o2"),
        game("a", "b", 1, "o3"),
    ]  # fmt: skip
    played = played_pairs({"run": numbered(games)})
    frame = ranked_openings(played).frame("openings").set_index("opening")
    assert list(frame.index) == ["o1", "o2"]  # half a pair tells nothing
    assert list(frame["pairs"]) == [3, 2]
    assert list(frame["first_score"]) == [5 / 6, pytest.approx((0 + 0 + 0.5 + 1) / 4)]
    assert list(frame["split"]) == [2 / 3, 1 / 2]
    assert not frame["one_sided"].any()
    low, high = frame.loc["o1", ["first_low", "first_high"]]
    assert (low, high) == (pytest.approx(0.4365, abs=1e-3), pytest.approx(0.9699, abs=1e-3))


@pytest.mark.parametrize(("rounds", "is_known"), [(4, False), (5, True)])
def test_ten_games_are_needed_to_call_an_opening_one_sided(rounds: int, is_known: bool) -> None:
    played = played_pairs({"run": numbered(lopsided(rounds))})
    openings = ranked_openings(played).frame("openings")
    found = openings.loc[openings["one_sided"], "opening"]
    assert sorted(found) == ([f"split{i}" for i in range(6)] if is_known else [])


def test_a_tenth_of_the_points_is_not_yet_one_sided() -> None:
    games = [each for n in range(5) for each in pair("a", "b", "ab" if n else "aa", "o", n)]
    played = played_pairs({"run": numbered(games)})
    assert not played.one_sided(np.ones(5, bool)).any()  # 9 of 10 points
    games += [each for n in range(5, 7) for each in pair("a", "b", "ab", "o", n)]
    played = played_pairs({"run": numbered(games)})
    assert played.one_sided(np.ones(7, bool)).all()


def test_what_is_gained_is_measured_on_games_that_did_not_choose() -> None:
    played = played_pairs({"run": numbered(lopsided(20))})
    contents = ranked_openings(played)
    whole, kept = contents.frame("book").to_dict("records")
    assert (whole["openings"], whole["pairs"], kept["openings"], kept["pairs"]) == (12, 240, 6, 120)
    assert kept["split"] < 0.5 < whole["split"]
    assert kept["evidence"] > 1.5 * whole["evidence"]
    assert kept["sprt_games"] < whole["sprt_games"] / 1.5
    assert str(contents.verdict).startswith("6 of 12 openings known to be one-sided: without,")


def test_games_that_say_nothing_gain_nothing_elsewhere() -> None:
    """Openings that only chance made one-sided look better without them on these games only."""
    source, found = Random(1), []
    for number in range(200):
        for round in range(1, 7):
            winners = source.choice(["ab", "ab", "ab", "ba", "aa", "bb", "aa"])
            found += pair("a", "b", winners, f"o{number}", round)
    played = played_pairs({"run": numbered(found)})
    everything = np.ones(len(played.opening), bool)
    out = played.one_sided(everything)
    assert 5 < out.sum() < 60
    chosen = played.sums(~out[played.opening])
    flattering = evidence_gain(chosen, played.sums(everything))
    unseen = played.unseen()
    assert unseen is not None
    honest = evidence_gain(played.sums(unseen), played.sums(everything))
    assert flattering.value > honest.value
    assert honest.low < 1 < honest.high


def test_a_pair_never_chooses_for_itself() -> None:
    """An opening whose only one-sided round is the one looked at is kept there, and only there."""
    rounds = ["ab"] * 5 + ["aa"]
    games = [each for n, won in enumerate(rounds, 1) for each in pair("a", "b", won, "o", n)]
    played = played_pairs({"run": numbered(games)})
    unseen = played.unseen()
    assert unseen is not None
    # Without the last, all points of ten games went to the first player; with it, one did not.
    assert list(unseen) == [True, True, True, True, True, False]


def test_of_many_pairings_whole_pairings_are_held_out() -> None:
    games = []
    for other in "bcdefg":
        winners = f"a{other}" if other != "g" else "aa"
        games += pair("a", other, winners, "o")
    unseen = played_pairs({"run": numbered(games)}).unseen()
    assert unseen is not None
    assert list(unseen) == [True] * 5 + [False]


def test_one_round_of_one_pairing_and_no_games_tell_nothing() -> None:
    one = played_pairs({"run": numbered(pair("a", "b", "ab", "o"))})
    assert one.unseen() is None
    assert list(ranked_openings(one).frame("book")["book"]) == ["all"]
    none = ranked_openings(played_pairs({"run": []}))
    assert len(none.frame("openings")) == 0


def test_that_too_few_games_are_known_is_not_taken_for_good_openings() -> None:
    few = ranked_openings(played_pairs({"run": numbered(pair("a", "b", "aa", "o"))}))
    assert "no opening has the 10 games that it takes" in str(few.verdict)
    games = [each for n in range(1, 6) for each in pair("a", "b", "ab", "o", n)]
    enough = ranked_openings(played_pairs({"run": numbered([*games])}))
    assert "no opening" not in str(enough.verdict)


def test_runs_are_taken_together_and_copies_count_once() -> None:
    games = [*pair("a", "b", "aa", "o"), *pair("a", "b", "ab", "p")]
    both = played_pairs({"one": numbered(games), "two": numbered(games)})
    assert list(ranked_openings(both).frame("openings")["pairs"]) == [2, 2]
    copies = [game("a", "b", 1, "o", n, moves="x") for n in (1, 2)]
    copies += [game("b", "a", 2, "o", n, moves="y") for n in (1, 2)]
    assert len(played_pairs({"one": numbered(copies)}).opening) == 1


def test_the_openings_that_are_kept_stand_in_a_file_with_their_shares() -> None:
    played = played_pairs({"run": numbered(lopsided(6))})
    lines = kept_text(played).splitlines()
    assert [line.split()[0] for line in lines[1:]] == [f"even{i}" for i in range(6)]
    assert lines[1].endswith(" of 12 games")


def gains(true: float, seeds: int) -> list[PairEvidence]:
    """Gains of half of the openings, on which the lead is a multiple of that of all."""
    found = []
    for seed in range(seeds):
        source = np.random.default_rng(seed)
        shift = np.where(np.arange(200) < 100, true, 2 - true) * 0.15
        leads = source.normal(shift, 0.4, (1, 200))
        whole = PairSums(np.ones_like(leads), leads, leads**2)
        half = PairSums(*(each * (np.arange(200) < 100) for each in whole))
        found.append(evidence_gain(half, whole))
    return found


@pytest.mark.parametrize("true", [1.0, 1.4])
def test_the_interval_of_a_gain_covers_the_truth(true: float) -> None:
    spread = 0.4**2 + ((true - 1) * 0.15) ** 2
    truth = true**2 * spread / 0.4**2
    found = gains(true, 200)
    assert np.mean([each.low <= truth <= each.high for each in found]) >= 0.9
    assert np.exp(np.mean([np.log(each.value) for each in found])) == pytest.approx(truth, rel=0.1)


def test_what_is_not_left_out_gains_nothing() -> None:
    leads = np.random.default_rng(2).choice([-0.5, 0, 0, 0.5, 0.5], (2, 60))
    whole = PairSums(np.ones_like(leads), leads, leads**2)
    assert evidence_gain(whole, whole) == pytest.approx((1, 1, 1))


def test_the_games_of_a_test_are_those_of_the_stockfish_rule() -> None:
    assert sprt_games(100) == pytest.approx(6400, rel=0.01)
    assert sprt_games(0) == np.inf


def test_the_interval_of_a_share_is_wilsons() -> None:
    low, high = share_intervals(np.array([0.0, 9.0, 0.0]), np.array([10.0, 10.0, 0.0]))
    assert low == pytest.approx([0, 0.5958, 0], abs=1e-3)
    assert high == pytest.approx([0.2775, 0.9821, 1], abs=1e-3)


def test_openings_that_the_players_made_are_not_ranked() -> None:
    games = [replace(each, proposer=1, suggested="s") for each in pair("a", "b", "ab", "o")]
    with pytest.raises(ConfigError, match=r"mine cannot be ranked: .* by swap2"):
        played_pairs({"mine": numbered(games)})


def typed(*words: str) -> Result:
    return CliRunner().invoke(command, ["openings", "rank", *words])


def test_the_command_ranks_runs_and_never_writes_over_a_file(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arena.run(write(ROUND), workers=0)
    done = typed("round", "--keep", "kept.txt")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(
        "0 of 2 openings known to be one-sided: no opening has the 10 games"
    )
    assert len(Path("kept.txt").read_text().splitlines()) == 3
    refused = typed("round", "--keep", "kept.txt")
    assert str(refused.exception) == "kept.txt: is there already: --keep writes a new file"
    assert refused.stdout == ""  # it is told before the games are read
    Path("link.txt").symlink_to("nowhere.txt")  # is there only for those that would write it
    refused = typed("round", "--keep", "link.txt")
    assert str(refused.exception) == "link.txt: is there already: --keep writes a new file"
    assert typed("round", "--format", "csv").stdout.startswith("opening,pairs,first_score,")
    found = json.loads(typed("round", "--json").stdout)
    assert [row["pairs"] for row in found["openings"]] == [3, 3]
    assert typed("round", "--format", "csv", "--frame", "book").stdout.startswith("book,openings,")
