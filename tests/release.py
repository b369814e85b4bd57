"""The release, tried as by a stranger: `python tests/release.py [FOLDER]`.

Builds sdist and wheel, installs the wheel in a fresh virtual environment, and types what the
README and the tutorial say in an empty folder outside the checkout. `configs/round.yaml` and the
study are shortened, to 90 games and to 16 and 50, unless `--full` is given. The size of each
installed package is printed. With `--sdist`, the sdist's own quick tests run in that environment,
with `--tutorial` all blocks of docs/tutorial. Needs pip and an index; ends with 0 if all is well.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from importlib.metadata import distributions
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
MOST = 500  # megabytes that a plain install should take; more is printed, and is no fault
LINES_SHOWN = 25  # the last lines of a command's output
SHORTER = {
    "configs/round.yaml": ("count: 8", "count: 1"),
    "configs/study.yaml": ("budget: 200", "budget: 16"),
}  # parts of the starter's files, and what stands in their place without `--full`
COMMANDS = """arena --version
arena --help
arena engines
arena init
arena play five_tuple:depth=2 random_mover --format moves
arena run configs/round.yaml
arena report round
arena report round --format csv --frame games
arena match ./my_engine.py random_mover --games 4 --limit 20000n
arena run configs/match.yaml
arena tune configs/study.yaml
arena report study"""  # but for the tests of the starter and the page, which need extras


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", type=Path, help="[a temporary one]")
    for name in ("--full", "--sdist", "--tutorial"):
        options.add_argument(name, action="store_true")
    wanted = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (wanted.folder or Path(temporary)).absolute()
        done = list[str]()
        sdist, wheel = build(folder, done)
        stranger = Stranger(folder, done)
        stranger.pip(str(wheel))
        print("\n".join(size_lines(stranger.venv)), flush=True)
        begin(stranger, wanted.full)
        serve(stranger)
        if wanted.tutorial:
            tutorial = str(ROOT / "tests/docs/tutorial.py")
            stranger.run([stranger.python, "-u", tutorial], is_long=True)
        if wanted.sdist:
            with tarfile.open(sdist) as archive:
                archive.extractall(stranger.home, filter="data")
            (source,) = stranger.home.glob("gomoku_arena-*")
            stranger.pip(f"{source}[test]")
            stranger.run([stranger.python, "-m", "pytest"], where=source, is_long=True)
    print("\nDone, as a stranger:", *done, sep="\n")
    print("The release installs, and does what its first pages say.")


class Stranger:
    """An environment of its own and an empty folder, and the commands that are typed there."""

    def __init__(self, folder: Path, done: list[str]) -> None:
        """`done` takes a line on each command that ends as it should."""
        self.done = done
        self.venv, self.home = folder / "venv", folder / "home"
        self.home.mkdir(parents=True)
        venv.create(self.venv, with_pip=True)
        self.python = str(self.venv / "bin/python")
        bare = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRT"))}
        self.variables = bare | {"PATH": f"{self.venv / 'bin'}:{os.environ['PATH']}"}

    def run(
        self,
        words: Sequence[str],
        where: Path | None = None,
        status: int = 0,
        is_long: bool = False,
    ) -> str:
        """The output of a command. Raises SystemExit for another status.

        Its last lines are shown, or all if it fails; those of a long one as they come.
        """
        print("$", *words, flush=True)
        began, lines = time.monotonic(), list[str]()
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "env": self.variables}
        with subprocess.Popen(words, cwd=where or self.home, text=True, **streams) as process:
            assert process.stdout
            for line in process.stdout:
                lines.append(line)
                if is_long:
                    print(line, end="", flush=True)
        is_right, seconds = process.returncode == status, time.monotonic() - began
        if not is_long:
            print("".join(lines[-LINES_SHOWN if is_right else 0 :]), flush=True)
        if not is_right:
            raise SystemExit(f"{words} ended with {process.returncode}, not {status}")
        self.done.append(f"{seconds:7.1f} s  {' '.join(words)}")
        if is_long:
            self.done.append(f"{'':11}{lines[-1].strip()}")
        return "".join(lines)

    def pip(self, *packages: str) -> None:
        self.run([self.python, "-m", "pip", "install", "-qq", *packages])


def build(folder: Path, done: list[str]) -> tuple[Path, Path]:
    tool = Stranger(folder / "build", done)
    tool.pip("build")
    tool.run([tool.python, "-m", "build", "--outdir", str(folder / "dist"), str(ROOT)])
    (sdist,), (wheel,) = (list((folder / "dist").glob(form)) for form in ("*.tar.gz", "*.whl"))
    return sdist, wheel


def size_lines(environment: Path) -> Iterator[str]:
    (packages,) = environment.glob("lib/python*/site-packages")
    sizes = dict[str, int]()
    for each in distributions(path=[str(packages)]):
        files = {Path(str(file.locate())) for file in each.files or ()}
        if (name := each.metadata["Name"]) not in ("pip", "setuptools", "wheel"):
            sizes[name] = sum(f.stat().st_blocks * 512 for f in files if f.is_file())
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        if size >= 1e6:
            yield f"{name:<28} {size / 1e6:6.0f} MB"
    total = sum(sizes.values()) / 1e6
    verdict = "above" if total > MOST else "within"
    yield f"{'all of a plain install':<28} {total:6.0f} MB, {verdict} {MOST}"


def begin(stranger: Stranger, is_full: bool) -> None:
    for line in COMMANDS.splitlines():
        stranger.run(line.split())
        if line == "arena init" and not is_full:
            for name, (old, new) in SHORTER.items():
                file = stranger.home / name
                text = file.read_text(encoding="utf-8")
                assert old in text, f"{file} has no {old}"
                # A test of a study has 25 pairs of games.
                text = text.replace(old, new).replace("pairs: 500", "pairs: 25")
                file.write_text(text, encoding="utf-8")
    stranger.pip("pytest")
    stranger.run([stranger.python, "-m", "pytest", "-q", "test_my_engine.py"])


def serve(stranger: Stranger) -> None:
    """Install the package that `arena serve` asks for, then ask for its page until it answers."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["arena", "serve", "--port", str(port)]
    refusal = stranger.run(words, status=2)
    (command,) = re.findall(r"pip install .*", refusal)
    stranger.pip(*command.split()[2:])
    print("$", *words, flush=True)
    served = subprocess.Popen(words, cwd=stranger.home, env=stranger.variables)
    try:
        status = asked(f"http://127.0.0.1:{port}/", seconds=60)
        print(f"It answers with {status}.", flush=True)
        if status not in (200, 401) or served.poll() is not None:
            raise SystemExit("which is no page, and no refusal of a browser without its link")
        stranger.done.append(f"{'':11}{' '.join(words)} answers with {status}")
    finally:
        served.send_signal(signal.SIGINT)
        served.wait(30)


def asked(address: str, seconds: float) -> int:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urlopen(address, timeout=5) as answer:
                return int(answer.status)
        except HTTPError as error:
            return error.code  # a refusal without its link is an answer, too
        except (URLError, OSError):
            time.sleep(0.5)
    raise SystemExit(f"{address} did not answer in {seconds} s")


if __name__ == "__main__":
    sys.exit(main())
