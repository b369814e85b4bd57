"""Games that were played elsewhere, and imported: a tournament that nobody goes on with."""

from arena.experiments.tournament import FRAMES as FRAMES, opened as opened

NAME = "imported games"
CONTENT = "imported games, which were played elsewhere, are"
COMMAND = ""
PLAYERS = "engines"
COMBINES = True
