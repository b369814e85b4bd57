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
        return self.openings_from(name, values, path, game, format)

    def openings_at(self, value: object, game: Named, place: Location) -> Openings:
        """The same of a value that stands elsewhere in the file."""
        is_named = isinstance(value, str) or (isinstance(value, dict) and len(value) == 1)
        if not is_named:
            self.fault(f"must be a name, or name: {{key: value}}, not {value!r}", place)
            return listed((), game)
        name, values, (_, *rest) = self.one_name("openings", value)
        return self.openings_from(name, values, (*place, *rest), game, Named(""))

    def openings_from(
        self, name: str, values: object, path: Location, game: Named, format: Named
    ) -> Openings:
        """The openings of a source by its name, whose parameters stand at this path."""
        known = load.names(SOURCE)
        if name and name not in known:
            self.fault(unknown(SOURCE, name, known), path, is_key=path[-1] == name)
        if name not in known:
            return listed((), game)
        factory, module = load.factory(SOURCE, name), load.module(SOURCE, name)
        if parameter_names(factory) == {name}:
            values, path = {name: values}, path[:-1] if path[-1] == name else path
        wanted = format.is_checked and getattr(load.module("format", format.name), "openings", None)
        if wanted and isinstance(values, dict) and getattr(module, "DRAWS", False):
            values = {"count": wanted(**format.parameters), **values}
        source = self.fitted(name, factory, values, path)
        if hasattr(module, "with_places"):
            return self.openings_of_file(source, game, path)
        if source.is_checked and not module.count(source.parameters):
            self.fault(f"{name} needs at least one opening", (*path, name))
        return Openings(source, game)

    def openings_of_file(self, source: Named, game: Named, path: Location) -> Openings:
        """The openings that stand in another file now, written out: it may change, or go."""
        found: list[tuple[str, str]] = []
        if source.is_checked and game.is_checked:
            factory, module = load.factory(SOURCE, source.name), load.module(SOURCE, source.name)
            values = from_folder(factory, source.parameters, self.document.file.parent)
            try:
                found = module.with_places(load.load_game(game), **values)
            except ConfigError as error:
                for fault in error.faults:
                    self.fault(str(fault), path)
        self.places = [place for _, place in found]
        return listed([text for text, _ in found], game)

    def check_openings(
        self, starts: Openings, terms: Terms, path: Location = ("openings",)
    ) -> None:
        """Note which of them the game cannot be played from, and which stand there twice.

        Of openings that are drawn, it is enough to draw them all, and to try one.
        """
        try:
            texts = list(starts)
        except ConfigError as error:
            return self.fault(str(error), path)
        game = load.load_game(terms.game)
        seen: dict[str, int] = {}
        for i, start in enumerate(texts[:1] if starts.draws else texts):
            place, there = self.place_of(starts, i, path)
            if message := fault_of(game, start, terms):
                self.fault(place + message, there)
            elif (spelling := spelt(game, start)) in seen:
                first = f", first at {self.places[seen[spelling]]}" if place else ""
                self.fault(f"{place}opening {start!r} stands here twice{first}", there)
            else:
                seen[spelling] = i
                if spelling != start:
                    self.fault(f"opening {start!r} must be spelt {spelling!r}", there)
        return None

    def place_of(self, starts: Openings, i: int, path: Location) -> tuple[str, Location]:
        """The place of an opening: as a message begins, and in this file."""
        if self.places:
            return f"{self.places[i]}: ", path
        return "", path if starts.draws else (*path, starts.source.name, i)


def listed(texts: Sequence[str], game: Named) -> Openings:
    """Openings that are written out."""
    return Openings(Named("list", {"list": list(texts)}, is_checked=True), game)
