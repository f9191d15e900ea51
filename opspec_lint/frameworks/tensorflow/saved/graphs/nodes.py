"""One node checked against the declaration of its op: its attrs, and the types of what it takes and gives.

Most nodes of a graph are like many others, so what is found of one is kept by its op and the bytes of its attrs.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs import attrs
from opspec_lint.kit.record import Record
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.attrs import Problem
    from opspec_lint.frameworks.tensorflow.saved.graphs.release import Release
    from opspec_lint.spec.model import Attr, Input, Op, Output

REF = "_ref"
"""What stands behind the name of a data type for a reference to a tensor of it."""
_LIMIT = 1 << 16
"""The most tensors that one argument stands for: a node that says more says it to exhaust memory."""


class Checked(Record):
    """What there is to say of a node by itself.

    `problems` are those of its attrs, `unknown` the attrs that its op does not have, with their values, `missing` those
    without a default that it lacks, `filled` those with a default that it leaves out. `inputs` and `outputs` are the
    types of its tensors; None where they cannot be told. `attrs` are all that it has, `functions` those that they name.
    """

    problems: tuple[Problem, ...] = ()
    unknown: tuple[tuple[str, Any], ...] = ()
    missing: tuple[str, ...] = ()
    filled: tuple[Attr, ...] = ()
    inputs: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    attrs: Mapping[str, Any] = {}
    functions: tuple[str, ...] = ()


def check(op: Op, entries: Sequence[bytes], release: Release) -> Checked:
    """Return the faults of a node of an op.

    Args:
        op: the declaration.
        entries: the attrs of the node, as the graph has them.
        release: the release that declares the op.
    """
    found = attrs.read(entries)
    declared = {attr.name: attr for attr in op.attrs}
    given = {name: found[name] for name in declared if name in found}
    problems = [each for name in given for each in attrs.problems(declared[name], given[name], release)]
    absent = [attr for attr in op.attrs if attr.name not in given]
    resolved = {} if problems else {**{name: _Given(value) for name, value in given.items()}, **_defaults(absent)}
    return Checked(
        problems=tuple(problems),
        # An attr that begins with an underscore is of no op: any node may have it.
        unknown=tuple((name, value) for name, value in found.items() if name not in declared and name[:1] != "_"),
        missing=tuple(attr.name for attr in absent if attr.default_value is None),
        filled=tuple(attr for attr in absent if attr.default_value is not None),
        inputs=_types(op.inputs, resolved, declared),
        outputs=_types(op.outputs, resolved, declared),
        attrs=found,
        functions=tuple(functions_named(found)),
    )


class _Given:
    """An attr that a node has."""

    def __init__(self, message: Any) -> None:
        self.message = message

    def value(self, kind: str) -> Any:
        return None if self.message.WhichOneof("value") == attrs.PLACEHOLDER else attrs.value_of(self.message, kind)


class _Default:
    """An attr that a node leaves out."""

    def __init__(self, default: Any) -> None:
        self.default = default

    def value(self, _: str) -> Any:
        return self.default


def _defaults(absent: Iterable[Attr]) -> dict[str, _Default]:
    return {attr.name: _Default(attr.default_value) for attr in absent if attr.default_value is not None}


def _types(
    arguments: Iterable[Input | Output], resolved: dict[str, Any], declared: dict[str, Attr]
) -> tuple[str, ...] | None:
    """Return the types of all tensors that some arguments stand for, None where that cannot be told."""
    found: list[str] = []
    for argument in arguments:
        types = _types_of(argument, resolved, declared)
        if types is None or len(found) + len(types) > _LIMIT:
            return None
        found += [name + REF for name in types] if argument.is_ref is True else types
    return tuple(found)


def _types_of(argument: Input | Output, resolved: dict[str, Any], declared: dict[str, Attr]) -> list[str] | None:
    if argument.type_list_attr:
        listed = _value(str(argument.type_list_attr), resolved, declared)
        return list(listed) if isinstance(listed, tuple) else None
    name = _value(str(argument.type_attr), resolved, declared) if argument.type_attr else argument.type
    if not isinstance(name, str):
        return None
    if not argument.number_attr:
        return [name]
    number = _value(str(argument.number_attr), resolved, declared)
    return [name] * number if isinstance(number, int) and 0 <= number <= _LIMIT else None


def _value(name: str, resolved: dict[str, Any], declared: dict[str, Attr]) -> Any:
    if name not in resolved or name not in declared:
        return None
    return resolved[name].value(str(declared[name].type))


def stripped(name: str, value: Any, op: Op | None) -> bool:
    """Tell whether a producer's declaration of an op has an attr with this value as its default."""
    attr = None if op is None else attr_of(op, name)
    return attr is not None and is_default(attr, value)


def attr_of(op: Op, name: str) -> Attr | None:
    """Return an attr of an op, None if it has none of that name."""
    return next((attr for attr in op.attrs if attr.name == name), None)


def is_default(attr: Attr, value: Any) -> bool:
    """Tell whether an AttrValue is the default value of an attr."""
    if attr.default_value is None:
        return False
    return values.same(attrs.value_of(value, str(attr.type)), attr.default_value)


def changed_defaults(checked: Checked, producer: Op | None) -> Iterator[tuple[Attr, Any]]:
    """Yield the attrs that a node leaves out and whose default was another for its producer, with that default."""
    if producer is None:
        return
    before = {attr.name: attr.default_value for attr in producer.attrs}
    for attr in checked.filled:
        old = before.get(attr.name)
        if old is not None and not values.same(old, attr.default_value):
            yield attr, old


def functions_named(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the functions that the attrs of a node name."""
    for value in found.values():
        if value.WhichOneof("value") == "func":
            yield value.func.name
    yield from functions_listed(found)


def functions_listed(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the functions that lists of a node's attrs name."""
    for value in found.values():
        if value.WhichOneof("value") == "list":
            yield from (each.name for each in value.list.func)
