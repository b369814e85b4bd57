"""The build step that writes the commit into wheels and sdists."""

from __future__ import annotations

import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

COMMIT = "arena/commit.txt"


def commit() -> str:
    """The commit of a checkout, or of the sdist that this is; empty if neither is known."""
    here = Path(__file__).parent
    if not (here / ".git").exists():
        kept = here / COMMIT
        return kept.read_text(encoding="utf-8") if kept.exists() else ""
    words = ["git", "-C", str(here), "describe", "--always", "--dirty", "--exclude", "*"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def write_commit(folder: str) -> None:
    """Write the commit to its place in a folder that is packed; nothing if it is not known."""
    if found := commit():
        file = Path(folder, COMMIT)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)  # it may be a hard link
        file.write_text(found, encoding="utf-8")


class BuildWithCommit(build_py):
    """A build that holds the commit; an editable one asks git whenever it is wanted."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            write_commit(self.build_lib)


class SdistWithCommit(sdist):
    """A source archive that holds the commit, for wheels that are built from it."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        write_commit(base_dir)


setup(cmdclass={"build_py": BuildWithCommit, "sdist": SdistWithCommit})
