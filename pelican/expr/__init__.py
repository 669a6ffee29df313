"""The kinds of expressions. Calling a class gives the plain node, unsimplified.

| kind | class | value |
|---|---|---|
| 2 | CCGetRank | the rank of a core in a collective |
| 3 | IndirectArg | an offset that is read when the program runs |
| 6 | AffineIV | the value of one loop's induction variable |
| 7 | IntRuntimeValue | what a register holds when the program runs |
| 9 | APIndex | coefficient * child |
| 10 | TiledAPIndex | the number of the tile that its child is in |
| 12 | SymbolicIdx | an unknown that is fixed for the whole program |
| 13 | ShardId | the number of the running core, in [0, shard count) |
| 17 | AffineExpr | constant + sum of coefficient*index |
| 18 | SumExpr | sum of its operands |
| 20 | ICmpExpr | 1 where a comparison holds, else 0 |
| 23 | MultExpr | scale * operand |
| 25 | FloorDivExpr | numer floordiv denom |
| 26 | ModuloExpr | numer mod denom, in [0, denom) |
| 27 | CCDivExpr | numer floordiv denom, in a replica group |
| 28 | CCModExpr | numer mod denom, in a replica group |

The bases: SimpleExpr (leaves) has AffineIdx and OpaqueFnExpr (2, 3); AffineIdx has 6, 7
and FoldingIdx, which has InvariantId (12, 13) and APIndexLike (9, 10). CompoundExpr has
17, 18, 20 and BinaryExpr, which has 23 and DivLikeExpr (25 to 28).
"""

from __future__ import annotations

from pelican.core import makers
from pelican.core.running import COMPILED
from pelican.expr import direct, fresh
from pelican.expr.comparison import ICmpExpr
from pelican.expr.compound import (
    AffineExpr,
    CCDivExpr,
    CCModExpr,
    DivLikeExpr,
    FloorDivExpr,
    ModuloExpr,
    MultExpr,
    SumExpr,
)
from pelican.expr.indices import (
    RESERVED,
    AffineIdx,
    AffineIV,
    IntRuntimeValue,
    index,
    runtime,
)
from pelican.expr.invariants import (
    FoldingIdx,
    InvariantId,
    ShardId,
    SymbolicIdx,
    shard,
    symbol,
)
from pelican.expr.opaque import CCGetRank, IndirectArg, OpaqueFnExpr, arg, rank
from pelican.expr.spine import BinaryExpr, CompoundExpr, SimpleExpr
from pelican.expr.tiles import APIndex, APIndexLike, TiledAPIndex, ap, tile
from pelican.tree.kinds import (
    AFFINE,
    AFFINE_IV,
    AP_INDEX,
    CC_DIV,
    CC_GET_RANK,
    CC_MOD,
    CLASSES,
    FLOORDIV,
    ICMP,
    INDIRECT_ARG,
    INT_RUNTIME_VALUE,
    MODULO,
    MULT,
    SHARD_ID,
    SUM,
    SYMBOLIC_IDX,
    TILED_AP_INDEX,
    TYPES,
)

__all__ = [
    "RESERVED",
    "APIndex",
    "APIndexLike",
    "AffineExpr",
    "AffineIV",
    "AffineIdx",
    "BinaryExpr",
    "CCDivExpr",
    "CCGetRank",
    "CCModExpr",
    "CompoundExpr",
    "DivLikeExpr",
    "FloorDivExpr",
    "FoldingIdx",
    "ICmpExpr",
    "IndirectArg",
    "IntRuntimeValue",
    "InvariantId",
    "ModuloExpr",
    "MultExpr",
    "OpaqueFnExpr",
    "ShardId",
    "SimpleExpr",
    "SumExpr",
    "SymbolicIdx",
    "TiledAPIndex",
    "ap",
    "arg",
    "index",
    "rank",
    "runtime",
    "shard",
    "symbol",
    "tile",
]

CLASSES.update(
    {
        CC_GET_RANK: CCGetRank,
        INDIRECT_ARG: IndirectArg,
        AFFINE_IV: AffineIV,
        INT_RUNTIME_VALUE: IntRuntimeValue,
        AP_INDEX: APIndex,
        TILED_AP_INDEX: TiledAPIndex,
        SYMBOLIC_IDX: SymbolicIdx,
        SHARD_ID: ShardId,
        AFFINE: AffineExpr,
        SUM: SumExpr,
        ICMP: ICmpExpr,
        MULT: MultExpr,
        FLOORDIV: FloorDivExpr,
        MODULO: ModuloExpr,
        CC_DIV: CCDivExpr,
        CC_MOD: CCModExpr,
    }
)
TYPES.update(CLASSES.values())
for _name in makers.__all__:
    setattr(makers, _name, getattr(direct if COMPILED else fresh, _name))
