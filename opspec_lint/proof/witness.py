"""Candidate models that may show a finding: models of its op that one release loads and the other may not.

1. Base samples: the op with default values, as savers write it, then with other values of required attrs.
2. Each base sample is varied in the subject of the finding (an op, or an argument), in all ways that the declaration
   of the saving release allows. Variants of one base are of one kind: they differ in the subject only.
3. Duplicates are dropped; the simplest models come first.
"""

from __future__ import annotations

import contextlib
import itertools

from opspec_lint.diff.changes.arguments import is_omittable
from opspec_lint.kit.record import Record
from opspec_lint.proof.draw import simplest, smallest, usual, values_of
from opspec_lint.proof.sample import Sample, UnwritableError
from opspec_lint.spec.event import events
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.proof.writer import Writer
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.fact import AnyArgument
    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op, Spec

_MOST_ATTRS = 24
CHOICES = 4
"""Number of choices of values for required attrs (`draw.simplest`)."""
MOST = 48
"""Greatest number of models for one finding."""
_REASONS_BY_KIND = {
    "registration": "an op's version history is read by tools, and stops no model",
    "source": "it is about the sources of a release",
    "config": "it is about the configuration",
    "waiver": "it is about a waiver",
}
"""By kind of finding, the reason why no model can show it."""


class Candidate(Record):
    """A model that may show a finding.

    Candidates of one `kind` differ in the subject of the finding only. `is_decisive`: the model contains what the
    loading release does not declare, so that a successful load refutes the finding; a load of another model does not.
    """

    kind: int
    sample: Sample
    is_decisive: bool = False


def reason_without_model(finding: Finding, not_shown: Mapping[EventId, str]) -> str:
    """Return the reason why no model can show a finding, "" if one may; `not_shown` are the reasons of the prover."""
    if not finding.directions:
        return "it says nothing of what becomes of models"
    event = events()[finding.event]
    if event.of_graphs:
        return ""
    return event.not_shown or not_shown.get(finding.event, "") or _REASONS_BY_KIND.get(finding.kind, "")


def candidates(finding: Finding, saver: Spec, reader: Spec, writer: Writer, name: str | None) -> list[Candidate]:
    """Return the models that may show a finding, the simplest first, at most `MOST`.

    `saver` and `reader` are the specs of the saving and loading release, `name` is the name of the argument in `saver`.
    Raises UnwritableError, with the reason, if no model can be written.
    """
    op = _any_op(saver, reader) if finding.op is None else saver.ops.get(finding.op)
    if op is None:
        raise UnwritableError("the release that would save the model does not have the op")
    reader_op = reader.ops.get(op.name)
    bases = enumerate(_bases(finding, op, reader_op, writer))
    variants = (
        Candidate(kind=number, sample=sample, is_decisive=is_decisive)
        for number, base in bases
        for sample, is_decisive in _variants(finding, base, reader_op, writer, name)
    )
    return list(itertools.islice(_distinct(variants), MOST))


def _any_op(saver: Spec, reader: Spec) -> Op | None:
    """Return the simplest op that both specs have, for a finding that concerns no single op."""
    common = [saver.ops[name] for name in sorted(saver.ops.keys() & reader.ops.keys())]
    return min(common, key=lambda op: len(op.inputs) + len(op.attrs) + len(op.outputs), default=None)


def _bases(finding: Finding, op: Op, reader_op: Op | None, writer: Writer) -> list[Sample]:
    """Return base samples of an op: with default values, and several choices of values for required attrs.

    The second sample also has what `reader_op` requires apart from the subject: if a loader refuses several changes, a
    model without it would show the one that is checked first, and no other.
    """
    samples = [usual(op, writer, choice) for choice in range(CHOICES)]
    samples += [smallest(op, writer, choice) for choice in range(CHOICES)] if writer.writes_defaults else []
    # Second, not first: the plain model is what savers write, and most findings are decided by it.
    samples.insert(1, _compatible(samples[0], finding, reader_op, writer))
    distinct: dict[str, Sample] = {}
    for sample in itertools.chain(samples, _with_single_attr_set(samples[0], writer)):
        distinct.setdefault(_content(sample), sample)
    return list(distinct.values())


def _compatible(base: Sample, finding: Finding, reader_op: Op | None, writer: Writer) -> Sample:
    """Return a sample with what the loading release requires added, except for the subject of the finding."""
    if reader_op is None:
        return base
    required = smallest(reader_op, writer)
    known = {attr.name: attr for attr in base.op.attrs}
    new = {name: value for name, value in _without_subject(required.attrs, finding).items() if name not in known}
    left_out = [name for name in _without_subject(required.attrs, finding) if name in known and name not in base.attrs]
    return base.replace(
        op=base.op.replace(attrs=base.op.attrs + tuple(attr for attr in reader_op.attrs if attr.name in new)),
        attrs={**new, **{name: simplest(known[name], writer) for name in left_out}, **base.attrs},
        inputs={**_without_subject(required.inputs, finding), **base.inputs},
        outputs={**_without_subject(required.outputs, finding), **base.outputs},
    )


def _without_subject(values: Mapping[str, object], finding: Finding) -> dict[str, object]:
    """Return values by name without the argument of the finding."""
    return {name: value for name, value in values.items() if name not in (finding.name, finding.new_name)}


def _with_single_attr_set(base: Sample, writer: Writer) -> Iterator[Sample]:
    """Yield samples with one attr set to another value than its default: an op may require one of several attrs."""
    for attr in [attr for attr in base.op.attrs if attr.extra is not True][:_MOST_ATTRS]:
        with contextlib.suppress(UnwritableError):
            yield base.with_attrs(**{attr.name: values_of(attr, writer)[-1]})


def _variants(
    finding: Finding, base: Sample, reader_op: Op | None, writer: Writer, name: str | None
) -> Iterator[tuple[Sample, bool]]:
    """Yield the variants of a base sample in the subject of the finding, each with `is_decisive`."""
    section = section_of(finding.kind)
    argument = None if section is None else _argument(getattr(base.op, section), name)
    if section is None or argument is None:
        if writer.typings is not None:
            yield from ((base.replace(types=types), True) for types in writer.typings(base.op, reader_op))
        yield from _version_variants(base, reader_op)
    elif finding.kind == "attr":
        yield from _attr_variants(base, argument, reader_op, writer)
    else:
        yield from ((variant, False) for variant in _tensor_variants(base, argument, section))
        for attr in deciding_attrs(base.op, argument):
            yield from _attr_variants(base, attr, reader_op, writer)


def control(
    sample: Sample, finding: Finding, reader_op: Op | None, names: tuple[str | None, str | None], writer: Writer
) -> Sample | None:
    """Return the control of a sample: the same, but with the attr of the finding as the loading release declares it.

    If the loading release accepts the control, only this attr stops the sample. There is none for inputs and outputs:
    some frameworks bind tensors by position, so that one cannot be changed alone. `names` are the names of the attr in
    the saving and in the loading release.
    """
    if finding.kind != "attr" or reader_op is None:
        return None
    name, new_name = names
    reader_attr = _argument(reader_op.attrs, new_name)
    rest = sample.replace(op=sample.op.replace(attrs=tuple(attr for attr in sample.op.attrs if attr.name != name)))
    rest = rest.without(str(name))
    if reader_attr is None:
        return rest
    value = _as_declared(sample.attrs.get(str(name)), simplest(reader_attr, writer))  # type: ignore[arg-type]
    return rest.replace(op=rest.op.replace(attrs=(*rest.op.attrs, reader_attr))).with_attrs(**{reader_attr.name: value})


def _as_declared(value: Any, plain_value: Any) -> Any:
    """Return a value of an attr in the type of `plain_value`, a value for another declaration, or else that value."""
    kinds = {type(value), type(plain_value)}
    if kinds == {int, float}:
        return type(plain_value)(value)
    return value if len(kinds) == 1 else plain_value


def section_of(kind: str) -> Section | None:
    """Return the section of an op ("inputs") for a kind of finding ("input"), None if it is no argument."""
    return next((section for name, section in SECTIONS.items() if name == kind), None)


def _argument(arguments: tuple[AnyArgument, ...], name: str | None) -> AnyArgument | None:
    """Return the argument with a name, None if there is none."""
    return next((argument for argument in arguments if argument.name == name), None)


def _version_variants(base: Sample, reader_op: Op | None) -> Iterator[tuple[Sample, bool]]:
    """Yield the sample in each version of its op; versions that the loading release lacks come first."""
    least, most = base.op.min_version, base.op.max_version
    if not isinstance(least, int) or not isinstance(most, int):
        yield base, False
        return
    accepted = range(0)
    if reader_op is not None and isinstance(reader_op.min_version, int) and isinstance(reader_op.max_version, int):
        accepted = range(reader_op.min_version, reader_op.max_version + 1)
    for version in sorted(range(least, most + 1), key=lambda version: (version in accepted, version)):
        yield base.replace(version=version), version not in accepted


def _attr_variants(
    base: Sample, attr: AnyArgument, reader_op: Op | None, writer: Writer
) -> Iterator[tuple[Sample, bool]]:
    """Yield the sample without an attr, if it is optional, and with each of its values.

    Values that the loading release does not allow come first; each sample has True if its value is such a one.
    """
    if is_omittable(attr):
        yield base.without(attr.name), False
    try:
        values = values_of(attr, writer)  # type: ignore[arg-type]
    except UnwritableError:
        if attr.name in base.attrs:
            yield base, False
        return
    reader_attr = None if reader_op is None else _argument(reader_op.attrs, attr.name)
    for value in sorted(values, key=lambda value: _is_allowed(reader_attr, value)):
        yield base.with_attrs(**{attr.name: value}), not _is_allowed(reader_attr, value)


def _is_allowed(reader_attr: AnyArgument | None, value: object) -> bool:
    """Return whether the loading release declares no limit that excludes a value of an attr."""
    if reader_attr is None:
        return True
    allowed, minimum = reader_attr.get("allowed_values"), reader_attr.get("minimum")
    items = value if isinstance(value, tuple) else (value,)
    if isinstance(allowed, tuple) and any(item not in allowed for item in items):
        return False
    size = len(value) if isinstance(value, tuple | str) else value
    return not (isinstance(minimum, int) and isinstance(size, int) and size < minimum)


def _tensor_variants(base: Sample, argument: AnyArgument, section: Section) -> Iterator[Sample]:
    """Yield the sample with one tensor for an input or output, and with none or two if the declaration allows it."""
    counts = dict(getattr(base, section))
    left_out = {name: count for name, count in counts.items() if name != argument.name}
    yield base.replace(**{section: {**counts, argument.name: 1}})
    if is_omittable(argument) or argument.get("extra") is True or argument.get("intermediate") is True:
        yield base.replace(**{section: left_out})
    if argument.get("duplicable") is True:
        yield base.replace(**{section: {**counts, argument.name: 2}})


def deciding_attr_names(finding: Finding, specs: tuple[Spec, Spec]) -> set[str]:
    """Return the names of attrs that decide, in either spec, the tensors of the argument of a finding."""
    section = section_of(finding.kind)
    ops = [spec.ops.get(finding.op or "") for spec in specs]
    if section is None or section == "attrs":
        return set()
    names = (finding.name, finding.new_name)
    arguments = ((op, argument) for op in ops if op for argument in getattr(op, section) if argument.name in names)
    return {attr.name for op, argument in arguments for attr in deciding_attrs(op, argument)}


def deciding_attrs(op: Op, argument: AnyArgument) -> Iterator[AnyArgument]:
    """Yield the attrs that decide the number or the types of the tensors of an argument, such as `N` and `T`."""
    names = {argument.get(field) for field in ("type_attr", "number_attr", "type_list_attr")}
    yield from (attr for attr in op.attrs if attr.name in names)


def _distinct(candidates: Iterator[Candidate]) -> Iterator[Candidate]:
    """Yield the first candidate of each content."""
    seen = set()
    for candidate in candidates:
        content = _content(candidate.sample)
        if content not in seen:
            seen.add(content)
            yield candidate


def _content(sample: Sample) -> str:
    """Return the content of a sample as text: equal for samples of equal models."""
    tensors = sorted(sample.inputs.items()), sorted(sample.outputs.items())
    return repr((sorted(sample.attrs.items()), *tensors, sample.version, sorted(sample.types.items())))
