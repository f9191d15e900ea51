"""Show what saved models say of themselves: who wrote them, their ops, signatures, variables and checkpoints.

MODEL is what `audit` takes, an ONNX model, or an archive of PyTorch. No framework is needed, nothing is executed, and
no weight is read.

The formats html, mermaid and dot are pictures of the graph: scopes, functions and what repeats are folded. With
--against they mark what stops the model under the release of that spec.
"""

from __future__ import annotations

from opspec_lint.cli.shared_options import configure_format, configure_loader, configure_reading, outcome, reading
from opspec_lint.kit.errors import CLEAN, UsageError
from opspec_lint.models import loader, view
from opspec_lint.models.recognise import read_model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.kit.command_line import Arguments, Options, Outcome
    from opspec_lint.models.audit import Audit

SUMMARY = "show the contents of saved models"


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    add = arguments.add
    add("models", metavar="MODEL", values="+", help="a saved model")
    add("--against", repeats=True, metavar="SPEC", help="mark what stops the model under the release of this spec")
    configure_loader(arguments)
    configure_format(arguments, view.names)
    add("--output", metavar="FILE", help="the file for the output (default: standard output)")
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Return what the models say.

    Raises:
        UsageError: findings are asked for in a format that marks none, or of a loader without a spec.
        InputError: a model or a spec cannot be read.
    """
    shown = view.load(options.format)
    if options.against and not shown.marks:
        marking = " or ".join(each for each in view.names() if view.load(each).marks)
        raise UsageError(
            f"--against needs a picture, and {options.format} is not one", advice=f"use --format {marking}"
        )
    if options.loader is not None and not options.against:
        raise UsageError("--loader has no effect without --against", advice="name the spec that the loader goes by")
    seen = (view.Seen(model=read_model(each), audits=tuple(_audits(each, options))) for each in options.models)
    return outcome(shown.render(seen), CLEAN, options.output)


def _audits(path: str, options: Options) -> Iterator[Audit]:
    if not options.against:
        return
    from opspec_lint.models.audit import audit
    from opspec_lint.models.loader import Asked
    from opspec_lint.sources import references

    how = reading(options)
    specs = [(each, references.resolve(each, how)) for each in options.against]
    wanted = [] if options.loader is None else [loader.load(options.loader)]
    yield from audit(path, specs, wanted, Asked())
