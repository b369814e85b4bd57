"""The check of the openings in a YAML file."""

from __future__ import annotations

from collections.abc import Sequence

from arena.config.paths import from_folder
from arena.config.reader import Location, Reader, parameter_names
from arena.errors import ConfigError, unknown
from arena.match.opening import Openings, fault_of, spelt
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.load import Kind, Named

SOURCE: Kind = "source of openings"


class OpeningsReader(Reader):
    """Goes through a file that has openings, and remembers where each one comes from."""

    places: Sequence[str] = ()
    """The file and line of each opening, if they come from another file."""

    def openings(self, value: object, game: Named, format: Named) -> Openings:
        """The openings from their source: as many as the format can use, if it says so."""
        name, values, path = self.one_name("openings", value)
        known = load.names(SOURCE)
        if name and name not in known:
            message = unknown(SOURCE, name, known)
            self.fault(message, path, is_key=isinstance(value, dict))
        if name not in known:
            return listed((), game)
        factory, module = load.factory(SOURCE, name), load.module(SOURCE, name)
        if parameter_names(factory) == {name}:
            values, path = {name: values}, path[:1]
        wanted = format.is_checked and getattr(load.module("format", format.name), "openings", None)
        if wanted and isinstance(values, dict) and getattr(module, "DRAWS", False):
            values = {"count": wanted(**format.parameters), **values}
        source = self.fitted(name, factory, values, path)
        if hasattr(module, "with_places"):
            return self.openings_of_file(source, game)
        if source.is_checked and not module.count(source.parameters):
            self.fault(f"{name} needs at least one opening", ("openings", name))
        return Openings(source, game)

    def openings_of_file(self, source: Named, game: Named) -> Openings:
        """The openings that stand in another file now, written out: it may change, or go."""
        found: list[tuple[str, str]] = []
        if source.is_checked and game.is_checked:
            factory, module = load.factory(SOURCE, source.name), load.module(SOURCE, source.name)
            values = from_folder(factory, source.parameters, self.document.file.parent)
            try:
                found = module.with_places(load.load_game(game), **values)
            except ConfigError as error:
                for fault in error.faults:
                    self.fault(str(fault), ("openings", source.name))
        self.places = [place for _, place in found]
        return listed([text for text, _ in found], game)

    def check_openings(self, starts: Openings, terms: Terms) -> None:
        """Note which of them the game cannot be played from, and which stand there twice.

        Of openings that are drawn, it is enough to draw them all, and to try one.
        """
        try:
            texts = list(starts)
        except ConfigError as error:
            return self.fault(str(error), ("openings",))
        game = load.load_game(terms.game)
        seen: dict[str, int] = {}
        for i, start in enumerate(texts[:1] if starts.draws else texts):
            place, path = self.place_of(starts, i)
            if message := fault_of(game, start, terms):
                self.fault(place + message, path)
            elif (spelling := spelt(game, start)) in seen:
                first = f", first at {self.places[seen[spelling]]}" if place else ""
                self.fault(f"{place}opening {start!r} stands here twice{first}", path)
            else:
                seen[spelling] = i
                if spelling != start:
                    self.fault(f"opening {start!r} must be spelt {spelling!r}", path)
        return None

    def place_of(self, starts: Openings, i: int) -> tuple[str, Location]:
        """The place of an opening: as a message begins, and in this file."""
        if self.places:
            return f"{self.places[i]}: ", ("openings",)
        return "", ("openings",) if starts.draws else ("openings", starts.source.name, i)


def listed(texts: Sequence[str], game: Named) -> Openings:
    """Openings that are written out."""
    return Openings(Named("list", {"list": list(texts)}, is_checked=True), game)
