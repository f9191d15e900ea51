"""Verification of audits by installed releases: `audit --verify PYTHON`."""

from __future__ import annotations

import os

from opspec_lint.cli.shared_options import named_loaders, reading
from opspec_lint.kit.command_line import Outcome, OutputFile
from opspec_lint.kit.errors import CLEAN, FAILED, FINDINGS, InputError, OpspecError, UsageError
from opspec_lint.models.audit import is_no_model
from opspec_lint.models.recognise import read_model
from opspec_lint.proof import verify, verify_report
from opspec_lint.sources import references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.kit.command_line import Options
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model

_FORMATS = {"text": verify_report.as_text, "json": verify_report.as_json}
_NOT_HERE = ("require", "tags", "signature", "producer_ops", "waivers", "profile", "library", "site")
"""Options that have no equivalent for the loader in an interpreter."""


def run(options: Options, load_options: LoadOptions, places: Sequence[tuple[str, str | None]]) -> Outcome:
    """Compare verdicts with installed releases; the exit code is 1 if any differs, and 3 if a model cannot be read.

    Raises UsageError if an option has no effect or no model can be loaded, InputError if an interpreter cannot be run
    or a spec cannot be read.
    """
    # Before interpreters are started, which takes minutes.
    _require_fitting(options, places)
    how = reading(options)
    models, failed = _read_models(options.models)
    remarks = [f"error: {error.line}" for error in failed]
    task = verify.Verification(
        models=tuple(models),
        loaders=named_loaders(options),
        options=load_options,
        specs=tuple((name, references.resolve(name, how).spec) for name in options.against or ()),
        reading=how,
        environment=options.environment,
    )
    rows = list(
        verify.verify_models(task, options.verify, options.progress, lambda text: remarks.append(f"warning: {text}"))
    )
    code = FINDINGS if any(row.agreement == "differs" for row in rows) else CLEAN
    texts = [(_FORMATS[name](rows), file) for name, file in places]
    return Outcome(
        text="".join(text for text, file in texts if file is None),
        code=FAILED if failed else code,
        files=[OutputFile(path=file, content=text) for text, file in texts if file is not None],
        makes_folder=True,
        remarks=tuple(remarks),
    )


def _read_models(named: Sequence[str]) -> tuple[list[Model], list[InputError]]:
    """Return the readable models at the named paths, and the errors of the others.

    A file in a named folder that is no model is passed over. Raises OpspecError if no model can be read.
    """
    models: list[Model] = []
    failed: list[InputError] = []
    for path in _paths(named):
        model = _read(path)
        if not isinstance(model, InputError):
            models.append(model)
        elif path in named or not is_no_model(path, model):
            failed.append(model)
    if failed and not models:
        first, *others = failed
        raise OpspecError(first.message, advice=first.advice, others=tuple(others))
    return models, failed


def _read(path: str) -> Model | InputError:
    """Return the model at a path, or the error that it cannot be read."""
    try:
        return read_model(path)
    except InputError as error:
        return error


def _require_fitting(options: Options, places: Sequence[tuple[str, str | None]]) -> None:
    """Raise UsageError for an option without effect, a format that cannot show the rows, or no model."""
    unused = next((name for name in _NOT_HERE if getattr(options, name)), None)
    if unused is not None:
        raise UsageError(f"--{unused.replace('_', '-')} has no effect with --verify", advice="remove one of the two")
    unknown = next((name for name, _ in places if name not in _FORMATS), None)
    if unknown is not None:
        raise UsageError(f"--format {unknown} cannot show a verification", advice="use text or json")
    if not options.models:
        raise UsageError("no model was named", advice="opspec-lint audit MODEL --verify PYTHON")


def _paths(models: Sequence[str]) -> Iterator[str]:
    """Yield the paths of models: for a folder that is no model itself, all files below it."""
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.recognise import format_of
    from opspec_lint.zoo import listing

    for path in models:
        if os.path.isdir(path) and format_of(Candidate(path)) is None:
            yield from (place.path for place in listing.places([path], bytes) if not place.problem)
        else:
            yield path
