"""Show what saved models say of themselves: who wrote them, their ops, signatures, variables and checkpoints.

MODEL is what `audit` takes. No framework is needed, nothing is executed, and no weight is read.
"""

from __future__ import annotations

from opspec_lint.kit.command_line import Outcome, one_of
from opspec_lint.kit.errors import CLEAN
from opspec_lint.models import view
from opspec_lint.models.recognise import read_model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options

SUMMARY = "show what saved models say of themselves"


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add("models", metavar="MODEL", values="+", help="a saved model")
    arguments.add(
        "--format",
        accept=one_of("format", view.names),
        known=view.names,
        default="text",
        help=lambda: f"the output format: {', '.join(view.names())} (default: text)",
    )


def run(options: Options) -> Outcome:
    """Return what the models say.

    Raises:
        InputError: one of them cannot be read.
    """
    seen = [view.Seen(model=read_model(each)) for each in options.models]
    return Outcome(text=view.load(options.format).render(seen), code=CLEAN)
