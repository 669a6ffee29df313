"""The kernels of a document by name."""

import pytest

from rotation.errors import InterchangeError
from rotation.interchange.kernels import kernel_names, kernel_of

DOCUMENT = {
    "schema": "rotation-kernels/1",
    "kernels": [{"name": "stream"}, {"name": "copy"}],
}


def test_names_come_in_the_order_of_the_document():
    """As they are listed to the user."""
    assert kernel_names(DOCUMENT) == ["stream", "copy"]


@pytest.mark.parametrize(
    ("name", "hint"), [("strem", "did you mean stream?"), ("?", "it has stream, copy")]
)
def test_a_name_that_is_not_there_is_refused(name: str, hint: str):
    """With the nearest, or all of them."""
    with pytest.raises(InterchangeError, match="no kernel") as error:
        kernel_of(DOCUMENT, name)

    assert (error.value.pointer, error.value.hint) == ("/kernels", hint)


def test_a_kernel_without_a_name_is_refused():
    """At its place."""
    with pytest.raises(InterchangeError) as error:
        kernel_names({**DOCUMENT, "kernels": [{"name": "k"}, {}]})

    assert error.value.pointer == "/kernels/1"
