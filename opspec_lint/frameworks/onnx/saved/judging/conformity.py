"""The conformity of a node to its schema: attributes, and numbers of inputs and outputs (OpSchema::Verify of ONNX)."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.nodes import kind_name
from opspec_lint.frameworks.onnx.saved.judging.faults import node_refused
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.frameworks.onnx.saved.files.nodes import Attribute
    from opspec_lint.frameworks.onnx.saved.judging.release import Release
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Input, Op, Output

_INTERNAL = "__"
"""The prefix of attribute names that OpSchema::Verify accepts without a declaration."""
_NEEDS_VALUE = (4, 5, 11, 13)
"""The attribute types that must have a value: a tensor, a graph, a sparse tensor, a type."""
_LISTS = (6, 7, 8, 9, 10, 14)
"""The attribute types that are lists, except sparse tensors."""
_EMPTY_LISTS_SINCE = 15
"""The first onnx 1.MINOR that accepts an empty list."""
_UNCHECKED = ("LayerNormalization",)
"""Ops with `AllowUncheckedAttributes()`, which no Python binding exposes."""
_SINGLE_OR_ALL_OUTPUTS = ("BatchNormalization",)
"""Ops with `NumOutputs({1, ALL})`, which no Python binding of onnx or ONNX Runtime exposes (onnx/defs/nn)."""


def find_faults(resolved: ResolvedNode, schema: Op, release: Release) -> Iterator[Fact]:
    """Yield the faults of a node according to its schema, by the checks of a release."""
    yield from _count_faults(resolved, schema)
    yield from _attribute_faults(resolved, schema, accepts_empty_lists=release.makes_checks_of(_EMPTY_LISTS_SINCE))


def schema_independent_faults(resolved: ResolvedNode, *, allows_duplicates: bool = False) -> Iterator[Fact]:
    """Yield the faults of a node that do not depend on a schema, such as two attributes of one name."""
    seen = set()
    for attribute in resolved.node.attributes:
        if attribute.name in seen and not allows_duplicates:
            yield node_refused(
                resolved, "model_wiring", "attr_twice", attribute.name, problem="states an attribute twice"
            )
        seen.add(attribute.name)
        # check_attribute of onnx/checker.cc counts the fields that have a value: exactly one may, that of the stated
        # type.
        if len(attribute.given) > 1 or (attribute.refers and attribute.given) or attribute.given - {attribute.kind}:
            given = " and ".join(sorted(map(kind_name, attribute.given)))
            yield _type_fault(resolved, attribute, kind_name(attribute.kind), f"a value of type {given}")
    if not resolved.node.inputs and not resolved.node.outputs:
        yield node_refused(resolved, "model_wiring", "input_count", problem="has neither inputs nor outputs")


def _count_faults(resolved: ResolvedNode, schema: Op) -> Iterator[Fact]:
    """Yield the faults in the numbers of inputs and outputs, and those that are empty although required."""
    arity = schema.get("arity")
    inputs, outputs = resolved.node.inputs, resolved.node.outputs
    counted: tuple[tuple[str, EventId, Sequence[str]], ...] = (
        ("inputs", "model_input_count", inputs),
        ("outputs", "model_output_count", outputs),
    )
    for section, event, names in counted:
        arguments: Sequence[Input | Output] = getattr(schema, section)
        least, most = count_limits(arguments, (arity or {}).get(section, {}).get("min", 1))
        if len(names) < least or (most is not None and len(names) > most):
            expected = _format_limits(least, most)
            yield node_refused(resolved, event, event.removeprefix("model_"), expected=expected, given=len(names))
            continue
        if section == "outputs" and resolved.node.op in _SINGLE_OR_ALL_OUTPUTS and len(names) not in (1, most):
            yield node_refused(resolved, event, "output_count", expected=f"1 or {most}", given=len(names))
            continue
        for argument, name in zip(arguments, names, strict=False):
            if not name and not argument.dispensable and not argument.duplicable:
                problem = f"leaves the {section[:-1]} '{argument.name}' empty, which is required"
                yield node_refused(resolved, "model_wiring", "input_missing", argument.name, problem=problem)


def _format_limits(least: int, most: int | None) -> str:
    """Return the allowed numbers of tensors as text."""
    if most is None:
        return f"{least} or more"
    return str(most) if least == most else f"{least} to {most}"


def count_limits(arguments: Sequence[Input | Output], arity: int) -> tuple[int, int | None]:
    """Return the least and the greatest number of tensors for the declared arguments; None if there is no greatest.

    `arity` is the least number of tensors of a variadic argument, which is always the last.
    """
    least = 0
    for index, argument in enumerate(arguments):
        if argument.duplicable:
            return index + arity, None
        if not argument.dispensable:
            least = index + 1
    return least, len(arguments)


def _attribute_faults(resolved: ResolvedNode, schema: Op, *, accepts_empty_lists: bool) -> Iterator[Fact]:
    """Yield the attributes that the schema does not declare, of the wrong type, without a value, or missing."""
    declared = {attr.name: attr for attr in schema.attrs}
    takes_any = resolved.node.op in _UNCHECKED
    needs_value = _NEEDS_VALUE if accepts_empty_lists else _NEEDS_VALUE + _LISTS
    for attribute in resolved.node.attributes:
        known = declared.get(attribute.name)
        if known is None:
            if not takes_any and not attribute.name.startswith(_INTERNAL):
                yield node_refused(resolved, "model_attr_unknown", "attr_unknown", attribute.name)
        elif known.type is not UNKNOWN and kind_name(attribute.kind) != known.type:
            yield _type_fault(resolved, attribute, str(known.type), kind_name(attribute.kind))
        elif attribute.kind in needs_value and attribute.is_empty:
            yield _type_fault(resolved, attribute, str(known.type), "no value")
    given = {attribute.name for attribute in resolved.node.attributes}
    for name, known in declared.items():
        if known.get("required") is True and name not in given:
            yield node_refused(resolved, "model_attr_missing", "attr_missing", name)


def _type_fault(resolved: ResolvedNode, attribute: Attribute, declared: str, given: str) -> Fact:
    """Return the fault of an attribute of the wrong type."""
    return node_refused(resolved, "model_attr_type", "attr_type", attribute.name, declared=declared, given=given)
