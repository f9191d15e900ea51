"""The parser of `.Attr("...")`, as FinalizeAttr of TensorFlow's op_def_builder.cc, with its messages.

<name> ":" ( <type> | "{" <types or strings> "}" | <group> | "list(" ... ")" ) [">=" <minimum>] ["=" <default>]
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.tensorflow.extract.messages import FIELD_BY_TYPE, message
from opspec_lint.frameworks.tensorflow.extract.source.cursor import SPACE, Cursor
from opspec_lint.frameworks.tensorflow.extract.source.faults import RejectedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.tensorflow.extract.source.data_types import DataTypes

_NAME = pattern(rf"([A-Za-z][A-Za-z0-9_]*){SPACE}:{SPACE}")
_LIST = pattern(rf"(list){SPACE}\({SPACE}")
_TYPE_NAME = pattern(rf"([a-z0-9]+){SPACE}")
_NUMBER = pattern(rf"{SPACE}(-?[0-9]+){SPACE}")
_QUOTED = (pattern(rf'"((?:[^"\\]|\\.)*)"{SPACE}', "s"), pattern(rf"'((?:[^'\\]|\\.)*)'{SPACE}", "s"))
_ESCAPE = pattern(r"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]+)|([abfnrtv\\?'\"])|(.?))", "s")
_ESCAPED = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_LITERAL = pattern(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", "s")
"""A string in a default value, which may have line breaks: ProtoParseFromString allows them, Python's parser not."""
# TensorFlow misspells the last one in one of two places, so that it refuses this group.
_GROUPS = ("numbertype", "numerictype", "quantizedtype", "realnumbertype", "realnumberictype")
"""Names of groups of types."""
_SMALLEST, _LARGEST = -(1 << 63), (1 << 63) - 1


def parse(spec: str, attr: Any, types: DataTypes, *, allows_any: bool) -> None:
    """Fill an AttrDef from a string such as "N: int >= 1 = 2"; a string that TensorFlow rejects is a RejectedError.

    Fields before the fault stay set, as in TensorFlow. `allows_any` permits the type `any` (AllowAttrTypeAny).
    """
    text = Cursor(spec)
    attr.name = text.require_match(_NAME, "Trouble parsing '<name>:'")
    is_list = text.take_match(_LIST) is not None
    kind = _parse_type(text, attr, types, allows_any=allows_any)
    text.skip_space()
    if is_list:
        if not text.take(")"):
            raise RejectedError(f"Expected ) to close 'list(', not: '{text.rest}'")
        text.skip_space()
    attr.type = f"list({kind})" if is_list else kind
    if (is_list or kind == "int") and text.take(">="):
        attr.has_minimum, attr.minimum = True, _parse_minimum(text)
    if not text.take("="):
        text.require_end()
        return
    text.skip_space()
    attr.default_value.SetInParent()
    value = _parse_default(attr.type, types.with_numbers(text.rest) if kind == "type" else text.rest)
    if value is None:
        raise RejectedError(f"Could not parse default value '{text.rest}'")
    attr.default_value.MergeFromString(value)


def _parse_type(text: Cursor, attr: Any, types: DataTypes, *, allows_any: bool) -> str:
    """Parse the type of an attr; a group or a set in braces also sets the allowed values."""
    for kind in FIELD_BY_TYPE:
        if text.take(kind):
            return kind
    if allows_any and text.take("any"):
        return "any"
    for group in _GROUPS:
        if text.take(group):
            attr.allowed_values.SetInParent()
            if group not in types.groups:
                raise RejectedError(f"Expected to see a compound type, saw: {group}")
            attr.allowed_values.list.type.extend(types.groups[group])
            return "type"
    if not text.take("{"):
        raise RejectedError(f"Trouble parsing type string at '{text.rest}'")
    allowed = attr.allowed_values.list
    text.skip_space()
    if text.rest[:1] in ('"', "'"):
        _parse_strings(text, allowed)
        return "string"
    _parse_types(text, allowed, types)
    return "type"


def _parse_strings(text: Cursor, allowed: Any) -> None:
    """Parse allowed strings up to the closing brace."""
    while True:
        quoted = next((string for regex in _QUOTED if (string := text.take_match(regex)) is not None), None)
        if quoted is None:
            raise RejectedError(f"Trouble parsing allowed string at '{text.rest}'")
        allowed.s.append(_unescape(quoted))
        if _at_end_of_set(text, "strings"):
            return


def _parse_types(text: Cursor, allowed: Any, types: DataTypes) -> None:
    """Parse allowed data types and groups of types up to the closing brace."""
    while True:
        type_name = text.require_match(_TYPE_NAME, f"Trouble parsing type string at '{text.rest}'")
        number = types.parse(type_name)
        if type_name in types.groups:
            allowed.type.extend(types.groups[type_name])
        elif number is None:
            raise RejectedError(f"Unrecognized type string '{type_name}'")
        else:
            allowed.type.append(number)
        if _at_end_of_set(text, "types"):
            return


def _at_end_of_set(text: Cursor, what: str) -> bool:
    """Consume a comma or the closing brace, and tell whether the set ends; it may end with a comma and a brace."""
    if text.take(","):
        text.skip_space()
        return text.take("}")
    if not text.take("}"):
        raise RejectedError(f"Expected , or }} after {what} in list, not: '{text.rest}'")
    return True


def _unescape(text: str) -> bytes:
    """Return the bytes of a string with C escapes, as CUnescape of TensorFlow, with its messages."""
    data, at = bytearray(), 0
    for match in _ESCAPE.finditer(text):
        octal, hexadecimal, letter, unknown = match.groups()
        problem = ""
        if octal is not None:
            problem = "" if int(octal, 8) < 256 else f"Illegal escape sequence: {match[0]}"
        elif hexadecimal is not None:
            problem = "" if int(hexadecimal, 16) < 256 else f"Value of {match[0]} exceeds 8 bits"
        elif unknown is not None:
            problem = f"Unknown escape sequence: {match[0]}" if unknown else "String cannot end with \\"
        if problem:
            raise RejectedError(f'Trouble unescaping "{text}", got error: {problem}')
        data += text[at : match.start()].encode("utf-8", "surrogatepass")
        data.append(
            int(octal, 8) if octal else int(hexadecimal, 16) if hexadecimal else _ESCAPED.get(letter, ord(letter))
        )
        at = match.end()
    return bytes(data + text[at:].encode("utf-8", "surrogatepass"))


def _parse_minimum(text: Cursor) -> int:
    """Parse the number after `>=`, which has to fit 64 bits."""
    before = text.rest
    number = text.take_match(_NUMBER)
    if number is None or not _SMALLEST <= int(number) <= _LARGEST:
        raise RejectedError(f"Could not parse integer lower limit after '>=', found '{before}' instead")
    return int(number)


@lru_cache(maxsize=4096)
def _parse_default(kind: str, text: str) -> bytes | None:
    """Return a default value as a serialized AttrValue; None if TensorFlow's ParseAttrValue refuses the text."""
    from google.protobuf import text_format

    element = kind[5:-1] if kind.startswith("list(") else kind
    field = FIELD_BY_TYPE.get(element)
    if field is None:
        return None
    value = message("AttrValue")()
    if element == kind:
        source = f"{field}: {text}"
    else:
        cleaned = text.strip(" \t\n\v\f\r")
        if len(cleaned) < 2 or cleaned[0] != "[" or cleaned[-1] != "]":
            return None
        if not cleaned[1:-1].strip(" \t\n\v\f\r"):
            value.list.SetInParent()
            return bytes(value.SerializeToString(deterministic=True))
        source = f"list {{ {field}: {text} }}"
    # As in ParseAttrValue, the text becomes the value of a field in protobuf's text format.
    source = _LITERAL.sub(lambda literal: literal[0].replace("\n", "\\n"), source)
    try:
        text_format.Parse(source, value)
    except (text_format.ParseError, ValueError, RecursionError):
        return None
    return bytes(value.SerializeToString(deterministic=True))
