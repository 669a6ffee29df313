"""What a language answers an editor: each is a module of this package."""

from __future__ import annotations

from typing import Protocol

from pelican.errors import LocatedError, Source, Span
from pelican_rotation.editing.words import Hover


class Language(Protocol):
    """The answers about a text of one language.

    Attributes:
        LANGUAGE: Its name in editors.

    >>> from pelican_rotation.editing import claims
    >>> language: Language = claims
    >>> language.LANGUAGE
    'pel'
    """

    LANGUAGE: str

    def mistakes(self, source: Source) -> tuple[LocatedError, ...]:
        """Return the mistakes of a text."""
        ...

    def formatted(self, source: Source) -> str:
        """Return a text in its one layout.

        Raises:
            ParseError: If it has a mistake.
        """
        ...

    def hover(self, source: Source, offset: int) -> Hover | None:
        """Return what is known of what stands at a place, or None."""
        ...

    def definition(self, source: Source, offset: int) -> Span | None:
        """Return where the name at a place is defined, or None."""
        ...
