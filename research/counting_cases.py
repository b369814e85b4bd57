"""Cases for `compare_counting`: made-up folders as plain data, of which no code of ours is part.

A case has the config that `arena run` reads, and the games that are kept beside it, each with the
fields of a record. Which games a config asks for is told by `ask`, which is given a config and the
games so far, and tells the next jobs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

Data = dict[str, Any]
Ask = Callable[[Data, list[Data]], list[Data]]

NAMES = ["ada", "Bo", "cy-2", "dora", "éva", "f|g", "gus", "hal", "iris", "jo", "kim", "lou"]
FORMATS = ["round_robin", "gauntlet", "swiss", "knockout", "couples", "sprt", "sprt_couples"]
FAULTS = ("illegal move", "time", "hang", "exception", "crash", "memory")
WINS = ("line", "won by proof", "won by scores", "resignation", "forbidden")
DRAWS = ("full board", "repetition", "ply cap", "drawn by scores", "few cells left", "agreement")
SEEN_WIN = 10**9
LIMITS: list[Data] = [{}, {"depth": 3}, {"nodes": 5000}, {"seconds": 0.1}, {"clock": "2+0.1"}]
LIMITS += [{"seconds": 0.2, "clock": "1"}, {"depth": 9, "nodes": 900}]


def made_case(random: Random, name: str, ask: Ask, game: Data, limit: Data) -> Data:
    """A case of this game and limit, or of another."""
    kind = random.choices(("tournament", "imported", "human"), (17, 2, 1))[0]
    if random.random() < 0.4:
        game, limit = random_game(random), random.choice(LIMITS)
    case: Data = {"name": name, "kind": kind, "facts": {}, "sessions": [], "machines": []}
    if kind != "tournament":
        names = random.sample(NAMES, 2 if kind == "human" else random.randint(2, 5))
        config: Data = {"game": game, "names": names}
        style = random_style(random, game, names)
        games = free_games(random, style, names)
    else:
        config = random_config(random, name, game, limit)
        wider = deepcopy(config)
        style = random_style(random, game, [each["name"] for each in config["engines"]])
        if random.random() < 0.3:
            config["keep_going"] = True
        edits = edited(random, config, wider) if random.random() < 0.5 else []
        games = scheduled_games(random, style, wider | {"keep_going": True}, ask)
        case |= {"earlier": wider, "edits": edits}
        games = left_over(random, games)
    add_facts(random, case, games)
    versions = [{"engine.py": each * 64} for each in random.choices("ab", k=len(NAMES))]
    return case | {
        "config": config,
        "games": games,
        "files": dict(zip(NAMES, versions, strict=True)),
    }


def random_game(random: Random) -> Data:
    """A game with its parameters."""
    size = random.randint(7, 15)
    return random.choice(
        [{"gomoku": {"size": size}}] * 4 + [{"tictactoe": {}}, {"two_eat_one": {}}]
    )


def random_config(random: Random, name: str, game: Data, limit: Data) -> Data:
    """A tournament as a file has it."""
    form = random.choice(FORMATS)
    count = {"sprt": 2, "sprt_couples": 2 * random.randint(1, 2), "couples": 4}.get(form)
    names = random.sample(NAMES, count or random.randint(2, 5))
    engines: list[Data] = [{"name": each, "engine": "random_mover"} for each in names]
    for each in engines:
        if "gomoku" in game and NAMES.index(each["name"]) % 2:
            each |= {"engine": "five_tuple", "depth": 1 + NAMES.index(each["name"])}
        if random.random() < 0.15:
            each["limit"] = random.choice(LIMITS[1:])
    return {
        "name": name,
        "game": game,
        "limit": limit,
        "seed": random.randint(0, 9),
        "format": {form: random_parameters(random, form, names)},
        "openings": random_openings(random, game),
        "rounds": random.randint(1, 3),
        "engines": engines,
    }


def random_parameters(random: Random, form: str, names: list[str]) -> Data:
    """Parameters of a format for these players."""
    if form == "gauntlet":
        return {"candidates": random.sample(names, random.randint(1, len(names) - 1))}
    if form == "knockout":
        return {"pairs": random.randint(1, 4), "tie_breaks": random.randint(0, 4)}
    if form == "couples":
        of = [random.choice((names[:2], names[1::-1])), random.choice((names[2:], names[1:3]))]
        return random.choice([{}, {"pairs": [3, 8]}, {"of": of}, {"of": of, "pairs": [5, 5]}])
    if form.startswith("sprt"):
        test: Data = {"elo0": random.choice((-200, 0)), "elo1": random.choice((30, 200, 500))}
        test |= {"alpha": random.choice((0.05, 0.2)), "pairs": random.choice((12, 25, 50))}
        return test | ({"least": random.choice((0, 6))} if form == "sprt_couples" else {})
    return {}


def random_openings(random: Random, game: Data) -> Data:
    """A source of openings: drawn, made by the players, none, or a list with symmetric images."""
    size = size_of(game)
    kinds = ["random"] if "two_eat_one" in game else ["random", "list", "list", "none"]
    kinds += ["swap2"] * 2 if size > 6 else []
    kind, plies = random.choice(kinds), 1 if size == 3 else 4
    if kind == "none":
        return {"list": [""]}
    if kind == "random":
        return {
            "random": {"plies": plies, "count": 2 if size == 3 else 6, "seed": random.randint(0, 9)}
        }
    if kind == "swap2":
        return {"swap2": {"count": random.randint(1, 6), "seed": random.randint(0, 9)}}
    texts = dict[str, None]()
    while len(texts) < (3 if size == 3 else 7):
        cells = random.sample(range(size * size), plies)
        texts[" ".join(cell_text(cell, size) for cell in cells)] = None
        turn = random.choice(turns(size))
        texts[" ".join(cell_text(turn[cell], size) for cell in cells)] = None
        if plies == 4:
            again = (cells[2], cells[1], cells[0], cells[3])
            texts[" ".join(cell_text(cell, size) for cell in again)] = None
    return {"list": random.sample([*texts], random.randint(1, len(texts)))}


def edited(random: Random, config: Data, wider: Data) -> list[str]:
    """Change a config, or the one of which its games are, so that games are too many or too few."""
    made = list[str]()
    ((form, parameters),) = config["format"].items()
    listed = config["openings"].get("list", ())
    is_free = form in ("round_robin", "swiss", "knockout")
    for edit in random.sample(("player", "newcomer", "opening", "rounds", "pairs", "test"), 3):
        names = [each["name"] for each in config["engines"]]
        strangers = [name for name in NAMES if name not in names]
        if edit == "player" and is_free and len(names) > 2:
            config["engines"].pop(random.randrange(len(names)))
        elif edit == "newcomer" and is_free:
            new = {"name": random.choice(strangers), "engine": "random_mover"}
            config["engines"].insert(random.randint(0, len(names)), new)
        elif edit == "opening" and len(listed) > 1:
            listed.pop(random.randrange(len(listed)))
        elif edit == "rounds" and random.choice((config, wider))["rounds"] > 1:
            config["rounds"] = 1
        elif edit == "pairs" and "pairs" in parameters:
            fewer = parameters["pairs"]
            parameters["pairs"] = [2, 3] if isinstance(fewer, list) else max(1, fewer // 3)
        elif edit == "test" and "elo1" in parameters:
            parameters["elo1"] = 500
            wider["format"][form]["elo1"] = 1
        else:
            continue
        made.append(edit)
    return made


def random_style(random: Random, game: Data, names: list[str]) -> Data:
    """How the games of a case are: strengths, faults, copies, and what is kept of them."""
    strength = {name: random.gauss(0, random.choice((0.2, 1.5))) for name in NAMES}
    faulty = random.choice((0, 0, 0, 1, 2, 2, 3))
    fault = {
        name: random.choice((0.0, 0.05, 0.5)) for name in random.sample(names, len(names) // 2)
    }
    broken = {random.choice(names): 1.0}
    return {
        "size": size_of(game),
        "steps": "two_eat_one" in game,
        "strength": strength,
        "fault": (fault if faulty > 1 else {}) | (broken if faulty in (1, 3) else {}),
        "draws": random.choice((0.05, 0.3, 0.9)),
        "variants": random.choice((1, 2, 1000, 1000)),
        "twins": random.random() < 0.2,
        "marks": random.choice(("all", "all", "all", "digest", "start", "none")),
        "texts": random.choice(("all", "all", "all", "dashes", "no scores", "nothing")),
        "says": random.random() < 0.2,
        "machines": random.choice(([], [], [], ["", "east", "west"])),
        "salt": random.random(),
    }


def scheduled_games(random: Random, style: Data, config: Data, ask: Ask) -> list[Data]:
    """Games that a config asks for, in the order of its schedule."""
    games, keys = list[Data](), set[tuple[Any, ...]]()
    wanted = random.choice((random.choice((0, 10)), 40, 80, 120, 160, 10**6, 10**6))
    while len(games) < min(wanted, 200):
        jobs = [job for job in ask(config, games) if key_of(job) not in keys]
        if not jobs:
            break
        for job in jobs:
            keys.add(key_of(job))
            games.append(played(random, style, job))
    return games


def left_over(random: Random, games: list[Data]) -> list[Data]:
    """The games as a run that was stopped keeps them: some missing, in the order they ended in."""
    gaps = random.choice((0, 0, 0.02, 0.1))
    kept = [game for game in games if random.random() >= gaps]
    order = [i + random.uniform(0, random.choice((0, 2, 6))) for i in range(len(kept))]
    return [kept[i] for i in sorted(range(len(kept)), key=order.__getitem__)]


def free_games(random: Random, style: Data, names: list[str]) -> list[Data]:
    """Games that no schedule asked for: in several rounds, and many without another of a pair."""
    size, steps = style["size"], style["steps"]
    openings, rounds = [""], dict[tuple[str, ...], int]()
    for _ in range(0 if steps else 3):
        cells = random.sample(range(size * size), 2)
        openings.append(" ".join(cell_text(cell, size) for cell in cells))
    games = []
    for _ in range(random.choice((3, 30, 90))):
        first, second = random.sample(names, 2)
        job: Data = {"first": first, "second": second, "opening": random.choice(openings)}
        job |= {"seed": 0, "proposer": 0, "suggested": ""}
        if size > 6 and random.random() < 0.1:
            job |= {"opening": "", "proposer": 1, "suggested": openings[1]}
        place = first, second, job["opening"], job["suggested"]
        job["round"] = rounds[place] = rounds.get(place, 0) + 1
        games.append(played(random, style, job))
    return games


def played(random: Random, style: Data, job: Data) -> Data:
    """The game of a job, as fields of a record; equal players on equal openings may repeat one."""
    size = style["size"]
    game: Data = {name: job[name] for name in ("first", "second", "opening", "round", "seed")}
    game |= {"proposer": job["proposer"], "suggested": job["suggested"], "swap2": ""}
    if job["proposer"]:
        make_opening(random, game, size)
    start = start_of(game["opening"], size)
    variant = random.randrange(style["variants"])
    seats = () if style["twins"] else (game["first"], game["second"])
    line = Random(f"{style['salt']} {seats} {start} {variant}")
    digest = mark_of((seats, start, variant, style["salt"]), 13)
    opening = game["opening"].split()
    if style["steps"]:
        rest = [
            f"{line.randrange(5)},{line.randrange(5)}-{i % 5},0" for i in range(line.randrange(40))
        ]
    else:
        cells = [cell_text(cell, size) for cell in range(size * size)]
        free = [cell for cell in cells if cell not in opening]
        rest = line.sample(free, line.randrange(min(len(free), 40)))
    gap = style["strength"][game["first"]] - style["strength"][game["second"]]
    winner: int | None = 1 if line.random() < 1 / (1 + 2.7 ** -(gap + 0.3)) else 2
    reason = line.choice(WINS)
    if line.random() < style["draws"]:
        winner, reason = None, line.choice(DRAWS)
    for seat, name in enumerate((game["first"], game["second"]), start=1):
        if random.random() < style["fault"].get(name, 0.0):
            winner, reason = 3 - seat, random.choice(FAULTS)
            winner = None if random.random() < 0.01 else winner
    moves = [*opening, *rest]
    game |= {"winner": winner, "reason": reason, "plies": len(moves), "moves": " ".join(moves)}
    game["detail"] = " ".join(rest[:3]) if reason == "won by proof" else ""
    game["detail"] = f"{random.random():.3f} s over" if reason == "time" else game["detail"]
    game["start"] = start if style["marks"] in ("all", "start") else ""
    game["digest"] = digest if style["marks"] in ("all", "digest") else ""
    game["machine"] = random.choice(style["machines"] or [""])
    choices = len(rest) + (reason in ("resignation", "illegal move") and random.random() < 0.5)
    return game | texts_of(random, style, choices, len(opening), winner)


def make_opening(random: Random, game: Data, size: int) -> None:
    """Answer as the players do by swap2; both answers that change colours change the seats."""
    answers, stones = list[str](), game["suggested"].split()
    laid = random.choice(((), ("three",), ("three", "two"), ("three", "two"), ("three",)))
    if random.random() < 0.3:
        stones = [cell_text(cell, size) for cell in random.sample(range(size * size), 3)]
    free = [cell_text(cell, size) for cell in range(size * size)]
    free = [cell for cell in free if cell not in stones]
    stones = [*stones, *random.sample(free, 2)][: {0: 0, 1: 3, 2: 5}[len(laid)]]
    last = random.choices(("stay", "swap", ""), (5, 5, 1))[0] if laid else ""
    for answer in (*laid, last):
        timed = f"{answer}:{random.expovariate(5):.6f}" if answer not in ("stay", "") else answer
        answers += [timed] if timed else []
        if answer in ("two", "swap"):
            game["first"], game["second"] = game["second"], game["first"]
            game["proposer"] = 3 - game["proposer"]
    game |= {"opening": " ".join(stones), "swap2": " ".join(answers)}


def texts_of(random: Random, style: Data, count: int, laid: int, winner: int | None) -> Data:
    """What is kept of each choice: a number for each, in each text."""
    texts: Data = dict.fromkeys(("times", "nodes", "depths", "scores", "pv", "info"), "")
    if style["texts"] == "nothing" or not count:
        return texts
    nodes = [random.choice((0, 1, int(random.lognormvariate(7, 2)))) for _ in range(count)]
    texts["times"] = " ".join(f"{random.lognormvariate(-3, 1.5):.6f}" for _ in range(count))
    texts["nodes"] = " ".join(map(str, nodes))
    texts["depths"] = " ".join(str(random.randint(0, 9)) for _ in range(count))
    scores = []
    for ply in range(laid, laid + count):
        lead = 0 if winner is None else 1 if (ply % 2 + 1) == winner else -1
        kind = random.choices(("plain", "none", "seen"), (16, 2, 1))[0]
        plain = f"{random.gauss(60 * lead, 150):.0f}".replace("-0", "0")
        seen = str((lead or 1) * (SEEN_WIN - ply))
        scores.append({"plain": plain, "none": "-", "seen": seen}[kind])
    if style["texts"] != "no scores":
        texts["scores"] = " ".join(["-"] * count if style["texts"] == "dashes" else scores)
    if style["says"]:
        texts["pv"] = "|".join(random.choice(("", "1,1", "1,1 2,2")) for _ in range(count))
    return texts


def add_facts(random: Random, case: Data, games: list[Data]) -> None:
    """Give a run sessions, machines, plans that it was over with, and code that changed."""
    if random.random() < 0.5:
        case["facts"]["clocks"] = "overdraft is owed"
    if random.random() < 0.2 and games:
        case["facts"]["plans"] = random.choice(([len(games)], [2, 4], [len(games) + 2]))
    if random.random() < 0.1 and games:
        row = {"player": games[0]["first"], "games": 1, "files": ["engine.py"]}
        case["facts"]["code"] = [row]
    for day in range(random.choice((0, 1, 1, 2))):
        began = 1.7e9 + 86400.0 * day + random.randint(0, 10**6)
        session = {"began": began, "ended": began + 60, "workers": 2, "cores": 2}
        case["sessions"].append(
            session | {"least_load": 1.0, "most_load": random.choice((2.0, 9.0))}
        )
    if any(game["machine"] for game in games):
        east = {"name": "east", "cores": 8, "megabytes": 16_000, "speed": 1.5}
        case["machines"] = [east | {"slowest": 1.25, "fastest": 1.75}]


def key_of(job: Data) -> tuple[Any, ...]:
    """What tells the jobs of one schedule apart."""
    return job["first"], job["second"], job["opening"], job["suggested"], job["round"]


def size_of(game: Data) -> int:
    """Rows of the board."""
    return int(game["gomoku"]["size"]) if "gomoku" in game else 3 if "tictactoe" in game else 5


def cell_text(cell: int, size: int) -> str:
    """A cell as moves name it."""
    return f"{cell // size},{cell % size}"


def turns(size: int) -> list[list[int]]:
    """The ways to turn and mirror a board, as the cell to which each cell goes."""
    rows = [list(range(row * size, (row + 1) * size)) for row in range(size)]
    found = []
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        orders = rows, [row[::-1] for row in rows]
        found += [[cell for row in order for cell in row] for order in orders]
    return found


def start_of(opening: str, size: int) -> str:
    """The mark of a position that its symmetric images share; of steps, of the text."""
    words = opening.split()
    if "-" in opening:
        return mark_of(words, 8)
    cells = [int(row) * size + int(column) for row, column in (word.split(",") for word in words)]
    images = [sorted((turn[cell], i % 2) for i, cell in enumerate(cells)) for turn in turns(size)]
    return mark_of(min(images), 8)


def mark_of(facts: object, length: int) -> str:
    """Letters that only equal facts share."""
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:length]
