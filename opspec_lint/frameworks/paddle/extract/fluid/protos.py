"""The enums and messages of framework.proto that C++ code refers to."""

from __future__ import annotations

from opspec_lint.cpp.comments import blank_comments
from opspec_lint.cpp.tokens import closing_brace
from opspec_lint.kit.pattern import pattern

PATHS = ("paddle/fluid/framework/framework.proto", "paddle/framework/framework.proto")
"""The path of framework.proto, at present and until 2018; the first that exists counts."""

_ENUM = pattern(r"\benum\s+(\w+)\s*\{([^}]*)\}")
_MEMBER = pattern(r"\b(\w+)\s*=\s*(-?\w+)")
_MESSAGE = pattern(r"\bmessage\s+(\w+)\s*\{")
_FIELD = pattern(r"\b(?:required|optional|repeated)\s+[\w.]+\s+(\w+)\s*=")


class Protos:
    """The enums and messages of framework.proto; `text` is "" for a tree without it."""

    def __init__(self, text: str) -> None:
        _, bare = blank_comments(text)
        self._enums: dict[str, dict[str, int]] = {}
        for name, body in _ENUM.findall(bare):
            members = {key: int(number) for key, number in _MEMBER.findall(body) if number.lstrip("-").isdigit()}
            # Several messages have an enum `Type`; C++ refers to VarType's.
            if name != "Type" or "FP32" in members:
                self._enums[name] = members
        self._messages = [
            (match[1], match.end(), closing_brace(bare, match.end() - 1)) for match in _MESSAGE.finditer(bare)
        ]
        self._bare = bare

    def enumerator(self, owner: str, name: str) -> int | None:
        """Return the number of an enumerator: `VarType::FP32`, `VarType::Type::FP32`, `AttrType::INT`."""
        enum = "Type" if owner == "VarType" else owner
        own = self._enums.get(enum, {}).get(name)
        return own if own is not None else self.prefixed_enumerator(name)

    def package_enumerator(self, qualifiers: tuple[str, ...], name: str) -> int | None:
        """Return the number of `framework::DataType::FP32`; until 2018 the package had no `proto` namespace."""
        *namespaces, owner = qualifiers or ("",)
        is_of_package = namespaces in ([], ["framework"], ["paddle", "framework"])
        return self._enums.get(owner, {}).get(name) if is_of_package and owner != "Type" else None

    def prefixed_enumerator(self, name: str) -> int | None:
        """Return the number of `VarType_Type_FP32`, as protobuf calls an enumerator in C++."""
        for prefix, enum in (("VarType_Type_", "Type"), ("AttrType_", "AttrType")):
            if name.startswith(prefix):
                return self._enums.get(enum, {}).get(name[len(prefix) :])
        return None

    def types(self) -> dict[str, int]:
        """Return the numbers of VarType.Type."""
        return self._enums.get("Type", {})

    def has_field(self, message: str, field: str) -> bool:
        """Return whether a message, nested or not, declares a field itself."""
        return any(
            field in _FIELD.findall(self._bare[start:end]) for name, start, end in self._messages if name == message
        )
