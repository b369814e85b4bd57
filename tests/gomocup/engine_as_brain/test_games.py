"""Our engines as brains in games: they play as they do in process, and keep their time."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from support.brain_talks import conversation, said
from support.processes import running
from support.samples import ROOT
from support.sweep import in_turn

import arena
from arena.config.reader import read_config
from arena.engine import Choice, Limit
from arena.game import Move
from arena.games.gomoku import Gomoku
from arena.gomocup.engine_as_brain.executable import write_brain
from arena.gomocup.protocol import RULES
from arena.gomocup.talk.player import figures
from arena.match.record import GameRecord
from arena.plugins.build import load_engine
from arena.plugins.load import load_game, parse_named

SEARCHERS = {"five_tuple": "depth=3", "live_dead": "depth=4", "balance": "depth=5"}
SEARCHERS |= {"shape_table": "prediction=4", "strong": "level=4"}
GAMES = ["gomoku", "gomoku:rule=standard", "renju"]
PLAYED = [(g, e) for g in GAMES for e in SEARCHERS if (g, e) != ("renju", "five_tuple")]
LIMITS = [None, Limit(depth=2), Limit(nodes=3000)]
LIMITED = [(*played, limit) for played in PLAYED for limit in LIMITS]
OPENING = "7,7 8,8 6,9 9,6"
OPPONENT = {"gomoku": "five_tuple:depth=2", "renju": "live_dead:depth=2"}


def told(answers: list[str], size: int) -> Choice:
    column, row = map(int, answers[-1].split(","))
    found = figures(answers[:-1], lambda x, y: y * size + x, None)
    return Choice(row * size + column, found.score, found.depth, found.nodes, found.line)


@pytest.mark.parametrize(("name", "engine"), PLAYED)
def test_an_engine_says_to_a_manager_what_it_says_in_process(name: str, engine: str) -> None:
    text = f"{engine}:{SEARCHERS[engine]}"
    game, talk = load_game(name), conversation(text)
    own, p = load_engine(text, game), game.start()
    said(talk, "START 15", f"INFO rule {RULES[cast(Gomoku, game).rule]}", "INFO max_depth 3")
    for move in map(game.parse, OPENING.split()[:3]):
        p = game.play(p, move)
    stones = [f"{move % 15},{move // 15},{2 - ply % 2}" for ply, move in enumerate(p.moves)]
    answers = said(talk, "BOARD", *stones, "DONE")
    for _ in range(4):
        choice = own.choose(p, Limit(depth=3))
        assert told(answers, 15) == replace(choice, info={})
        p = game.play(p, cast(Move, choice.move))
        if game.outcome(p):
            break
        reply = game.moves(p)[0]
        p = game.play(p, reply)
        answers = said(talk, f"TURN {reply % 15},{reply // 15}")


@pytest.mark.parametrize("engine", ["strong", "shape_table"])
@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("7,7 0,0 7,8 0,2 7,9 0,4", "ev +M3 "),
        ("7,7 0,0 7,8 0,2 7,9 7,6 7,10 0,4", "ev +M1 "),
        ("7,7 0,0 7,8 0,2 7,9 0,4 7,10", "ev -M"),
    ],
)
def test_a_win_that_is_seen_is_told_in_plies_and_read_as_the_engine_scores_it(
    engine: str, moves: str, words: str
) -> None:
    game, talk = load_game("gomoku"), conversation(engine)
    p = game.start()
    for move in map(game.parse, moves.split()):
        p = game.play(p, move)
    stones = [
        f"{move % 15},{move // 15},{1 + (p.ply - ply) % 2}" for ply, move in enumerate(p.moves)
    ]
    answers = said(talk, "START 15", "BOARD", *stones, "DONE")[1:]
    assert words in answers[0]
    assert told(answers, 15) == replace(load_engine(engine, game).choose(p, Limit()), info={})


def same(record: GameRecord) -> tuple[object, ...]:
    """All of a game that depends on neither names nor the clock."""
    figures = record.scores, record.depths, record.nodes
    return record.winner, record.reason, record.moves, *figures


def both_colours(game: str, player: str, limit: Limit | None) -> list[tuple[object, ...]]:
    opponent = OPPONENT[game.partition(":")[0]]
    seats = [(player, opponent), (opponent, player)]
    return [same(arena.play(game, *seat, opening=OPENING, limit=limit)) for seat in seats]


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("game", "engine", "limit"), in_turn(LIMITED), ids=str)
def test_an_engine_and_its_own_brain_play_the_same_games(
    game: str, engine: str, limit: Limit | None, tmp_path: Path
) -> None:
    player, file = f"{engine}:{SEARCHERS[engine]}", tmp_path / "pbrain"
    write_brain(parse_named(player), file)
    assert both_colours(game, str(file), limit) == both_colours(game, player, limit)


def test_the_players_of_the_config_are_our_engines_and_their_brains() -> None:
    players = read_config(ROOT / "research/configs/brains.yaml").players
    for engine, brain in zip(players[::2], players[1::2], strict=True):
        assert brain.name == f"{engine.name}-brain"
        assert brain.engine.parameters["command"] == ["arena", "brain", engine.engine.name]


@pytest.mark.slow
def test_our_brains_heed_their_limits_beside_a_busy_core(tmp_path: Path) -> None:
    """The margin is for a machine that does more beside; the config has none."""
    load_engine("balance", load_game("gomoku"))  # compiles what a brain would compile at START
    config = (ROOT / "research/configs/brains_time.yaml").read_text(encoding="utf-8")
    file = tmp_path / "brains_time.yaml"
    file.write_text(config.replace("count: 100", "count: 2") + "margin: 3\n", encoding="utf-8")
    with running([sys.executable, "-c", "while True: pass"]):
        games = arena.run(file, workers=1, results=tmp_path).report().games
    assert len(games) == 4
    assert "time" not in set(games["reason"])
