"""What goes wrong around kernels: a process that ends, a cluster without answer."""

from __future__ import annotations

from rotation.errors import RotationError


class ClusterError(RotationError):
    """A cluster that does not answer, or runs another version of this package.

    >>> issubclass(ClusterError, RotationError)
    True
    """


class WorkerError(RotationError):
    """A kernel without an answer: what ran it ended, or failed, before.

    >>> issubclass(WorkerError, RotationError)
    True
    """
