"""A compiler back end in small: rings, addresses, a schedule, and the proof of them.

>>> from rotation import load, run
>>> result = run(load("examples/stream_add.kernel"))
>>> result.verdict, result.equivalent
('accepted', True)
"""

from rotation.pipeline import run
from rotation.text.parse import load

__all__ = ["load", "run"]
