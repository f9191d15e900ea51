"""List the released specs that opspec-lint and its plug-ins bring.

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
EXAMPLES = ("opspec-lint specs", "opspec-lint specs paddle")


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add(
        "framework", metavar="FRAMEWORK", values="?", known=_frameworks, help="list only the specs of this one"
    )


def _frameworks() -> list[str]:
    return sorted({name.partition("@")[0] for name in released.names()})


def run(options: Options) -> Outcome:
    """Return the names of the specs, one a line, older releases first. Raises UsageError for an unknown framework."""
    from opspec_lint.api.functions import releases

    return Outcome(text="".join(f"{name}\n" for name in releases(options.framework)), code=CLEAN)
