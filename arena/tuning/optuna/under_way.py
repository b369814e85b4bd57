"""Which trial of a user's study each process plays: those of killed ones are tried again."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from arena.files import regular_opener
from arena.tuning.optuna.sampler import quiet

if TYPE_CHECKING:
    import optuna

UNDER_WAY = "under_way"
"""Folder within the study's: a file for each process, locked for as long as that lives."""
PROCESS = "process"
"""User attribute of a trial: the name of the file of the process that plays it."""
MAX_RETRIES = 3
"""Times that a trial is tried again, if its process is killed each time."""
OURS = set[Path]()
"""Files of this process: if it opened and closed them once more, it would lose their locks."""


class UnderWay:
    """Holds the file that tells which trial this process plays, or has played last."""

    def __init__(self, folder: Path) -> None:
        (folder / UNDER_WAY).mkdir(exist_ok=True)
        self._pid = os.getpid()
        self._file = folder / UNDER_WAY / f"{self._pid}-{secrets.token_hex(4)}.json"
        OURS.add(self._file)
        self._stream = self._file.open("w")
        fcntl.lockf(self._stream, fcntl.LOCK_EX)

    def tell(self, trial: optuna.Trial) -> None:
        """Say that this trial is played now, in the file and in Optuna's storage."""
        trial.set_user_attr(PROCESS, self._file.stem)
        self._write({"study": trial.study.study_name, "trial": trial.number})

    def forget(self) -> None:
        """Say that no trial is to be tried again if this process is killed."""
        self._write({})

    def _write(self, told: Mapping[str, object]) -> None:
        self._stream.seek(0)
        self._stream.truncate()
        json.dump(told, self._stream)
        self._stream.flush()

    def close(self) -> None:
        """Remove the file; in a process that was forked since, do nothing."""
        if os.getpid() == self._pid:
            self._file.unlink(missing_ok=True)
            self._stream.close()
            OURS.discard(self._file)


def retry_abandoned(study: optuna.Study, folder: Path) -> None:
    """Fail the trials of this study whose processes were killed, and have them tried again.

    The new trial has the point and the user attributes of the one that failed.
    """
    for file in sorted((folder / UNDER_WAY).glob("*.json")):
        if file not in OURS:
            with suppress(OSError), open(file, "r+", opener=regular_opener) as stream:
                # Refused for as long as the process lives. One that has only begun wrote nothing.
                fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                try:
                    told = json.loads(stream.read() or "{}")
                except ValueError:  # its process was killed while it wrote
                    told = {"study": study.study_name, "trial": None}
                if told.get("study") == study.study_name:
                    _retry(study, told["trial"], file.stem)
                    file.unlink()


def _retry(study: optuna.Study, number: int | None, process: str) -> None:
    """Fail the trial that this process left behind, and have it tried again: that of this number,
    if it is known."""
    import optuna

    callback = getattr(optuna.storages, "RetryHeartbeatStaleTrialCallback", None)
    callback = callback or optuna.storages.RetryFailedTrialCallback
    for trial in study.get_trials(states=(optuna.trial.TrialState.RUNNING,)):
        if number in (None, trial.number) and trial.user_attrs.get(PROCESS) == process:
            study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
            with quiet():
                callback(max_retry=MAX_RETRIES)(study, trial)
