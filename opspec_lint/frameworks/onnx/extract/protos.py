"""The enums of onnx.in.proto that schemas refer to: attribute types, element types, and the IR version."""

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
"""The scopes of enumerators in C++, with their enums. Protobuf also generates names `OWNER_NAME` for nested enums."""
_PREFIXES = tuple(owner for owner in _OWNERS if "_" in owner)


class OnnxEnums:
    """The enums in the text of onnx.in.proto."""

    def __init__(self, text: str) -> None:
        plain = _COMMENT.sub("", text)
        self._enums = {enum: _members(plain, enum) for enum in (ATTRIBUTE, ELEMENT, VERSION)}

    def number(self, qualifiers: tuple[str, ...], name: str) -> int | None:
        """Return the number of an enumerator, None if the name is none."""
        owner = qualifiers[-1] if qualifiers else ""
        if owner not in _OWNERS:
            owner = next((prefix for prefix in _PREFIXES if name.startswith(f"{prefix}_")), "")
            if not owner:
                return None
        return self._enums[_OWNERS[owner]].get(name.removeprefix(f"{owner}_"))

    def name(self, enum: str, number: int) -> str | None:
        """Return the enumerator with a number, None if there is none."""
        return next((name for name, value in self._enums[enum].items() if value == number), None)

    def ir_version(self) -> int | None:
        """Return the newest version of the file format, None if it is not stated."""
        return self._enums[VERSION].get("IR_VERSION")


def _members(text: str, enum: str) -> dict[str, int]:
    """Return the enumerators of an enum with their numbers."""
    block = re.search(_ENUM.format(enum), text, re.DOTALL)
    return {name: int(number, 0) for name, number in _MEMBER.findall(block[1])} if block else {}
