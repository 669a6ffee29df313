"""The mistakes that rotation reports; each is a `LocatedError` with its place."""

from collections.abc import Sequence

from pelican.errors import LocatedError, Span


class RotationError(LocatedError):
    """Any mistake of the input that rotation reports.

    >>> issubclass(CapacityError, RotationError)
    True
    """


class ArgumentError(RotationError, TypeError):
    """An argument of the wrong type.

    >>> from rotation import run
    >>> run(3)
    Traceback (most recent call last):
        ...
    rotation.errors.ArgumentError: run needs a kernel, got 3
        hint: load it first: run(load(FILE))
    """


class KernelError(RotationError, ValueError):
    """A kernel that is well-formed text but makes no sense.

    One run may find several mistakes: `errors` holds them all.

    >>> issubclass(KernelError, RotationError)
    True
    """


def raise_all(errors: Sequence[LocatedError]) -> None:
    """Raise the mistakes that were found: one as it is, several as a `KernelError`."""
    if len(errors) == 1:
        raise errors[0]
    if errors:
        first = errors[0]
        raise KernelError(first.message, first.span, first.hint, tuple(errors))


class MachineError(RotationError, ValueError):
    """An unknown machine, or a machine description that makes no sense.

    >>> from rotation import load, run
    >>> kernel = load("examples/stream_add.kernel")
    >>> run(kernel, "trn22")
    Traceback (most recent call last):
        ...
    rotation.errors.MachineError: no machine 'trn22'
        hint: did you mean trn2? --machine FILE.toml reads one of your own
    """


class PassError(RotationError, ValueError):
    """A pass that does not exist, or that cannot be skipped.

    >>> from rotation import load, run
    >>> kernel = load("examples/stream_add.kernel")
    >>> run(kernel, skip_passes=["unrol"])
    Traceback (most recent call last):
        ...
    rotation.errors.PassError: no pass 'unrol'
        hint: did you mean unroll?
    """


class InterchangeError(RotationError, ValueError):
    """A JSON document that is not a readable kernel.

    Attributes:
        pointer: JSON pointer of the value that was refused, such as
            ``/kernels/0/body/1/if``.
        document: Path of the document; None if it did not come from a file.

    >>> error = InterchangeError("a name is needed", "/kernels/0")
    >>> error.pointer, str(error)
    ('/kernels/0', '/kernels/0: a name is needed')
    """

    def __init__(self, message: str, pointer: str, hint: str | None = None) -> None:
        super().__init__(f"{pointer or '/'}: {message}", hint=hint)
        self.pointer = pointer
        self.document: str | None = None

    @property
    def file(self) -> str | None:
        """Path of the document, or None."""
        return self.document

    def __str__(self) -> str:
        place = "" if self.document is None else f"{self.document}: "
        return f"{place}{super().__str__()}"


class CapacityError(RotationError, ValueError):
    """A kernel whose buffers do not fit, even packed as tightly as possible.

    Attributes:
        need: What the buffers need, in `unit`.
        capacity: What the machine has, in `unit`.
        unit: ``banks`` or ``bytes/partition``.

    >>> error = CapacityError("needs 9 banks", need=9, capacity=8, unit="banks")
    >>> error.need, error.capacity, error.unit
    (9, 8, 'banks')
    """

    def __init__(
        self,
        message: str,
        *,
        need: int,
        capacity: int,
        unit: str,
        span: Span | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, span, hint)
        self.need = need
        self.capacity = capacity
        self.unit = unit


class AllocationError(RotationError, ValueError):
    """A table of buffers that makes no sense.

    >>> issubclass(AllocationError, RotationError)
    True
    """


class PlanError(RotationError, ValueError):
    """A ring that the user asked for and that cannot be given.

    >>> issubclass(PlanError, RotationError)
    True
    """


class InternalError(RuntimeError):
    """A broken invariant: a fault of this program, never of its input.

    >>> issubclass(InternalError, RotationError)
    False
    """
