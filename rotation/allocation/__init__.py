"""Memory allocation: requests in, offsets out; it knows nothing of kernels."""

from rotation.allocation.first_fit import Packing, Request, first_fit

__all__ = ["Packing", "Request", "first_fit"]
