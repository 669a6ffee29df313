"""The page of a run in a real browser: what it draws, and how it is used.

The pictures that the tests leave in `tests/pictures/` are for people to look at.
"""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, sync_playwright

from pelican_rotation.report.page import report_page
from rotation import run
from rotation.running.result import Result, to_json
from rotation.running.timeline import timeline_of
from tests.rotation.programs import STREAM, kernel, matmul

PICTURES = Path(__file__).parents[2] / "pictures"
BINARY = shutil.which("chromium")
NEEDS = "Chromium is not installed: apt-get install chromium"
pytestmark = pytest.mark.skipif(BINARY is None, reason=NEEDS)

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
LANE = 0.8
"""Height of a lane in a timeline, where lanes are 1 apart."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser without a window."""
    with sync_playwright() as library:
        started = library.chromium.launch(executable_path=BINARY, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def stream() -> Result:
    """Return the result of a small kernel."""
    return run(kernel(STREAM))


class Opened:
    """A page in the browser, and what it complained about or asked for."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page = browser.new_context(viewport=WIDE, offline=True).new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(file.as_uri())
        self.page.evaluate("() => window.rotationReady")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def boxes(self, chart: str) -> list[tuple[float, float, str]]:
        """Return left and right end and the words of each box of a chart."""
        data = self.page.evaluate(
            "name => { const data = rotationReport[0].source(name, 'shown').data;"
            " return [[...data.left], [...data.right], [...data.line1]]; }",
            chart,
        )
        return sorted(zip(*data, strict=True))

    def view(self) -> tuple[float, float]:
        """Return the ends of the axis of time [ns]."""
        start, end = self.page.evaluate(
            "() => [rotationReport[0].time.start, rotationReport[0].time.end]"
        )
        return start, end

    def pixel(self, chart: str, x: float, y: float) -> tuple[float, float]:
        """Return where on the screen a point of a chart is."""
        script = """([name, x, y]) => {
          const model = rotationReport[0].document.get_model_by_name(name);
          const view = Bokeh.index.find_one(model);
          const box = view.el.getBoundingClientRect();
          return [box.left + view.frame.x_scale.compute(x),
                  box.top + view.frame.y_scale.compute(y)];
        }"""
        self.page.locator(f"[data-chart={chart}]").scroll_into_view_if_needed()
        left, top = self.page.evaluate(script, [chart, x, y])
        return left, top

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame("
            "() => requestAnimationFrame(done)))"
        )


def written(folder: Path, result: Result) -> Path:
    """Return the file of the page of a run."""
    file = folder / "page.html"
    file.write_text(report_page(result), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, stream: Result) -> Path:
    """Return the page of the small kernel."""
    return written(tmp_path_factory.mktemp("report"), stream)


@pytest.fixture(scope="module")
def opened(browser: Browser, file: Path) -> Opened:
    """Return the page of the small kernel, open for all tests."""
    return Opened(browser, file)


@pytest.fixture(autouse=True)
def whole(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let each test begin and end with all of the time in view."""
    yield
    if "opened" in request.fixturenames:
        page = request.getfixturevalue("opened")
        page.page.evaluate("() => rotationReport[0].zoom('whole')")
        page.settle()


def test_the_page_loads_nothing_and_complains_about_nothing(opened: Opened):
    """It works without a network: the file is all that it asks for."""
    assert opened.complaints == []
    assert [url.partition(":")[0] for url in opened.requests] == ["file"]


def test_the_bars_are_those_of_the_json(opened: Opened, stream: Result):
    """Start, end and operation of each instruction of the result."""
    rows = to_json(stream, timeline=True)["timeline"]
    bars = [
        (left, right, words.split(",")[0])
        for left, right, words in opened.boxes("after")
    ]

    assert (
        sorted((r["start_ns"], r["busy_end_ns"], r["operation"]) for r in rows) == bars
    )


def test_the_bars_above_are_those_without_rotation(opened: Opened, stream: Result):
    """Both programs are on one axis."""
    rows = timeline_of(stream.before)
    ends = [(left, right) for left, right, _ in opened.boxes("before")]

    assert sorted((row.start_ns, row.busy_end_ns) for row in rows) == ends


def test_the_map_of_sb_has_every_instance(opened: Opened):
    """Three buffers of 16 iterations each."""
    names = Counter(words.split(",")[0] for _, _, words in opened.boxes("sb"))

    assert names == {"xt": 16, "yt": 16, "zt": 16}


def test_pointing_at_a_bar_says_what_it_is(opened: Opened, stream: Result):
    """Instruction, source line, slot and byte."""
    row = next(r for r in timeline_of(stream.after) if r.operation == "ld_y")
    lanes = opened.page.evaluate("() => rotationReport[0].data.engines")
    lane = len(lanes) - 1 - lanes.index(row.engine)
    middle = (row.start_ns + row.busy_end_ns) / 2
    opened.page.mouse.move(*opened.pixel("after", middle, lane))
    opened.page.get_by_text(f"line {row.line}").wait_for()
    words = opened.page.evaluate(
        "() => [...document.querySelectorAll('[data-chart=after] .figure *')].concat("
        "[...document.querySelectorAll('.bk-Tooltip')]).map(WORDS).join(' ')".replace(
            "WORDS", "e => e.shadowRoot ? e.shadowRoot.textContent : ''"
        )
    )

    (write,) = row.writes
    assert f"line {row.line}" in words
    assert f"yt slot {write.slot} at byte {write.byte:,}" in words


def test_a_tap_says_it_below_the_chart(opened: Opened, stream: Result):
    """For screens without a pointer."""
    row = timeline_of(stream.after)[0]
    lanes = opened.page.evaluate("() => rotationReport[0].data.engines")
    lane = len(lanes) - 1 - lanes.index(row.engine)
    opened.page.mouse.click(*opened.pixel("after", row.busy_end_ns / 2, lane))
    output = opened.page.locator("[data-chart=after] output")

    assert output.inner_text().startswith(f"{row.operation}, i = 0, j = 0")


def test_keys_choose_and_zoom(opened: Opened):
    """A person without a pointer reaches every instruction."""
    whole = opened.view()
    opened.page.locator("[data-chart=before]").focus()
    opened.page.keyboard.press("Escape")
    told = opened.page.locator("[data-chart=before] output")
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        opened.page.keyboard.press(key)
        seen.append(told.inner_text().splitlines()[0])
    opened.page.keyboard.press("+")
    opened.settle()
    start, end = opened.view()
    opened.page.keyboard.press("Home")
    opened.settle()

    assert len(set(seen)) >= 3
    assert end - start == pytest.approx((whole[1] - whole[0]) / 2)
    assert opened.view() == whole


def test_buttons_zoom_every_chart(opened: Opened):
    """Fewer instructions are in view then, and a note says how many."""
    before = len(opened.boxes("after"))
    for _ in range(3):
        opened.page.get_by_role("button", name="Zoom in").first.click()
    opened.settle()
    count = len(opened.boxes("before"))
    note = opened.page.locator("[data-chart=before] .note").inner_text()

    assert 0 < count < before
    assert note == f"{count} instructions of 64 in view"


def test_memory_without_rotation_is_a_choice_away(opened: Opened):
    """The same maps show the other program."""
    after = opened.boxes("sb")
    opened.page.get_by_role("radio", name="before").check()
    before = opened.boxes("sb")
    opened.page.get_by_role("radio", name="after rotation").check()

    assert before != after
    assert opened.boxes("sb") == after


def test_many_instructions_are_summed_up(browser: Browser, tmp_path: Path):
    """Heights are shares of busy time; zoomed in, each instruction is there."""
    result = run(kernel(matmul(4, 4, 32)))
    opened = Opened(browser, written(tmp_path, result))
    script = """() => { const { data } = rotationReport[0].source("after", "shown");
      return data.left.map((left, at) => [Math.round(data.bottom[at] + 0.4),
        (data.right[at] - left) * (data.top[at] - data.bottom[at])]); }"""
    busy_ns: Counter[str] = Counter()
    lanes = opened.page.evaluate("() => rotationReport[0].data.engines")
    for lane, area in opened.page.evaluate(script):
        busy_ns[lanes[len(lanes) - 1 - lane]] += area / LANE
    opened.page.evaluate("() => rotationReport[0].move(0, 20000)")
    opened.settle()
    some = [row for row in timeline_of(result.after) if row.start_ns <= 20_000]

    assert len(timeline_of(result.after)) > 1500
    assert dict(busy_ns) == pytest.approx(
        {name: report.busy_ns for name, report in result.engines.items()}
    )
    assert len(opened.boxes("after")) == len(some)
    assert opened.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "size"), [("wide", WIDE), ("phone", PHONE)])
def test_the_page_fits_the_screen(
    opened: Opened, name: str, size: dict[str, int], scheme: str
):
    """Nothing is wider than a phone; the text is readable on light and dark."""
    opened.page.emulate_media(color_scheme=scheme)
    opened.page.set_viewport_size(size)
    opened.settle()
    width = opened.page.evaluate("() => document.documentElement.scrollWidth")
    back, text, title = opened.page.evaluate(
        """() => { const style = getComputedStyle(document.body);
        const chart = rotationReport[0].document.get_model_by_name("after");
        return [style.backgroundColor, style.color, chart.title.text_color]; }"""
    )
    PICTURES.mkdir(exist_ok=True)
    opened.page.screenshot(path=PICTURES / f"{name}-{scheme}.png", full_page=True)
    opened.page.set_viewport_size(WIDE)

    assert width <= size["width"]
    assert (luminance(back) > luminance(text)) == (scheme == "light")
    assert title == {"light": "#1d2430", "dark": "#e7eaee"}[scheme]


def luminance(colour: str) -> float:
    """Return how light a colour of the form ``rgb(1, 2, 3)`` is."""
    red, green, blue = map(int, colour.removeprefix("rgb(").rstrip(")").split(","))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
