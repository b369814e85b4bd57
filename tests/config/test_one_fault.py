"""One fault in a file of each kind: its place, and the nearest right word."""

from __future__ import annotations

import pytest
from support.good_files import STUDY, TOURNAMENT, study_faults, tournament_faults
from support.samples import Write

from arena.match.openings import random

IN_A_TOURNAMENT = {
    "engine: five_tuple": [
        ("engine: five_tupel", "7:25: unknown engine 'five_tupel'; did you mean 'five_tuple'?")
    ],
    "gomoku": [("gomuku", "2:8: unknown game 'gomuku'; did you mean 'gomoku'?")],
    "round_robin": [
        ("round_robbin", "3:9: unknown format 'round_robbin'; did you mean 'round_robin'?"),
        ("{gauntlet: {candidates: [tow]}}", "3:20: unknown candidate 'tow'; did you mean 'two'?"),
        ("{gauntlet: {candidates: [two, one]}}", "3:20: candidates need opponents: at least one"),
        ("{gauntlet: {candidates: two}}", "3:33: candidates must be a list, not 'two'"),
    ],
    "limit:": [
        ("limits:", "5:1: unknown key 'limits'; did you mean 'limit'?"),
        ("scale: true\nlimit:", "5:1: key 'scale' is gone: leave slow machines out of the cluster"),
        ("resign: {score: 0}\nlimit:", "5:17: score must be at least 1, not 0"),
        ("resign: {moves: 3}\nlimit:", "5:9: missing key 'score'"),
        ("proof: {nodes: 3}\nlimit:", "5:8: missing key 'fours'"),
        ("resign: [2000]\nlimit:", "5:9: must be a mapping (key: value), not [2000]"),
        ("resign: high\nlimit:", "5:9: score must be a whole number, not 'high'"),
        ("draw: {score: 20, moves: 1.5}\nlimit:", "5:26: moves must be a whole number, not 1.5"),
        ("draw: {score: 20, afer: 9}\nlimit:", "5:19: unknown key 'afer'; did you mean 'after'?"),
        ("draw_at_empty: 0\nlimit:", "5:16: draw_at_empty must be at least 1, not 0"),
        ("draw_at_empty: {cells: 9}\nlimit:", "5:16: draw_at_empty must be a whole number, not"),
        ("draw_at_empt: 5\nlimit:", "5:1: unknown key 'draw_at_empt'; did you mean"),
        ("adjudication: []\nlimit:", "5:1: unknown key 'adjudication'; there is draw"),
        ("draw_at_empty: 79\nlimit:", "4:11: opening '0,0 0,1': a draw (few cells left) before an"),
        ("max_plies: 2\nlimit:", "4:11: opening '4,4 4,7': its 2 plies leave none of max_plies 2"),
    ],
    "radius": [("radios", "7:47: unknown key 'radios'; did you mean 'radius'?")],
    "limit: {depth: 2}": [
        ("limit: {dept: 2}", "5:9: unknown key 'dept'; did you mean 'depth'?"),
        ("limit: 2", "5:8: must be a mapping (key: value), not 2"),
        ("limit: 1 s", "5:8: a limit is written 0.1s, 20000n or d4 (for each move), or 10+0.1 (a"),
        ("limit: 0s", "5:8: seconds must be more than 0, not 0"),
        ("limit: ١s", "5:8: a limit is written 0.1s, 20000n or d4 (for each move), or 10+0.1 (a"),
        ("limit: {clock: ١٠+٠.١}", "5:16: clock must be written like 60+0.5 (seconds), not"),
        ("limit:", "5:1: limit is blank: give depth, nodes, seconds or clock, or {} for no limit"),
        ("limit: {depth: 3, nodes: }", "5:19: nodes is blank"),
        ("limit: {seconds: .nan}", "5:18: seconds must be a finite number, not nan"),
        ("limit: {seconds: .inf}", "5:18: seconds must be a finite number, not inf"),
        ("limit: {depth: .nan}", "5:16: depth must be a whole number, not nan"),
        ("limit: {clock: '1" + "0" * 400 + "'}", "5:16: a clock's seconds must be 0.0001 to 1e+09"),
        ("limit: {clock: 5+0.00001}", "5:16: a clock's seconds must be 0.0001 to 1e+09, not"),
        ("hang: .inf", "5:7: hang must be a finite number, not inf"),
        ("margin: .nan", "5:9: margin must be a finite number, not nan"),
        ("seed: 1000000000000000001", "5:7: seed must be at most 1e+18"),
        ("seed: 0x1" + "0" * 5000, "5:7: a number of more than 100 digits"),
        ("max_plies: 1000000000000000000000000000000", "5:12: max_plies must be at most 1e+18"),
        ('limit: {clock: "0"}', "5:16: clock must be written like 60+0.5 (seconds), not '0'"),
        ('limit: {clock: "60+"}', "5:16: clock must be written like 60+0.5 (seconds), not '60+'"),
        ('limit: {clock: "-3+1"}', "5:16: clock must be written like 60+0.5 (seconds), not '-3+1'"),
        ('limit: {clock: "60+0.5+1"}', "5:16: clock must be written like 60+0.5 (seconds), not"),
    ],
    "random: {plies": [("random: {plys", "4:21: unknown key 'plys'; did you mean 'plies'?")],
    "openings: {random": [
        ("openings: {randon", "4:12: unknown source of openings 'randon'; did you mean 'random'?")
    ],
    "depth: 3": [
        ("depth: three", "7:44: depth must be a whole number, not 'three'"),
        ("depth: 3.5", "7:44: depth must be a whole number, not 3.5"),
        ("depth: null", "7:44: depth must be a whole number, not nothing"),
        ("depth: true", "7:44: depth must be a whole number, not True"),
        ("depth: 0", "7:44: depth must be at least 1, not 0"),
    ],
    "radius: 1": [("radius: -1", "7:55: radius must be at least 1, not -1")],
    "size: 9": [
        ("size: 26", "2:23: size must be at most 25, not 26"),
        ("rule: caro", "7:25: engine five_tuple cannot play gomoku by the rule caro"),
        ("rule: karo", "2:23: rule must be 'freestyle', 'standard', 'caro' or 'caro_exact', not"),
    ],
    "name: two": [
        ("name: one", "8:12: another engine has the name 'one' already"),
        ('name: "a\\nb"', "8:12: name has the character '\\n', which cannot be seen: leave it out"),
        ('name: "\\ud800"', "8:12: name must be a line of text, not '\\ud800'"),
        ('name: " a"', "8:12: name must be a line of at most 100 characters"),
        (f"name: {'a' * 101}", "8:12: name must be a line of at most 100 characters"),
        ('name: "o\\u202en"', "8:12: name has the character '\\u202e', which cannot be seen"),
        ('name: "o\\u200bn"', "8:12: name has the character '\\u200b', which cannot be seen"),
        ("name: ''", "8:12: name must not be empty"),
        ("name: 3", '8:12: name must be text: write "3"'),
    ],
    "gomoku: {size: 9}": [
        ("tictactoe: {}", "7:25: engine five_tuple cannot play tictactoe, only gomoku")
    ],
    "game: {gomoku: {size: 9}}\n": [("", "1:1: missing key 'game'")],
    "game: {gomoku: {size: 9}}": [
        ("preset: gomocup-fst", "2:9: unknown preset 'gomocup-fst'; did you mean 'gomocup-fast'?")
    ],
    "{plies: 2, count: 2}": [
        ("{plies: 2, count: 50, spread: 1}", "4:11: only 12 quiet openings of 2 plies within 1")
    ],
    "name: round": [
        ("name: ../round", "1:7: name must be that of a folder, not '../round'"),
        ('name: "s\\u202em"', "1:7: name has the character '\\u202e', which cannot be seen: leave"),
        ('name: "a/b"', "1:7: name must be that of a folder, not 'a/b'"),
        ("name: ''", "1:7: name must not be empty"),
        ("name: 3", '1:7: name must be text: write "3"'),
        ("name: 1.10", '1:7: name must be text: write "1.10"'),
        ("name: 1e5", '1:7: name must be text: write "1e5"'),
        ("name: .5_0", '1:7: name must be text: write ".5_0"'),
        ("name: 2001-02-03", '1:7: name must be text: write "2001-02-03"'),
        ("name: TRUE", '1:7: name must be text: write "TRUE"'),
        (f"name: {'a' * 101}", "1:7: name must be that of a folder"),
    ],
    "engine: random_mover": [
        ("engine: ~none/x", "8:25: ~none/x: there is no home of ~none here"),
        ("engine: ''", "8:25: engine must not be empty"),
    ],
    "{random: {plies: 2, count: 2}}": [
        ('{list: ["4,4", "9,9"]}', "4:26: opening '9,9': '9,9' is off the board: rows and columns"),
        ('{list: ["4,4 4,4"]}', "4:19: opening '4,4 4,4': 4,4 is not legal after 1 moves"),
        ('{list: ["4,4", "3,3", "4,4"]}', "4:33: opening '4,4' stands here twice"),
        ('{list: ["4,4", 5]}', '4:26: list[1] must be text: write "5"'),
        ("{list: []}", "4:18: list needs at least one opening"),
        ('{list: ["04,4"]}', "4:19: opening '04,4' must be spelt '4,4'"),
        ('{list: ["4,4", "４,４"]}', "4:26: opening '４,４': '４,４' is no move: write it as 4,4"),
        ('{list: "4,4"}', "4:18: list must be a list, not '4,4'"),
    ],
    "{gomoku: {size: 9}}": [
        ("gomoku:size", "2:7: 'size' must be written key=value"),
        ("gomoku:size=٩", "2:7: size must be a whole number, not '٩'"),
    ],
    "{name: two, engine: random_mover}": [
        ("randm_mover", "8:5: unknown engine 'randm_mover'; did you mean 'random_mover'?"),
        ("7", "8:5: must be {name: ..., engine: ...}, not 7"),
    ],
    "format: round_robin": [
        ("format: ''", "3:9: format must be a name, or name: {key: value}, not ''"),
        (f"format: {'x' * 1000}", "3:9: unknown format"),
    ],
    "engines:": [
        ("players:", "6:1: unknown key 'players'; did you mean 'engines'?"),
        ("Players:", "6:1: unknown key 'Players'; did you mean 'engines'?"),
        ("bots:", "6:1: unknown key 'bots'; did you mean 'engines'?"),
    ],
}
IN_A_STUDY = {
    "bold: {low": [("bald: {low", "5:3: unknown parameter 'bald'; did you mean 'bold'?")],
    "low: 0.1": [
        ("low: 0.9", "5:15: low must be less than high, 0.9"),
        ("low: 0.4", "5:9: bold is 0.3 now, which is not from 0.4 to 0.9"),
        ("low: -0.1", "5:15: low must be from 0 to 1"),
        ("low: .nan", "5:15: low must be a finite number, not nan"),
        ("low: a", "5:15: low must be a number, not 'a'"),
        ("lo: 0.1", "5:10: unknown key 'lo'; did you mean 'low'?"),
        ("step: 2", "5:16: step must be no more than the range"),
        ("step: 0", "5:16: step must be more than 0, not 0"),
        ("step: 0.2", "5:16: bold is 0.3 now, which is not a step of 0.2 from 0"),
        ("log: yes please", "5:15: log must be true or false, not 'yes please'"),
    ],
    "high: 0.9": [
        ("high: 2", "5:26: high must be from 0 to 1"),
        ("high: .inf", "5:26: high must be a finite number, not inf"),
    ],
    "low: 0.1,": [("low: 0, log: true,", "5:15: low must be more than 0 on a logarithmic scale")],
    "  three:": [
        ("  three: {step: 5}", "6:17: there are no steps on a logarithmic scale: add log: false"),
        ("  three: {low: 10.5}", "6:16: low must be a whole number, as three is"),
        ("  three: 5", "6:10: must be a mapping (key: value), not 5"),
        ("  bare:", "6:3: bare needs low and high: the engine declares no range"),
        ("  bare: {low: 0}", "6:9: bare needs high: the engine declares no range"),
        ("  bare: {low: 3, high: 2}", "6:15: low must be less than high, 2"),
        ("  mood:", "6:3: mood is no number: give its choices"),
        ("  book:", "6:3: book is no number: give its choices"),
        ("  mood: {choices: [good]}", "6:19: choices must be two or more"),
        ("  mood: {choices: [good, good]}", "6:19: choices must differ"),
        ("  mood: {choices: [bad, odd]}", "6:19: mood is good now, which is none of them"),
        ("  mood: {choices: [good, 1]}", '6:19: a choice must be text: write "1"'),
        ("  mood: {choices: [good, 'a,b']}", "6:19: 'a,b' cannot be told from its spelling in a"),
        ("  style: {choices: [calm, wild]}", "6:20: 'wild' is none of calm, odd"),
        ("  style: {choices: [calm, odd], low: 1}", "6:38: choices have no low"),
        ("  three: {choices: [100, 7]}", "6:20: a choice must be at least 10, not 7"),
    ],
    "method: tpe": [
        ("method: tpee", "7:9: unknown method 'tpee'; did you mean 'tpe'?"),
        ("method: {tpe: {start: 3}}", "7:16: unknown key 'start'; did you mean 'startup'?"),
        ("method: {spsa: {c: 0}}", "7:20: c must be at least 0.0001, not 0"),
    ],
    "budget: 400": [
        ("budget: 6", "8:9: a budget of 6 is less than one trial's 8 games"),
        ("budget: 1", "8:9: budget must be at least 2, not 1"),
        ("budget: many", "8:9: budget must be a whole number, not 'many'"),
    ],
    "games: 8": [
        ("games: 1", "9:8: games must be at least 2, not 1"),
        ("lag: 0", "9:6: lag must be at least 1, not 0"),
        ("seed: -1", "9:7: seed must be at least 0, not -1"),
        ("early_stop: 0.7", "9:13: early_stop must be at most 0.5, not 0.7"),
        ("game_s: 8", "9:1: unknown key 'game_s'; did you mean 'games'?"),
    ],
    "{plies: 4}": [
        ("{plies: 4, count: 3}", "10:11: a trial needs 4 openings, and there are 3 for it"),
        ("{plies: 1}", "10:11: only 10 quiet openings of 1 plies within 3 cells of the centre"),
    ],
    "{random: {plies: 4}}": [
        ('{list: ["4,4", "3,3", "4,5", "5,5"]}', "10:11: a trial needs 4 openings, and there are")
    ],
    "pairs: 500": [
        ("pairs: 3", "11:15: 3 pairs cannot prove a gain even if all are won; 53 can"),
        ("elo1: 0", "11:15: elo0, 0, must be less than elo1, 0, by 0.01 at least"),
        ("elo0: 30", "11:15: elo0, 30, must be less than elo1, 20, by 0.01 at least"),
        ("alpha: 0.5", "11:23: alpha must be at most 0.49, not 0.5"),
        ("opponent_pair: 5", "11:16: unknown key 'opponent_pair'; did you mean 'opponent_pairs'?"),
        ("opponent_pairs: 5", "11:32: opponent_pairs must be at least 10, not 5"),
    ],
    "{pairs: 500}": [("none", "11:15: must be a mapping (key: value), not 'none'")],
    "engine: ./player.py": [
        ("engine: [a]", "3:9: must be {engine: name, parameter: value}, not ['a']"),
        ("engine: {engine: ./player.py, name: x}", "3:31: its name is default, beside tuned for"),
        ("engine: {engine: ./player.py, bold: 3}", "3:37: bold must be at most 1, not 3"),
        ("engine: ''", "3:9: engine must not be empty"),
    ],
    "name: weights": [
        ("opponents: [{name: tuned, engine: random_mover}]", "1:20: another engine has the name"),
        ("opponents: [7]", "1:13: must be {name: ..., engine: ...}, not 7"),
        ("opponents: 3", "1:12: opponents must be a list, not 3"),
    ],
}

# What is right, and for each text in its place how the fault begins after the name of the file.
FILES = {
    "round.yaml": (TOURNAMENT, tournament_faults, IN_A_TOURNAMENT),
    "study.yaml": (STUDY, study_faults, IN_A_STUDY),
}
FAULTS = [
    (file, right, *fault)
    for file, (_, _, table) in FILES.items()
    for right, faults in table.items()
    for fault in faults
]


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
    text, faults, _ = FILES[file]
    assert right in text
    (found,) = faults(write, text.replace(right, wrong, 1))
    assert found.startswith(f"{file}:{message}")
    assert len(found) < 2000
