"""START, again and again, and at all sizes; and the first move."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from arena.gomocup.check import Check, Finding, Subject, UnmetError
from arena.gomocup.protocol import coordinates
from arena.gomocup.talk import listening
from arena.gomocup.talk.checked_game import CheckedGame, begun_game, launched_for, restart_of

PLAIN_OK = (
    "OK, and no lines that are no answer. Managers such as c-gomoku-cli stop at other words here"
)


def checks(subject: Subject) -> tuple[Check, ...]:
    left_out = subject.size, _not_played(subject)
    others = [size for size in listening.USUAL_SIZES if size not in left_out]
    return (
        Check(f"START {subject.size}", "mandatory", _started, is_vital=True, has_second_try=True),
        Check("START in a second process", "mandatory", _started, is_vital=True),
        Check("BEGIN", "mandatory", _begun, is_vital=True, has_second_try=True),
        *(
            Check(f"START {size}", "advice", partial(_started, size=size), may_lack=True)
            for size in others
        ),
        Check("START 5 to 25", "advice", _all_sizes),
        Check("RESTART", "optional", restart_of),
        Check("RECTSTART", "optional", _rectangle, may_lack=True),
    )


def _not_played(subject: Subject) -> int | None:
    """The usual size that no rule is played on which it claims."""
    return 20 if subject.claimed and "freestyle" not in subject.claimed else None


def _started(subject: Subject, size: int | None = None) -> Finding:
    with launched_for(subject) as talk:
        try:
            talk.start(size)
        except UnmetError as error:
            if size is None and error.lack in ("refusal", "end"):
                program = subject.command, subject.folder, talk.process.memory, subject.newline
                played = listening.other_size(program, subject.size)
                if played:
                    return error.finding("fail", f"it plays {played} x {played}: --size {played}")
            raise
        talk.listen(subject.allowance.settle, "nothing after OK")
        return talk.plain_finding(PLAIN_OK)


def _begun(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        return talk.finding()


def _all_sizes(subject: Subject) -> Finding:
    """Ask for each size, and for a move where it says OK; ERROR is an answer, too.

    One process is asked about one size after the other; where it does not do well, a new one is.
    """
    doubtful, refused = list(subject.allowance.sizes), list[int]()
    with suppress(UnmetError), launched_for(subject) as talk:
        talk.begin()
        for size in reversed(subject.allowance.sizes):
            if not _begins_at(talk, size):
                refused.append(size)
            doubtful.remove(size)
    if subject.size in refused:
        doubtful, refused = [*refused, *doubtful], []
    for size in doubtful:
        with launched_for(subject) as talk:
            if not _begins_at(talk, size):
                refused.append(size)
    return Finding(said=f"ERROR at {', '.join(map(str, sorted(refused)))}" if refused else "")


def _begins_at(talk: CheckedGame, size: int) -> bool:
    """Start at a size, and hear a move; False if it refuses the size."""
    try:
        talk.start(size)
    except UnmetError as error:
        if error.lack == "refusal":
            return False
        raise
    talk.tell()
    talk.move("BEGIN")
    return True


def _rectangle(subject: Subject) -> Finding:
    with launched_for(subject) as talk:
        talk.start()
        talk.say("RECTSTART 20,15", "OK, or ERROR")
        talk.answer("OK, or ERROR", "ok", seconds=subject.allowance.brief)
        talk.tell()
        expected = "a move on 20 columns and 15 rows"
        talk.say("BEGIN", expected)
        column, row = coordinates(talk.answer(expected, "move"))
        if not (0 <= column < 20 and 0 <= row < 15):
            raise talk.unmet("answer", expected)
        return talk.finding()
