"""Names that a shell completes after Tab: engines, games, formats, runs, frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from click import Context, Parameter
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from arena.plugins.load import Kind

Completion = Callable[[Context, Parameter, str], list[CompletionItem]]


def _beginning_with(incomplete: str, words: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(word) for word in dict.fromkeys(words) if word.startswith(incomplete)]


def named(kind: Kind) -> Completion:
    """The names of a kind that come with the project."""

    def complete(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
        from arena.plugins.load import names

        return _beginning_with(incomplete, names(kind))

    return complete


def engines(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of engines, or files once a path has begun."""
    if incomplete.startswith((".", "/", "~")):
        return [CompletionItem(incomplete, type="file")]
    return named("engine")(context, parameter, incomplete)


def players(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Engines, and the person at the terminal."""
    return _beginning_with(incomplete, ["human"]) + engines(context, parameter, incomplete)


def runs(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """The folders of runs, studies and fits in the folder that `--results` names."""
    if incomplete.startswith((".", "/", "~")):
        return [CompletionItem(incomplete, type="dir")]
    results = Path(context.params.get("results") or "results")
    found = results.glob("*/config.yaml") if results.is_dir() else ()
    return _beginning_with(incomplete, sorted(file.parent.name for file in found))


def frames(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of frames of runs, studies and fits."""
    from arena.plugins.load import module, names

    kinds = [module("experiment", kind) for kind in names("experiment")]
    return _beginning_with(incomplete, [frame for kind in kinds for frame in kind.FRAMES])


def either(names: tuple[str, ...]) -> str:
    """The names in a sentence: `a, b or c`."""
    return f"{', '.join(names[:-1])} or {names[-1]}"
