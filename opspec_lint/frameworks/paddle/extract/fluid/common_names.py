"""Identifiers that nearly every maker uses, and that no sound header defines as macros."""

from __future__ import annotations

COMMON = frozenset(
    {"AddAttr", "AddInput", "AddOutput", "AddComment", "SetDefault", "AddCustomChecker", "AsDispensable",
     "AsDuplicable", "AsExtra", "AsIntermediate", "AsQuant", "InEnum", "EqualGreaterThan", "GreaterThan",
     "SupportTensor", "Make", "auto", "bool", "const", "constexpr", "char", "double", "else", "false", "float",
     "for", "if", "int", "int32_t", "int64_t", "nullptr", "return", "size_t", "static_cast", "std", "string",
     "this", "true", "vector", "void", "errors", "framework", "platform", "proto", "size", "data", "empty",
     "BlockDesc", "VarType", "FP32", "InvalidArgument", "Sprintf", "OpRole", "paddle", "phi", "static", "array",
     "insert", "unordered_set", "c_str"}
)  # fmt: skip
"""The identifiers. Only the op sources are searched for a macro of such a name, not all included files."""
