"""The constants of the selective search as parameters of the engines that have it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from typing import Annotated, Any, Literal, TypeVar, cast

from arena.engine import Range

SearchKind = Literal["exact", "selective"]  # the document's own search, or the selective one
Factory = TypeVar("Factory", bound=Callable[..., Any])


# Each function declares a group of constants: its parameters are read by `with_constants`.
def _selection(
    *,
    deepest: Annotated[
        int, Range(1, 60), "selective: plies at most under any limit, in place of `depth`"
    ] = 60,
    position_bits: Annotated[
        int, Range(0, 20), "2 ** bits entries in the table of positions; 0: none"
    ] = 19,
    age_cost: Annotated[
        int, Range(0, 100), "plies that an entry counts less for each move since it was used"
    ] = 8,
    window: Annotated[
        int, Range(0, 10_000), "first window around the last value, % of a live three; 0: none"
    ] = 200,
    window_depth: Annotated[int, Range(1, 60), "the first depth that has a window"] = 4,
    window_growth: Annotated[
        int, Range(2, 100, log=True), "how many times wider it becomes where it was too narrow"
    ] = 4,
    breadth: Annotated[int, Range(1, 625), "moves tried at most in a position"] = 16,
    count_base: Annotated[
        int, Range(0, 625), "of them where no exact value is asked for; 0: all"
    ] = 5,
    count_step: Annotated[int, Range(0, 10_000), "hundredths more for each ply of depth"] = 100,
    gap_base: Annotated[
        int, Range(0, 10_000), "% of a live three that their order may be below the best; 0: any"
    ] = 0,
    gap_step: Annotated[int, Range(0, 10_000), "% more for each ply of depth"] = 0,
    gap_window: Annotated[
        int, Range(0, 10_000), "in place of gap_base where an exact value is asked for; 0: any"
    ] = 0,
    lead_depth: Annotated[int, Range(0, 20), "depth up to which a great lead ends a node"] = 8,
    lead: Annotated[int, Range(0, 10_000), "that lead for each ply, % of a live three"] = 40,
    razor_depth: Annotated[int, Range(0, 20), "depth up to which only fours can save a node"] = 4,
    razor: Annotated[int, Range(0, 10_000), "what it lacks for each ply, % of a live three"] = 60,
    futility_depth: Annotated[int, Range(0, 20), "depth up to which moves must gain enough"] = 3,
    futility: Annotated[int, Range(0, 10_000), "what is forgiven for each ply"] = 80,
    initiative: Annotated[
        int, Range(0, 200), "% of the mover's shapes that the evaluation adds for its move"
    ] = 60,
) -> dict[str, int]:
    return dict(locals())


def _reducing(
    *,
    late_from: Annotated[int, Range(1, 625), "moves before the first that is reduced"] = 2,
    late_base: Annotated[int, Range(-500, 500), "hundredths of a ply taken off late moves"] = 50,
    late_factor: Annotated[
        int, Range(0, 500), "and hundredths of log(depth) * log(moves before); 0: no reductions"
    ] = 60,
    late_window: Annotated[
        int, Range(0, 500), "hundredths of a ply less where an exact value is asked for"
    ] = 100,
    late_sinking: Annotated[
        int, Range(0, 500), "hundredths more where the evaluation has not risen in two plies"
    ] = 50,
    late_threats: Annotated[
        int, Range(0, 500), "hundredths less for moves that make a three or a four"
    ] = 50,
    late_history: Annotated[
        int, Range(0, 1_000), "hundredths less for what cut before, at most; more for what did not"
    ] = 128,
    late_gap: Annotated[
        int, Range(0, 1_000), "hundredths more for each live three of order below the best"
    ] = 0,
    unknown_depth: Annotated[
        int, Range(0, 60), "depth from which a node without a move in the table is reduced; 0: none"
    ] = 0,
) -> dict[str, int]:
    return dict(locals())


def _sorting(
    *,
    own_order: Annotated[
        int, Range(0, 1_000), "% of a point's shapes that sorts moves; in `patterns`, forced ones"
    ] = 110,
    other_order: Annotated[int, Range(0, 1_000), "% of its worth to the other side"] = 100,
    crossing_order: Annotated[
        int, Range(0, 10_000), "added where two threats cross, % of a live three"
    ] = 600,
    history_order: Annotated[int, Range(0, 10_000), "added for what cut before, at most"] = 50,
    killer_order: Annotated[int, Range(0, 10_000), "added for what cut at this ply"] = 50,
    spoiler_order: Annotated[
        int, Range(0, 10_000), "added to points that spoil two fours at once"
    ] = 2_000,
    history_step: Annotated[
        int, Range(1, 1_000), "history for a cut-off, times (depth + 1) squared"
    ] = 16,
    history_most: Annotated[
        int, Range(1, 16_384), "history for one cut-off at most; all of it: 16 384"
    ] = 2_048,
) -> dict[str, int]:
    return dict(locals())


def _forcing(
    *,
    late_fours: Annotated[
        int, Range(0, 20), "plies taken off a four that only delays two fours of the other side"
    ] = 2,
    late_spoilers: Annotated[
        int, Range(0, 20), "moves before the first spoiler that is reduced by a ply; 0: none is"
    ] = 0,
    fours_below: Annotated[
        int, Range(0, 1), "1: fours are looked for only where the evaluation is below the window"
    ] = 0,
    horizon: Annotated[int, Range(0, 20), "plies beyond leaves to answer two fours at once"] = 4,
    leaf_fours: Annotated[
        int, Range(0, 20), "fours in a row looked for at leaves; 1 finds none but in renju"
    ] = 3,
    inner_fours: Annotated[int, Range(0, 20), "and at other nodes"] = 3,
    root_threats: Annotated[int, Range(0, 20), "threes and fours looked for at the root"] = 12,
    four_nodes: Annotated[int, Range(1, 1_000_000, log=True), "nodes of one such search"] = 200,
    root_fours: Annotated[int, Range(0, 60), "fours in a row looked for at the root"] = 40,
    root_four_nodes: Annotated[int, Range(1, 10_000_000, log=True), "nodes there"] = 2_000,
    root_share: Annotated[
        int, Range(0, 1_000), "and % of all nodes before; 0: no threes at the root either"
    ] = 15,
) -> dict[str, int]:
    return dict(locals())


def _timing(
    *,
    steady_share: Annotated[
        int, Range(1, 1_000), "% of its share of a game clock that a move takes where it stays best"
    ] = 40,
    change_share: Annotated[
        int, Range(0, 1_000), "% more for each time that the best move changed"
    ] = 50,
    change_decay: Annotated[int, Range(0, 100), "% of a change that counts a depth later"] = 50,
    share_most: Annotated[int, Range(100, 1_000), "% of its share that a move takes at most"] = 200,
    clock_most: Annotated[
        int, Range(1, 90), "% of a game clock that more than a share may take"
    ] = 50,
) -> dict[str, int]:
    return dict(locals())


def constants() -> dict[str, int]:
    """The default of each constant: fields of the search's record, and three of the player."""
    return {**_selection(), **_reducing(), **_sorting(), **_forcing(), **_timing()}


def with_constants(
    factory: Factory, *, without: Collection[str] = (), defaults: Mapping[str, int] | None = None
) -> Factory:
    """Give an engine's factory these parameters in place of its `**constants`.

    Those in `without`, for which the engine has no use, are left out; `defaults` are the engine's
    own. Names that are no parameters are refused: to the board, a constant is any field of its
    record.
    """
    changed = defaults or {}
    own = inspect.signature(factory)
    kept = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
    hints = {name: hint for name, hint in factory.__annotations__.items() if name != "constants"}
    for group in (_selection, _reducing, _sorting, _forcing, _timing):
        added = inspect.signature(group).parameters.values()
        kept += [
            each.replace(default=changed.get(each.name, each.default))
            for each in added
            if each.name not in without
        ]
        hints |= {name: hint for name, hint in group.__annotations__.items() if name != "return"}
    signature = own.replace(parameters=kept)

    @wraps(factory)
    def checked(*positional: Any, **named: Any) -> Any:
        signature.bind(*positional, **named)
        return factory(*positional, **{**changed, **named})

    described: Any = checked
    described.__signature__, described.__annotations__ = signature, hints
    return cast(Factory, checked)
