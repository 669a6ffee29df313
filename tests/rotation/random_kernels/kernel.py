"""Random kernels that run, as text: everything that the language has, in small.

One kernel in thirty has loops that run to registers; the name of a register says which
number it is meant to hold: `n3_7` holds 7.
"""

from __future__ import annotations

import re
from random import Random

from tests.rotation.random_kernels.choices import Pick
from tests.rotation.random_kernels.loops import Loops
from tests.rotation.random_kernels.scope import ROWS

REGISTER = re.compile(r"%(n\d+_(\d+))")


class _Writer(Loops):
    """Writes one kernel, line by line."""

    def __init__(self, pick: Pick, *, run_time: bool = False, left: int = 0) -> None:
        super().__init__(pick, run_time=run_time)
        self.left = left or (0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3)[pick(12)]
        """Statements that may still be written."""
        self.callee: str | None = None
        """The kernel that this one calls, as text."""

    def kernel(self, name: str = "legal") -> str:
        """Return the whole text, with the kernel that it calls above it."""
        self.tile(load=True)
        if self.run_time:
            self.loop()
        self.statement()
        self.body(3)
        self.store()
        body = "\n".join(self.lines)
        before = after = ""
        if re.search(r"\bw\b", body):
            before = (
                f"dram w [{ROWS}, 4] fp32\nsb z [{ROWS}, 4] fp32\n"
                "vector.memset z <-\ndma.store w <- z\n"
            )
            after = "dma.load z <- w\ndma.store y <- z\n"
        ids = f"dram ids [{ROWS}, 1] int32 input\n" if "ids" in body else ""
        return (
            f"{self.callee or ''}kernel {name} on planning {{\n"
            f"dram x [{ROWS}, 4] fp32 input\n{ids}"
            f"dram y [{ROWS}, 4] fp32 output\n{before}{body}\n{after}}}\n"
        )

    def body(self, most: int) -> None:
        """Write up to `most` statements."""
        for _ in range(1 + self.pick(most)):
            if self.left <= 0:
                return
            self.left -= 1
            self.statement()

    def statement(self) -> None:
        """Write one statement, with what stands in it."""
        writers = [
            *(self.operation, self.tile, self.loop, self.store, self.loop),
            *(self.accumulation, self.running, self.indirect, self.overwritten),
            self.choice,
        ]
        if not self.run_time:
            writers += [self.pinned, self.loop, self.carried, self.spilled, self.call]
        writers[self.pick(len(writers))]()

    def call(self) -> None:
        """Do another kernel here, with a window, with the others or unrotated."""
        if self.callee is not None or self.trips() > 3:
            return
        other = _Writer(self.pick, left=1)
        other.callee = ""
        other.banks = other.user_banks = 0
        self.callee = other.kernel("inner")
        ids = "ids, " if "dram ids" in self.callee else ""
        scope = ("global", "kernel sb(128, 8192) banks 0", "none")[self.pick(3)]
        if " byte " in self.callee and "kernel" in scope:
            scope = "global"  # places do not go into a window
        if self.trips() > 1:  # each would scatter the same rows
            self.callee = self.callee.replace(" unique", "")
        if scope == "none":  # and no ring is asked for
            self.callee = re.sub(r" ring [23]$", "", self.callee, flags=re.MULTILINE)
        self.lines.append(f"call inner(x, {ids}y) scope {scope}")


def run_kernel(pick: Pick) -> str:
    """Return the text of a kernel that runs."""
    return _Writer(pick, run_time=pick(30) == 29).kernel()


def seeded(seed: int) -> str:
    """Return the kernel of a seed."""
    return run_kernel(Random(seed).randrange)


def registers(text: str) -> dict[str, int]:
    """Return what each register of a random kernel is meant to hold."""
    return {name: int(number) for name, number in REGISTER.findall(text)}
