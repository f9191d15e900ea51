"""The check of a PIR program's ops against the ops of a release, as Paddle makes it when an op first runs.

Loading checks none of this. A missing attr is refused, whatever its default. An attr of another type is read as if it
had the declared type, which mostly crashes the process (measured with 3.0.0 and 3.3.1).
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

_CHECKED_DIALECT = "pd_op"
"""The dialect of the ops that a spec declares; other dialects have user-defined ops, or only move values."""
_NO_VALUE = "%0"


def faults(blocks: Sequence[Block], spec: Spec, file_version: int) -> Iterator[Fact]:
    """Yield the faults of the ops of a program that was saved with version `file_version` of PIR."""
    patcher = _Patcher(spec, file_version)
    yield from patcher.unknown_retypings()
    values = {value for block in blocks for value in block.given}
    values.update(value for block in blocks for op in block.ops for value in program.outputs(op))
    for block in blocks:
        for index, op in enumerate(block.ops):
            name = program.op_name(op)
            if name.partition(".")[0] == _CHECKED_DIALECT:
                op_faults = _op_faults(op, name, spec, patcher)
                for fault in (*op_faults, *_undefined_values(op, name, values)):
                    yield fault.replace(graph=block.name, node=f"{name}#{index}")


class _Patcher:
    """The patches of a release for programs of one version."""

    def __init__(self, spec: Spec, file_version: int) -> None:
        self._spec = spec
        self._version = file_version
        self._loader = patches.loader_of(spec)
        self._retyped = patches.retypings_of(spec, self._loader.applied_files(file_version))
        self._renamed = cache(lambda: patches.renamed_ops(spec.ops.values()))

    def unknown_retypings(self) -> Iterator[Fact]:
        """Yield a fault for each value type that patches replace: the effect on values is unknown."""
        for retyping in self._retyped:
            if retyping.kind == "type":
                yield _unknown_fault("model", "", retyping.name, f"patches replace the type {retyping.name} of values")

    def are_patches_known(self, name: str) -> bool:
        """Return whether the patches of an op are known, or do not matter."""
        declared = self._spec.ops.get(name)
        # Patches apply to programs of an older version only.
        is_older = self._version < self._loader.writes
        return not is_older or declared is None or declared.get("patches") is not None

    def apply(self, form: patches.Form) -> patches.Form:
        """Return a saved op after the patches of the loader."""
        declared = self._spec.ops.get(form.op) or self._spec.ops.get(self._renamed().get(form.op, ""))
        if declared is not None:
            # Actions of a patch that renames an op are stored with the new op, and state the former name.
            saved_name = form.op if declared.name != form.op else ""
            actions = [action for action in patches.actions_of(declared) if action.former_op == saved_name]
            form = patches.apply_actions(form, patches.due_actions(actions, self._version, self._loader))
        return patches.replace_types(form, self._retyped)


def _op_faults(op: Json, name: str, spec: Spec, patcher: _Patcher) -> Iterator[Fact]:
    """Yield the faults of one op after its patches."""
    form = patcher.apply(_form(op, name))
    declared = spec.ops.get(form.op)
    if declared is None:
        yield _fault("model_op_unknown", "op", name, name, reason="unknown_op")
        return
    op_faults = [
        *(_position_faults(declared, form) if declared.get("variadic") is not True else ()),
        *_attr_faults(declared, form.attrs),
    ]
    # A patch that is not known may repair the op.
    if any(fault.effect != "loads" for fault in op_faults) and not patcher.are_patches_known(name):
        yield _unknown_fault("op", name, name, f"whether a patch repairs '{name}' is not known")
    else:
        yield from op_faults


def _undefined_values(op: Json, name: str, values: Collection[str]) -> Iterator[Fact]:
    """Yield a fault for each input that neither an op returns nor its block receives."""
    for index, value in enumerate(program.inputs(op)):
        if value != _NO_VALUE and value not in values:
            problem = {"problem": f"is the value {value}, which no op gives"}
            yield _fault("model_input_missing", "input", name, str(index), reason="input_missing", facts=problem)


def _form(op: Json, name: str) -> patches.Form:
    """Return an op in the form that patches change."""
    attrs = {
        str(attr["N"]): attr_types.json_attr_type(attr.get("AT"))
        for attr in op.get("A") or ()
        if isinstance(attr, dict) and "N" in attr
    }
    return patches.Form(op=name, attrs=attrs, inputs=program.inputs(op), outputs=program.outputs(op))


def _position_faults(op: Op, form: patches.Form) -> Iterator[Fact]:
    """Yield the faults of inputs and outputs, which are bound by position."""
    expected, given = len(op.inputs), len(form.inputs)
    if expected != given:
        facts = {"expected": expected, "given": given}
        yield _fault("model_input_count", "input", op.name, op.name, reason="input_count", facts=facts)
    else:
        for declared_input, value in zip(op.inputs, form.inputs, strict=True):
            if value == _NO_VALUE and declared_input.dispensable is False:
                absent = {"problem": "is not there"}
                yield _fault(
                    "model_input_missing", "input", op.name, declared_input.name, reason="input_missing", facts=absent
                )
            elif value == _NO_VALUE and declared_input.dispensable is UNKNOWN:
                name = declared_input.name
                problem = f"'{op.name}' is given no '{name}', and the spec does not say whether that is optional"
                yield _unknown_fault("input", op.name, name, problem)
    expected, given = len(op.outputs), len(form.outputs)
    if expected != given:
        facts = {"expected": expected, "given": given}
        yield _fault("model_output_count", "output", op.name, op.name, reason="output_count", facts=facts)


def _attr_faults(op: Op, given: Mapping[str, str]) -> Iterator[Fact]:
    """Yield the faults of attrs, which are bound by name."""
    for attr in op.attrs:
        if attr.name not in given:
            yield _fault("model_attr_missing", "attr", op.name, attr.name, reason="missing_attr")
        elif attr.type is not UNKNOWN and not patches.accepts(given[attr.name], str(attr.type)):
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
    """Return a fault of one op."""
    return new_fault(event=event, kind=kind, op=op, name=name, effect="fails_at_run", reason=reason, facts=facts)


def _unknown_fault(kind: Any, op: str, name: str, problem: str) -> Fact:
    """Return the fault that a problem leaves unknown whether a program loads."""
    facts = {"problem": problem, "remedy": "name a spec that states it, or run the program with the release itself"}
    return _fault("model_not_judged", kind, op, name, facts=facts).replace(effect="cannot_tell")
