"""One fault in a file of each kind: its place, and the nearest right word."""

from __future__ import annotations

import pytest
from support.good_files import STUDY, TOURNAMENT, study_faults, tournament_faults
from support.samples import Write

from arena.match.openings import random

IN_A_TOURNAMENT = [
    (
        "engine: five_tuple",
        "engine: five_tupel",
        "7:25: unknown engine 'five_tupel'; did you mean 'five_tuple'?",
    ),
    ("gomoku", "gomuku", "2:8: unknown game 'gomuku'; did you mean 'gomoku'?"),
    (
        "round_robin",
        "round_robbin",
        "3:9: unknown format 'round_robbin'; did you mean 'round_robin'?",
    ),
    ("limit:", "limits:", "5:1: unknown key 'limits'; did you mean 'limit'?"),
    (
        "limit:",
        "scale: true\nlimit:",
        "5:1: key 'scale' is gone: leave slow machines out of the cluster, or limit nodes",
    ),
    ("radius", "radios", "7:47: unknown key 'radios'; did you mean 'radius'?"),
    ("limit: {depth: 2}", "limit: {dept: 2}", "5:9: unknown key 'dept'; did you mean 'depth'?"),
    ("random: {plies", "random: {plys", "4:21: unknown key 'plys'; did you mean 'plies'?"),
    (
        "openings: {random",
        "openings: {randon",
        "4:12: unknown source of openings 'randon'; did you mean 'random'?",
    ),
    ("depth: 3", "depth: three", "7:44: depth must be a whole number, not 'three'"),
    ("depth: 3", "depth: 3.5", "7:44: depth must be a whole number, not 3.5"),
    ("depth: 3", "depth: null", "7:44: depth must be a whole number, not nothing"),
    ("depth: 3", "depth: true", "7:44: depth must be a whole number, not True"),
    ("depth: 3", "depth: 0", "7:44: depth must be at least 1, not 0"),
    ("radius: 1", "radius: -1", "7:55: radius must be at least 1, not -1"),
    ("size: 9", "size: 26", "2:23: size must be at most 25, not 26"),
    ("depth: 2}", "seconds: 0}", "5:18: seconds must be more than 0, not 0"),
    ("name: two", "name: one", "8:12: another engine has the name 'one' already"),
    (
        "gomoku: {size: 9}",
        "tictactoe: {}",
        "7:25: engine five_tuple cannot play tictactoe, only gomoku",
    ),
    ("size: 9", "rule: caro", "7:25: engine five_tuple cannot play gomoku by the rule caro"),
    (
        "size: 9",
        "rule: karo",
        "2:23: rule must be 'freestyle', 'standard', 'caro' or 'caro_exact', not 'karo'",
    ),
    ("game: {gomoku: {size: 9}}\n", "", "1:1: missing key 'game'"),
    (
        "game: {gomoku: {size: 9}}",
        "preset: gomocup-fst",
        "2:9: unknown preset 'gomocup-fst'; did you mean 'gomocup-fast'?",
    ),
    ("count: 2", "count: 2000000", "4:38: count must be at most 1000000, not 2000000"),
    (
        "{plies: 2, count: 2}",
        "{plies: 2, count: 50, spread: 1}",
        "4:11: only 12 quiet openings of 2 plies within 1 cells of the centre were found, not 50",
    ),
    ("limit: {depth: 2}", "limit: 2", "5:8: must be a mapping (key: value), not 2"),
    ("name: round", "name: ../round", "1:7: name must be that of a folder, not '../round'"),
    ("engine: random_mover", "engine: ~none/x", "8:25: ~none/x: there is no home of ~none here"),
    ("name: round", "rounds: 0", "1:9: rounds must be at least 1, not 0"),
]
IN_A_STUDY = [
    ("bold: {low", "bald: {low", "5:3: unknown parameter 'bald'; did you mean 'bold'?"),
    ("low: 0.1", "low: 0.9", "5:15: low must be less than high, 0.9"),
    ("low: 0.1", "low: 0.4", "5:9: bold is 0.3 now, which is not from 0.4 to 0.9"),
    ("low: 0.1", "low: -0.1", "5:15: low must be from 0 to 1"),
    ("high: 0.9", "high: 2", "5:26: high must be from 0 to 1"),
    ("high: 0.9", "high: .inf", "5:26: high must be a finite number, not inf"),
    ("low: 0.1", "low: .nan", "5:15: low must be a finite number, not nan"),
    ("low: 0.1", "low: a", "5:15: low must be a number, not 'a'"),
    ("low: 0.1,", "low: 0, log: true,", "5:15: low must be more than 0 on a logarithmic scale"),
    ("low: 0.1", "lo: 0.1", "5:10: unknown key 'lo'; did you mean 'low'?"),
    ("low: 0.1", "step: 2", "5:16: step must be no more than the range"),
    ("low: 0.1", "step: 0", "5:16: step must be more than 0, not 0"),
    ("low: 0.1", "step: 0.2", "5:16: bold is 0.3 now, which is not a step of 0.2 from 0"),
    ("low: 0.1", "log: yes please", "5:15: log must be true or false, not 'yes please'"),
    (
        "  three:",
        "  three: {step: 5}",
        "6:17: there are no steps on a logarithmic scale: add log: false",
    ),
    ("  three:", "  three: {low: 10.5}", "6:16: low must be a whole number, as three is"),
    ("  three:", "  three: 5", "6:10: must be a mapping (key: value), not 5"),
    ("  three:", "  bare:", "6:3: bare needs low and high: the engine declares no range"),
    ("  three:", "  bare: {low: 0}", "6:9: bare needs high: the engine declares no range"),
    ("  three:", "  bare: {low: 3, high: 2}", "6:15: low must be less than high, 2"),
    ("  three:", "  mood:", "6:3: mood is no number: give its choices"),
    ("  three:", "  book:", "6:3: book is no number: give its choices"),
    ("  three:", "  mood: {choices: [good]}", "6:19: choices must be two or more"),
    ("  three:", "  mood: {choices: [good, good]}", "6:19: choices must differ"),
    ("  three:", "  mood: {choices: [bad, odd]}", "6:19: mood is good now, which is none of them"),
    ("  three:", "  mood: {choices: [good, 1]}", '6:19: a choice must be text: write "1"'),
    (
        "  three:",
        "  mood: {choices: [good, 'a,b']}",
        "6:19: 'a,b' cannot be told from its spelling in a name",
    ),
    ("  three:", "  style: {choices: [calm, wild]}", "6:20: 'wild' is none of calm, odd"),
    ("  three:", "  style: {choices: [calm, odd], low: 1}", "6:38: choices have no low"),
    ("  three:", "  three: {choices: [100, 7]}", "6:20: a choice must be at least 10, not 7"),
    ("method: tpe", "method: tpee", "7:9: unknown method 'tpee'; did you mean 'tpe'?"),
    (
        "method: tpe",
        "method: {tpe: {start: 3}}",
        "7:16: unknown key 'start'; did you mean 'startup'?",
    ),
    ("method: tpe", "method: {spsa: {c: 0}}", "7:20: c must be at least 0.0001, not 0"),
    ("budget: 400", "budget: 6", "8:9: a budget of 6 is less than one trial's 8 games"),
    ("budget: 400", "budget: 1", "8:9: budget must be at least 2, not 1"),
    ("budget: 400", "budget: many", "8:9: budget must be a whole number, not 'many'"),
    ("games: 8", "games: 1", "9:8: games must be at least 2, not 1"),
    ("games: 8", "lag: 0", "9:6: lag must be at least 1, not 0"),
    ("games: 8", "seed: -1", "9:7: seed must be at least 0, not -1"),
    ("games: 8", "early_stop: 0.7", "9:13: early_stop must be at most 0.5, not 0.7"),
    ("games: 8", "game_s: 8", "9:1: unknown key 'game_s'; did you mean 'games'?"),
    (
        "{plies: 4}",
        "{plies: 4, count: 3}",
        "10:11: a trial needs 4 openings, and there are 3 for it",
    ),
    (
        "{random: {plies: 4}}",
        '{list: ["4,4", "3,3", "4,5", "5,5"]}',
        "10:11: a trial needs 4 openings, and there are 2 for it (half of the list is for the"
        " test)",
    ),
    (
        "{plies: 4}",
        "{plies: 1}",
        "10:11: only 10 quiet openings of 1 plies within 3 cells of the centre were found, "
        "not 516: 16 for the search (`count`), and 500 others for the test (verification: "
        "{pairs: 500})",
    ),
    ("pairs: 500", "pairs: 3", "11:15: 3 pairs cannot prove a gain even if all are won; 53 can"),
    ("pairs: 500", "elo1: 0", "11:15: elo0, 0, must be less than elo1, 0, by 0.01 at least"),
    ("pairs: 500", "elo0: 30", "11:15: elo0, 30, must be less than elo1, 20, by 0.01 at least"),
    ("pairs: 500", "alpha: 0.5", "11:23: alpha must be at most 0.49, not 0.5"),
    (
        "pairs: 500",
        "opponent_pair: 5",
        "11:16: unknown key 'opponent_pair'; did you mean 'opponent_pairs'?",
    ),
    ("pairs: 500", "opponent_pairs: 5", "11:32: opponent_pairs must be at least 10, not 5"),
    ("{pairs: 500}", "none", "11:15: must be a mapping (key: value), not 'none'"),
    (
        "engine: ./player.py",
        "engine: [a]",
        "3:9: must be {engine: name, parameter: value}, not ['a']",
    ),
    (
        "engine: ./player.py",
        "engine: {engine: ./player.py, name: x}",
        "3:31: its name is default, beside tuned for what is found",
    ),
    (
        "engine: ./player.py",
        "engine: {engine: ./player.py, bold: 3}",
        "3:37: bold must be at most 1, not 3",
    ),
    (
        "name: weights",
        "opponents: [{name: tuned, engine: random_mover}]",
        "1:20: another engine has the name 'tuned' already",
    ),
    (
        "name: weights",
        "opponents: [7]",
        "1:13: must be {name: ..., engine: ...}, not 7",
    ),
    ("name: weights", "opponents: 3", "1:12: opponents must be a list, not 3"),
]
"""Each row: what is right, what stands there instead, and the fault after the name of the file."""
FAULTS = [("round.yaml", *each) for each in IN_A_TOURNAMENT]
FAULTS += [("study.yaml", *each) for each in IN_A_STUDY]
KINDS = {"round.yaml": (TOURNAMENT, tournament_faults), "study.yaml": (STUDY, study_faults)}


@pytest.mark.parametrize(("file", "right", "wrong", "message"), FAULTS)
def test_a_fault_has_its_place_and_the_right_word(
    write: Write,
    file: str,
    right: str,
    wrong: str,
    message: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(random, "TRIES", 1_000)
    if "plies" not in wrong:
        request.getfixturevalue("undrawn")
    text, faults = KINDS[file]
    assert right in text
    assert faults(write, text.replace(right, wrong, 1)) == [f"{file}:{message}"]
