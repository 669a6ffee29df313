"""The files of `rotation run`: a page for people, and a trace for viewers."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from pelican_rotation.cli.output import print_errors
from pelican_rotation.exits import EXIT_BAD_INPUT, run_exit_code
from pelican_rotation.files import STDOUT, require_file_place, write_text

if TYPE_CHECKING:
    from pelican.errors import LocatedError
    from rotation.running.result import Result

ReportFile = Annotated[
    str | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write a page with charts, which works offline; - is standard output. "
        "Needs the extra report.",
    ),
]
TraceFile = Annotated[
    str | None,
    typer.Option(
        "--trace",
        metavar="FILE",
        help="Write Chrome trace events, for Perfetto; - is standard output.",
    ),
]


@dataclass(frozen=True, slots=True)
class RunFiles:
    """What a run writes beside its screen.

    Attributes:
        report: The file of the page, if any.
        trace: The file of the trace, if any.
        no_page: Why the page is not written though it is asked for; None if it is.
    """

    report: str | None
    trace: str | None
    no_page: LocatedError | None = None

    @property
    def take_stdout(self) -> bool:
        """True if one of them is standard output."""
        return STDOUT in (self.report, self.trace)

    def required(self, *, as_json: bool, print_after: bool) -> RunFiles:
        """Return the files, each of which can be written, before anything is run.

        A page that cannot be made is no reason to lose a trace: then it alone is left
        out.

        Args:
            as_json: True if standard output belongs to the JSON object.
            print_after: True if it belongs to programs after passes.

        Raises:
            ArgumentError: If two things want standard output, or the library of the
                page is not installed and no trace is asked for.
            PelicanError: If a file cannot be.
        """
        from rotation.errors import ArgumentError  # noqa: PLC0415 - help stays light

        takers = {
            "--report -": self.report == STDOUT,
            "--trace -": self.trace == STDOUT,
            "--json": as_json,
            "--print-after": print_after and not as_json,
        }
        both = [option for option, takes in takers.items() if takes]
        if self.take_stdout and len(both) > 1:
            message = f"{' and '.join(both)} all want standard output"
            raise ArgumentError(message, hint="name a file in place of -")
        for path, option in ((self.report, "--report"), (self.trace, "--trace")):
            if path is not None:
                require_file_place(path, option)
        no_page = None if self.report is None else self._missing_library()
        if no_page is not None and self.trace is None:
            raise no_page
        return replace(self, no_page=no_page)

    def _missing_library(self) -> LocatedError | None:
        """Return that the library of the page is not installed, or None if it is."""
        from rotation.errors import ArgumentError  # noqa: PLC0415 - help stays light

        try:
            import pelican_rotation.report.page  # noqa: F401, PLC0415 - loads bokeh
        except ImportError:
            message = "--report needs the library bokeh, which is not installed"
            hint = "install the extra: pip install 'pelican-rotation[report]'"
            return ArgumentError(message, hint=hint)
        return None

    def write(self, result: Result) -> None:
        """Write the files of a run, and say which is not written.

        Raises:
            PelicanError: If one cannot be written.
        """
        if self.no_page is not None:
            print_errors(self.no_page)
        elif self.report is not None:
            from pelican_rotation.report.page import report_page  # noqa: PLC0415 - loads bokeh

            write_text(self.report, report_page(result), "--report")
        if self.trace is not None:
            from pelican_rotation.trace import trace_document  # noqa: PLC0415 - seldom needed

            text = json.dumps(trace_document(result), separators=(",", ":"))
            write_text(self.trace, f"{text}\n", "--trace")

    def exit_code(self, result: Result) -> int:
        """Return the exit code of the run, or of a page that is not written."""
        return run_exit_code(result) if self.no_page is None else EXIT_BAD_INPUT
