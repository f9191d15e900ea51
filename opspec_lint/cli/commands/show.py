"""Show the contents of saved models: the release that wrote them, their ops, signatures, variables and checkpoints.

MODEL is what `audit` takes, an ONNX model, or an archive of PyTorch. No framework is needed, nothing is executed, and
no weight is read.

The formats html, mermaid and dot are pictures of the graph: scopes, functions and repeated parts are folded. With
--against they mark what stops the model under the release of that spec. The page of two models, in the format html,
marks the nodes that are removed, added or changed from the first to the second.
"""

from __future__ import annotations

from contextlib import contextmanager

from opspec_lint.cli.shared_options import (
    configure_format,
    configure_loader,
    configure_reading,
    configure_site,
    named_loaders,
    outcome,
    reading,
    require_page,
)
from opspec_lint.kit.errors import CLEAN, FAILED, InputError, OpspecError, UsageError
from opspec_lint.models.recognise import read_model
from opspec_lint.models.view import VIEWS, ShownModel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from opspec_lint.kit.command_line import Arguments, Options, Outcome
    from opspec_lint.models.audit import Audit
    from opspec_lint.models.view import View

    _Auditor: TypeAlias = Callable[[str], Iterable[Audit]]

SUMMARY = "show the contents of saved models"
EXAMPLES = (
    "opspec-lint show export/",
    "opspec-lint show net.onnx --format html --output net.html",
    "opspec-lint show old.onnx new.onnx --format html --output differences.html",
    "opspec-lint show inference.pdmodel --against paddle@3.0.0 --format mermaid",
)


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    add = arguments.add
    add("models", metavar="MODEL", values="+", help="a saved model")
    add("--against", repeats=True, metavar="SPEC", help="mark what stops the model under the release of this spec")
    configure_loader(arguments)
    configure_format(arguments, VIEWS.names)
    configure_site(arguments)
    add("--output", metavar="FILE", help="the file for the output (default: standard output)")
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Return the contents of the models that can be read; the exit code is 3 if any cannot.

    Raises UsageError if a format cannot mark findings, or a loader is named without a spec, OpspecError if no model, or
    a spec, cannot be read.
    """
    view = VIEWS.load(options.format)
    if options.against and not view.marks:
        marking = " or ".join(name for name in VIEWS.names() if VIEWS.load(name).marks)
        raise UsageError(
            f"--against needs a picture, and {options.format} is not one", advice=f"use --format {marking}"
        )
    if options.loader is not None and not options.against:
        raise UsageError("--loader has no effect without --against", advice="name the spec of a release with --against")
    require_page(options, [options.format])
    text, failed = _render(view, options, _auditor(options))
    if len(failed) == len(options.models):
        first, *others = failed
        raise OpspecError(first.message, advice=first.advice, others=tuple(others))
    result = outcome(text, FAILED if failed else CLEAN, options.output)
    return result.replace(remarks=tuple(f"error: {error.line}" for error in failed))


def _render(view: View, options: Options, audits: _Auditor) -> tuple[str, list[InputError]]:
    """Return the text of the readable models, and the errors of the others.

    A renderer reads lazily and may meet a damaged file in the middle; then all others are rendered again.
    """
    models = _Models(options, audits)
    text = None
    while text is None and len(models.failed) < len(options.models):
        with models.record_error():
            text = view.render(models.readable())
    return text or "", [models.failed[number] for number in sorted(models.failed)]


class _Models:
    """The named models; `failed` are the errors of those that cannot be read, by number."""

    def __init__(self, options: Options, audits: _Auditor) -> None:
        self._options = options
        self._audits = audits
        self._opened = 0
        self.failed: dict[int, InputError] = {}

    def readable(self) -> Iterator[ShownModel]:
        """Yield the models that have not failed so far, each opened when it is needed."""
        paths = self._options.models
        for number, path in enumerate(paths):
            if number in self.failed:
                continue
            self._opened = number
            shown_model = None
            with self.record_error():
                shown_model = ShownModel(
                    model=read_model(path),
                    audits=tuple(self._audits(path)),
                    is_compared=len(paths) == 2,
                    site=self._options.site,
                )
            if shown_model is not None:
                yield shown_model

    @contextmanager
    def record_error(self) -> Iterator[None]:
        """Record an error as that of the model that was opened last."""
        try:
            yield
        except InputError as error:
            self.failed[self._opened] = error


def _auditor(options: Options) -> _Auditor:
    """Return a function that audits a model under the named specs. Raises InputError if a spec cannot be read."""
    if not options.against:
        return lambda _: ()
    from opspec_lint.models.audit import audit
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.sources import references

    how = reading(options)
    specs = [(reference, references.resolve(reference, how).spec) for reference in options.against]
    loaders = named_loaders(options)
    return lambda path: audit(path, specs, loaders, LoadOptions())
