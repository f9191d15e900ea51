"""The enums of onnx.in.proto that schemas speak of: types of attributes, and types of elements."""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern

PATH = "onnx/onnx.in.proto"
_ENUM = r"\benum\s+{}\s*\{{(.*?)\}}"
_MEMBER = pattern(r"^[^\S\n]*(\w+)\s*=\s*(0[xX][0-9a-fA-F]+|\d+)\s*;", "m")
_COMMENT = pattern(r"//[^\n]*")
ATTRIBUTE, ELEMENT, VERSION = "AttributeType", "DataType", "Version"
_OWNERS = {
    "AttributeProto": ATTRIBUTE,
    "AttributeProto_AttributeType": ATTRIBUTE,
    "TensorProto": ELEMENT,
    "TensorProto_DataType": ELEMENT,
}
"""What stands before an enumerator as a scope; those of two parts also as a part of its name, as protobuf generates."""
_PREFIXES = tuple(owner for owner in _OWNERS if "_" in owner)


class Protos:
    """The enums, by their names, each a mapping of its enumerators to numbers.

    Args:
        text: the text of onnx.in.proto.
    """

    def __init__(self, text: str) -> None:
        plain = _COMMENT.sub("", text)
        self._enums = {enum: _members(plain, enum) for enum in (ATTRIBUTE, ELEMENT, VERSION)}

    def number(self, qualifiers: tuple[str, ...], name: str) -> int | None:
        """Return the number of an enumerator, None for a name that is none."""
        owner = qualifiers[-1] if qualifiers else ""
        if owner not in _OWNERS:
            owner = next((prefix for prefix in _PREFIXES if name.startswith(f"{prefix}_")), "")
            if not owner:
                return None
        return self._enums[_OWNERS[owner]].get(name.removeprefix(f"{owner}_"))

    def name(self, enum: str, number: int) -> str | None:
        """Return the enumerator of a number, None where there is none."""
        return next((name for name, value in self._enums[enum].items() if value == number), None)

    def ir_version(self) -> int | None:
        """Return the newest version of the file format, None where none is stated."""
        return self._enums[VERSION].get("IR_VERSION")


def _members(text: str, enum: str) -> dict[str, int]:
    block = re.search(_ENUM.format(enum), text, re.DOTALL)
    return {name: int(number, 0) for name, number in _MEMBER.findall(block[1])} if block else {}
