"""The values of attrs: None, bool, int, float, str, and sequences and mappings of them.

Values are compared as a model file would tell them apart: `True`, `1` and `1.0` are three values, 0.0 and -0.0 are two,
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
"""The one key of a value that is a whole tensor."""
OTHER_TYPE = "attr_value"
"""The one key of a value of another type than its attr declares; under it stand that type and the value."""
_SHORT = 8
"""Characters of a number that is short enough as it is."""
_WORDS = {"NaN": NAN, "Infinity": float("inf"), "-Infinity": float("-inf")}


def freeze(value: Any) -> Any:
    """Return a decoded value in the form that the model holds: lists become tuples, every NaN becomes `NAN`."""
    kind = type(value)
    if kind is list or kind is tuple:
        return tuple([freeze(item) for item in value])
    if kind is float and value != value:
        return NAN
    if kind is dict:
        if value.keys() == {"float"}:
            return _WORDS[value["float"]]
        return {key: freeze(item) for key, item in value.items()}
    return value


def thaw(value: Any) -> Any:
    """Return a value in a form that every JSON parser reads back as the same value.

    JSON has no NaN and no infinities; they become `{"float": "NaN"}`, with the words of protobuf's JSON mapping.
    """
    kind = type(value)
    if kind is tuple or kind is list:
        return [thaw(item) for item in value]
    if kind is float and (value != value or value in (_WORDS["Infinity"], _WORDS["-Infinity"])):
        return {"float": "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"}
    if kind is dict:
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
    """Tell whether two frozen values are one and the same value."""
    if type(a) is not type(b):
        return False
    if type(a) is tuple:
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is dict:
        return a.keys() == b.keys() and (all(same(item, b[key]) for key, item in a.items()) or _is_one_tensor(a, b))
    if a == b:
        return a != 0 or str(a) == str(b)
    return bool(a != a and b != b)


def same_typed(a: object, a_type: object, b: object, b_type: object) -> bool:
    """Tell whether two frozen values are the same, each of what type it really is, whatever its attr declares."""
    if a is None or b is None:
        return a is b
    (a_type, a), (b_type, b) = actual_type(a, a_type), actual_type(b, b_type)
    return same(a, b) and (a_type == b_type or a == ())


def actual_type(value: object, declared: object) -> tuple[object, object]:
    """Return the type that a value really has, and the value, whatever type its attr declares."""
    if type(value) is dict and value.keys() == {OTHER_TYPE}:
        return value[OTHER_TYPE] or (None, None)
    return declared, value


def missing_from(one: tuple[object, ...], other: tuple[object, ...]) -> list[object]:
    """Return the items of one tuple that another does not have."""
    if {*map(type, one), *map(type, other)} <= {str}:
        known = set(other)
        return [item for item in one if item not in known]
    return [item for item in one if not any(same(item, had) for had in other)]


def _is_one_tensor(a: Any, b: Any) -> bool:
    if a.keys() != {TENSOR} or type(a[TENSOR]) is not dict or type(b[TENSOR]) is not dict:
        return False
    from opspec_lint.spec import tensors

    return tensors.same(a[TENSOR], b[TENSOR])


def show(value: Any) -> str:
    """Return a value as a person writes it: the JSON text, with NaN and infinities as words.

    A value of single precision is the shortest number that stands for it: 0.0001 and not 9.999999747378752e-05.
    """
    import json
    from json.encoder import encode_basestring

    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is float:
        return _shortest(value)
    if kind is tuple or kind is list:
        write = encode_basestring if {*map(type, value)} == {str} else show
        return f"[{', '.join(map(write, value))}]"
    if kind is dict:
        return f"{{{', '.join(f'{show(key)}: {show(item)}' for key, item in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)


def show_both(old: object, new: object) -> tuple[str, str]:
    """Return two values as `show` does; two different ones whose texts are the same are written in full."""
    import json

    texts = show(old), show(new)
    if texts[0] != texts[1] or same(old, new):
        return texts
    return json.dumps(old, ensure_ascii=False), json.dumps(new, ensure_ascii=False)


def _shortest(value: float) -> str:
    import json

    from opspec_lint.kit.float32 import to_float32

    text = json.dumps(value)
    if len(text) <= _SHORT or value - value != 0 or to_float32(value) != value:
        return text
    rounded = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return json.dumps(next(number for number in rounded if to_float32(number) == value))


def is_attr_value(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Tell whether a decoded value is one that an attr can hold.

    Its integers have 64 bits, before `float` there is none but its words, and it is not nested too deep.
    """
    kind = type(value)
    if kind is int:
        return bool(-(1 << 63) <= value < 1 << 64)
    if kind is list:
        return depth > 0 and all(map(is_attr_value, value, repeat(depth - 1)))
    if kind is dict:
        word = value.get("float", "NaN")
        is_word = type(word) is str and word in _WORDS
        return is_word and depth > 0 and all(map(is_attr_value, value.values(), repeat(depth - 1)))
    return True
