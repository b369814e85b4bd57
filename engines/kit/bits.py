"""Single bits of a 64-bit word: sets of cells are rows of such words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from numba import types
from numba.extending import intrinsic


def cttz(typing_context: Any, word: Any) -> Any:
    """Count the zeros below the lowest bit set: one instruction."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), code


def ctlz(typing_context: Any, word: Any) -> Any:
    """Count the bits below the highest bit set."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, True))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.uint64), code


lowest = cast(Callable[[Any], int], intrinsic(cttz))
"""The index of the lowest bit set in a uint64 that is not zero."""
highest = cast(Callable[[Any], int], intrinsic(ctlz))
"""The index of the highest bit set in a uint64 that is not zero."""
