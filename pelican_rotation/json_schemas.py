"""JSON Schemas of what ``--json`` prints, from the page that describes it.

The page ``docs/json.md`` is the one source: a table for each command, a row for each
field, with its type in words. What is not among the words is an error, so that no field
is published without a type.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from pelican.errors import PelicanError

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The form of the schemas."""

Schema = dict[str, Any]


def _at_least(least: int) -> Schema:
    return {"type": "integer", "minimum": least}


_TEXT: Final[Schema] = {"type": "string"}
_COUNT: Final = _at_least(0)
_FROM_1: Final = _at_least(1)
_INTEGER: Final[Schema] = {"type": "integer"}
_AMOUNT: Final[Schema] = {"type": "number", "minimum": 0}
_BOOLEAN: Final[Schema] = {"type": "boolean"}
_TWO: Final = {"minItems": 2, "maxItems": 2}


def _list(items: Schema, **more: int) -> Schema:
    return {"type": "array", "items": items, **more}


WORDS: Final[dict[str, Schema]] = {
    "": _TEXT,
    "0 to 1": {**_AMOUNT, "maximum": 1},
    "`file:line:column`": {"type": "string", "pattern": "^.+:[0-9]+:[0-9]+$"},
    "bytes a partition; in `dram` bytes": _COUNT,
    "column from 1": _FROM_1,
    "integer >= 0": _COUNT,
    "integer >= 1": _FROM_1,
    "line from 1": _FROM_1,
    "list of counts": _list(_COUNT),
    "list of integers": _list(_INTEGER),
    "list of names": _list(_TEXT),
    "list of positions": _list(_COUNT),
    "list of rows": _list(_COUNT),
    "list of texts": _list(_TEXT),
    "list of two integers": _list(_INTEGER, **_TWO),
    "list of two integers or nulls": _list({"type": ["integer", "null"]}, **_TWO),
    "list of this object": _list({"$ref": "#"}),
    "number from 0": _COUNT,
    "see `unit`": _COUNT,
    "true": _BOOLEAN,
    "true or false": _BOOLEAN,
    "true, false": _BOOLEAN,
    "value": {},
    **dict.fromkeys(("bytes", "bytes a partition", "count"), _COUNT),
    **dict.fromkeys(("iterations", "places", "slots"), _COUNT),
    **dict.fromkeys(("integer", "number"), _INTEGER),
    **dict.fromkeys(("name", "name of a form", "name of an error class"), _TEXT),
    **dict.fromkeys(("ns", "ratio", "seconds"), _AMOUNT),
    **dict.fromkeys(("path", "text"), _TEXT),
}
"""What the middle column of a table may say, and the schema of such a value."""

CONTAINERS: Final = {"list": "array", "object": "object"}
"""Words of a value whose own fields have rows of their own."""

ERRORS: Final = "Input that cannot be read"
"""The heading of the object that every command prints for wrong input."""

_HEADING: Final = re.compile(r"^## (.+)$", re.MULTILINE)
_ROW: Final = re.compile(r"^\| `([^`]+)` \|(.*?)\|(.*)\|$", re.MULTILINE)
_COMMAND: Final = re.compile(r"`(pelican|rotation) (\w+) --json`")
_CHOICES: Final = re.compile(r"`[^`]+`(?:, `[^`]+`)*")
_OR_NULL: Final = re.compile(r",? or null$")


def schema_files(page: str) -> dict[str, str]:
    r"""Return the text of each schema by its file name.

    Args:
        page: The Markdown text of the page of the JSON objects.

    Raises:
        PelicanError: If a row says what is no word for a type.

    >>> row = "| `count` | count or null | how many |"
    >>> files = schema_files(f"## `pelican count --json`\n\n{row}\n")
    >>> json.loads(files["pelican-count.json"])["properties"]["count"]["type"]
    ['integer', 'null']
    """
    parts = _HEADING.split(page)
    found: dict[str, str] = {}
    for heading, text in zip(parts[1::2], parts[2::2], strict=True):
        command = _COMMAND.fullmatch(heading)
        if command is None and heading != ERRORS:
            continue
        name = "errors" if command is None else f"{command[1]}-{command[2]}"
        title = heading.replace("`", "")
        schema = _schema(name, title, _ROW.findall(text))
        found[f"{name}.json"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    return found


def _schema(name: str, title: str, rows: list[tuple[str, str, str]]) -> Schema:
    """Return the schema of one object."""
    root: Schema = {
        "$schema": DRAFT,
        "$id": f"urn:pelican-rotation:1:{name}",
        "title": title,
        "type": "object",
    }
    for path, *cells in rows:
        words, meaning = (cell.strip() for cell in cells)
        steps = re.findall(r"[^.\[\]]+|\[\]", path)
        if words.startswith("as `"):  # as another list whose rows stand above
            other = words.removeprefix("as `").removesuffix("[]`")
            root["properties"][steps[0]] = {"$ref": f"#/properties/{other}"}
            root["required"].append(steps[0])
            continue
        place = root
        for step, inner in zip(steps, [*steps[1:], ""], strict=True):
            place = _inside(place, step, inner)
        place.update(_typed(path, words))
        if meaning:
            place["description"] = meaning
    return root


def _inside(place: Schema, step: str, inner: str) -> Schema:
    """Return the schema of a key or of the items of a list, made where it is new.

    A value that stands without a row of its own, and has others inside, is an object
    or a list, and never null.
    """
    kind = "array" if inner == "[]" else "object"
    default: Schema = {"type": kind} if inner else {}
    if step == "[]":
        items: Schema = place.setdefault("items", default)
        return items
    if step.isupper():  # a word in capitals stands for any key
        any_key: Schema = place.setdefault("additionalProperties", default)
        return any_key
    properties: dict[str, Schema] = place.setdefault("properties", {})
    if step not in properties:
        place.setdefault("required", []).append(step)
        properties[step] = default
    return properties[step]


def _typed(path: str, words: str) -> Schema:
    """Return the schema that the middle column of a row means.

    Raises:
        PelicanError: If it is no word for a type.
    """
    plain = _OR_NULL.sub("", words)
    nullable = plain != words
    if words in WORDS:  # such as "list of two integers or nulls"
        plain, nullable = words, False
    if plain in CONTAINERS:
        schema: Schema = {"type": CONTAINERS[plain]}
    elif plain in WORDS:
        schema = dict(WORDS[plain])
    elif path == "schema":
        return {"const": plain.strip("`")}
    elif _CHOICES.fullmatch(plain):
        choices = re.findall(r"`([^`]+)`", plain)
        return {"enum": [*choices, *([None] if nullable else [])]}
    else:
        hint = f"say one of: {', '.join(filter(None, WORDS))}"
        raise PelicanError(f"{path} has the type {words!r}", hint=hint)
    if nullable:
        schema["type"] = [schema["type"], "null"]
    return schema
