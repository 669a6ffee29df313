"""What every language answers."""

import pytest

from pelican.errors import Source
from pelican_rotation.editing import claims, kernels
from pelican_rotation.editing.language import Language

WRONG = {"pel": "let a = ", "kernel": "kernel k on planning {"}


@pytest.mark.parametrize("language", [claims, kernels], ids=WRONG)
def test_a_text_that_is_no_text_of_the_language_has_a_mistake(language: Language):
    """And it has nothing to explain, nor a definition."""
    source = Source("a", WRONG[language.LANGUAGE])

    assert len(language.mistakes(source)) == 1
    assert language.hover(source, 0) is None
    assert language.definition(source, 0) is None
