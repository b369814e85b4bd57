"""Other commands, known and unknown, and the ends of their lines."""

from __future__ import annotations

from arena.gomocup.check import Check, Finding, Subject
from arena.gomocup.checked_game import begun_game, launched_for
from arena.gomocup.lines import shown
from arena.gomocup.protocol import ABOUT_PART, kind_of_line

LONG_LINE = 5000


def checks() -> tuple[Check, ...]:
    """Words on itself, words that it may not know, silence, ends of lines."""
    return (
        Check("speaks only when asked", "mandatory", is_asked),
        Check("INFO with unknown keys", "mandatory", unknown_infos),
        Check("unknown command", "mandatory", unknown_command),
        Check("lines that end with CR LF", "mandatory", lambda subject: ended_by(subject, "\r\n")),
        Check("lines that end with LF", "mandatory", lambda subject: ended_by(subject, "\n")),
        Check("lines that end with CR", "optional", lambda s: ended_by(s, "\r"), may_lack=True),
        Check("ABOUT", "optional", about_itself, may_lack=True),
        Check("empty and long lines", "optional", strange_lines),
        Check("a command right after its answer", "advice", at_once),
    )


def is_asked(subject: Subject) -> Finding:
    """Wait for words that nobody has asked for, after OK, after INFO, and after moves."""
    quiet, one = subject.allowance.quiet, "one answer to each command, and nothing else"
    with launched_for(subject) as talk:
        talk.start()
        talk.stay_silent(quiet, "nothing after OK")
        talk.tell(subject.allowance.turn)
        talk.stay_silent(quiet, "no answer to INFO")
        talk.move("BEGIN")
        for _ in range(3):
            talk.stay_silent(quiet, one)
            talk.turns(1)
        talk.stay_silent(quiet, one)
        return talk.finding()


def unknown_infos(subject: Subject) -> Finding:
    """Tell it what it need not know, which has no answer."""
    expected = "no answer to INFO"
    with begun_game(subject) as talk:
        talk.say("INFO no_such_key 7\nINFO evaluate 3,3")
        kinds = talk.unasked(subject.allowance.quiet, expected)
        if kinds - {"refusal"}:
            raise talk.unmet("answer", expected)
        finding = talk.finding(expected if kinds else "")
        talk.move("BEGIN")
        return finding


def unknown_command(subject: Subject) -> Finding:
    """Send it a command that there is not, and go on."""
    expected = "UNKNOWN, and then it goes on"
    with begun_game(subject) as talk:
        talk.say("NO_SUCH_COMMAND 1,2", expected)
        words = talk.words(subject.allowance.brief, expected)
        if kind_of_line(words) in ("move", "ok", "suggestion"):
            raise talk.unmet("answer", expected)
        finding = talk.finding("" if words.upper().startswith(b"UNKNOWN") else expected)
        talk.move("BEGIN")
        return finding


def ended_by(subject: Subject, end: str) -> Finding:
    """Play with lines that end like this."""
    with begun_game(subject) as talk:
        talk.end_of_line = end
        talk.move("BEGIN", subject.allowance.brief if end == "\r" else None)
        talk.turns(1)
        return talk.finding()


def about_itself(subject: Subject) -> Finding:
    """Ask it ABOUT itself."""
    expected = 'one line such as name="mine", version="1.0", author="me", country="CZ"'
    with launched_for(subject) as talk:
        talk.start()
        talk.say("ABOUT", expected)
        words = shown(talk.answer(expected, "text", seconds=subject.allowance.answer), 1000)
        talk.listen(subject.allowance.settle, expected)
        is_one = not talk.process.lines and dict(ABOUT_PART.findall(words)).get("name")
        return talk.finding("" if is_one else expected)


def strange_lines(subject: Subject) -> Finding:
    """Send it an empty line and a very long one, and go on."""
    with begun_game(subject) as talk:
        talk.process.push(b"\r\n \r\n", 0)
        talk.say("INFO no_such_key " + "x" * LONG_LINE)
        talk.move("BEGIN")
        return talk.finding()


def at_once(subject: Subject) -> Finding:
    """Send the next command without a pause, as managers do."""
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.settle = 0
        talk.turns(3)
        return talk.finding()
