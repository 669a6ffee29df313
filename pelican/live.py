from __future__ import annotations
from weakref import WeakValueDictionary
from pelican import kinds
Live = WeakValueDictionary if kinds.__file__.endswith(".py") else dict
