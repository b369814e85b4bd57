"""Instructions of the processor: on single bits of a word, and on its cache.

Sets of cells are rows of 64-bit words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _cttz(typing_context: Any, word: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), code


def _ctlz(typing_context: Any, word: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, True))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.uint64), code


lowest = cast(Callable[[Any], int], intrinsic(_cttz))  # index of the lowest bit; the word is not 0
highest = cast(
    Callable[[Any], int], intrinsic(_ctlz)
)  # index of the highest bit; the word is not 0


def _fetching(typing_context: Any, array: Any, index: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(fetch, [place, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), code


prefetch = cast(Callable[[Any, int], None], intrinsic(_fetching))
"""Fetch an element of an array into the cache, for a later read.

The array has one dimension and no gaps, and the index is an int64.
"""
