"""Data types in the strings of op declarations, and named groups of types such as `realnumbertype`.

The groups are NumberTypes, QuantizedTypes and RealNumberTypes of `framework/types.h`, before 2018 of `types.cc`: they
grew from release to release, so they are read from the tree. A tree of an extension lacks these files; its groups are
assumed to be as in TensorFlow 2.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import data_type_number
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Groups = Mapping[str, tuple[int, ...]]

PATHS = ("tensorflow/core/framework/types.h", "tensorflow/core/framework/types.cc")
_ALIASES = {"float32": "float", "float64": "double", "float16": "half"}
_REF, _REF_OFFSET = "_ref", 100
_FUNCTIONS = {
    "numbertype": "NumberTypes",
    "numerictype": "NumberTypes",
    "quantizedtype": "QuantizedTypes",
    "realnumbertype": "RealNumberTypes",
    "realnumerictype": "RealNumberTypes",
}
"""The function that lists the types of a group (ProcessCompoundType of op_def_builder.cc)."""
_GROUPS_OF_2 = {
    "NumberTypes": "float double int64 int32 uint8 uint16 int16 int8 complex64 complex128 qint8 quint8 qint32 half "
    "uint32 uint64 bfloat16",
    "QuantizedTypes": "qint8 quint8 qint16 quint16 qint32",
    "RealNumberTypes": "float double int32 int64 uint8 int16 int8 uint16 half uint32 uint64 bfloat16",
}
_SET = r"\bk{}\s*=([^;]*);"
_LIST = r"\b{}\s*\(\s*\)\s*\{{\s*return\s*\{{([^}}]*)\}}"
_TYPE = pattern(r"\bDT_(\w+)\b")


def parse_data_type(text: str) -> int | None:
    """Parse a data type, such as "float32" or "int32_ref", as DataTypeFromString does; None for any other text."""
    base = text.removesuffix(_REF)
    # DT_INVALID and numbers are data types of the enum, but not of DataTypeFromString.
    if text != text.lower() or base == "invalid" or base.endswith(_REF) or base.isdigit():
        return None
    try:
        number = data_type_number(_ALIASES.get(base, base))
    except ValueError:
        return None
    return number + _REF_OFFSET if base != text else number


def read_groups(text_of: Callable[[str], str | None]) -> Groups:
    """Return the types of each named group, from the tree, or else from TensorFlow 2.

    `text_of` returns the preprocessed text of a file of the tree, None for a missing file.
    """
    texts = [text for path in PATHS if (text := text_of(path)) is not None]
    listed = {function: _group_types(function, texts) for function in _GROUPS_OF_2}
    return {name: listed[function] for name, function in _FUNCTIONS.items()}


def _group_types(function: str, texts: list[str]) -> tuple[int, ...]:
    """Return the types that a function such as NumberTypes lists."""
    for text in texts:
        match = pattern(_LIST.format(function)).search(text)
        if match is not None:
            return tuple(_type_numbers(match[1]))
        match = pattern(_SET.format(function)).search(text)
        if match is not None:
            return tuple(sorted(set(_type_numbers(match[1]))))  # a DataTypeSet is a bit mask, read in ascending order
    return tuple(sorted(data_type_number(name) for name in _GROUPS_OF_2[function].split()))


def _type_numbers(text: str) -> list[int]:
    return [data_type_number(name.lower()) for name in _TYPE.findall(text)]
