"""Print a script by which a shell completes the commands, their options, and what those may be.

SHELL is one of:
"""

from __future__ import annotations

from opspec_lint import catalogue, completion
from opspec_lint.errors import CLEAN
from opspec_lint.options import Outcome, listed, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from opspec_lint.options import Parser

SUMMARY = "print a completion script for a shell"


def shells() -> list[str]:
    """Return the names of the shells."""
    return catalogue.names("shells")


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.listing = lambda: listed(shells(), lambda name: catalogue.module("shells", name).SUMMARY)
    parser.add_argument(
        "shell", metavar="SHELL", type=one_of("shell", shells), help=f"the shell: {', '.join(shells())}"
    )


def run(options: Namespace, *, color: bool) -> Outcome:  # noqa: ARG001 - a script has no colours
    """Return the script."""
    text: str = catalogue.module("shells", options.shell).render(completion.program("opspec-lint"))
    return Outcome(text=text, code=CLEAN)
