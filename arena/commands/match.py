"""`arena match`: two players or more, in one line."""

from __future__ import annotations

from pathlib import Path

import click

from arena.commands import options
from arena.commands.options import EXIT_STATUS, INFO, MEMORY, SEED, again
from arena.commands.playing import PlayOptions, playing
from arena.commands.run import play_tournament
from arena.config.settings import PRESETS
from arena.config.typed_match import MAX_GAMES, TypedMatch


@click.command(short_help="Play a match in one line, and tell which player is better.")
@click.argument(
    "players", nargs=-1, required=True, metavar="PLAYER...", shell_complete=options.engines
)
@click.option(
    "--games",
    type=click.IntRange(2, MAX_GAMES),
    help="Number of games of each two players, which must be even; of a test, at most. [100; of a "
    "test 10000]",
)
@click.option("--gauntlet", is_flag=True, help="The first player meets all others, these do not.")
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="ELO0 ELO1",
    help="Play a test of the first of two being better by ELO0 or by ELO1; it stops as soon as it "
    "is sure.",
)
@click.option(
    "--preset",
    type=click.Choice([*PRESETS]),
    help="Size, rule, times and memory of a league of Gomocup; --game, --limit and --memory win.",
)
@click.option(
    "--limit",
    help="Limit of each move: 0.1s, 20000n (nodes), d4 (depth), or a clock such as 10+0.1. [0.1s]",
)
@click.option(
    "--openings",
    metavar="FILE|SOURCE",
    help="File of openings, or a source such as random:plies=6,count=20. [one for each pair]",
)
@click.option(
    "--game",
    shell_complete=options.named("game"),
    help="Game, such as gomoku:rule=standard. [gomoku]",
)
@click.option(
    "--seed",
    type=SEED,
    default=0,
    help="Seed of random openings, and of engines that draw random numbers. [0]",
)
@click.option("--name", help="Name of the run and of its file. [made from the players]")
@click.option(
    "--margin", type=float, metavar="SECONDS", help="Seconds over a limit that are forgiven. [0.05]"
)
@MEMORY
@INFO
@click.option(
    "--resign",
    metavar="SCORE[,moves=N]",
    help="End a game once both players give such scores for N moves. [off; moves=3]",
)
@click.option(
    "--draw",
    metavar="SCORE[,moves=N,after=PLY]",
    help="Draw a game once no score of N moves is larger. [off; moves=10,after=60]",
)
@click.option(
    "--log",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write all that is said to and by brains into this folder, a file for each game.",
)
@playing(EXIT_STATUS)
def match(
    players: tuple[str, ...],
    games: int | None,
    gauntlet: bool,
    sprt: tuple[float, float] | None,
    preset: str | None,
    limit: str | None,
    openings: str | None,
    game: str | None,
    seed: int,
    name: str | None,
    margin: float | None,
    memory: int | None,
    info: tuple[str, ...],
    resign: str | None,
    draw: str | None,
    log: Path | None,
    how: PlayOptions,
) -> None:
    """Play a match of two players, or every two of several, and say in one sentence which is
    better.

    \b
    A player is
      balance:depth=4   an engine that `arena engines` lists, with parameters
      ./my_engine.py    the file of an engine of yours
      ./pbrain-mine     a program that talks the Gomocup protocol, or a Windows
                        program that does (./pbrain-mine.exe, run by Wine)
      "python3 x.py"    a command line that starts one
      ./v1              a folder that holds an engine or a program; one that
                        holds several counts as these

    \b
    After a colon, it takes the keys of an entry in a YAML file:
      ./pbrain-mine:name=new,limit=1s,startup=60,info.thread_num=4
      "java -cp build Main :name=main"

    The match is written to NAME.yaml in the current folder; `arena run NAME.yaml` plays the same.
    The same command goes on with a match that was stopped. With a larger number of --games, only
    the missing games are played. Any other change needs another --name, or --fresh.

    Each opening is played twice, with colours swapped. Freestyle on 15 x 15 points has balanced
    openings for 3,228 games, and random ones for those beyond. Other games have random openings,
    and so has a test, because it needs a new opening for each pair.
    """
    from arena.tournament.match import kept_if_begun, match_config

    if how.exit_status and sprt is None:
        raise click.UsageError("--exit-status tells the verdict of a test: add --sprt ELO0 ELO1")
    if games is not None and games % 2:
        raise click.UsageError(f"--games must be even, not {games}: they come in pairs")
    wanted = TypedMatch(
        players, games, sprt or None, limit, openings, game, seed, name,
        memory, margin, info, resign, draw, preset, gauntlet,
    )  # fmt: skip
    with kept_if_begun(wanted, how.results):
        config = match_config(
            wanted, how.results, fresh=how.fresh, renamed=lambda name: again(name=name)
        )
        note = f"Playing {wanted.file}; to play it again: arena run {wanted.file}"
        play_tournament(wanted.file, config, how, note, log)
