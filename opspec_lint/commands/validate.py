"""List every fault of some spec files.

A malformed file is an error. What is well-formed and yet doubtful is a warning: an update of the op versions that
names nothing in its op, and a spec file that is not in its canonical form. A file of op versions is recognised too.
"""

from __future__ import annotations

from opspec_lint import document, files, jsontext, op_versions, schema
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
    from opspec_lint.schema import Fault

SUMMARY = "list every fault of spec files"


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a spec file in any format, or a file of op versions")


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
    spec = None
    try:
        decoded = document.read(path)
        errors.extend(
            InputError(path, fault.problem, where=fault.where, advice=fault.advice) for fault in _faults(decoded)
        )
        errors.extend(jsontext.twice(path, where) for where in decoded.keys_that_stand_twice())
        if not errors and not op_versions.is_like(decoded.value):
            spec = files.spec_of(decoded)
    except InputError as error:
        errors.append(error)
    if errors:
        return [error.message + (f" ({error.advice})" if error.advice else "") for error in errors], []
    return [], [] if spec is None else [f"{path}: {warning}" for warning in _warnings(spec, decoded)]


def _faults(decoded: Document) -> Iterator[Fault]:
    if op_versions.is_like(decoded.value):
        yield from schema.faults(decoded.value, op_versions.NAME)
    else:
        yield from files.recognise(decoded).faults(decoded.value, decoded.file)


def _warnings(spec: Spec, decoded: Document) -> Iterator[str]:
    from opspec_lint import specfile
    from opspec_lint.formats import opspec
    from opspec_lint.judge import judge
    from opspec_lint.profile import FALLBACK, load
    from opspec_lint.registrations import standing_faults

    policy = load(FALLBACK).but(levels={})
    for finding in judge(standing_faults(spec), policy):
        yield f"op_versions.{finding.op}: {finding.message}"
    if opspec.likeness(decoded.value) and decoded.text is not None and specfile.dumps(spec) != decoded.text:
        yield "is not in canonical form (`opspec-lint extract FILE --output FILE` rewrites it)"
