"""List every mistake in specs.

SPEC is a spec file in any format, a file of op versions, or whatever else `check` takes: a released spec, a source such
as a source tree, a file at a revision. A malformed file is an error. A doubtful part of a well-formed one is a warning:
an op that the framework would refuse, an update of the op versions that names nothing in its op, files of a tree that
disagree on an op, a value that a source does not state, and a spec file that is not in its canonical form.
"""

from __future__ import annotations

from opspec_lint.cli.shared_options import configure_reading, extract_command, reading
from opspec_lint.documents import json_text
from opspec_lint.kit.command_line import Outcome
from opspec_lint.kit.errors import CLEAN, FAILED, FINDINGS, InputError
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, plural
from opspec_lint.sources import recognise, references
from opspec_lint.sources.companion import companion_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.documents.decode import Document
    from opspec_lint.documents.schema import FileFault
    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.spec.model import Spec

SUMMARY = "list every fault of specs"
EXAMPLES = (
    "opspec-lint validate specs/paddle.json",
    "opspec-lint validate --canonical specs/*.json",
)


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add("--canonical", values=0, help="a spec file that is not in canonical form is an error, exit code 1")
    arguments.add("files", metavar="SPEC", values="+", help="a spec, or a file of op versions")
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Validate the files, and return a line for each fault; the exit code is 3 if any file is malformed."""
    lines: list[str] = []
    include = tuple(options.include or ())
    malformed = not_canonical = 0
    for path in options.files:
        result = _validate_source(path, options) if references.is_no_file(path) else _validate(path, include)
        malformed += bool(result.errors)
        not_canonical += not result.is_canonical
        lines += [f"error: {one_line(error)}" for error in result.errors]
        lines += [f"warning: {one_line(warning)}" for warning in result.warnings]
        if not result.is_canonical:
            level = "error" if options.canonical else "warning"
            lines.append(f"{level}: {one_line(_not_canonical(path))}")
    code, verdict = CLEAN, f"{plural(len(options.files), 'file')} well-formed"
    if malformed:
        code, verdict = FAILED, plural(malformed, "malformed file")
    elif not_canonical and options.canonical:
        code, verdict = FINDINGS, f"{verdict}, {not_canonical} of them not in canonical form"
    return Outcome(text="\n".join([*lines, verdict, ""]), code=code)


class _FileResult(Record):
    """The faults of a file: `errors` make it malformed, `warnings` do not."""

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    is_canonical: bool = True


def _not_canonical(path: str) -> str:
    return f"{path}: is not in canonical form (`{extract_command(path, path)}` rewrites it)"


def _validate(path: str, include: tuple[str, ...]) -> _FileResult:
    """Validate one file; all its faults are reported, and warnings only for a file without faults."""
    errors: list[InputError] = []
    spec = None
    try:
        decoded = recognise.read_document(path, include=include)
        errors.extend(
            InputError(path, fault.problem, where=fault.where, advice=fault.advice) for fault in _faults(decoded)
        )
        errors.extend(json_text.duplicate_key_error(path, where) for where in decoded.duplicate_keys())
        if not errors and companion_of(decoded.value) is None:
            spec = recognise.spec_of(decoded)
            _check_required_fields(spec)
    except InputError as error:
        errors.append(error)
    if errors:
        return _FileResult(errors=tuple(error.line for error in errors))
    if spec is None:
        return _FileResult()
    warnings = tuple(f"{path}: {warning}" for warning in _warnings(spec))
    return _FileResult(warnings=warnings, is_canonical=_is_canonical(spec, decoded))


def _check_required_fields(spec: Spec) -> None:
    """Raise InputError with the place if a spec lacks a field that its comparison needs."""
    from opspec_lint.diff.binding import BINDINGS

    require = BINDINGS.load(spec.binding).require if spec.binding in BINDINGS else None
    if require is not None:
        require(spec)


def _validate_source(reference: str, options: Options) -> _FileResult:
    """Return the warnings on the spec of a source, or on a spec file at a revision."""
    try:
        spec = references.resolve(reference, reading(options)).spec
    except InputError as error:
        return _FileResult(errors=(error.line,))
    from opspec_lint.lint.remarks import remark_message

    remarks = (f"{remark_message(remark)} [{remark.event}]" for remark in spec.remarks)
    return _FileResult(warnings=tuple(f"{reference}: {text}" for text in (*remarks, *_warnings(spec))))


def _faults(decoded: Document) -> Iterator[FileFault]:
    companion = companion_of(decoded.value)
    if companion is not None:
        yield from companion.faults(decoded.value)
    else:
        yield from recognise.recognise(decoded).faults(decoded.value, decoded.file)


def _is_canonical(spec: Spec, decoded: Document) -> bool:
    """Return whether a file is in canonical form; True for YAML, and formats without a canonical form."""
    if decoded.text is None:
        return True
    dumps = recognise.recognise(decoded).dumps
    return dumps is None or dumps(spec) == decoded.text


def _warnings(spec: Spec) -> Iterator[str]:
    """Yield the points in which the declarations of a valid spec contradict each other, with their places."""
    from opspec_lint.diff.agreement import disagreements_within
    from opspec_lint.diff.op_versions import dangling_registrations
    from opspec_lint.lint.judge import judge
    from opspec_lint.lint.profile import FALLBACK, PROFILES

    policy = PROFILES.load(FALLBACK).replace(levels={})
    for finding in judge(dangling_registrations(spec), policy):
        yield f"op_versions.{finding.op}: {finding.message}"
    for finding in judge(disagreements_within(spec), policy, framework=spec.provenance.framework):
        place = f"ops.{finding.op}" if finding.head_origin is None else finding.head_origin.place
        yield f"{place}: {finding.message} [{finding.rule}]"
    for name, op in spec.ops.items():
        if op.invalid:
            yield f"ops.{name}: the framework refuses the declaration: {op.invalid}"
