"""Options of a queue's owner: impossible ones are refused before a port is taken."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import arena as command
from arena.errors import ConfigError
from arena.queue.queue_file import QueueFile
from arena.server.queue import ServedQueue


def refusal(tmp_path: Path, *words: str) -> str:
    """The words of a refusal of either kind."""
    (tmp_path / "results").mkdir()
    done = CliRunner().invoke(command, ["serve", str(tmp_path / "results"), *words])
    if isinstance(done.exception, ConfigError):
        return str(done.exception)
    assert done.exit_code == 2, done
    return done.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cores", "2"], "--cores needs --queue"),
        (["--queue", "--hours", "20-7"], "option '--hours' is gone: start and end arena serve by"),
        (["--queue", "--shares"], "option '--shares' is gone: tests are played by their --prior"),
        (["--queue", "--on-end", "cat"], "option '--on-end' is gone: let cron ask arena report"),
        (["--queue", "--web-hook", "x"], "option '--web-hook' is gone: let cron ask arena report"),
        (["--queue", "--cores", "0"], "0 is not in the range"),
        (["--queue", "--cores", "100000"], "--cores: 100000 would take each other's time"),
        (["--queue", "--cores", "2", "--cluster", "local:2"], "--cluster: it is the cluster's own"),
    ],
)
def test_rules_that_cannot_be_are_refused(tmp_path: Path, words: list[str], told: str) -> None:
    said = refusal(tmp_path, *words)
    assert told in said
    assert "--force" not in said  # which this command has not


@pytest.mark.parametrize("address", ["http://head:8786", "no.json", "local:0"])
def test_what_is_no_cluster_is_refused_before_any_test_fails_by_it(
    tmp_path: Path, address: str
) -> None:
    pytest.importorskip("distributed")
    assert "give tcp://HOST:PORT" in refusal(tmp_path, "--queue", "--cluster", address)


def test_times_are_told_by_the_cores_or_by_the_workers_that_a_cluster_last_had(
    tmp_path: Path,
) -> None:
    queue = QueueFile(tmp_path / "results")
    assert ServedQueue(queue, cores=3).workers == 3
    assert ServedQueue(queue, cores=None).workers == 1
    for workers in (40, 60):
        queue.keep_workers(workers)
    assert ServedQueue(QueueFile(tmp_path / "results"), cores=None).workers == 60
    assert ServedQueue(queue, cores=3).workers == 3
