"""Made-up games of all sizes, as hypothesis draws them."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from arena.engine import Remark
from arena.records.written import WrittenGame

LETTERS = "ab Zé中文|[](){};:,.\\/\"'-+=<>%€😀0123456789"
names = st.text(LETTERS, min_size=1, max_size=12).map(str.strip).filter(bool)
ENDS = [
    *(("draw", reason) for reason in ("full board", "ply cap", "agreement", "")),
    *((who, reason) for who in ("first", "second") for reason in ("line", "time", "resignation")),
    *((who, reason) for who in ("first", "second") for reason in ("illegal move", "crash")),
    ("unknown", ""),
]


@st.composite
def written_games(draw: st.DrawFn) -> WrittenGame:
    size, random = draw(st.integers(1, 25)), Random(draw(st.integers(0, 10**9)))
    cells = random.sample(range(size**2), draw(st.integers(0, min(60, size**2))))
    opening = draw(st.integers(0, len(cells)))
    has_remarks = draw(st.booleans())
    told = [
        random_remark(random, ply % 2 + 1) if has_remarks and random.random() < 0.9 else None
        for ply in range(opening, len(cells))
    ]
    result, reason = draw(st.sampled_from(ENDS))
    return WrittenGame(
        size=size,
        moves=tuple(divmod(cell, size) for cell in cells),
        opening=opening,
        first=draw(names),
        second=draw(names),
        rule=draw(st.sampled_from(["", "freestyle", "standard", "renju", "0", "8"])),
        result=result,
        reason=reason,
        detail=draw(st.just("") | names) if reason else "",
        remarks=(None,) * opening + tuple(told) if any(told) else (),
        event=draw(st.just("") | names),
        round=draw(st.sampled_from(["", "1", "12"])),
        date=draw(st.sampled_from(["", "2026-11-22", "2026-11-22,2026-11-23"])),
    )


def random_remark(random: Random, seat: int) -> Remark:
    return Remark(
        seat,
        seconds=random.choice((0.0, random.randrange(10**9) / 10**6)),
        score=random.choice((None, 0, random.randrange(-(10**12), 10**12))),
        depth=random.choice((0, random.randrange(100))),
        nodes=random.choice((0, random.randrange(10**12))),
    )
