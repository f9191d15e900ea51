"""Whether TensorFlow would register an op: what ValidateOpDef of its op_def_util.cc checks, and its words for a fault.

The checks go in TensorFlow's order, as it stops at the first.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, enum_names
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

_OP_NAME = pattern(r"[A-Z][A-Za-z0-9_]*(?:>[A-Z][A-Za-z0-9_]*)*")
_FIELDS = {
    "s": "string",
    "i": "int",
    "f": "float",
    "b": "bool",
    "type": "type",
    "shape": "shape",
    "tensor": "tensor",
    "func": "func",
}
"""The type of the values that each field of an AttrValue, and of its lists, holds; in TensorFlow's order."""
_SIMPLE = {kind: field for field, kind in _FIELDS.items() if kind != "type"}
_LISTS = {f"list({kind})": field for field, kind in _FIELDS.items()}
_REF_OFFSET = 100


def fault(opdef: Any, attrs: Iterable[bytes]) -> str | None:
    """Return the first reason for which TensorFlow refuses an op, None where it takes it.

    Args:
        opdef: the OpDef.
        attrs: the bytes of each of its attrs; most are in op after op, byte by byte, and looked at once.
    """
    name = opdef.name
    if not name.startswith("_") and not _OP_NAME.fullmatch(name):
        return f"Invalid name: {name} (Did you use CamelCase?)"
    declared: dict[str, Any] = {}
    for attr, data in zip(opdef.attr, attrs, strict=True):
        if attr.name in declared:
            return f"Duplicate name: {attr.name}"
        declared[attr.name] = attr
        wrong = _attr_faults[data] if data in _attr_faults else _remember(data, _attr_fault(attr))
        if wrong:
            return wrong
    names = set(declared)
    for arguments, what in ((opdef.input_arg, "input"), (opdef.output_arg, "output")):
        for argument in arguments:
            if argument.name in names:
                return f"Duplicate name: {argument.name}"
            names.add(argument.name)
            wrong = _argument_fault(argument, declared, f" for {what} '{argument.name}'")
            if wrong:
                return wrong
    return None


_AT_MOST = 50_000
_attr_faults: dict[bytes, str | None] = {}


def _remember(data: bytes, wrong: str | None) -> str | None:
    if len(_attr_faults) >= _AT_MOST:
        _attr_faults.clear()
    _attr_faults[data] = wrong
    return wrong


def _attr_fault(attr: Any) -> str | None:
    if attr.name in _data_types():
        return f"Attr can't have name {attr.name} that matches a data type"
    declared = attr.type
    rest = declared.removeprefix("list(")
    is_list = rest != declared
    kind = next((kind for kind in _FIELDS.values() if rest.startswith(kind)), None)
    if kind is None:
        return f"Unrecognized type '{rest}' in attr '{attr.name}'"
    rest = rest[len(kind) :]
    if is_list:
        if not rest.startswith(")"):
            return f"'list(' is missing ')' in attr {attr.name}'s type {declared}"
        rest = rest[1:]
    if rest:
        return f"Extra '{rest}' at the end of attr {attr.name}'s type {declared}"
    if not attr.has_minimum:
        if attr.minimum:
            words = f"with has_minimum = false but minimum {attr.minimum} not equal to default of 0"
            return f"Attr '{attr.name}' {words}"
    elif declared != "int" and not is_list:
        return f"Attr '{attr.name}' has minimum for unsupported type {declared}"
    elif is_list and attr.minimum < 0:
        return f"Attr '{attr.name}' with list type must have a non-negative minimum, not {attr.minimum}"
    if attr.HasField("allowed_values"):
        wrong = _misfit(attr.allowed_values, declared if is_list else f"list({declared})")
        if wrong:
            return f"{wrong} for attr '{attr.name}'"
    return _default_fault(attr) if attr.HasField("default_value") else None


def _default_fault(attr: Any) -> str | None:
    wrong = _misfit(attr.default_value, attr.type)
    if wrong:
        return f"{wrong} for attr '{attr.name}'"
    value = attr.default_value
    if attr.has_minimum:
        if attr.type == "int" and value.i < attr.minimum:
            return f"Value for attr '{attr.name}' of {value.i} must be at least minimum {attr.minimum}"
        if attr.type != "int":
            field = next(field for field, kind in _FIELDS.items() if attr.type == f"list({kind})")
            length = len(getattr(value.list, field))
            if length < attr.minimum:
                return f"Length for attr '{attr.name}' of {length} must be at least minimum {attr.minimum}"
    return _not_allowed(attr) if attr.HasField("allowed_values") else None


def _not_allowed(attr: Any) -> str | None:
    value, allowed = attr.default_value, attr.allowed_values.list
    if attr.type in ("type", "list(type)"):
        for number in [value.type] if attr.type == "type" else value.list.type:
            if number not in allowed.type:
                listed = ", ".join(map(_name, allowed.type))
                return _outside(attr.name, _name(number), listed)
    elif attr.type in ("string", "list(string)"):
        for data in [value.s] if attr.type == "string" else value.list.s:
            if data not in allowed.s:
                listed = ", ".join(_quoted(each) for each in allowed.s)
                return _outside(attr.name, _quoted(data), listed)
    else:
        return f"Support for allowed_values not implemented for type {attr.type}"
    return None


def _outside(name: str, value: str, listed: str) -> str:
    return f"Value for attr '{name}' of {value} is not in the list of allowed values: {listed}"


def _quoted(data: bytes) -> str:
    return '"' + data.decode(errors="backslashreplace") + '"'


def _misfit(value: Any, kind: str) -> str | None:
    """Return why an AttrValue is none of a type, None where it is one: AttrValueHasType of attr_value_util.cc."""
    which = value.WhichOneof("value")
    if which is not None and which == _SIMPLE.get(kind):
        return None
    is_list = kind.startswith("list(")
    if which == "list" and kind in _LISTS and {field.name for field, _ in value.list.ListFields()} <= {_LISTS[kind]}:
        return _illegal_types(value.list.type) if kind == "list(type)" else None
    found = 0
    for field, element in _FIELDS.items():
        if which == "list" and getattr(value.list, field):
            if kind != f"list({element})":
                return f"AttrValue had value with type 'list({element})' when '{kind}' expected"
            found += 1
        elif which == field:
            if kind != element:
                return f"AttrValue had value with type '{element}' when '{kind}' expected"
            found += 1
    if which == "placeholder":
        return "AttrValue had value with unexpected type 'placeholder'"
    if not found and not is_list:
        return f"AttrValue missing value with expected type '{kind}'"
    if kind == "type":
        return _illegal_type(value.type, "has")
    return None


def _illegal_types(numbers: Sequence[int]) -> str | None:
    if _legal_types().issuperset(numbers):
        return None
    return next(filter(None, (_illegal_type(number, "contains") for number in numbers)), None)


def _illegal_type(number: int, verb: str) -> str | None:
    if number not in enum_names("DataType"):
        return f"AttrValue has invalid DataType enum: {number}"
    if number > _REF_OFFSET:
        return f"AttrValue must not have reference type value of {_name(number)}"
    return None if number else f"AttrValue {verb} invalid DataType"


def _argument_fault(argument: Any, attrs: dict[str, Any], where: str) -> str | None:
    kinds = [argument.type, argument.type_attr, argument.type_list_attr]
    if not any(kinds):
        return f"Missing type{where}"
    if argument.number_attr:
        wrong = _length_fault(argument.number_attr, attrs, where)
        if wrong:
            return wrong
        if argument.type_list_attr:
            return f"Can't have both number_attr and type_list_attr{where}"
        if bool(argument.type) + bool(argument.type_attr) != 1:
            return f"Exactly one of type, type_attr must be set{where}"
    elif sum(map(bool, kinds)) != 1:
        return f"Exactly one of type, type_attr, type_list_attr must be set{where}"
    if argument.type_attr:
        return _use_fault(argument.type_attr, "type_attr", "type", attrs, where)
    if argument.type_list_attr:
        return _use_fault(argument.type_list_attr, "type_list_attr", "list(type)", attrs, where)
    if argument.type > _REF_OFFSET:
        return f"Illegal use of ref type '{_name(argument.type)}'. Use 'Ref(type)' instead{where}"
    return None


def _length_fault(name: str, attrs: dict[str, Any], where: str) -> str | None:
    attr = attrs.get(name)
    if attr is None:
        return f"No attr with name '{name}'{where}"
    if attr.type != "int":
        return f"Attr '{name}' used as length{where} has type {attr.type} != int"
    if not attr.has_minimum:
        return f"Attr '{name}' used as length{where} must have minimum"
    return None if attr.minimum >= 0 else f"Attr '{name}' used as length{where} must have minimum >= 0"


def _use_fault(name: str, use: str, kind: str, attrs: dict[str, Any], where: str) -> str | None:
    attr = attrs.get(name)
    if attr is None:
        return f"No attr with name '{name}'{where}"
    return None if attr.type == kind else f"Attr '{name}' used as {use}{where} has type {attr.type} != {kind}"


def _name(number: int) -> str:
    """Return a data type as TensorFlow prints it, known or not."""
    known = enum_names("DataType")
    of_ref = number - _REF_OFFSET if number > _REF_OFFSET else number
    name = data_type(of_ref) if of_ref in known else f"unknown dtype enum ({of_ref})"
    return name if of_ref == number else f"{name}_ref"


@cache
def _legal_types() -> frozenset[int]:
    return frozenset(number for number in enum_names("DataType") if 0 < number <= _REF_OFFSET)


@cache
def _data_types() -> frozenset[str]:
    """Return every word that is a data type, such as `float` or `int32_ref`, which no attr may be called."""
    names = {data_type(number) for number in enum_names("DataType") if 0 < number <= _REF_OFFSET}
    names |= {"float16", "float32", "float64"}
    return frozenset(names | {f"{name}_ref" for name in names})
