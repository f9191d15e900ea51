"""List every fault of some spec files.

A malformed file is an error. What is well-formed and yet doubtful is a warning: an update of the op versions that
names nothing in its op, and a spec file that is not in its canonical form.
"""

from __future__ import annotations

from opspec_lint import document, files
from opspec_lint.errors import CLEAN, FAILED, InputError
from opspec_lint.options import Outcome
from opspec_lint.plain import one_line, plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from opspec_lint.document import Document
    from opspec_lint.model import Spec
    from opspec_lint.options import Parser

SUMMARY = "list every fault of spec files"

_UNCOUNTED = -1
"""How many keys a document has that nobody counted: it is looked at for duplicates in any case."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a spec file, in any format")


def run(options: Namespace, *, color: bool) -> Outcome:  # noqa: ARG001 - no colours yet
    """Validate, and return a line for each fault; the exit code is 3 if any file is malformed."""
    lines: list[str] = []
    malformed = 0
    for path in options.files:
        errors, warnings = _validate(path)
        malformed += bool(errors)
        lines += [f"error: {one_line(error)}" for error in errors]
        lines += [f"warning: {one_line(warning)}" for warning in warnings]
    verdict = (
        f"{plural(malformed, 'malformed file')}" if malformed else f"{plural(len(options.files), 'file')} well-formed"
    )
    return Outcome(text="\n".join([*lines, verdict, ""]), code=FAILED if malformed else CLEAN)


def _validate(path: str) -> tuple[list[str], list[str]]:
    """Return the errors and the warnings of a file."""
    errors: list[InputError] = []
    try:
        decoded = document.read(path)
        found = files.recognise(decoded)
        errors.extend(
            InputError(path, fault.problem, where=fault.where, advice=fault.advice)
            for fault in found.faults(decoded.value, path)
        )
        decoded.check_unique_keys(_UNCOUNTED)
    except InputError as error:
        errors.append(error)
    if errors:
        return [error.message + (f" ({error.advice})" if error.advice else "") for error in errors], []
    return [], [f"{path}: {warning}" for warning in _warnings(files.spec_of(decoded), decoded, found.NAME)]


def _warnings(spec: Spec, decoded: Document, name: str) -> Iterator[str]:
    from opspec_lint import specfile
    from opspec_lint.formats import opspec
    from opspec_lint.judge import judge
    from opspec_lint.profile import FALLBACK, load
    from opspec_lint.registrations import standing_faults

    policy = load(FALLBACK).but(levels={})
    for finding in judge(standing_faults(spec), policy):
        yield f"op_versions.{finding.op}: {finding.message}"
    if name == opspec.NAME and decoded.text is not None and specfile.dumps(spec) != decoded.text:
        yield "is not in canonical form (`opspec-lint extract FILE --output FILE` rewrites it)"
