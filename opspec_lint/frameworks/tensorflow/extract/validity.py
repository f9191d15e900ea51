"""The checks that TensorFlow makes before it registers an op, with its messages: ValidateOpDef of op_def_util.cc.

The order is TensorFlow's, which reports the first fault only.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.frameworks.tensorflow.extract.messages import TYPE_BY_FIELD, data_type, enum_names, message
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

_OP_NAME = pattern(r"[A-Z][A-Za-z0-9_]*(?:>[A-Z][A-Za-z0-9_]*)*")
_SIMPLE = {kind: field for field, kind in TYPE_BY_FIELD.items() if kind != "type"}
_LISTS = {f"list({kind})": field for field, kind in TYPE_BY_FIELD.items()}
"""The fields of an AttrValue and of its list that hold values of an attr type; `_value_fault` examines single types."""
_REF_OFFSET = 100
"""The difference between the number of a data type and that of references to it (DT_FLOAT_REF)."""
_VARIANT = 21
"""The number of DT_VARIANT."""


def registration_fault(opdef: Any, attrs: Iterable[bytes]) -> str | None:
    """Return the message with which TensorFlow refuses to register an op, None for a valid one.

    `attrs` are the serialized attrs of the OpDef, the keys of a cache: the same attrs occur in many ops.
    """
    name = opdef.name
    if not name.startswith("_") and not _OP_NAME.fullmatch(name):
        return f"Invalid name: {name} (Did you use CamelCase?)"
    declared: dict[str, Any] = {}
    for attr, data in zip(opdef.attr, attrs, strict=True):
        if attr.name in declared:
            return f"Duplicate name: {attr.name}"
        declared[attr.name] = attr
        if data not in _attr_faults:
            _cache_fault(data, _attr_fault(attr))
        wrong = _attr_faults[data]
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


_MAX_CACHED = 50_000
_attr_faults: dict[bytes, str | None] = {}


def _cache_fault(data: bytes, wrong: str | None) -> None:
    """Cache the fault of an attr, None for a valid one, by its bytes; a full cache is emptied first."""
    if len(_attr_faults) >= _MAX_CACHED:
        _attr_faults.clear()
    _attr_faults[data] = wrong


def _attr_fault(attr: Any) -> str | None:
    """Return the fault of an attr: its name, type, minimum, allowed values or default."""
    if attr.name in _reserved_names():
        return f"Attr can't have name {attr.name} that matches a data type"
    fault = _type_fault(attr) or _minimum_fault(attr)
    if fault:
        return fault
    if attr.HasField("allowed_values"):
        fault = _value_fault(attr.allowed_values, attr.type if _is_list(attr) else f"list({attr.type})")
        if fault:
            return f"{fault} for attr '{attr.name}'"
    return _default_fault(attr) if attr.HasField("default_value") else None


def _is_list(attr: Any) -> bool:
    return bool(attr.type.startswith("list("))


def _type_fault(attr: Any) -> str | None:
    """Return the fault that the type of an attr is neither the name of a type nor `list(NAME)`."""
    remaining = attr.type.removeprefix("list(")
    kind = next((kind for kind in TYPE_BY_FIELD.values() if remaining.startswith(kind)), None)
    if kind is None:
        return f"Unrecognized type '{remaining}' in attr '{attr.name}'"
    remaining = remaining[len(kind) :]
    if _is_list(attr):
        if not remaining.startswith(")"):
            return f"'list(' is missing ')' in attr {attr.name}'s type {attr.type}"
        remaining = remaining[1:]
    return f"Extra '{remaining}' at the end of attr {attr.name}'s type {attr.type}" if remaining else None


def _minimum_fault(attr: Any) -> str | None:
    """Return the fault of the minimum of an attr: only an int has one, and a list, for its length."""
    if not attr.has_minimum:
        if attr.minimum:
            detail = f"with has_minimum = false but minimum {attr.minimum} not equal to default of 0"
            return f"Attr '{attr.name}' {detail}"
    elif attr.type != "int" and not _is_list(attr):
        return f"Attr '{attr.name}' has minimum for unsupported type {attr.type}"
    elif _is_list(attr) and attr.minimum < 0:
        return f"Attr '{attr.name}' with list type must have a non-negative minimum, not {attr.minimum}"
    return None


def _default_fault(attr: Any) -> str | None:
    """Return the fault of the default of an attr: its type, minimum or allowed values."""
    wrong = _value_fault(attr.default_value, attr.type)
    if wrong:
        return f"{wrong} for attr '{attr.name}'"
    value = attr.default_value
    if attr.has_minimum:
        if attr.type == "int" and value.i < attr.minimum:
            return f"Value for attr '{attr.name}' of {value.i} must be at least minimum {attr.minimum}"
        if attr.type != "int":
            field = next(field for field, kind in TYPE_BY_FIELD.items() if attr.type == f"list({kind})")
            length = len(getattr(value.list, field))
            if length < attr.minimum:
                return f"Length for attr '{attr.name}' of {length} must be at least minimum {attr.minimum}"
    return _allowed_values_fault(attr) if attr.HasField("allowed_values") else None


def _allowed_values_fault(attr: Any) -> str | None:
    """Return the fault that the default of an attr is not among its allowed values."""
    value, allowed = attr.default_value, attr.allowed_values.list
    if attr.type in ("type", "list(type)"):
        for number in [value.type] if attr.type == "type" else value.list.type:
            if number not in allowed.type:
                listed = ", ".join(map(_type_name, allowed.type))
                return _not_allowed_text(attr.name, _type_name(number), listed)
    elif attr.type in ("string", "list(string)"):
        for data in [value.s] if attr.type == "string" else value.list.s:
            if data not in allowed.s:
                listed = ", ".join(_quote(data) for data in allowed.s)
                return _not_allowed_text(attr.name, _quote(data), listed)
    else:
        return f"Support for allowed_values not implemented for type {attr.type}"
    return None


def _not_allowed_text(name: str, value: str, listed: str) -> str:
    return f"Value for attr '{name}' of {value} is not in the list of allowed values: {listed}"


def _quote(data: bytes) -> str:
    return '"' + data.decode(errors="backslashreplace") + '"'


def _value_fault(value: Any, kind: str) -> str | None:
    """Return the fault that an AttrValue is not of a type, as AttrValueHasType of attr_value_util.cc."""
    which = value.WhichOneof("value")
    if which is not None and which == _SIMPLE.get(kind):
        return None
    is_list = kind.startswith("list(")
    if which == "list" and kind in _LISTS and {field.name for field, _ in value.list.ListFields()} <= {_LISTS[kind]}:
        return _illegal_types(value.list.type) if kind == "list(type)" else None
    # The rest repeats TensorFlow's loop over all fields, in its order, as that decides between several messages.
    count = 0
    for field, element in TYPE_BY_FIELD.items():
        if which == "list" and getattr(value.list, field):
            if kind != f"list({element})":
                return f"AttrValue had value with type 'list({element})' when '{kind}' expected"
            count += 1
        elif which == field:
            if kind != element:
                return f"AttrValue had value with type '{element}' when '{kind}' expected"
            count += 1
    if which == "placeholder":
        return "AttrValue had value with unexpected type 'placeholder'"
    if not count and not is_list:
        return f"AttrValue missing value with expected type '{kind}'"
    if kind == "type":
        return _illegal_type(value.type, "has")
    return None


def fault_in_fork(record: bytes, own_types: frozenset[int]) -> str | None:
    """Return the message with which a fork that has further data types refuses to register a serialized OpDef."""
    opdef = message("OpDef").FromString(record)
    # A type of the fork is as legal as any other. DT_VARIANT takes its place, which occurs in no attr.
    for attr in opdef.attr:
        for value in (attr.default_value, attr.allowed_values):
            if value.type in own_types:
                value.type = _VARIANT
            for at, number in enumerate(value.list.type):
                if number in own_types:
                    value.list.type[at] = _VARIANT
    return registration_fault(opdef, [attr.SerializeToString(deterministic=True) for attr in opdef.attr])


def _illegal_types(numbers: Sequence[int]) -> str | None:
    if _legal_types().issuperset(numbers):
        return None
    return next(filter(None, (_illegal_type(number, "contains") for number in numbers)), None)


def _illegal_type(number: int, verb: str) -> str | None:
    """Return the fault of the number of a data type in an attr value."""
    if number not in enum_names("DataType"):
        return f"AttrValue has invalid DataType enum: {number}"
    if number > _REF_OFFSET:
        return f"AttrValue must not have reference type value of {_type_name(number)}"
    return None if number else f"AttrValue {verb} invalid DataType"


def _argument_fault(argument: Any, attrs: dict[str, Any], where: str) -> str | None:
    """Return the fault of an input or output: its type, or the attrs that give type and number."""
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
        return _type_attr_fault(argument.type_attr, "type_attr", "type", attrs, where)
    if argument.type_list_attr:
        return _type_attr_fault(argument.type_list_attr, "type_list_attr", "list(type)", attrs, where)
    if argument.type > _REF_OFFSET:
        return f"Illegal use of ref type '{_type_name(argument.type)}'. Use 'Ref(type)' instead{where}"
    return None


def _length_fault(name: str, attrs: dict[str, Any], where: str) -> str | None:
    """Return the fault of the attr that gives the number of tensors of an argument."""
    attr = attrs.get(name)
    if attr is None:
        return f"No attr with name '{name}'{where}"
    if attr.type != "int":
        return f"Attr '{name}' used as length{where} has type {attr.type} != int"
    if not attr.has_minimum:
        return f"Attr '{name}' used as length{where} must have minimum"
    return None if attr.minimum >= 0 else f"Attr '{name}' used as length{where} must have minimum >= 0"


def _type_attr_fault(name: str, use: str, kind: str, attrs: dict[str, Any], where: str) -> str | None:
    """Return the fault of the attr that gives the type of an argument."""
    attr = attrs.get(name)
    if attr is None:
        return f"No attr with name '{name}'{where}"
    return None if attr.type == kind else f"Attr '{name}' used as {use}{where} has type {attr.type} != {kind}"


def _type_name(number: int) -> str:
    """Return the name of a data type as TensorFlow prints it, also for unknown numbers and references."""
    known = enum_names("DataType")
    of_ref = number - _REF_OFFSET if number > _REF_OFFSET else number
    name = data_type(of_ref) if of_ref in known else f"unknown dtype enum ({of_ref})"
    return name if of_ref == number else f"{name}_ref"


@cache
def _legal_types() -> frozenset[int]:
    return frozenset(number for number in enum_names("DataType") if 0 < number <= _REF_OFFSET)


@cache
def _reserved_names() -> frozenset[str]:
    """Return the names of data types, such as "float" or "int32_ref", which attrs may not have."""
    names = {data_type(number) for number in enum_names("DataType") if 0 < number <= _REF_OFFSET}
    names |= {"float16", "float32", "float64"}
    return frozenset(names | {f"{name}_ref" for name in names})
