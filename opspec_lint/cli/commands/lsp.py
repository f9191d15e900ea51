"""Serve an editor by the Language Server Protocol, over standard input and output.

The editor shows the findings of `opspec-lint check` while a file is written: in each repository whose files are open,
with the base and the configuration that are in force there. It needs the extra `opspec-lint[lsp]`.
"""

from __future__ import annotations

from opspec_lint.cli.shared_options import configure_reading
from opspec_lint.kit.command_line import Outcome
from opspec_lint.kit.errors import CLEAN, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options

SUMMARY = "serve an editor by the Language Server Protocol"
EXAMPLES = ("opspec-lint lsp --stdio",)


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add(
        "--base", metavar="REVISION", help="compare with the merge base of HEAD and this (default: that of `check`)"
    )
    arguments.add("--stdio", values=0, help="for editors that pass it: standard input and output are always used")
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Serve until the editor disconnects. Raises UsageError if pygls is not installed."""
    import gc

    try:
        import pygls  # noqa: F401 - only whether it is there
    except ImportError:
        raise UsageError("lsp needs pygls, which is not installed", advice="pip install 'opspec-lint[lsp]'") from None
    from opspec_lint.editor.server import serve
    from opspec_lint.project.check_context import Request
    from opspec_lint.sources.reading import Reading

    reading = Reading(
        environment=options.environment,
        build=options.build,
        include=tuple(options.include or ()),
        caches=not options.no_cache,
        may_fetch=False,
    )

    def request(folder: str) -> Request:
        """Return the request for a check of the repository of a folder."""
        return Request(
            reading=reading,
            folder=folder,
            recognises=True,
            base=options.base,
            wants_lines=True,
            wants_fixes=True,
            today=options.calendar(),
        )

    gc.enable()  # unlike other commands, this one runs for days
    serve(request, options.environment)
    return Outcome(text="", code=CLEAN)
