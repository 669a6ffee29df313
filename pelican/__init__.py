"""Integer expressions for memory access patterns.

>>> from pelican import index, parse
>>> x = index("x", 0, 1_000_000)
>>> print(((x % 4096) % 8192) % 1024)
x mod 1024
>>> parse("(7 - x) mod 8", {"x": index("x", 0, 8)}).range
Interval(0, 7)

The text language is loaded with the first call of `parse`, since it brings the
parser library with it, and numpy with the first call of `compile`.
"""

from __future__ import annotations

from pelican.access.maps import RingMap
from pelican.access.patterns import AccessPattern
from pelican.access.radix import delinearise, linearise
from pelican.derivations.derivation import Derivation, DerivationStep
from pelican.derivations.explain import explain, trace
from pelican.engine.modelled import check_rules
from pelican.engine.simplify import floordiv, modulo, simplify, sum_of
from pelican.engine.simplify import simplify as simplified
from pelican.engine.special import cc_div, cc_mod, icmp
from pelican.errors import (
    DivisorError,
    IndexRangeError,
    NonAffineError,
    OperandError,
    ParseError,
    PelicanError,
    RewriteLimitError,
    SubstitutionRangeError,
    TooDeepError,
    TooLargeError,
    UnboundIndexError,
    WidthError,
    WireError,
)
from pelican.evaluation.evaluate import EvalResult
from pelican.evaluation.pointwise import point_function
from pelican.evaluation.program import fits
from pelican.expr import (
    AffineExpr,
    AffineIdx,
    AffineIV,
    APIndex,
    CCDivExpr,
    CCGetRank,
    CCModExpr,
    FloorDivExpr,
    ICmpExpr,
    IndirectArg,
    IntRuntimeValue,
    ModuloExpr,
    MultExpr,
    ShardId,
    SumExpr,
    SymbolicIdx,
    TiledAPIndex,
    ap,
    arg,
    index,
    rank,
    runtime,
    shard,
    symbol,
    tile,
)
from pelican.expr.node import Expr
from pelican.known.congruence import Congruence
from pelican.known.interval import Interval
from pelican.pel.write import to_pel
from pelican.questions.query import divides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pelican.evaluation.compiled import Compiled


def parse(
    text: str,
    indices: Mapping[str, Expr],
    *,
    simplify: bool = True,
    rules: str = "default",
    name: str = "<expression>",
) -> Expr:
    """Return the expression of a text.

    Args:
        text: One expression, such as ``(2048*i + 512) mod 16384``.
        indices: What each name stands for.
        simplify: False gives the tree of the text, unsimplified, but for constant
            factors and divisors, which are folded, and needless brackets, which are
            dropped. What it prints is read as the same tree again.
        rules: ``default`` or ``modelled``, as in `simplify`; not used without it.
        name: What to call the text in messages.

    Raises:
        ParseError: If the text is no expression, or names something unknown.
        DivisorError: If a divisor is below 1.
        NonAffineError: If two non-constants are multiplied, or divide.
        OperandError: If `text` is no text, `indices` no mapping, or `rules` no rule
            set.

    >>> i = index("i", 0, 64)
    >>> print(parse("(i + 64) mod 64", {"i": i}))
    i
    >>> print(parse("(i + 64) mod 64", {"i": i}, simplify=False))
    (i + 64) mod 64
    """
    from pelican.text.expressions import parse_expression  # noqa: PLC0415 - loads the parser

    if check_rules(rules) == "default" or not simplify:
        return parse_expression(text, indices, simplify=simplify, name=name)
    raw = parse_expression(text, indices, simplify=False, name=name)
    return simplified(raw, rules=rules)


def compile(expr: Expr, *, engine: str = "auto") -> Compiled:
    """Return a function that computes an expression over arrays of index values.

    Its integers are the narrowest of int32 and int64 that hold every intermediate
    value, else exact Python integers: `reason` says why.

    Args:
        expr: Any expression over indices.
        engine: What computes: ``"numpy"``; ``"numba"``, which makes machine code at
            the first call, in some tenths of a second, and needs the extra `numba`;
            or ``"auto"``, which makes it after 268 million points, where numba is
            installed. All give the same values; exact Python integers, and programs
            of more than 400 steps, are left to numpy.

    Raises:
        NonAffineError: If a part is no integer arithmetic over indices.
        OperandError: If it is no expression, or there is no such engine.
        ImportError: If numba is asked for and not installed.

    >>> i = index("i", 0, 64)
    >>> address = compile((2048*i + 512) % 16384)
    >>> address({i: [0, 1, 8]})
    array([ 512, 2560,  512], dtype=int32)
    """
    from pelican.evaluation.compiled import compile_expr  # noqa: PLC0415 - loads numpy

    return compile_expr(expr, engine)


__all__ = [
    "APIndex",
    "AccessPattern",
    "AffineExpr",
    "AffineIV",
    "AffineIdx",
    "CCDivExpr",
    "CCGetRank",
    "CCModExpr",
    "Congruence",
    "Derivation",
    "DerivationStep",
    "DivisorError",
    "EvalResult",
    "Expr",
    "FloorDivExpr",
    "ICmpExpr",
    "IndexRangeError",
    "IndirectArg",
    "IntRuntimeValue",
    "Interval",
    "ModuloExpr",
    "MultExpr",
    "NonAffineError",
    "OperandError",
    "ParseError",
    "PelicanError",
    "RewriteLimitError",
    "RingMap",
    "ShardId",
    "SubstitutionRangeError",
    "SumExpr",
    "SymbolicIdx",
    "TiledAPIndex",
    "TooDeepError",
    "TooLargeError",
    "UnboundIndexError",
    "WidthError",
    "WireError",
    "ap",
    "arg",
    "cc_div",
    "cc_mod",
    "compile",
    "delinearise",
    "divides",
    "explain",
    "fits",
    "floordiv",
    "icmp",
    "index",
    "linearise",
    "modulo",
    "parse",
    "point_function",
    "rank",
    "runtime",
    "shard",
    "simplify",
    "sum_of",
    "symbol",
    "tile",
    "to_pel",
    "trace",
]
