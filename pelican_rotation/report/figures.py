"""The charts of a page: figures of the plotting library, which the page fills.

A figure holds only what is to be seen at the present zoom. `page.js` chooses that
whenever the zoom changes, so 50,000 instructions are drawn as fast as a few.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from bokeh.document import Document
from bokeh.events import Tap
from bokeh.models import (
    BoxZoomTool,
    CDSView,
    ColumnDataSource,
    CustomJS,
    FixedTicker,
    GroupFilter,
    HoverTool,
    NumeralTickFormatter,
    PanTool,
    Quad,
    Range1d,
    ResetTool,
    SaveTool,
    Text,
    WheelZoomTool,
)
from bokeh.plotting import figure

from pelican_rotation.report.columns import STATES, Columns
from rotation.machine.machine import Machine

LANE_HEIGHT: Final = 44
"""Height of an engine in a timeline [pixels]."""

FRAME_HEIGHT: Final = 84
"""Height of the axis, the title and the tools around a chart [pixels]."""

MAP_HEIGHT: Final = 260
"""Height of a map of memory [pixels]."""

TITLES: Final = {
    "before": "Before rotation",
    "after": "After rotation",
    "psum": "PSUM banks",
    "sb": "SB bytes a partition",
}
"""What stands above each chart."""

FILLED: Final = (
    "left",
    "right",
    "bottom",
    "top",
    "colour",
    "pattern",
    "line1",
    "line2",
)
"""Columns of a source of boxes."""


def figures_json(data: Columns, machine: Machine, section: int) -> dict[str, Any]:
    """Return the charts of one kernel in the form that the library reads.

    Args:
        data: What they draw: `pelican_rotation.report.columns.chart_data`.
        machine: The machine, for the height of its memories.
        section: Number of the kernel in the page, from 0.

    Returns:
        The document, and the name of the chart for each of its roots.
    """
    end = max(data["makespan_ns"].values()) or 1
    time = Range1d(start=0, end=end, bounds=(0, end), name="time")
    call = f"window.rotationReport[{section}]"
    time.js_on_change("start", CustomJS(code=f"{call}.later()"))
    time.js_on_change("end", CustomJS(code=f"{call}.later()"))
    charts = [_timeline(name, data["engines"], time) for name in STATES]
    charts += [
        _map(space, _height(data, machine, space), time)
        for space in data["memory"]["after"]
    ]
    for chart in charts:
        marks = data["operations" if chart.name in STATES else "tensors"]
        _draw_boxes(chart, sorted({" ", *(mark["pattern"] for mark in marks)}))
    document = Document()
    for chart in charts:
        code = f"{call}.tap({json.dumps(chart.name)}, cb_obj.x, cb_obj.y)"
        chart.js_on_event(Tap, CustomJS(code=code))
        document.add_root(chart)
    names = {chart.id: chart.name for chart in charts}
    return _renumbered({"document": document.to_json(deferred=False), "roots": names})


def _renumbered(charts: dict[str, Any]) -> dict[str, Any]:
    """Return the charts with ids that are the same in every run."""
    text = json.dumps(charts)
    ids = dict.fromkeys(re.findall(r'"p(\d+)"', text))
    number = {old: place for place, old in enumerate(ids, start=1)}
    again = re.sub(r'"p(\d+)"', lambda m: f'"p{number[m[1]]}"', text)
    found: dict[str, Any] = json.loads(again)
    return found


def _height(data: Columns, machine: Machine, space: str) -> int:
    """Return the height of a map: all banks, or the bytes that are ever in use."""
    if space == "psum":
        return machine.psum_banks
    ends = (max(data["memory"][s][space]["high"], default=0) for s in STATES)
    return max(*ends, 1)


def _timeline(name: str, engines: Sequence[str], time: Range1d) -> Any:  # noqa: ANN401 - the library's class is made at run time
    """Return the chart of one program: a lane for each engine, the first on top."""
    lanes = list(range(len(engines)))
    chart = _chart(name, LANE_HEIGHT * len(engines), time, (-0.5, len(engines) - 0.5))
    chart.yaxis.ticker = FixedTicker(ticks=lanes)
    chart.yaxis.major_label_overrides = {
        len(engines) - 1 - lane: engine for lane, engine in enumerate(engines)
    }
    chart.ygrid.grid_line_color = None
    return chart


def _map(space: str, height: int, time: Range1d) -> Any:  # noqa: ANN401 - as above
    """Return the chart of what lives where in a space."""
    chart = _chart(space, MAP_HEIGHT - FRAME_HEIGHT, time, (0, height))
    if space == "psum":
        chart.yaxis.ticker = FixedTicker(ticks=[bank + 0.5 for bank in range(height)])
        chart.yaxis.major_label_overrides = {
            bank + 0.5: f"bank {bank}" for bank in range(height)
        }
    else:
        chart.yaxis.formatter = NumeralTickFormatter(format="0,0")
    return chart


def _chart(name: str, height: int, time: Range1d, ends: tuple[float, float]) -> Any:  # noqa: ANN401 - as above
    pan = PanTool(dimensions="width")
    wheel = WheelZoomTool(dimensions="width", modifiers="ctrl")
    chart = figure(
        name=name,
        title=TITLES[name],
        height=height + FRAME_HEIGHT,
        sizing_mode="stretch_width",
        x_range=time,
        y_range=Range1d(start=ends[0], end=ends[1]),
        tools=[pan, wheel, BoxZoomTool(dimensions="width"), ResetTool(), SaveTool()],
        active_drag=pan,
        active_scroll=wheel,
        toolbar_location="above",
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
        lod_threshold=None,
    )
    chart.toolbar.logo = None
    chart.xaxis.formatter = NumeralTickFormatter(format="0,0")
    chart.xaxis.axis_label = "time [ns]"
    return chart


def _draw_boxes(chart: Any, patterns: Sequence[str]) -> None:  # noqa: ANN401 - as above
    """Add boxes with words, a frame around the chosen one, and what a pointer shows."""
    name = chart.name
    shown = ColumnDataSource({column: [] for column in FILLED}, name=f"{name}.shown")
    # One pattern a glyph: the library is slow where each box has a pattern of its own.
    boxes = [
        chart.add_glyph(
            shown,
            Quad(
                fill_color="colour",
                line_color="#333333",
                line_width=0.5,
                line_alpha=0.7,
                hatch_pattern=pattern,
                hatch_color="#333333",
                hatch_alpha=0.35,
                hatch_weight=0.7,
                hatch_scale=7,
            ),
            view=CDSView(filter=GroupFilter(column_name="pattern", group=pattern)),
        )
        for pattern in patterns
    ]
    labels = ColumnDataSource({"x": [], "y": [], "text": []}, name=f"{name}.labels")
    label = Text(
        text_font_size="11px",
        text_color="#111111",
        text_align="center",
        text_baseline="middle",
    )
    chart.add_glyph(labels, label)
    corners: dict[str, list[float]] = {
        column: [] for column in ("left", "right", "bottom", "top")
    }
    chosen = ColumnDataSource(corners, name=f"{name}.chosen")
    frame = Quad(fill_color=None, line_width=3)
    chart.add_glyph(chosen, frame, name=f"{name}.frame")
    words = "<div><b>@line1</b></div><div style='white-space: pre-line'>@line2</div>"
    chart.add_tools(HoverTool(renderers=boxes, tooltips=words))
