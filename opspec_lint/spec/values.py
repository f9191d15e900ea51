"""The values of attrs: None, bool, int, float, str, and sequences and mappings of values.

Values are compared as a model file distinguishes them: `True`, `1` and `1.0` are three values, 0.0 and -0.0 are two,
NaN equals itself.
"""

from __future__ import annotations

from itertools import repeat

from opspec_lint.kit.limits import MAX_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAN = float("nan")
TENSOR = "tensor"
"""The only key of a value that is a whole tensor."""
OTHER_TYPE = "attr_value"
"""The only key of a value of another type than its attr declares; it maps to this type and the value."""
_SHORT_NUMBER = 8
"""The most characters of a number that is written as it is."""
_FLOATS_BY_NAME = {"NaN": NAN, "Infinity": float("inf"), "-Infinity": float("-inf")}


def freeze(value: Any) -> Any:
    """Return a decoded value in the form of the model: lists become tuples, and every NaN the object `NAN`."""
    kind = type(value)
    if kind is list or kind is tuple:
        return tuple([freeze(item) for item in value])
    if kind is float and value != value:
        # Tuples and dicts compare items by identity first, so that equal values with NaN are equal.
        return NAN
    if kind is dict:
        # The form in which `thaw` writes NaN and infinities.
        if value.keys() == {"float"}:
            return _FLOATS_BY_NAME[value["float"]]
        return {key: freeze(item) for key, item in value.items()}
    return value


def thaw(value: Any) -> Any:
    """Return a value in a form that every JSON parser reads back as the same value.

    JSON has no NaN and no infinities; they become `{"float": "NaN"}`, with the names in protobuf's JSON mapping.
    """
    kind = type(value)
    if kind is tuple or kind is list:
        return [thaw(item) for item in value]
    if kind is float and value != value:
        return {"float": "NaN"}
    if kind is float and value in (_FLOATS_BY_NAME["Infinity"], _FLOATS_BY_NAME["-Infinity"]):
        return {"float": "Infinity" if value > 0 else "-Infinity"}
    if kind is dict:
        # Sorted, as equal values have equal canonical texts whatever order their source has.
        return {key: thaw(value[key]) for key in sorted(value)}
    return value


def tuples_to_lists(value: Any) -> Any:
    """Return a frozen value with lists in place of tuples, at every depth."""
    kind = type(value)
    if kind is tuple:
        return [tuples_to_lists(item) for item in value]
    if kind is dict:
        return {key: tuples_to_lists(item) for key, item in value.items()}
    return value


def same(a: Any, b: Any) -> bool:
    """Return whether two frozen values are the same value."""
    if type(a) is not type(b):
        return False
    if type(a) is tuple:
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is dict:
        return a.keys() == b.keys() and (all(same(item, b[key]) for key, item in a.items()) or _are_equal_tensors(a, b))
    if a == b:
        # 0.0 and -0.0 are equal under `==`.
        return a != 0 or str(a) == str(b)
    return bool(a != a and b != b)


def same_typed(a: object, a_type: object, b: object, b_type: object) -> bool:
    """Return whether two frozen values are the same, and have the same actual type, whatever their attrs declare."""
    if a is None or b is None:
        return a is b
    (a_type, a), (b_type, b) = actual_type(a, a_type), actual_type(b, b_type)
    return same(a, b) and (a_type == b_type or a == ())


def actual_type(value: object, declared: object) -> tuple[object, object]:
    """Return the actual type of a value, and the value; `declared` is the type of its attr."""
    if type(value) is dict and value.keys() == {OTHER_TYPE}:
        return value[OTHER_TYPE] or (None, None)
    return declared, value


def missing_from(items: tuple[object, ...], others: tuple[object, ...]) -> list[object]:
    """Return the items that `others` does not contain."""
    # For strings `==` is exact, and a set is fast: a TensorFlow attr can allow dozens of types.
    if {*map(type, items), *map(type, others)} <= {str}:
        known = set(others)
        return [item for item in items if item not in known]
    return [item for item in items if not any(same(item, had) for had in others)]


def _are_equal_tensors(a: Any, b: Any) -> bool:
    """Return whether two mappings are equal tensors that are stored differently."""
    if a.keys() != {TENSOR} or type(a[TENSOR]) is not dict or type(b[TENSOR]) is not dict:
        return False
    from opspec_lint.spec import tensors

    return tensors.same(a[TENSOR], b[TENSOR])


def show(value: Any) -> str:
    """Return a value as a person writes it: as JSON, with NaN and infinities as words.

    A float of single precision is the shortest number with the same value: 0.0001, not 9.999999747378752e-05.
    """
    import json
    from json.encoder import encode_basestring

    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is float:
        return _shortest_text(value)
    if kind is tuple or kind is list:
        write = encode_basestring if {*map(type, value)} == {str} else show
        return f"[{', '.join(map(write, value))}]"
    if kind is dict:
        return f"{{{', '.join(f'{show(key)}: {show(item)}' for key, item in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)


def show_both(old: object, new: object) -> tuple[str, str]:
    """Return two values as `show` does; two different values with the same text are written in full."""
    import json

    texts = show(old), show(new)
    if texts[0] != texts[1] or same(old, new):
        return texts
    return json.dumps(old, ensure_ascii=False), json.dumps(new, ensure_ascii=False)


def _shortest_text(value: float) -> str:
    """Return a number as the shortest JSON that is the same in single precision: 0.1, not 0.10000000149."""
    import json

    from opspec_lint.kit.float32 import to_float32

    text = json.dumps(value)
    # `value - value` is 0 for finite numbers only.
    if len(text) <= _SHORT_NUMBER or value - value != 0 or to_float32(value) != value:
        return text
    # Nine digits identify every float of single precision (FLT_DECIMAL_DIG of C).
    rounded = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return json.dumps(next(number for number in rounded if to_float32(number) == value))


def is_attr_value(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Return whether a decoded value is one that an attr can have.

    Its integers have 64 bits, `{"float": ...}` contains a known name, and it is not nested too deep.
    """
    kind = type(value)
    if kind is int:
        # Signed or unsigned: the type of the attr is not known here.
        return bool(-(1 << 63) <= value < 1 << 64)
    if kind is list:
        return depth > 0 and all(map(is_attr_value, value, repeat(depth - 1)))
    if kind is dict:
        name = value.get("float", "NaN")
        is_float_name = type(name) is str and name in _FLOATS_BY_NAME
        return is_float_name and depth > 0 and all(map(is_attr_value, value.values(), repeat(depth - 1)))
    return True
