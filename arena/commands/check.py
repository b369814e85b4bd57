"""`arena check`, of a brain, and `arena brain`, one of our engines as one."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands import options
from arena.commands.options import AS_JSON, INFO, MEMORY, compiling_noticed

if TYPE_CHECKING:
    from arena.gomocup.check import Check, CheckResult, Grade, Subject

NAME_WIDTH = 36
MOST_SHOWN, LONGEST_SHOWN = 6, 120
"""Lines of a talk that are shown, and characters of each; all of it is in the JSON."""
TOTAL, MOVES_TIMED = 240, 10
"""Seconds for all checks, and moves, at least, that they ask for with the wanted time."""
GRADES: tuple[Grade, ...] = ("pass", "fail", "not supported", "note")
HEADINGS = {
    "mandatory": "Mandatory: without these a brain loses games of this size and time",
    "optional": "Optional: what a tournament does without",
    "advice": "Advice: for other sizes, times and managers, and for better play",
}


@click.command(
    short_help="Tell whether a Gomocup brain would play in a tournament.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("command", nargs=-1, required=True)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    type=click.Choice(["freestyle", "standard", "renju", "caro", "caro_exact"]),
    help="Rule that the brain must play; may be given again. [asked about the first three]",
)
@click.option(
    "--size",
    type=click.IntRange(5, 25),
    default=15,
    show_default=True,
    help="Size of the board on which it is to play.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.001, 600),
    default=1.0,
    show_default=True,
    help="Seconds for a move with which it is to play.",
)
@click.option("--folder", default="", help="Folder in which it works. [its own]")
@click.option(
    "--startup",
    type=click.FloatRange(0.1, 3600),
    default=30.0,
    show_default=True,
    help="Seconds that it may take for START.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 60),
    default=0.05,
    show_default=True,
    help="Seconds over the time of a move that are forgiven.",
)
@MEMORY
@INFO
@AS_JSON
def check(
    command: tuple[str, ...],
    rules: tuple[str, ...],
    size: int,
    seconds: float,
    folder: str,
    startup: float,
    margin: float,
    memory: int | None,
    info: tuple[str, ...],
    as_json: bool,
) -> None:
    """Tell whether the brain that COMMAND starts would play in a tournament.

    COMMAND is a program and its arguments, such as ./pbrain-mine, ./pbrain-mine.exe (run by Wine),
    or python3 x.py, with or without quotes around it all. After -- all words belong to it. Each
    line is a check: pass, fail, not supported, or a note. The mandatory checks are those that a
    tournament at --size and --seconds needs. The exit code is 0 if no mandatory check has failed,
    and 1 otherwise.
    """
    from arena.config.settings import parse_infos
    from arena.gomocup.check import Allowance, Subject, all_checks, is_sound, results
    from arena.gomocup.command import is_windows

    logging.getLogger("arena.engines").addHandler(logging.NullHandler())
    program, place = _located(command, folder)
    newline = b"\r\n" if is_windows(program) else b"\n"
    total = TOTAL + MOVES_TIMED * seconds + startup
    allowance = Allowance(startup=startup, margin=margin, total=total)
    subject = Subject(
        program, place, rules, allowance, size, seconds, newline, memory, parse_infos(info)
    )
    checks = all_checks(subject)
    if not as_json:
        click.echo(f"At most {total:.0f} s; most brains take less than a minute.\n")
    done = []
    begin = (lambda _: None) if as_json else _announce()
    for each in results(subject, checks, begin=begin):
        done.append(each)
        if not as_json and (each.is_run or each.seconds):
            click.echo(_shown_result(each))
    if as_json:
        from arena.report.numbers import json_text

        click.echo(json_text([each.as_data() for each in done], indent=1))
    else:
        click.echo(f"{summary(done)}\n{_conclusion(subject, done)}")
    sys.exit(0 if is_sound(done) else 1)


def _located(command: tuple[str, ...], folder: str) -> tuple[tuple[str, ...], str]:
    """The words of a command with all paths made absolute, and the folder it works in."""
    from arena.engine import ProgramError
    from arena.errors import ConfigError, Fault
    from arena.gomocup.command import runnable, working_folder
    from arena.plugins.engine_names import absolute_files, parse_command

    words = absolute_files(parse_command(command[0]) if len(command) == 1 else command)
    try:
        return runnable(words), working_folder(words, folder)
    except ProgramError as error:
        raise ConfigError(Fault(error.program, error.words)) from None


def _announce() -> Callable[[Check], None]:
    """A function that writes a check's name, without the end of its line; before it, headings."""
    weights = set[str]()

    def begin(check: Check) -> None:
        if check.weight not in weights:
            click.echo(("\n" if weights else "") + HEADINGS[check.weight])
            weights.add(check.weight)
        click.echo(f"  {check.name:{NAME_WIDTH}}  ", nl=False)

    return begin


def _shown_result(result: CheckResult) -> str:
    from arena.gomocup.transcript import OPENERS, both_ends

    grade, finding = result.grade, result.finding
    said = _one_line(finding.said)
    if grade in ("pass", "not supported") or not finding.sent:
        return grade + (f": {said}" if said else "")
    details = {
        "sent": _one_line(finding.sent),
        "said": said,
        "expected": finding.expected.replace("\n", " / "),
        "cure": finding.cure,
    }
    lines = [f"{f'{name}:':10}{text}" for name, text in details.items() if text]
    if grade == "fail":
        talk = finding.talk.split("\n")
        opener = max(n for n, line in enumerate(talk) if n == 0 or line.startswith(OPENERS))
        shown = both_ends(talk, MOST_SHOWN, min(len(talk) - opener, 2 * MOST_SHOWN))
        lines += ["since START:", *(f"  {_cut(line)}" for line in shown)]
    return "\n".join([grade, *(f"      {line}" for line in lines)])


def _one_line(text: str) -> str:
    """All lines in one that fits on the screen, without the middle ones of many."""
    from arena.gomocup.transcript import both_ends

    return " / ".join(map(_cut, both_ends(text.split("\n"), MOST_SHOWN // 2)))


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]}..."


def summary(found: Sequence[CheckResult]) -> str:
    idle = [each for each in found if not each.is_run]
    words = f"\n{len(idle)} checks were {idle[0].finding.said}\n" if idle else ""
    counts = Counter(each.grade for each in found if each.is_run)
    failed = sum(each.is_failure for each in found)
    counted = ", ".join(f"{counts[grade]} {grade}" for grade in GRADES if counts[grade])
    seconds = sum(each.seconds for each in found)
    verdict = f"{failed} mandatory failed or not run" if failed else "all mandatory passed"
    plural = "s" * (counts.total() > 1)
    return f"{words}\n{counts.total()} check{plural} in {seconds:.0f} s: {counted}; {verdict}"


def _conclusion(subject: Subject, found: Sequence[CheckResult]) -> str:
    rules = f" {' and '.join(subject.claimed)}" if subject.claimed else ""
    play = f"play{rules} at {subject.size} x {subject.size} with {subject.seconds:g} s a move"
    missed = [each for each in found if each.is_failure]
    failed = [each for each in missed if each.is_run]
    idle = [each for each in missed if not each.is_run]
    if failed:
        first = failed[0].finding
        last = first.said.split("\n")[-1]
        is_ours = last.startswith("(") and last.endswith(")")
        words = last[1:-1] if is_ours else f"it said {last}"
        words = f"{words}; {first.cure}" if first.cure else words
        more = numbered(len(failed) - 1, "failed") + numbered(len(idle), "were not run")
        return f"It would not {play}: {failed[0].name} failed: {words}{more}."
    if idle:
        words = f"{len(idle)} mandatory checks were {idle[0].finding.said}"
        return f"It is not known if it would {play}: {words}."
    restarts = not any(each.name == "RESTART" and each.grade == "fail" for each in found)
    return f"It would {play}{'' if restarts else ', each game in a new process: RESTART failed'}."


def numbered(count: int, fate: str) -> str:
    return f"; {count} more mandatory check{'s' * (count > 1)} {fate}" if count else ""


@click.command(short_help="Make a Gomocup brain of an engine, for other managers.")
@click.argument("engine", shell_complete=options.engines)
@click.option(
    "--write",
    "file",
    type=click.Path(path_type=Path),
    help="Write an executable file that is such a brain, and end.",
)
def brain(engine: str, file: Path | None) -> None:
    """Play as a Gomocup brain: ENGINE talks the protocol on standard input and output.

    ENGINE is a name that `arena engines` lists, or a path, with parameters after a colon:
    balance:depth=8. Managers can only ask for less than its depth; patterns and search=selective
    ignore it under a limit.

    \b
    Other managers want a brain as one file:
      arena brain strong --write pbrain-strong
    """
    from arena.gomocup.engine_as_brain.executable import converse, write_brain
    from arena.plugins.load import parse_named

    with compiling_noticed():
        if file is None:
            converse(engine)
        else:
            write_brain(parse_named(engine), file)
            click.echo(f"Written: {file}", err=True)
