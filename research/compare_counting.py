"""Whether two versions count alike: `python compare_counting.py BEFORE AFTER --folders 300`.

BEFORE and AFTER are Python interpreters, each with a version of gomoku-arena installed. Both build
each made-up folder of `counting_cases`, and tell by their commands all that they report of it:
json, every frame as csv, tables, the page, the games still to be played; of some folders together,
ratings, comparisons and reports. Numbers are equal if they are to nine digits. A case that differs
is kept as JSON; `--first N --folders 1` runs it again.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, replace
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

from counting_cases import LIMITS, Data, made_case, random_game

TOGETHER = 6
"""Folders that are rated together, and compared two and two."""
MOST_SHOWN = 5
DIGITS = 1e-9
NUMBER = re.compile(r"-?\d+\.\d{4,}(?:e[-+]?\d+)?|-?\d+(?:\.\d+)?e[-+]?\d+")
"""A number that is not rounded for readers."""
TEXTS = ("table", "markdown")
JOBS = 40
"""Jobs that are told at once."""


# What one version answers; this part alone imports it.


def record_from(fields: Data) -> Any:
    """A record with these fields; in a version where the opening that players made is one value,
    with that."""
    from arena.match import record

    made_of: Any = record.GameRecord
    with suppress(TypeError):
        return made_of(**fields)
    rest = dict(fields)
    proposer, suggested, answers = (rest.pop(name) for name in ("proposer", "suggested", "swap2"))
    made = None
    if proposer:
        kinds: Any = get_args(get_type_hints(made_of)["made"])
        made = kinds[0]("swap2", proposer, suggested, answers)
    return made_of(**rest, made=made)


def with_efforts(record: Any, data: Data) -> Any:
    """The record with what its moves cost, in a version where that comes from who plays it."""
    if not hasattr(record, "efforts") or "limit" not in data:
        return record
    from arena.config.settings import from_data
    from arena.engine import Limit
    from arena.match.game_row import read_efforts

    config = from_data(data)
    limits = {player.name: player.limit_in(config.terms) for player in config.players}
    own = [limits.get(name, Limit()) for name in (record.first, record.second)]
    return replace(record, efforts=read_efforts(record, own))


def fields_of(job: Any) -> Data:
    """A job as plain values."""
    made = getattr(job, "made", job)
    found = {name: getattr(job, name) for name in ("first", "second", "opening", "round", "seed")}
    opening = {
        "proposer": getattr(made, "proposer", 0),
        "suggested": getattr(made, "suggested", ""),
    }
    return found | opening


def kept_config(case: Data, config: Data) -> Data:
    """A config with all defaults, as a folder keeps it."""
    from arena.config.reader import read_config
    from arena.config.settings import Config, Player, to_data
    from arena.engine import Limit
    from arena.match.opening import Openings
    from arena.match.terms import Terms
    from arena.plugins.load import HUMAN, Named
    from arena.tournament.schedule import data_of

    if case["kind"] == "tournament":
        file = Path("config.yaml")
        file.write_text(json.dumps(config), encoding="utf-8")
        return {"kind": "tournament", **to_data(read_config(file))}
    ((name, parameters),) = config["game"].items()
    game = Named(name, parameters)
    if case["kind"] == "imported":
        return data_of(case["name"], game, config["names"], "2026-01-01")
    one, other = config["names"]
    players = Player(one, Named(HUMAN), Limit()), Player(other, Named("random_mover"))
    openings = Openings(Named("list", {"list": []}), game)
    terms, form = Terms(game=game), Named(HUMAN)
    return to_data(
        Config(name=case["name"], terms=terms, openings=openings, players=players, format=form)
    )


def build(case: Data) -> None:
    """Make the folder of a case."""
    from arena.storage.database import Machine, Store, keep_machine
    from arena.storage.folder import DATABASE, keep_config, make_folder
    from arena.storage.history import Session

    folder, data = Path("results") / case["name"], kept_config(case, case["config"])
    here = {each["name"] for each in data["engines"]}
    before = kept_config(case, case["earlier"])["engines"] if "earlier" in case else []
    entries = data["engines"] + [each for each in before if each["name"] not in here]
    # Two names of a run that are one player by all else are told apart: the version before counted
    # games as pairs by the names that a list of ratings gives.
    entries = [
        each | {"files": case["files"][each["name"]] | {"name": each["name"]}} for each in entries
    ]
    make_folder(folder)
    keep_config(folder, data)
    with closing(Store(folder / DATABASE)) as store:
        clocks = {"clocks": "overdraft is owed"}
        store.note(data | {"engines": entries} | case["facts"] | clocks)
        for fields in case["games"]:
            store.add(with_efforts(record_from(fields), data))
        store.flush()
        for session in case["sessions"]:
            store.keep_session(Session(**session))
        for machine in case["machines"]:
            keep_machine(store, Machine(**machine))


def rows_of(record: Any) -> list[Any]:
    """A game as it is counted: the row of it, in a version that has rows, or itself."""
    with suppress(ImportError):
        from arena.match.game_row import row_of

        return [row_of(record)]
    return [record]


def jobs_left(config: Data, games: list[Data]) -> list[Data]:
    """The first jobs that a config still asks for once these games are played."""
    from arena.config.settings import from_data
    from arena.match.pairs import results_of
    from arena.match.record import key
    from arena.tournament.schedule import Schedule

    records = list(map(record_from, games))
    known = set(map(key, records))
    found: Any = [row for record in records for row in rows_of(record)]
    results = results_of(found)
    left, pairs = list[Data](), Schedule(from_data(config)).jobs(results)
    for job in takewhile(bool, pairs):
        if job and key(job) not in known:
            left.append(fields_of(job))
            if len(left) == JOBS:
                break
    return left


def jobs_of_file(config: Data, games: list[Data]) -> list[Data]:
    """Those that a config asks for which is not kept yet."""
    return jobs_left(kept_config({"kind": "tournament"}, config), games)


def live_standings(run: Any) -> list[Data]:
    """The standings of a run's games, counted one by one as they are while it is played."""
    from arena.report.standings import Tally

    tally: Any = Tally(run.config.names)
    for _, record in run.records():
        (row,) = rows = rows_of(record)
        tally.add(row if row is record else rows)
    return [asdict(row) for row in tally.standings()]


def typed(*words: str) -> str:
    """What a command prints, with the notes that it tells beside."""
    from click.testing import CliRunner

    from arena.cli import arena

    done = CliRunner().invoke(arena, [*words])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return "\n".join(filter(None, [done.stdout, done.stderr]))


def page_lines(page: str) -> str:
    """A page, an element a line, with its data, but without styles, scripts and version."""
    page = re.sub(r"<(style|script)(?![^>]*data).*?</\1>", "", page, flags=re.DOTALL)
    page = re.sub(r"sha256-[^']*", "", page)
    page = re.sub(r"(arena[ :-]+)\d+\.\d+\.\d+\S*", r"\1VERSION", page)
    return re.sub(r"(?<=>)(?=<)|(?<=\})(?=,\{)", "\n", page)


def report(case: Data) -> Data:
    """All that is told of a case's folder."""
    import arena

    name, run = case["name"], arena.open_run(Path("results") / case["name"])
    whole = answered(lambda: json.loads(typed("report", name, "--json")))
    names = [each for each, rows in whole.items() if isinstance(rows, list) and each != "notes"]
    is_scheduled = case["kind"] == "tournament"
    # Each by itself, so that a part that one version cannot tell hides no other.
    parts: dict[str, Callable[[], Any]] = {
        "status": run.status,
        "stopped": run.stopped,
        "numbers": lambda: [number for number, _ in run.records()],
        "over": lambda: run.counted().is_over,
        "live": lambda: live_standings(run) if is_scheduled else [],
        "jobs": lambda: jobs_of_file(case["config"], case["games"]) if is_scheduled else [],
        "page": lambda: page_lines(typed("report", name, "--format", "html")),
    }
    frames, texts = ("report", name, "--format", "csv", "--frame"), ("report", name, "--full")
    return {
        "json": whole,
        "csv": {each: answered(typed, *frames, each) for each in [*names, "moves"]},
        "texts": {each: answered(typed, *texts, "--format", each) for each in TEXTS},
        **{part: answered(told) for part, told in parts.items()},
    }


def built_and_reported(case: Data) -> Data:
    """Make the folder of a case, and tell all of it."""
    build(case)
    return report(case)


def together(names: list[str]) -> Data:
    """The ratings of all folders, and comparisons and reports of two and two."""
    pairs = [("compare", *pair) for pair in zip(names[::2], names[1::2], strict=False)]
    commands = [("ratings",), *pairs, *(("report", *pair) for _, *pair in pairs)]
    return {
        " ".join([*words, form]): answered(typed, *words, "--format", form)
        for words in commands
        for form in ("json", "table")
    }


def answered(ask: Callable[..., Any], *values: Any) -> Any:
    """An answer, or the fault that was told; one of ours is shown as well."""
    try:
        return ask(*values)
    except Exception as error:
        if type(error).__name__ not in ("ConfigError", "ValueError"):
            traceback.print_exc()
        return {"fault": f"{type(error).__name__}: {error}"}


def plain(value: Any) -> Any:
    """A value that JSON does not know: a number of numpy, or none at all."""
    return value.item() if hasattr(value, "item") else None if "NA" in repr(value) else str(value)


def finite(value: Any) -> Any:
    """The value without NaN, which is None."""
    if isinstance(value, dict):
        return {str(name): finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return list(map(finite, value))
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and math.isnan(value) else value


def answer_all() -> None:
    """Answer each line of the standard input by one line."""
    out, sys.stdout = sys.stdout, sys.stderr
    asked: dict[str, Callable[..., Any]] = {
        "jobs": jobs_of_file,
        "case": built_and_reported,
        "together": together,
    }
    for line in sys.stdin:
        name, *values = json.loads(line)
        found = finite(answered(asked[name], *values))
        out.write(json.dumps(found, default=plain) + "\n")
        out.flush()


# The comparison, which imports neither version.


class Version:
    """Holds a process of one version, in a folder of its own."""

    def __init__(self, python: str, folder: Path) -> None:
        (folder / "results").mkdir(parents=True)
        self._folder = folder
        command = [python, "-W", "ignore", os.path.abspath(__file__), "--answer"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, text=True)

    def ask(self, *question: Any) -> None:
        """Begin with a question."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        """The answer to it."""
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def forget(self) -> None:
        """Begin with an empty folder of results."""
        results = self._folder / "results"
        results.rename(self._folder / f"results-{len(list(self._folder.iterdir()))}")
        results.mkdir()

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def both(versions: list[Version], *question: Any) -> tuple[Any, Any]:
    """The answers of both versions, which think at the same time."""
    for version in versions:
        version.ask(*question)
    before, after = (version.answer() for version in versions)
    return before, after


def differences(before: Any, after: Any, place: str = "") -> Iterator[str]:
    """A line for each value that differs."""
    if isinstance(before, dict) and isinstance(after, dict):
        faults = [each.get("fault", "no fault") for each in (before, after)]
        if faults[0] != faults[1]:
            yield f"{place}: {faults[0]} -> {faults[1]}"
            return
        for name in {**before, **after}:
            yield from differences(before.get(name), after.get(name), f"{place}.{name}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, pair in enumerate(zip(before, after, strict=True)):
            yield from differences(*pair, f"{place}[{i}]")
    elif isinstance(before, str) and isinstance(after, str):
        for one, other in zip_lines(before, after):
            if not is_equal_text(one, other):
                yield f"{place}: {one:.300}\n{' ' * len(place)}  {other:.300}"
    elif not is_equal(before, after):
        yield f"{place}: {before!s:.300} -> {after!s:.300}"


def zip_lines(before: str, after: str) -> Iterator[tuple[str, str]]:
    """The lines of two texts side by side; both whole, if they have not as many."""
    one, other = before.splitlines(), after.splitlines()
    return zip(one, other, strict=True) if len(one) == len(other) else iter([(before, after)])


def is_equal(one: Any, other: Any) -> bool:
    """True for equal values, and for numbers that are equal to nine digits."""
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=DIGITS, abs_tol=DIGITS)
    return bool(one == other)


def is_equal_text(one: str, other: str) -> bool:
    """True for texts that are equal but for the last digits of long numbers."""
    if one == other or NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return one == other
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(is_equal(float(a), float(b)) for a, b in pairs)


def kinds_of(case: Data, told: Data) -> Iterator[str]:
    """What a case is an example of."""
    config, games = case["config"], case["games"]
    yield f"kind {case['kind']}"
    yield f"game {next(iter(config['game']))}"
    yield from (f"edit {edit}" for edit in case.get("edits", ()))
    yield from {f"reason {game['reason']}" for game in games}
    if case["kind"] == "tournament":
        yield f"format {next(iter(config['format']))}"
        yield f"openings {next(iter(config['openings']))}"
        yield from (f"limit {name}" for name in config["limit"] or ["none"])
    if "fault" in told:
        yield f"told {told['fault'].partition(':')[0]}"
        return
    frames, counts = told["json"], "counts"
    (summary,) = frames["summary"]
    decided = any(row.get("decision") for row in frames["matches"])
    pairs = Counter(row["pair"] for row in frames["games"])
    marks = {
        "no games": not games,
        "copies": summary["games"] > summary["distinct_games"],
        "single games": 1 in pairs.values(),
        "uncounted": frames["uncounted"],
        "uncounted, stopped": frames["uncounted"] and told["stopped"],
        "uncounted, test decided": frames["uncounted"] and decided,
        "moves": str(told["csv"]["moves"]).count("\n") > 1,
        "stopped": told["stopped"],
        "over": told["over"],
        "swap2": any(game["proposer"] for game in games),
        "colours changed": any(game["proposer"] == 2 for game in games),
        "doubtful": any(row["doubtful"] for row in frames["standings"]),
        "scale of scores": any(row["k"] for row in frames["scales"]),
        "machines": "machines" in frames,
        "verdict after extension": case["facts"].get("plans"),
        f"status {told['status']}": told["status"] is not None,
        f"tone {frames['verdict']['tone']}": True,
    }
    yield from (f"{counts}: {name}" for name, has in marks.items() if has)


def compare_all(versions: list[Version], seed: int, numbers: range, keep: Path) -> int:
    """Compare the cases of these numbers; how many differ."""
    seen, differing, names = Counter[str](), set[str](), list[str]()
    cases: dict[str, Data] = {}

    def jobs(config: Data, games: list[Data]) -> list[Data]:
        versions[0].ask("jobs", config, games)
        found = versions[0].answer()
        if isinstance(found, dict):
            raise RuntimeError(f"{found['fault']} in {json.dumps(config)}")
        return list(found)

    def judge(name: str, question: tuple[Any, ...], involved: list[str]) -> Any:
        before, after = both(versions, *question)
        found = list(differences(before, after))
        if found:
            differing.update(involved)
            keep.mkdir(parents=True, exist_ok=True)
            for each in involved:
                text = json.dumps(cases[each], indent=1, ensure_ascii=False)
                (keep / f"{each}.json").write_text(text, encoding="utf-8")
            shown = [*found[:MOST_SHOWN], f"and {len(found) - MOST_SHOWN} more"]
            print(f"{name} differs:", *shown[: len(found)], sep="\n  ", flush=True)
        return before

    for number in numbers:
        group = Random(f"{seed} {number // TOGETHER}")
        shared = random_game(group), group.choice(LIMITS)
        name = f"case-{number:04d}"
        cases[name] = case = made_case(Random(f"{seed}/{number}"), name, jobs, *shared)
        told = judge(name, ("case", case), [name])
        seen.update(kinds_of(case, told))
        names.append(name)
        if number % TOGETHER == TOGETHER - 1 or number == numbers[-1]:
            judge(f"{names[0]} to {names[-1]} together", ("together", names), names)
            for version in versions:
                version.forget()
            names = []
            cases.clear()
        if sys.stderr.isatty():
            print(f"\r{name}", end="", file=sys.stderr, flush=True)
    print(*(f"\n{count:5} {kind}" for kind, count in sorted(seen.items())), sep="")
    return len(differing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", help="a Python interpreter with one version installed")
    parser.add_argument("after", help="one with the other version")
    parser.add_argument("--folders", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--keep", type=Path, default=Path("results/counting"))
    given = parser.parse_args()
    numbers = range(given.first, given.first + given.folders)
    with tempfile.TemporaryDirectory() as folder:
        pythons = {"before": given.before, "after": given.after}
        versions = [Version(python, Path(folder) / side) for side, python in pythons.items()]
        differ = compare_all(versions, given.seed, numbers, given.keep)
        for version in versions:
            version.close()
    kept = f", kept in {given.keep}" if differ else ""
    print(f"{given.folders} folders, {differ} differ{kept}")
    sys.exit(bool(differ))


if __name__ == "__main__":
    answer_all() if sys.argv[1:] == ["--answer"] else main()
