"""The ops of a PIR program checked against what a release declares, as Paddle does when they first run.

Loading checks none of it. An attr that is not there is refused, whatever its default; one of another type is read as
if it were of the declared one, which ends the process more often than not (measured with 3.0.0 and 3.3.1).
"""

from __future__ import annotations

from functools import cache

from opspec_lint.frameworks.paddle.saved.pir import attr_types, patches, program
from opspec_lint.models.fault import new_fault
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.pir.program import Block, Json
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op, Spec

_OPERATORS = "pd_op"
"""The dialect whose ops a spec declares; those of the others are none of a release's own ops, or move values only."""
_NOT_GIVEN = "%0"


def faults(blocks: Sequence[Block], spec: Spec, file_version: int) -> Iterator[Fact]:
    """Yield what is wrong with the ops of a program.

    Args:
        blocks: the blocks of the program.
        spec: the spec of the release that loads it.
        file_version: the version of PIR that the program is of.
    """
    patcher = _Patcher(spec, file_version)
    yield from patcher.untold()
    values = {value for block in blocks for value in block.given}
    values.update(value for block in blocks for op in block.ops for value in program.outputs(op))
    for block in blocks:
        for place, op in enumerate(block.ops):
            name = program.op_name(op)
            if name.partition(".")[0] == _OPERATORS:
                found = _of_op(op, name, spec, patcher)
                for fault in (*found, *_undefined(op, name, values)):
                    yield fault.replace(graph=block.name, node=f"{name}#{place}")


class _Patcher:
    """Applies the patches that are due for programs of a version."""

    def __init__(self, spec: Spec, file_version: int) -> None:
        self._spec = spec
        self._version = file_version
        self._loader = patches.loader_of(spec)
        self._retyped = patches.retyped(spec, self._loader.applied(file_version))
        self._renamed = cache(lambda: patches.renamed(spec.ops.values()))

    def untold(self) -> Iterator[Fact]:
        """Yield that nobody knows what becomes of values whose type the patches replace."""
        for each in self._retyped:
            if each.kind == "type":
                yield _not_judged("model", "", each.name, f"patches replace the type {each.name} of values")

    def is_told(self, name: str) -> bool:
        """Tell whether it is known what the patches make of an op."""
        known = self._spec.ops.get(name)
        return known is None or known.get("patches") is not None or not self._version < self._loader.writes

    def patched(self, form: patches.Form) -> patches.Form:
        """A saved op after the patches of the loader."""
        known = self._spec.ops.get(form.op) or self._spec.ops.get(self._renamed().get(form.op, ""))
        if known is not None:
            own = form.op if known.name != form.op else ""
            actions = [each for each in patches.actions_of(known) if each.of == own]
            form = patches.patched(form, patches.due(actions, self._version, self._loader))
        return patches.with_types(form, self._retyped)


def _of_op(op: Json, name: str, spec: Spec, patcher: _Patcher) -> Iterator[Fact]:
    form = patcher.patched(_form(op, name))
    declared = spec.ops.get(form.op)
    if declared is None:
        yield _fault("model_op_unknown", "op", name, name, reason="unknown_op")
        return
    found = [
        *(_positional(declared, form) if declared.get("variadic") is not True else ()),
        *_attrs(declared, form.attrs),
    ]
    if any(each.effect != "loads" for each in found) and not patcher.is_told(name):
        yield _not_judged("op", name, name, f"whether a patch repairs '{name}' is not known")
    else:
        yield from found


def _undefined(op: Json, name: str, values: Collection[str]) -> Iterator[Fact]:
    for place, value in enumerate(program.inputs(op)):
        if value != _NOT_GIVEN and value not in values:
            problem = {"problem": f"is the value {value}, which no op gives"}
            yield _fault("model_input_missing", "input", name, str(place), reason="input_missing", facts=problem)


def _form(op: Json, name: str) -> patches.Form:
    attrs = {
        str(each["N"]): attr_types.of_json(each.get("AT"))
        for each in op.get("A") or ()
        if isinstance(each, dict) and "N" in each
    }
    return patches.Form(op=name, attrs=attrs, inputs=program.inputs(op), outputs=program.outputs(op))


def _positional(op: Op, form: patches.Form) -> Iterator[Fact]:
    expected, given = len(op.inputs), len(form.inputs)
    if expected != given:
        facts = {"expected": expected, "given": given}
        yield _fault("model_input_count", "input", op.name, op.name, reason="input_count", facts=facts)
    else:
        for own, value in zip(op.inputs, form.inputs, strict=True):
            if value == _NOT_GIVEN and own.dispensable is False:
                absent = {"problem": "is not there"}
                yield _fault("model_input_missing", "input", op.name, own.name, reason="input_missing", facts=absent)
            elif value == _NOT_GIVEN and own.dispensable is UNKNOWN:
                problem = f"'{op.name}' is given no '{own.name}', and the spec does not say whether that is optional"
                yield _not_judged("input", op.name, own.name, problem)
    expected, given = len(op.outputs), len(form.outputs)
    if expected != given:
        facts = {"expected": expected, "given": given}
        yield _fault("model_output_count", "output", op.name, op.name, reason="output_count", facts=facts)


def _attrs(op: Op, given: Mapping[str, str]) -> Iterator[Fact]:
    for attr in op.attrs:
        if attr.name not in given:
            yield _fault("model_attr_missing", "attr", op.name, attr.name, reason="missing_attr")
        elif attr.type is not UNKNOWN and not patches.fits(given[attr.name], str(attr.type)):
            facts = {"declared": attr.type, "given": given[attr.name]}
            fault = _fault("model_attr_type", "attr", op.name, attr.name, reason="attr_type", facts=facts)
            yield fault.replace(old=given[attr.name], new=attr.type)
    declared = {attr.name for attr in op.attrs}
    for name in given:
        if name not in declared:
            yield _fault("model_attr_unknown", "attr", op.name, name).replace(effect="loads")


def _fault(  # noqa: PLR0913 - a fault is its facts
    event: EventId, kind: Any, op: str, name: str, *, reason: str | None = None, facts: Mapping[str, object] = {}
) -> Fact:
    return new_fault(event=event, kind=kind, op=op, name=name, effect="fails_at_run", reason=reason, facts=facts)


def _not_judged(kind: Any, op: str, name: str, problem: str) -> Fact:
    facts = {"problem": problem, "remedy": "name a spec that says it, or run the program with the release itself"}
    return _fault("model_not_judged", kind, op, name, facts=facts).replace(effect="cannot_tell")
