"""Counts of each folder's modules and folders, and of the imports between them: `structure.py`.

An arrow goes from one module or folder to another one beside it, if anything in the former imports
anything in the latter. A folder's `__init__` is not counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from support.sources import SOURCES, name, nodes, own_imports


@dataclass
class Count:
    """The modules and folders directly in a folder, and the imports between them."""

    rooms: set[str] = field(default_factory=set)
    arrows: set[tuple[str, str]] = field(default_factory=set)


def counts() -> dict[str, Count]:
    """The count of each folder, by its dotted name."""
    found: dict[str, Count] = {}
    for file in SOURCES:
        *folders, _ = parts = name(file).split(".")
        if file.name == "__init__.py":
            continue
        imported = [each.split(".") for each in own_imports(nodes(file))]
        for depth in range(1, len(folders) + 1):
            count = found.setdefault(".".join(parts[:depth]), Count())
            count.rooms.add(parts[depth])
            count.arrows |= {
                (parts[depth], other[depth])
                for other in imported
                if other[:depth] == parts[:depth] and len(other) > depth
                if other[depth] != parts[depth]
            }
    return found


if __name__ == "__main__":
    print(f"{'folder':32} {'inside':>6} {'arrows':>6}")
    for folder, count in sorted(counts().items()):
        print(f"{folder:32} {len(count.rooms):6} {len(count.arrows):6}")
