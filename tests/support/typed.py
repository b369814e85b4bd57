"""Command lines typed within this process, through the door by which the `arena` script comes."""

from __future__ import annotations

import json
import os
import resource
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner, Result
from support.processes import finished
from support.samples import ROOT

from arena import cli


@dataclass(frozen=True, slots=True)
class Typed:
    status: int
    said: str  # standard output and standard error; and the traceback, where there is one


def typed(words: Sequence[str]) -> Typed:
    """Run a command as the script does, with nothing on its standard input."""
    end = ""
    with CliRunner().isolation() as streams, patch.object(sys, "argv", ["arena", *words]):
        try:
            cli.main()
            status = 0
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else int(error.code is not None)
        except BaseException:
            status, end = 1, traceback.format_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        said = b"".join(stream.getvalue() for stream in streams[:2])
    return Typed(status, said.decode(errors="replace") + end)


def invoked(*words: object) -> Result:
    """A command within this process, as click's runner has it: a ConfigError is its exception."""
    return CliRunner().invoke(cli.arena, [*map(str, words)])


def typed_within(
    limit: str, commands: Sequence[Sequence[str]], folder: Path, *modules: str
) -> list[Typed]:
    """Commands in a process of this limit, which has imported the modules before it was set."""
    code = f"import {', '.join(['support.typed', *modules])}; support.typed.main()"
    path = os.pathsep.join([str(ROOT / "tests"), str(ROOT)])
    done = finished(
        [sys.executable, "-c", code, limit],
        input=json.dumps(commands),
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    return [Typed(**each) for each in json.loads(done.stdout)]


def main() -> None:
    """Type the commands of standard input, a JSON list of words each; print their ends as JSON.

    The arguments are limits of the process: names of `resource` and numbers.
    """
    for limit in sys.argv[1:]:
        name, _, number = limit.partition("=")
        kind = getattr(resource, f"RLIMIT_{name}")
        resource.setrlimit(kind, (int(number), resource.getrlimit(kind)[1]))
    ends = [asdict(typed(words)) for words in json.load(sys.stdin)]
    print(json.dumps(ends))


if __name__ == "__main__":
    main()
