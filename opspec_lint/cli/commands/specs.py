"""List the released specs that opspec-lint brings.

NAME@VERSION, as they are listed, is a spec wherever a command takes one: `check paddle@2.6.2 paddle@3.0.0`.
"""

from __future__ import annotations

from opspec_lint.kit.command_line import Outcome
from opspec_lint.kit.errors import CLEAN
from opspec_lint.sources import released

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options

SUMMARY = "list the released specs that opspec-lint brings"
EXAMPLES = ("opspec-lint specs",)


def configure(arguments: Arguments) -> None:
    """Declare the arguments: there are none."""


def run(options: Options) -> Outcome:  # noqa: ARG001 - every command takes options
    """Return the names of the specs, one a line, older releases first."""
    return Outcome(text="".join(f"{name}\n" for name in released.names()), code=CLEAN)
