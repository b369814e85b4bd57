"""A Gomocup brain that behaves as its argument says: `python -S -E odd.py "two moves"`.

It plays the first empty point. Oddities of moves come at its third move of each game.
All oddities are in `ODDITIES`: what each does at one of the events that a brain lives through.
With a file as a second argument, all that it is told is written there.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

ODD_MOVE = 3
MEGABYTE = 2**20
MANY = 250  # Processes that are too many
Event = Callable[["Brain"], object]


class Brain:
    """The state of one process: the board as far as it is known, and what was read of a line."""

    def __init__(self, oddity: dict[str, Event], log: str = os.devnull) -> None:
        self.oddity = oddity
        self.heard = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.rest = b""
        self.words = ""  # The text behind the command
        self.end = b"\n"
        self.blanks: str | None = None
        """The characters that are taken off both ends of a line; None: all blanks."""
        self.needs_cr = False  # True if lines that end with LF alone are passed over
        self.is_scattered = False  # True if it does not make fives, so that games go on
        self.own = (0, 0)
        self.restart()
        self.games = 0
        self.lost = -1

    def restart(self) -> None:
        self.taken: set[tuple[int, int]] = set()
        self.moves = 0

    def line(self) -> str:
        """The next line; the process ends with its input."""
        while b"\n" not in self.rest:
            read = os.read(0, 65536)
            os.write(self.heard, read)
            if not read:
                self.event("end of input", lambda _: os._exit(0))
            self.rest += read
        line, self.rest = self.rest.split(b"\n", 1)
        if self.needs_cr and not line.endswith(b"\r"):
            return self.line()
        return line.decode().strip(self.blanks)

    def say(self, text: str | bytes) -> None:
        """Write a line, whole, however long it is."""
        left = (text.encode() if isinstance(text, str) else text) + self.end
        while left:
            left = left[os.write(1, left) :]

    def event(self, name: str, usual: Event) -> None:
        self.oddity.get(name, usual)(self)

    def live(self) -> None:
        self.event("launch", lambda _: None)
        while True:
            command, _, self.words = self.line().partition(" ")
            self.event(command.upper(), USUAL.get(command.upper(), Brain.unknown))

    def unknown(self) -> None:
        self.say("UNKNOWN command")

    def start(self) -> None:
        self.size = int(self.words)
        self.restart()
        self.event("ok", lambda _: self.say("OK"))

    def again(self) -> None:
        self.games += 1
        self.restart()
        self.say("OK")

    def turn(self) -> None:
        self.take(self.words)
        self.move()

    def board(self) -> None:
        """The whole board: what was known of it is forgotten, but not how often it was asked."""
        self.taken.clear()
        while (line := self.line()).upper() != "DONE":
            self.take(line)
        self.move()

    def play(self) -> None:
        """The answer to SUGGEST: the move that was suggested, or another."""
        self.take(self.words)
        self.say(self.words)

    def take(self, text: str) -> None:
        x, y, *_ = text.split(",")
        self.taken.add((int(x), int(y)))

    def choose(self, skipped: int = 0) -> str:
        """Take the first empty point, or the one at this place behind it."""
        every = [(x, y) for y in range(self.size) for x in range(self.size)]
        if self.is_scattered:
            every.sort(key=lambda point: (point[0] + 2 * point[1]) % 5)
        empty = [point for point in every if point not in self.taken]
        self.own = empty[skipped % len(empty)]
        self.taken.add(self.own)
        return "{},{}".format(*self.own)

    def move(self) -> None:
        self.moves += 1
        if self.moves == ODD_MOVE and "move" in self.oddity:
            self.oddity["move"](self)
        else:
            self.event("any move", Brain.answer)
        if self.moves == ODD_MOVE:
            self.event("moved", lambda _: None)

    def answer(self) -> None:
        self.say(self.choose())


USUAL: dict[str, Event] = {
    "START": Brain.start,
    "RESTART": Brain.again,
    "BEGIN": Brain.move,
    "TURN": Brain.turn,
    "BOARD": Brain.board,
    "PLAY": Brain.play,
    "INFO": lambda _: None,
    "ABOUT": lambda brain: brain.say('name="Odd", version="1.5", author="tests", country="none"'),
    "END": lambda _: os._exit(0),
    "": lambda _: None,
}


def say(text: str | bytes) -> Event:
    return lambda brain: brain.say(text)


def first(*acts: Event) -> Event:

    def do(brain: Brain) -> None:
        for act in acts:
            act(brain)

    return do


def before_the_move(act: Event) -> Event:
    return first(act, Brain.answer)


def sleep(seconds: float) -> Event:
    return lambda _: time.sleep(seconds)


def leave(code: int = 0) -> Event:
    return lambda _: os._exit(code)


def hang(_: object) -> None:
    while True:
        time.sleep(60)


def spin(_: object) -> None:
    while True:
        pass


def deaf(_: object) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)


def flood(descriptor: int, line: bytes) -> Event:

    def write(_: object) -> None:
        while True:
            try:
                os.write(descriptor, line * 100)
            except OSError:
                time.sleep(0.1)

    return write


def aside(act: Event) -> Event:
    return lambda brain: threading.Thread(target=act, args=(brain,), daemon=True).start()


def lose_word(brain: Brain) -> None:
    """Refuse the end of a command, once in each game, as if its first word had been dropped."""
    if brain.moves == ODD_MOVE and brain.lost < brain.games:
        brain.lost = brain.games
        brain.say("ERROR Unknown command: " + brain.words)
    else:
        brain.turn()


def drop_early(brain: Brain) -> None:
    """Read nothing of what arrives within some milliseconds."""
    time.sleep(0.02)
    brain.rest = b""
    while select.select([0], [], [], 0)[0] and (lost := os.read(0, 65536)):
        os.write(brain.heard, lost)


def in_child(act: Event, session: bool = False) -> Event:
    """Do it in a child, which keeps the pipes; the parent goes on."""

    def fork(brain: Brain) -> None:
        if os.fork() == 0:
            if session:
                os.setsid()
            act(brain)
            os._exit(0)

    return fork


def take_memory(megabytes: int) -> Event:
    """Take it page by page, and hold it for good."""

    def take(_: object) -> None:
        held = [bytearray(b"x" * MEGABYTE) for _ in range(megabytes)]
        while held:
            time.sleep(60)

    return take


def many_processes(_: object) -> None:
    sleepers = [subprocess.Popen(["sleep", "60"], close_fds=False) for _ in range(MANY)]
    while sleepers:
        time.sleep(60)


def suggest(brain: Brain) -> None:
    text = brain.choose()
    brain.taken.remove(brain.own)
    brain.say("SUGGEST " + text)


def second_move_when_asked_again(brain: Brain) -> None:
    """Play; once the next command is there, and before it is read, send another move."""
    brain.answer()
    select.select([0], [], [], 5)
    brain.say(f"{brain.size - 1},{brain.size - 1}")
    time.sleep(0.05)


def about_then_move(brain: Brain) -> None:
    brain.oddity = {}
    USUAL["ABOUT"](brain)
    brain.answer()


def about_between_games(brain: Brain) -> None:
    """Answer ABOUT while no game is open; in one, only once the next move is made."""
    if brain.moves:
        brain.oddity = {**brain.oddity, "any move": think_then_about}
    else:
        USUAL["ABOUT"](brain)


def think_then_about(brain: Brain) -> None:
    brain.oddity = ODDITIES["ABOUT between its games"]
    brain.event("any move", Brain.answer)
    USUAL["ABOUT"](brain)


def at_max_memory(act: Event) -> Event:
    return lambda brain: brain.words.startswith("max_memory") and act(brain)


def fill_memory(brain: Brain) -> None:
    brain.table = bytearray(b"x") * int(brain.words.split()[1])
    time.sleep(0.3)  # long enough for the guard to look at it


def work_aside(brain: Brain) -> None:
    """Compute for two seconds in a thread, for which the first move waits."""
    brain.work = threading.Thread(target=busy(2), args=(brain,))
    brain.work.start()


def finish_work(brain: Brain) -> None:
    brain.work.join()
    brain.answer()


def board_after_restart(brain: Brain) -> None:
    """Refuse BOARD while a game is open."""
    if brain.moves:
        brain.say("ERROR there is an open game")
    else:
        brain.board()


def done_without_cr(brain: Brain) -> None:
    """Read BOARD, and know its end only where no CR is behind it."""
    brain.blanks = " "
    brain.taken.clear()
    while (line := brain.line()) != "DONE" and line.strip() != "DONE":
        brain.take(line)
    brain.blanks = None
    if line == "DONE":
        brain.move()
    else:
        brain.say("ERROR - x,y,who or DONE expected after BOARD")


def board_on_stones(brain: Brain) -> None:
    """Read BOARD, and where there are more than four stones answer with one."""
    brain.taken.clear()
    while (line := brain.line()) != "DONE":
        brain.take(line)
    if len(brain.taken) > 4:
        occupied(brain)
    else:
        brain.move()


def board_on_old_stones(brain: Brain) -> None:
    """Read BOARD; after a RESTART, play on a stone of it."""
    brain.taken.clear()
    while (line := brain.line()) != "DONE":
        brain.take(line)
    if brain.games:
        occupied(brain)
    else:
        brain.move()


def restart_without_end(brain: Brain) -> None:
    brain.games += 1
    brain.restart()
    os.write(1, b"OK")


def busy(seconds: float) -> Event:

    def work(_: object) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    return work


def scatter(brain: Brain) -> None:
    brain.is_scattered = True


def from_move(number: int, act: Event) -> Event:
    """Play, and do something else in this move of a game and all later ones."""
    return lambda brain: act(brain) if brain.moves >= number else brain.answer()


def in_game(number: int, act: Event) -> Event:
    """Play, and do something else in this game of a process and all later ones."""
    return lambda brain: act(brain) if brain.games + 1 >= number else brain.answer()


def after_restart(act: Event, number: int = 1) -> Event:
    """Play, and do something else in this move after a RESTART."""
    return lambda brain: act(brain) if brain.games and brain.moves == number else brain.answer()


def occupied(brain: Brain) -> None:
    brain.say("{},{}".format(*sorted(brain.taken)[0]))


def show_board(brain: Brain) -> None:
    board = "\n".join(f"{row:2}" + "  -" * 15 for row in range(15))
    brain.say(f"OK\n{board}\nYour turn, please give a coordinate 'x y':")
    while True:
        brain.line()
        brain.say(f"Invalid input!\n{board}\nYour turn:")


def die_in_a_thread(brain: Brain) -> None:
    """Think in a thread, which fails; the process goes on."""
    thread = threading.Thread(target=lambda: brain.no_such_thing)
    thread.start()
    thread.join()


def survive_a_traceback(brain: Brain) -> None:
    """Fail in a thread in the first game, and play all the same, after a while."""
    if not brain.games:
        die_in_a_thread(brain)
    time.sleep(0.2)
    brain.answer()


def only_20(brain: Brain) -> None:
    brain.say("OK" if brain.size == 20 else "ERROR this brain plays on 20 x 20 only")


BANNER = [f"*** line {number} of a banner ***" for number in range(200)]


def show_banner(brain: Brain) -> None:
    for line in BANNER:
        brain.say(line)


def only_once(act: Event) -> Event:
    """Do it in every process but the first, which leaves a mark in its working directory."""

    def do(brain: Brain) -> None:
        try:
            os.close(os.open("was-here", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            act(brain)

    return do


def close_output(_: object) -> None:
    os.close(1)
    time.sleep(60)


def half_after_half(brain: Brain) -> None:
    first, second = brain.choose().split(",")
    os.write(1, f"{first},".encode())
    time.sleep(0.12)
    brain.say(second)


def half_a_line(brain: Brain) -> None:
    os.write(1, brain.choose().encode()[:2])
    hang(brain)


DIE = leave()
BINARY = bytes(range(256))

ODDITIES: dict[str, dict[str, Event]] = {
    "none": {},
    "any moment": {"any move": before_the_move(sleep(0.002))},
    # wrong in what `arena check` alone looks at
    "keeps the CR of DONE": {"BOARD": done_without_cr},
    "needs CR LF": {"launch": lambda brain: setattr(brain, "needs_cr", True)},
    "plays on stones of BOARD": {"BOARD": board_on_stones},
    "for people": {"launch": show_board},
    "answers ABOUT twice": {
        "ABOUT": first(USUAL["ABOUT"], aside(first(sleep(0.05), USUAL["ABOUT"]))),
        "unknown": first(sleep(0.2), say("UNKNOWN command")),
    },
    # legal
    "ok in small letters": {"ok": say("ok")},
    "words behind OK": {"ok": say("OK - everything is good")},
    "messages before OK": {"ok": first(say("MESSAGE 1,2"), say("DEBUG 3,4"), say("OK"))},
    "messages before the move": {
        "any move": before_the_move(first(say("message 0,0 is taken"), say("Debug 1,1")))
    },
    "suggests": {"any move": suggest},
    "blanks": {"any move": lambda brain: brain.say(f"  {brain.choose()}  ".replace(",", " \t, "))},
    "CR LF": {"launch": lambda brain: setattr(brain, "end", b"\r\n")},
    "CR alone": {"launch": lambda brain: setattr(brain, "end", b"\r")},
    "empty lines": {"any move": first(say(""), say(b"\r"), Brain.answer, say(""))},
    "late ABOUT": {
        # with the first move only
        "ABOUT": lambda brain: setattr(brain, "oddity", {"any move": about_then_move})
    },
    "ABOUT between its games": {
        "ABOUT": about_between_games,
        "any move": before_the_move(sleep(0.095)),
    },
    "no ABOUT": {"ABOUT": lambda _: None},
    "words for ABOUT": {"ABOUT": say("A brain of old times, (c) 2001")},
    "unknown ABOUT": {"ABOUT": Brain.unknown},
    "ignores END": {"launch": deaf, "END": hang, "end of input": hang},
    "unknown RESTART": {"RESTART": Brain.unknown},
    "10 MB in a line": {"move": before_the_move(say(b"MESSAGE " + b"x" * (10 * MEGABYTE)))},
    "binary bytes": {"any move": before_the_move(say(b"MESSAGE " + BINARY))},
    "endless stderr": {"launch": aside(flood(2, b"some words about nothing at all\n"))},
    "slow INFO": {"INFO": at_max_memory(sleep(3))},
    "slow INFO, no ABOUT": {"INFO": at_max_memory(sleep(1)), "ABOUT": lambda _: None},
    "very slow INFO": {"INFO": at_max_memory(sleep(20))},
    "INFO in a thread": {
        "INFO": at_max_memory(work_aside),
        "ABOUT": lambda _: None,
        "any move": finish_work,
    },
    "memory filled": {"INFO": at_max_memory(fill_memory)},
    "refuses INFO": {"INFO": say("UNKNOWN key"), "any move": before_the_move(sleep(0.5))},
    "keeps the CR": {"launch": lambda brain: setattr(brain, "blanks", " ")},
    "text before the move": {"any move": before_the_move(say("True"))},
    "text after the move": {"any move": first(Brain.answer, say("board is now"), say(". . X"))},
    "words behind the move": {"any move": lambda brain: brain.say(brain.choose() + " Value:0")},
    "banner": {"launch": show_banner},
    "banner after OK": {"ok": first(say("OK"), show_banner)},
    "reads no clock": {"any move": before_the_move(sleep(0.15))},
    "needs its folder": {"launch": lambda _: os.stat("odd.py")},
    "needs RESTART": {"BOARD": board_after_restart},
    "silence to RESTART": {"RESTART": lambda _: None},
    "loses a word": {"TURN": lose_word},
    "drops early commands": {"any move": first(Brain.answer, drop_early)},
    "child left behind": {"launch": in_child(first(deaf, hang), session=True)},
    "second move when asked again": {"move": second_move_when_asked_again},
    "stops its guard": {"move": before_the_move(lambda _: os.kill(os.getppid(), signal.SIGSTOP))},
    "half lines": {"any move": half_after_half},
    "a digit for ABOUT": {"ABOUT": say("1")},
    "ABOUT without an end": {"ABOUT": lambda _: os.write(1, b'name="Odd", version="1.5"')},
    "OK without an end": {"ok": lambda _: os.write(1, b"OK")},
    "RESTART without an end": {"RESTART": restart_without_end},
    "numbers while it thinks": {"any move": before_the_move(first(say("0,1,2"), busy(0.3)))},
    "survives a traceback": {"move": survive_a_traceback},
    "silent after RESTART": {"any move": after_restart(hang)},
    "ERROR after RESTART": {"any move": after_restart(say("ERROR game not started"))},
    "ERROR in the second move after RESTART": {
        "any move": after_restart(say("ERROR bad coordinates"), 2)
    },
    "ends after RESTART": {"any move": after_restart(leave(6))},
    "off the board after RESTART": {
        "any move": after_restart(lambda brain: brain.say(f"{brain.size},{brain.size}"))
    },
    "on old stones after RESTART": {"BOARD": board_on_old_stones},
    "ends at INFO after RESTART": {"INFO": lambda brain: brain.games and os._exit(6)},
    "ERROR in later games": {
        "launch": only_once(lambda brain: setattr(brain, "games", 1)),
        "any move": after_restart(say("ERROR no more")),
    },
    "tables kept": {"any move": lambda brain: brain.say(brain.choose(brain.games))},
    # losing
    "exits in a move": {"move": DIE},
    "exits after a move": {"move": first(Brain.answer, DIE)},
    "exits with a code": {"move": leave(7)},
    "is killed": {"move": lambda _: os.kill(os.getpid(), signal.SIGKILL)},
    "segmentation fault": {"move": lambda _: os.kill(os.getpid(), signal.SIGSEGV)},
    "hangs": {"move": hang},
    "spins": {"move": spin},
    "hangs, deaf": {"launch": deaf, "move": hang, "end of input": hang},
    "half a line": {"move": half_a_line},
    "only messages": {"move": flood(1, b"MESSAGE thinking\n")},
    "endless line": {"move": flood(1, b"x" * 1000)},
    "late": {"move": before_the_move(sleep(0.9))},
    "ERROR": {"move": say("ERROR I am lost")},
    "UNKNOWN": {"move": say("UNKNOWN command")},
    "move before it is asked": {"ok": first(say("OK"), say("0,0"))},
    # a while after the command was read, so that the first is no late one
    "two moves": {
        "move": first(sleep(0.1), lambda brain: brain.say(f"{brain.choose()}\n{brain.choose()}"))
    },
    "occupied point": {"move": occupied},
    "out of range": {"move": lambda brain: brain.say(f"{brain.size},0")},
    "far out of range": {"move": say("4294967296,18446744073709551617")},
    "negative": {"move": say("-1,3")},
    "text": {"move": say("the middle")},
    "one number": {"move": say("3")},
    "three numbers": {"move": say("3,3,3")},
    "signs": {"move": say("+3,+2")},
    "fractions": {"move": say("3.0,2.0")},
    "brackets": {"move": say("(3,3)")},
    "scattered": {"launch": scatter},
    "occupied in its 8th move": {"launch": scatter, "any move": from_move(8, occupied)},
    "late in its 13th move": {
        "launch": scatter,
        "any move": from_move(13, before_the_move(sleep(0.9))),
    },
    "ends in its 40th move": {"launch": scatter, "any move": from_move(40, leave(9))},
    "late in its third game": {"any move": in_game(3, before_the_move(sleep(0.9)))},
    "700 MB": {
        "INFO": at_max_memory(lambda brain: setattr(brain, "table", b"x" * (700 * MEGABYTE)))
    },
    "five seconds a move": {"any move": before_the_move(sleep(5))},
    "1.4 s a move": {"any move": before_the_move(sleep(1.4))},
    "1.5 s a move": {"any move": before_the_move(sleep(1.5))},
    "1.6 s a move": {"any move": before_the_move(sleep(1.6))},
    "digits of another script": {"move": say("٣,٣")},
    "dies in a thread": {"move": die_in_a_thread},
    "output closed": {"move": close_output},
    "input closed": {"move": first(lambda _: os.close(0), Brain.answer, hang)},
    "memory": {"move": take_memory(600)},
    "memory of a child": {"move": first(in_child(take_memory(600)), hang)},
    "200 processes": {"move": many_processes},
    "child keeps the pipe": {"move": first(in_child(hang), DIE)},
    "child of a child": {"move": first(in_child(in_child(hang)), DIE)},
    "child in a session of its own": {
        "launch": in_child(first(deaf, hang), session=True),
        "move": DIE,
    },
    # at the first build, or later
    "exits at once": {"launch": leave(3)},
    "exits before OK": {"ok": leave(4)},
    "ERROR to START": {"ok": say("ERROR no such size")},
    "silence to START": {"ok": lambda _: None},
    "text to START": {"ok": say("hello")},
    "output closed at START": {"ok": close_output},
    "killed at START": {"ok": lambda _: os.kill(os.getpid(), signal.SIGKILL)},
    "only 20 x 20": {"ok": only_20},
    "hangs at INFO": {"INFO": hang},
    "exits at once later": {"launch": only_once(leave(3))},
    "exits before OK later": {"ok": first(only_once(leave(4)), say("OK"))},
    "ERROR to START later": {"ok": first(only_once(first(say("ERROR no more"), DIE)), say("OK"))},
    "silence to START later": {"ok": first(only_once(hang), say("OK"))},
}

if __name__ == "__main__":
    Brain(ODDITIES[sys.argv[1]], *sys.argv[2:]).live()
