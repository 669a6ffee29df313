"""The page of a run: one file with everything in it, which loads nothing."""

from __future__ import annotations

import json
from importlib.metadata import version
from importlib.resources import files
from typing import Any, Final

import bokeh
from bokeh.resources import Resources
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from pelican_rotation.report.columns import chart_data
from pelican_rotation.report.figures import figures_json
from pelican_rotation.report.tables import facts, parts
from pelican_rotation.wording import refusal_word
from rotation.running.result import Result

VERDICTS: Final = {
    "accepted": {"word": "accepted", "sign": "✓", "tone": "good"},
    "left": {"word": "left in part", "sign": "△", "tone": "warn"},
    "refused": {"word": "refused", "sign": "✗", "tone": "bad"},
}
"""A word, a sign and a tone for each verdict: no colour stands alone."""


def report_page(result: Result) -> str:
    """Return the HTML text of the page of a run.

    The page needs no network and no other file. Of a file with several kernels each
    has its part. Two runs on one input differ in times of passes and proofs only.

    Args:
        result: What a run found; one that is refused says why.

    >>> from rotation import load, run
    >>> page = report_page(run(load("examples/stream_add.kernel")))
    >>> page.startswith("<!DOCTYPE html>"), "stream_add" in page, "<script src" in page
    (True, True, False)
    """
    kernels: list[dict[str, Any]] = []
    charted = 0
    for each in result.functions or (result,):
        kernels.append(_kernel(each, charted))
        charted += kernels[-1]["charts"] is not None
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    library = Resources(mode="inline", components=["bokeh"], minified=True)
    return environment.from_string(_asset("page.html")).render(
        title=f"{result.kernel} on {result.machine}",
        kernels=kernels,
        style=Markup(_asset("page.css")),
        library=Markup(library.render_js() if charted else ""),
        script=Markup(_asset("charts.js") + _asset("page.js") if charted else ""),
        version=version("pelican-rotation"),
        bokeh=bokeh.__version__,
    )


def _kernel(result: Result, section: int) -> dict[str, Any]:
    """Return what the template shows of one kernel."""
    data = chart_data(result)
    charts = None
    if data is not None and result.after is not None:
        figures = figures_json(data, result.after.machine, section)
        charts = {"data": _script_json(data), "figures": _script_json(figures)}
    return {
        "name": result.kernel,
        "machine": result.machine,
        "verdict": VERDICTS[result.verdict],
        "facts": facts(result),
        "parts": parts(result),
        "refusals": [
            {"what": refusal_word(result), "reason": each.reason, "where": each.where}
            for each in result.refusals
        ],
        "notes": [each.text for each in result.notes],
        "operations": [] if data is None else data["operations"],
        "tensors": [] if data is None else data["tensors"],
        "spaces": [] if data is None else list(data["memory"]["after"]),
        "charts": charts,
    }


def _script_json(value: Any) -> Markup:  # noqa: ANN401 - JSON has no narrower type
    """Return JSON that may stand in a script element, whatever names hold."""
    text = json.dumps(value, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def _asset(name: str) -> str:
    return files("pelican_rotation.report").joinpath(name).read_text("utf-8")
