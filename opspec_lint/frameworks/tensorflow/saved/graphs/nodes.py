"""The check of one node against the declaration of its op: its attrs, and the data types of its inputs and outputs.

The result depends only on the op and the bytes of the attrs, so that callers cache it for nodes that are equal.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs import attrs
from opspec_lint.kit.record import Record
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.tensorflow.saved.graphs.attrs import AttrProblem
    from opspec_lint.frameworks.tensorflow.saved.graphs.release import TargetRelease
    from opspec_lint.spec.model import Attr, Input, Op, Output

    ResolvedAttrs: TypeAlias = "dict[str, _Given | _Default]"

REF = "_ref"
"""Suffix of a data type for a reference to a tensor (TensorFlow 1), as in "float_ref"."""
_MAX_TENSORS = 1 << 16
"""The most tensors of one argument: a larger `number_attr` of a node can only be meant to exhaust memory."""


class CheckedNode(Record):
    """The result of checking a node by its attrs alone.

    - `problems`: invalid values of its attrs
    - `unknown`: attrs that the op does not have, with their values
    - `missing`: attrs without a default that the node lacks
    - `filled`: attrs with a default that the node lacks
    - `inputs`, `outputs`: data types of its tensors, None if they cannot be determined
    - `attrs`: all its attrs; `functions`: names of functions in them
    """

    problems: tuple[AttrProblem, ...] = ()
    unknown: tuple[tuple[str, Any], ...] = ()
    missing: tuple[str, ...] = ()
    filled: tuple[Attr, ...] = ()
    inputs: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    attrs: Mapping[str, Any] = {}
    functions: tuple[str, ...] = ()

    def types_of(self, attr: Attr) -> tuple[str, ...] | None:
        """Return the type or types that an attr has in the node; None if its function's caller gives them."""
        given = self.attrs.get(attr.name)
        value = attr.default_value if given is None else _Given(given).value(str(attr.type))
        return (value,) if isinstance(value, str) else value


def check_node(op: Op, entries: Sequence[bytes], release: TargetRelease) -> CheckedNode:
    """Check the attr entries of a node of `op`; `release` declares the op and knows the data types."""
    attr_values = attrs.read(entries)
    declared = {attr.name: attr for attr in op.attrs}
    given = {name: attr_values[name] for name in declared if name in attr_values}
    problems = [problem for name in given for problem in attrs.problems(declared[name], given[name], release)]
    absent = [attr for attr in op.attrs if attr.name not in given]
    resolved: ResolvedAttrs = (
        {} if problems else {**{name: _Given(value) for name, value in given.items()}, **_defaults(absent)}
    )
    return CheckedNode(
        problems=tuple(problems),
        # Attrs that begin with an underscore, such as _output_shapes, belong to no op: any node may have them.
        unknown=tuple((name, value) for name, value in attr_values.items() if name not in declared and name[:1] != "_"),
        missing=tuple(attr.name for attr in absent if attr.default_value is None),
        filled=tuple(attr for attr in absent if attr.default_value is not None),
        inputs=_tensor_types(op.inputs, resolved, declared),
        outputs=_tensor_types(op.outputs, resolved, declared),
        attrs=attr_values,
        functions=tuple(named_functions(attr_values)),
    )


class _Given:
    """The value of an attr that a node has; None if it comes from the arguments of a function."""

    def __init__(self, message: Any) -> None:
        self.message = message

    def value(self, kind: str) -> Any:
        """Return the value as an attr type such as `list(int)`."""
        return None if self.message.WhichOneof("value") == attrs.PLACEHOLDER else attrs.value_of(self.message, kind)


class _Default:
    """The value of an attr that a node lacks: the default."""

    def __init__(self, default: Any) -> None:
        self.default = default

    def value(self, _: str) -> Any:
        """Return the default, which has the type of the attr."""
        return self.default


def _defaults(absent: Iterable[Attr]) -> dict[str, _Default]:
    return {attr.name: _Default(attr.default_value) for attr in absent if attr.default_value is not None}


def _tensor_types(
    arguments: Iterable[Input | Output], resolved: ResolvedAttrs, declared: dict[str, Attr]
) -> tuple[str, ...] | None:
    """Return the data types of all tensors of the inputs or outputs of a node, None if one is undetermined.

    An argument is one tensor, or as many as its `number_attr` or `type_list_attr` says.
    """
    dtypes: list[str] = []
    for argument in arguments:
        types = _argument_types(argument, resolved, declared)
        if types is None or len(dtypes) + len(types) > _MAX_TENSORS:
            return None
        dtypes += [name + REF for name in types] if argument.is_ref is True else types
    return tuple(dtypes)


def _argument_types(argument: Input | Output, resolved: ResolvedAttrs, declared: dict[str, Attr]) -> list[str] | None:
    """Return the data types of the tensors of one argument, None if undetermined."""
    if argument.type_list_attr:
        list_variables = _resolve_attr(str(argument.type_list_attr), resolved, declared)
        return list(list_variables) if isinstance(list_variables, tuple) else None
    name = _resolve_attr(str(argument.type_attr), resolved, declared) if argument.type_attr else argument.type
    if not isinstance(name, str):
        return None
    if not argument.number_attr:
        return [name]
    number = _resolve_attr(str(argument.number_attr), resolved, declared)
    return [name] * number if isinstance(number, int) and 0 <= number <= _MAX_TENSORS else None


def _resolve_attr(name: str, resolved: ResolvedAttrs, declared: dict[str, Attr]) -> Any:
    """Return the value of an attr in its declared type; None if it is unknown, or if a function's caller gives it."""
    if name not in resolved or name not in declared:
        return None
    return resolved[name].value(str(declared[name].type))


def is_strippable(name: str, value: Any, op: Op | None) -> bool:
    """Return whether the importer strips an unknown attr: the producer's op has it with this value as its default."""
    attr = None if op is None else find_attr(op, name)
    return attr is not None and is_default(attr, value)


def find_attr(op: Op, name: str) -> Attr | None:
    """Return the attr of an op with this name, or None."""
    return next((attr for attr in op.attrs if attr.name == name), None)


def is_default(attr: Attr, value: Any) -> bool:
    """Return whether an AttrValue is the default value of an attr."""
    if attr.default_value is None:
        return False
    return values.same(attrs.value_of(value, str(attr.type)), attr.default_value)


def changed_defaults(checked: CheckedNode, producer: Op | None) -> Iterator[tuple[Attr, Any]]:
    """Yield the attrs that a node lacks and whose default differs from the producer's, with the producer's default."""
    if producer is None:
        return
    before = {attr.name: attr.default_value for attr in producer.attrs}
    for attr in checked.filled:
        old = before.get(attr.name)
        if old is not None and not values.same(old, attr.default_value):
            yield attr, old


def named_functions(attr_values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of functions in attrs of type `func` and `list(func)`."""
    for value in attr_values.values():
        if value.WhichOneof("value") == "func":
            yield value.func.name
    yield from listed_functions(attr_values)


def listed_functions(attr_values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of functions in attrs of type `list(func)`, such as the branches of the op Case."""
    for value in attr_values.values():
        if value.WhichOneof("value") == "list":
            yield from (function.name for function in value.list.func)
