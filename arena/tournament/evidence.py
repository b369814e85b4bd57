"""The games of a run that count, and what is to be reported beside them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.config.settings import Config, to_data
from arena.config.yaml_file import Document, dump
from arena.match.pairs import Results, results_of
from arena.match.record import GameKey, GameRecord, Numbered, key
from arena.plugins.engine_facts import check_command
from arena.report.fault_texts import GO_ON, stop_text
from arena.storage.folder import CONFIG, path_text, read_store
from arena.storage.history import Session, notes_of
from arena.storage.machines import machine_notes, machine_rows
from arena.storage.sources import code_notes
from arena.tournament.schedule import Schedule
from arena.tournament.unscheduled import IMPORTED

if TYPE_CHECKING:
    from arena.report.facts import Extras, RunFacts


def run_evidence(folder: Path, config: Config, schedule: Schedule) -> tuple[Numbered, Extras]:
    """The games with their numbers in the schedule, and the facts beside them, of one moment."""
    from arena.report.facts import Extras

    played = read_store(
        folder, lambda store: (store.games(), store.sessions(), store.facts(), machine_rows(store))
    )
    kept, sessions, facts, machines = played or ([], [], {}, [])
    records = schedule.numbered(kept, results_of(kept))
    counted = {key(record) for _, record in records}
    uncounted = [record for record in kept if key(record) not in counted]
    stopped = stopped_text_of(config, schedule, kept)
    results = results_of(record for _, record in records)
    limits = {player.name: player.limit_in(config.terms) for player in config.players}
    notes = [*config.openings.notes(), *notes_of(limits.values(), sessions, len(uncounted))]
    notes += [*schedule.notes(results), *code_notes(facts)]
    notes += machine_notes(machines, config.terms.scale)
    singles = [path_text(folder)] if schedule.has_singles else []
    own = run_facts(folder, config, schedule, counted, results, sessions, stopped)
    matches = schedule.matches(results)
    return records, Extras(matches, uncounted, notes, limits, singles, [own], machines)


def run_facts(
    folder: Path,
    config: Config,
    schedule: Schedule,
    played: Collection[GameKey],
    results: Results,
    sessions: Sequence[Session],
    stopped: str,
) -> RunFacts:
    """The facts of a run beside its games."""
    from arena.report.facts import RunFacts

    data = Document(folder / CONFIG).data if config.format.name == IMPORTED else to_data(config)
    return RunFacts(
        name=config.name,
        game=config.terms.game,
        format=config.format,
        config=dump(data),
        total=schedule.total,
        is_over=schedule.is_over(played, results),
        began=min((session.began for session in sessions), default=None),
        ended=max((session.ended for session in sessions), default=None),
        stopped=stopped,
    )


def stopped_text_of(
    config: Config, schedule: Schedule, kept: Sequence[GameRecord], go_on: str = GO_ON
) -> str:
    """The reason why a run with these games stopped, and how to go on; empty if it did not."""
    first = schedule.first_games(results_of(kept))
    if not first.faulty:
        return ""
    command = check_commands(config).get(first.faulty, "")
    return stop_text(first, kept, first.faulty, command, go_on)


def check_commands(config: Config) -> dict[str, str]:
    """The command that checks a player's program, for each that plays by one."""
    return {each.name: found for each in config.players if (found := check_command(each.engine))}
