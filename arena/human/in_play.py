"""A game with persons in play: set up, begun, gone on with, taken back, kept."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from arena.config.settings import Config, Player, changes, from_data, to_data
from arena.engine import Limit, Remark
from arena.errors import ConfigError, expanded
from arena.game import Game, Move
from arena.match.opening import Openings, spelt
from arena.match.opening_rules import answer_by, opening_seconds
from arena.match.play import GameInPlay
from arena.match.record import GameRecord, Job, job_of, key, swapped
from arena.match.terms import Clock, Terms
from arena.plugins import load
from arena.plugins.build import known_rules
from arena.plugins.engine_names import PROGRAMS, is_path
from arena.plugins.load import HUMAN, Named, checked, parse_named
from arena.plugins.parameters import parameters
from arena.storage.database import Store
from arena.storage.folder import DATABASE, as_config_error, freeze, kind_of, locked, make_folder
from arena.storage.history import without_digests


@dataclass(slots=True)
class Help:
    """A count of the help that persons have taken in a game."""

    take_backs: int = 0
    hints: int = 0

    @property
    def words(self) -> str:
        counts = (self.take_backs, "take-back"), (self.hints, "hint")
        return ", ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in counts if n)


def first_job(setup: Setup) -> Job:
    return job_of((*setup.names, spelt(setup.game, setup.opening), 1), setup.terms.seed)


def persons_at(setup: Setup, job: Job) -> list[int]:
    """The seats at the board, 1 or 2, where persons sit by now."""
    return [swapped(job, seat) for seat in setup.persons]


def game_after(
    setup: Setup, answers: Sequence[tuple[Move, Remark]] = (), job: Job | None = None
) -> GameInPlay:
    """The game after these answers, without the last if that ended it; `job` has the opening."""
    job = job or first_job(setup)
    clocks = [Clock(setup.limits[swapped(job, seat) - 1], setup.terms.margin) for seat in (1, 2)]
    proposer = job.made.proposer if job.made else 1
    for place, seconds in enumerate(opening_seconds(job), start=proposer - 1):
        clocks[place % 2] = clocks[place % 2].after(seconds)
    play = GameInPlay(setup.game, job, clocks, setup.terms)
    for n, (move, said) in enumerate(answers):
        play.answered(move, said)
        if play.outcome:
            return game_after(setup, answers[:n], job)
    return play


def taken_back(setup: Setup, play: GameInPlay) -> GameInPlay | None:
    answers = play.answers
    for n in reversed(range(len(answers))):
        if answers[n][1].seat in persons_at(setup, play.job):
            return game_after(setup, answers[:n], play.job)
    return None


def answer(play: GameInPlay, move: Move | None, seconds: float) -> None:
    """Take the answer of the person to move; None resigns."""
    play.answered(move, Remark(play.p.turn, seconds))


def answer_opening(play: GameInPlay, stones: Sequence[Move], seconds: float) -> str:
    """Take the stones that a person lays at the opening; the reason why not, or nothing."""
    if answer_by(play.job, len(stones)) is None:
        return f"{len(stones)} stones are no answer here."
    if len({*stones, *play.p.moves}) < len(stones) + play.p.ply:
        return "A stone is there already."
    play.opened(stones, Remark(play.p.turn, seconds))
    return ""


def record_of(play: GameInPlay, taken: Help) -> GameRecord:
    """The record of a game that is over, as if nothing had been taken back but for a word."""
    record = play.record()
    return replace(record, detail="; ".join(filter(None, (record.detail, taken.words))))


def config_of(setup: Setup) -> Config:
    """The config of a run of this one game; its opening and seed are in its record only."""
    game = setup.terms.game
    return Config(
        name=f"{HUMAN}-{game.name}",
        terms=replace(setup.terms, seed=0),
        format=Named(HUMAN),
        openings=Openings(Named("list", {"list": []}), game),
        players=tuple(map(player_of, setup.names, setup.players)),
    )


def player_of(name: str, player: Seated) -> Player:
    if is_human(player):
        return Player(name, Named(HUMAN), Limit())
    if isinstance(player, Player):
        return player
    engine = checked("engine", player)
    if is_path(engine.name):
        engine = replace(engine, name=str(expanded(engine.name).resolve()))
    return Player(name, engine)


def keep(record: GameRecord, config: Config, results: Path) -> tuple[Path, int]:
    """Keep a game beside those on equal terms: the folder, and the game's number there."""
    for number in count(1):
        name = config.name if number == 1 else f"{config.name}-{number}"
        folder = results / name
        make_folder(folder)
        with locked(folder, wait=True), closing(Store(folder / DATABASE)) as store:
            with as_config_error(folder / DATABASE):
                wider = _with_players_of(store.facts(), replace(config, name=name))
            if wider is None:
                continue
            try:
                freeze(folder, to_data(wider), changes, store)
            except ConfigError:
                continue
            store.append(replace(record, round=store.free_round((*key(record)[:3], 1))))
            return folder, sum(store.meetings().values())
    raise AssertionError("there is always another folder")


def _with_players_of(facts: dict[str, Any], config: Config) -> Config | None:
    if not facts:
        return config
    if kind_of(facts) != "tournament":
        return None
    kept = from_data(facts | {"engines": list(map(without_digests, facts["engines"]))})
    if kept.format != config.format:
        return None
    players = {player.name: player for player in (*kept.players, *config.players)}
    return replace(config, players=tuple(players.values()))


Seated = str | Player  # As typed (`human`, or an engine with parameters), or of a config


@dataclass(frozen=True, slots=True)
class Setup:
    """One game outside a tournament, before it is played."""

    game: Game
    players: tuple[Seated, Seated]
    terms: Terms  # The terms of the game; their limit is the engine's, as a person is never hurried
    opening: str = ""
    with_scores: bool = False  # True if persons see the engine's score and expected line

    @property
    def names(self) -> tuple[str, str]:
        """The players' names in the record: two persons are told apart."""
        first, second = map(seat_name, self.players)
        return first, f"{HUMAN}-2" if first == second == HUMAN else second

    @property
    def persons(self) -> list[int]:
        """The seats, 1 or 2, where a person sits."""
        return [seat for seat, player in enumerate(self.players, 1) if is_human(player)]

    @property
    def engine(self) -> Seated | None:
        return next((player for player in self.players if not is_human(player)), None)

    @property
    def limits(self) -> tuple[Limit, Limit]:
        first, second = (limit_of(player, self.terms) for player in self.players)
        return first, second


def limit_of(player: Seated, terms: Terms) -> Limit:
    if is_human(player):
        return Limit()
    return player.limit_in(terms) if isinstance(player, Player) else terms.limit


def seat_name(player: Seated) -> str:
    if is_human(player):
        return HUMAN
    return player.name if isinstance(player, Player) else player


def engine_named(player: Seated) -> str | Named:
    return player.engine if isinstance(player, Player) else player


def is_human(player: Seated) -> bool:
    """True if a player is a person; ConfigError if one is given parameters."""
    if isinstance(player, Player):
        return player.engine.name == HUMAN
    named = parse_named(player)
    if named.name == HUMAN and named.parameters:
        raise ConfigError(f"{player}: {HUMAN} has no parameters")
    return named.name == HUMAN


def opponents() -> list[str]:
    """The engines that come with the project and need no parameters, those with levels first."""
    names = [
        name
        for name in load.names("engine")
        if name != PROGRAMS
        and not any(each.is_required for each in parameters(load.factory("engine", name)))
    ]
    return sorted(names, key=lambda name: middle_level(name) is None)


def middle_level(engine: str) -> int | None:
    level: int | None = getattr(load.module("engine", engine), "LEVEL", None)
    return level


def levels_of(engine: str) -> range:
    known = {each.name: each.range for each in parameters(load.factory("engine", engine))}
    bounds = None if middle_level(engine) is None else known["level"]
    return range(1, int(bounds.high) + 1) if bounds else range(0)


def at_level(engine: str, level: int | None) -> Named:
    return Named(engine, {} if level is None else {"level": level})


def default_opponent(game: str, rule: object = None) -> str | None:
    """The first engine made for this game, and for its rule; at its middle level if it has any."""
    for name in opponents():
        if game in load.playable_games(name):
            known = known_rules(name, game)
            if rule is None or not known or rule in known:
                return str(at_level(name, middle_level(name)))
    return None
