"""Random kernels, as text: small nests over few small buffers, all in bounds."""

from hypothesis import strategies as st

MAX_DEPTH = 3
SHAPES = ((4,), (3, 4), (2, 3, 2))


class _Names:
    """Makes names that differ."""

    def __init__(self) -> None:
        self.count = 0

    def new(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"


@st.composite
def kernel_texts(draw: st.DrawFn) -> str:
    """Return the text of a kernel; it may read what nothing wrote."""
    buffers = {"x": ((5, 6), "dram", 0), "y": ((5, 6), "dram", 0)}
    body = draw(_blocks(_Names(), [], buffers))
    return (
        "kernel random on planning {\n dram x [5, 6] fp32 input\n"
        f" dram y [5, 6] fp32 output\n{body}"
        " sb last [5, 6] fp32 vector.memset last <- dma.store y <- last\n}\n"
    )


Buffer = tuple[tuple[int, ...], str, int]
"""Shape, space, and the number of loops around its declaration."""


@st.composite
def _blocks(
    draw: st.DrawFn,
    names: _Names,
    loops: list[str],
    buffers: dict[str, Buffer],
    depth: int = 0,
) -> str:
    buffers = dict(buffers)
    lines = []
    for kind in draw(st.lists(st.sampled_from("boloc"), max_size=4)):
        if kind == "b":
            lines.append(draw(_declarations(names, loops, buffers)))
        elif kind == "o" and len(buffers) > 2:
            lines.append(draw(_operations(loops, buffers)))
        elif kind == "l" and len(loops) < MAX_DEPTH:
            lines.append(draw(_loops(names, loops, buffers)))
        elif kind == "c" and depth < MAX_DEPTH:
            lines.append(draw(_choices(names, loops, buffers, depth)))
    return "".join(f"{line}\n" for line in lines)


@st.composite
def _loops(
    draw: st.DrawFn, names: _Names, loops: list[str], buffers: dict[str, Buffer]
) -> str:
    name = names.new("i")
    lo, step = draw(st.integers(-2, 3)), draw(st.integers(1, 3))
    hi = lo + draw(st.integers(0, 5))
    body = draw(_blocks(names, [*loops, name], buffers, len(loops) + 1))
    return f"for {name} in [{lo}, {hi}) step {step} {{\n{body}}}"


@st.composite
def _choices(
    draw: st.DrawFn,
    names: _Names,
    loops: list[str],
    buffers: dict[str, Buffer],
    depth: int,
) -> str:
    """Return an if over indices; of both arms the second may be left out."""
    conditions = [
        f"{draw(_starts(loops, 5))} {draw(st.sampled_from(SIGNS))} {limit}"
        for limit in draw(st.lists(st.integers(-1, 5), min_size=1, max_size=2))
    ]
    then = draw(_blocks(names, loops, buffers, depth + 1))
    other = draw(st.none() | _blocks(names, loops, buffers, depth + 1))
    end = "}" if other is None else f"}} else {{\n{other}}}"
    return f"if {' and '.join(conditions)} {{\n{then}{end}"


SIGNS = ("<", "<=", ">", ">=", "==", "!=")


@st.composite
def _declarations(
    draw: st.DrawFn, names: _Names, loops: list[str], buffers: dict[str, Buffer]
) -> str:
    name, shape = names.new("t"), draw(st.sampled_from(SHAPES))
    space = draw(st.sampled_from(["sb", "psum"]))
    depth = draw(st.integers(1, len(loops))) if loops else 0
    at = f" at {loops[depth - 1]}" if depth else ""
    ring = draw(st.sampled_from(["", " ring 2", " ring auto"]))
    buffers[name] = (shape, space, depth)
    text = f"{space} {name} {list(shape)} bf16{at}{ring}"
    # Most buffers are written before anything else, so that many kernels are legal.
    return text + (f" vector.memset {name} <-" if draw(st.integers(0, 4)) else "")


@st.composite
def _operations(draw: st.DrawFn, loops: list[str], buffers: dict[str, Buffer]) -> str:
    target = draw(st.sampled_from([name for name in buffers if name != "x"]))
    sources = draw(st.lists(st.sampled_from(list(buffers)), max_size=2))
    depth = max(buffers[target][2], 0)
    over = draw(
        st.lists(st.sampled_from(loops[depth:] or [""]), max_size=2, unique=True)
    )
    engine = "dma" if {"x", "y"} & {target, *sources} else "vector"
    operands = [draw(_operands(name, loops, buffers)) for name in [target, *sources]]
    attributes = [f"over({', '.join(over)})"] if all(over) and over else []
    attributes += draw(st.sampled_from([[], ['fn "max # 1"'], ["transpose"]]))
    return (
        f"{engine}.op {operands[0]} <- {', '.join(operands[1:])} {' '.join(attributes)}"
    )


@st.composite
def _operands(
    draw: st.DrawFn, name: str, loops: list[str], buffers: dict[str, Buffer]
) -> str:
    shape = buffers[name][0]
    if draw(st.integers(0, 2)) == 0:
        return name
    ranges = []
    for size in shape:
        extent = draw(st.integers(1, size))
        start = draw(_starts(loops, size - extent + 1))
        if draw(st.integers(0, 3)) == 0:
            # The other term is at least 1, and decides now and then.
            extent = f"min({extent}, {draw(_starts(loops, size))} + 1)"
        ranges.append(f"{start}:+{extent}")
    return f"{name}[{', '.join(ranges)}]"


@st.composite
def _starts(draw: st.DrawFn, loops: list[str], values: int) -> str:
    """Return an index expression with values in [0, values)."""
    if not loops or draw(st.booleans()):
        return str(draw(st.integers(0, values - 1)))
    terms = [
        f"{draw(st.integers(-9, 9))}*{name}"
        for name in draw(st.lists(st.sampled_from(loops), min_size=1, max_size=3))
    ]
    total = f"{' + '.join(terms)} - {draw(st.integers(0, 9))}"
    if draw(st.booleans()):
        total = f"({total}) floordiv {draw(st.integers(1, 4))}"
    return f"({total}) mod {values}"


@st.composite
def legal_kernel_texts(draw: st.DrawFn) -> str:
    """Return the text of a kernel that runs: one loop over a few tiles.

    Each tile is filled before it is read; some live outside the loop.
    """
    trips = draw(st.integers(1, 6))
    outer = [f"o{k}" for k in range(draw(st.integers(0, 2)))]
    lines: list[str] = []
    for name in outer:
        lines += [draw(_tiles()).replace("TILE", name), f"vector.memset {name} <-"]
    lines.append(f"for i in [0, {trips}) {{")
    tiles = list(outer)
    for name in [f"t{k}" for k in range(draw(st.integers(1, 4)))]:
        lines.append(draw(_tiles()).replace("TILE", name))
        if tiles and draw(st.booleans()):
            source = draw(st.sampled_from(tiles))
            lines.append(f"{draw(st.sampled_from(_COMPUTE))}.f {name} <- {source}")
        else:
            lines.append(f"dma.load {name}[0:+2, 0:+4] <- x[2*i:+2, 0:+4]")
        tiles.append(name)
    for _ in range(draw(st.integers(0, 3))):
        target, source = (draw(st.sampled_from(tiles)) for _ in range(2))
        lines.append(f"{draw(st.sampled_from(_COMPUTE))}.g {target} <- {source}")
    lines.append(f"dma.store y[2*i:+2, 0:+4] <- {draw(st.sampled_from(tiles))}")
    return (
        "kernel legal on planning {\n dram x [12, 4] fp32 input\n"
        " dram y [12, 4] fp32 output\n" + "\n".join(lines) + "\n} }\n"
    )


_COMPUTE = ("vector", "scalar", "pe")


@st.composite
def _tiles(draw: st.DrawFn) -> str:
    space = draw(st.sampled_from(["sb", "sb", "psum"]))
    dtype = draw(st.sampled_from(["fp32", "bf16"]))
    return f"{space} TILE [2, 4] {dtype}{draw(st.sampled_from(['', '', ' ring 1']))}"


@st.composite
def joined_kernel_texts(draw: st.DrawFn) -> str:
    """Return the text of a kernel that runs, with ifs of both kinds in a loop.

    All tiles are filled first in each iteration, so that an arm may do anything.
    """
    trips = draw(st.integers(1, 3))
    tiles = [f"t{k}" for k in range(draw(st.integers(2, 3)))]
    lines = [f"for i in [0, {trips}) {{", "sb f [1, 1] int32 ring 1"]
    lines.append("dma.load f <- c[i:+1, 0:+1]")
    for name in tiles:
        lines.append(f"sb {name} [2, 4] fp32")
        lines.append(f"dma.load {name} <- x[2*i:+2, 0:+4]")
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(_arms(tiles, draw(st.integers(1, 2))))
    lines.append(f"dma.store y[2*i:+min(2, {2 * trips} - 2*i), 0:+4] <- {tiles[0]}")
    return (
        "kernel joined on planning {\n dram c [3, 1] int32 input\n"
        " dram x [6, 4] fp32 input\n dram y [6, 4] fp32 output\n"
        + "\n".join(lines)
        + "\n} }\n"
    )


@st.composite
def _arms(draw: st.DrawFn, tiles: list[str], depth: int) -> list[str]:
    """Return the lines of an if, or of an operation."""
    if not depth or draw(st.integers(0, 3)) == 0:
        target, source = (draw(st.sampled_from(tiles)) for _ in range(2))
        rows = draw(st.sampled_from(["", "[0:+1, 1:+2]"]))
        engine = draw(st.sampled_from(_COMPUTE[:2]))
        return [f"{engine}.g {target}{rows} <- {source}{rows}"]
    asked = draw(st.sampled_from(["loaded(f)", "i == 1", "loaded(f)"]))
    lines = [f"if {asked} {{", *draw(_arms(tiles, depth - 1))]
    if draw(st.booleans()):
        lines += ["} else {", *draw(_arms(tiles, depth - 1))]
    return [*lines, "}"]
