"""Which models can show that a finding is right.

They are those of its op that one release takes and the other may not.

What a finding is about, an op or one of its arguments, is varied in all the ways
that the declaration of the release that saves the model allows; the rest of the model is what savers write. The
simplest comes first.
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
"""How many values are tried for attrs that every model has to write."""
MOST = 48
"""Models that are tried for one finding."""
_NOT_OF_MODELS = {
    "registration": "an op's version history is read by tools, and stops no model",
    "source": "it is about the sources of a release",
    "config": "it is about the configuration",
    "waiver": "it is about a waiver",
}
"""Why no model shows a finding, by its kind."""


class Candidate(Record):
    """A model that may show a finding.

    Those of one `kind` differ in nothing but what the finding is about. `tells` is whether it says what the other
    declaration does not allow: that such a model is taken refutes the finding, and that others are does not.
    """

    kind: int
    sample: Sample
    tells: bool = False


def why_none(finding: Finding, not_shown: Mapping[EventId, str]) -> str:
    """Return why no model can show that a finding is right; "" where one may.

    Args:
        finding: the finding.
        not_shown: what the prover has of that (`Prover.not_shown`).
    """
    if not finding.directions:
        return "it says nothing of what becomes of models"
    event = events()[finding.event]
    if event.of_graphs:
        return ""
    return event.not_shown or not_shown.get(finding.event, "") or _NOT_OF_MODELS.get(finding.kind, "")


def candidates(finding: Finding, saver: Spec, reader: Spec, writer: Writer, name: str | None) -> list[Candidate]:
    """Return the models that may show a finding, the simplest first, at most `MOST`.

    Args:
        finding: what is to be shown.
        saver: the spec of the release that saves them.
        reader: the spec of the release that loads them.
        writer: what they are written by.
        name: what the argument is called under the saver's release.

    Raises:
        UnwritableError: no model can be written; the message says why.
    """
    op = _any_op(saver, reader) if finding.op is None else saver.ops.get(finding.op)
    if op is None:
        raise UnwritableError("the release that would save the model does not have the op")
    other = reader.ops.get(op.name)
    bases = enumerate(_bases(finding, op, other, writer))
    found = (
        Candidate(kind=number, sample=each, tells=tells)
        for number, base in bases
        for each, tells in _varied(finding, base, other, writer, name)
    )
    return list(itertools.islice(_distinct(found), MOST))


def _any_op(saver: Spec, reader: Spec) -> Op | None:
    """Return the simplest op of both, for what is about no one op."""
    common = [saver.ops[name] for name in sorted(saver.ops.keys() & reader.ops.keys())]
    return min(common, key=lambda op: len(op.inputs) + len(op.attrs) + len(op.outputs), default=None)


def _bases(finding: Finding, op: Op, other: Op | None, writer: Writer) -> list[Sample]:
    """Return samples of the op with default values, each with other values of the attrs that a model has to write.

    The second one also satisfies the changes that the finding is not about: of several changes that a loader refuses,
    a model without that would only show the one that is checked first.

    Raises:
        UnwritableError: no value can be written for a required attr.
    """
    made = [usual(op, writer, choice) for choice in range(CHOICES)]
    made += [smallest(op, writer, choice) for choice in range(CHOICES)] if writer.writes_defaults else []
    made.insert(1, _repaired(made[0], finding, other, writer))
    found: dict[str, Sample] = {}
    for each in itertools.chain(made, _with_one_more(made[0], writer)):
        found.setdefault(_said(each), each)
    return list(found.values())


def _repaired(base: Sample, finding: Finding, other: Op | None, writer: Writer) -> Sample:
    """Return a sample that says also what the other declaration asks for, what the finding is about apart."""
    if other is None:
        return base
    asked = smallest(other, writer)
    known = {each.name: each for each in base.op.attrs}
    new = {name: value for name, value in _beside(asked.attrs, finding).items() if name not in known}
    left_out = [name for name in _beside(asked.attrs, finding) if name in known and name not in base.attrs]
    return base.replace(
        op=base.op.replace(attrs=base.op.attrs + tuple(each for each in other.attrs if each.name in new)),
        attrs={**new, **{name: simplest(known[name], writer) for name in left_out}, **base.attrs},
        inputs={**_beside(asked.inputs, finding), **base.inputs},
        outputs={**_beside(asked.outputs, finding), **base.outputs},
    )


def _beside(said: Mapping[str, object], finding: Finding) -> dict[str, object]:
    """Return the values of all but the argument that a finding is about."""
    return {name: value for name, value in said.items() if name not in (finding.name, finding.new_name)}


def _with_one_more(base: Sample, writer: Writer) -> Iterator[Sample]:
    """Yield a model with one attr that has not its default value: an op may ask for one of several."""
    for attr in [each for each in base.op.attrs if each.extra is not True][:_MOST_ATTRS]:
        with contextlib.suppress(UnwritableError):
            yield base.saying(**{attr.name: values_of(attr, writer)[-1]})


def _varied(
    finding: Finding, base: Sample, other: Op | None, writer: Writer, name: str | None
) -> Iterator[tuple[Sample, bool]]:
    """Yield a model with what a finding is about in all ways that the op's declaration allows, and whether it tells."""
    section = section_of(finding.kind)
    argument = None if section is None else _of_name(getattr(base.op, section), name)
    if section is None or argument is None:
        if writer.typings is not None:
            yield from ((base.replace(types=types), True) for types in writer.typings(base.op, other))
        yield from _versions(base, other)
    elif finding.kind == "attr":
        yield from _of_attr(base, argument, other, writer)
    else:
        yield from ((each, False) for each in _of_tensors(base, argument, section))
        for attr in deciding(base.op, argument):
            yield from _of_attr(base, attr, other, writer)


def control(
    sample: Sample, finding: Finding, other: Op | None, names: tuple[str | None, str | None], writer: Writer
) -> Sample | None:
    """Return a model with the attr that a finding is about as the other release declares it, and the rest as it is.

    Where the other release takes it, nothing but this attr stops the model. Tensors of some frameworks are bound by
    position, so that there is none for a finding about an input or output.

    Args:
        sample: the model.
        finding: the finding.
        other: the declaration of the other release.
        names: what the attr is called under the release that saves the model, and under the other.
        writer: what models are written by.

    Raises:
        UnwritableError: no value of the attr can be written.
    """
    if finding.kind != "attr" or other is None:
        return None
    name, new_name = names
    theirs = _of_name(other.attrs, new_name)
    rest = sample.replace(op=sample.op.replace(attrs=tuple(each for each in sample.op.attrs if each.name != name)))
    rest = rest.without(str(name))
    if theirs is None:
        return rest
    value = _as_declared(sample.attrs.get(str(name)), simplest(theirs, writer))  # type: ignore[arg-type]
    return rest.replace(op=rest.op.replace(attrs=(*rest.op.attrs, theirs))).saying(**{theirs.name: value})


def _as_declared(value: Any, plain_value: Any) -> Any:
    """Return the value of an attr as another declaration has it, whose simplest value is given, else that one."""
    kinds = {type(value), type(plain_value)}
    if kinds == {int, float}:
        return type(plain_value)(value)
    return value if len(kinds) == 1 else plain_value


def section_of(kind: str) -> Section | None:
    """Return where an op holds what a finding of a kind is about, None for one that is about no argument."""
    return next((section for name, section in SECTIONS.items() if name == kind), None)


def _of_name(arguments: tuple[AnyArgument, ...], name: str | None) -> AnyArgument | None:
    return next((each for each in arguments if each.name == name), None)


def _versions(base: Sample, other: Op | None) -> Iterator[tuple[Sample, bool]]:
    """Yield a model in each version of its op, those first that the other release does not have."""
    least, most = base.op.min_version, base.op.max_version
    if not isinstance(least, int) or not isinstance(most, int):
        yield base, False
        return
    taken = range(0)
    if other is not None and isinstance(other.min_version, int) and isinstance(other.max_version, int):
        taken = range(other.min_version, other.max_version + 1)
    for version in sorted(range(least, most + 1), key=lambda each: (each in taken, each)):
        yield base.replace(version=version), version not in taken


def _of_attr(base: Sample, attr: AnyArgument, other: Op | None, writer: Writer) -> Iterator[tuple[Sample, bool]]:
    """Yield a model without an attr, where that may be, and with each of its values, new ones first."""
    if is_omittable(attr):
        yield base.without(attr.name), False
    try:
        found = values_of(attr, writer)  # type: ignore[arg-type]
    except UnwritableError:
        if attr.name in base.attrs:
            yield base, False
        return
    theirs = None if other is None else _of_name(other.attrs, attr.name)
    for value in sorted(found, key=lambda each: _is_taken(theirs, each)):
        yield base.saying(**{attr.name: value}), not _is_taken(theirs, value)


def _is_taken(theirs: AnyArgument | None, value: object) -> bool:
    """Tell whether the other declaration of an attr allows a value, as far as it says so."""
    if theirs is None:
        return True
    allowed, minimum = theirs.get("allowed_values"), theirs.get("minimum")
    items = value if isinstance(value, tuple) else (value,)
    if isinstance(allowed, tuple) and any(each not in allowed for each in items):
        return False
    size = len(value) if isinstance(value, tuple | str) else value
    return not (isinstance(minimum, int) and isinstance(size, int) and size < minimum)


def _of_tensors(base: Sample, argument: AnyArgument, section: Section) -> Iterator[Sample]:
    """Yield a model with an input or output once, left out where that may be, and twice where that may be."""
    counts = dict(getattr(base, section))
    left_out = {name: count for name, count in counts.items() if name != argument.name}
    yield base.replace(**{section: {**counts, argument.name: 1}})
    if is_omittable(argument) or argument.get("extra") is True or argument.get("intermediate") is True:
        yield base.replace(**{section: left_out})
    if argument.get("duplicable") is True:
        yield base.replace(**{section: {**counts, argument.name: 2}})


def deciding_names(finding: Finding, specs: tuple[Spec, Spec]) -> set[str]:
    """Return the attrs that decide, in either spec, which tensors stand at the argument that a finding is about."""
    section = section_of(finding.kind)
    ops = [spec.ops.get(finding.op or "") for spec in specs]
    if section is None or section == "attrs":
        return set()
    names = (finding.name, finding.new_name)
    arguments = ((op, each) for op in ops if op for each in getattr(op, section) if each.name in names)
    return {attr.name for op, argument in arguments for attr in deciding(op, argument)}


def deciding(op: Op, argument: AnyArgument) -> Iterator[AnyArgument]:
    """Yield the attrs that decide which tensors stand at an argument."""
    names = {argument.get(field) for field in ("type_attr", "number_attr", "type_list_attr")}
    yield from (each for each in op.attrs if each.name in names)


def _distinct(found: Iterator[Candidate]) -> Iterator[Candidate]:
    seen = set()
    for candidate in found:
        said = _said(candidate.sample)
        if said not in seen:
            seen.add(said)
            yield candidate


def _said(sample: Sample) -> str:
    """Return the content of a sample, as text: the same for samples that say the same."""
    tensors = sorted(sample.inputs.items()), sorted(sample.outputs.items())
    return repr((sorted(sample.attrs.items()), *tensors, sample.version, sorted(sample.types.items())))
