"""Data types in the strings of op declarations, and named groups of types such as `realnumbertype`.

The groups are NumberTypes, QuantizedTypes and RealNumberTypes of `framework/types.h`, before 2018 of `types.cc`: they
grew from release to release, so they are read from the tree. A tree of an extension lacks these files; its groups are
assumed to be as in TensorFlow 2. A fork may add types, whose numbers are in `types.proto`.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import data_type_number
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

PATHS = ("tensorflow/core/framework/types.h", "tensorflow/core/framework/types.cc")
PROTO_PATH = "tensorflow/core/framework/types.proto"
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
_DECLARED = pattern(r"^[ \t]*DT_(\w+)(?<!_REF)[ \t]*=[ \t]*(\d+)", "m")


class DataTypes(Record):
    """The data types of a tree: `groups` of types by name, and its `own` types, which TensorFlow lacks, by name."""

    groups: Mapping[str, tuple[int, ...]]
    own: Mapping[str, int]

    def parse(self, text: str) -> int | None:
        """Parse a data type, such as "float32" or "int32_ref", as DataTypeFromString does; None for any other text."""
        base = text.removesuffix(_REF)
        # DT_INVALID and numbers are data types of the enum, but not of DataTypeFromString.
        if text != text.lower() or base == "invalid" or base.endswith(_REF) or base.isdigit():
            return None
        number = _type_number(_ALIASES.get(base, base), self.own)
        return number if number is None or base == text else number + _REF_OFFSET

    def with_numbers(self, text: str) -> str:
        """Return a default value in the text format of protobuf, with numbers for the names of own types."""
        return _TYPE.sub(lambda name: str(self.own.get(name[1].lower(), name[0])), text) if self.own else text


def read_types(code_of: Callable[[str], str | None], raw_text_of: Callable[[str], str | None]) -> DataTypes:
    """Return the data types of a tree; a group that it does not define is as in TensorFlow 2.

    Args:
        code_of: returns the preprocessed text of a file of the tree, None for a missing file.
        raw_text_of: returns the text of a file of the tree, None for a missing file.
    """
    declared = _DECLARED.findall(raw_text_of(PROTO_PATH) or "")
    own = {name.lower(): int(number) for name, number in declared if _type_number(name.lower(), {}) is None}
    texts = [text for path in PATHS if (text := code_of(path)) is not None]
    listed = {function: _group_types(function, texts, own) for function in _GROUPS_OF_2}
    return DataTypes(groups={name: listed[function] for name, function in _FUNCTIONS.items()}, own=own)


def _group_types(function: str, texts: list[str], own: Mapping[str, int]) -> tuple[int, ...]:
    """Return the types that a function such as NumberTypes lists."""
    for text in texts:
        match = pattern(_LIST.format(function)).search(text)
        if match is not None:
            return tuple(_type_numbers(match[1], own))
        match = pattern(_SET.format(function)).search(text)
        if match is not None:
            return tuple(
                sorted(set(_type_numbers(match[1], own)))
            )  # DataTypeSet is a bit mask, read in ascending order
    return tuple(sorted(data_type_number(name) for name in _GROUPS_OF_2[function].split()))


def _type_numbers(text: str, own: Mapping[str, int]) -> Iterator[int]:
    """Yield the numbers of the types that a text of C++ names."""
    for name in _TYPE.findall(text):
        number = _type_number(name.lower(), own)
        if number is not None:  # a name without a number does not compile
            yield number


def _type_number(name: str, own: Mapping[str, int]) -> int | None:
    """Return the number of a type by its name in lower case, None if neither the tree nor TensorFlow has it."""
    try:
        return own[name] if name in own else data_type_number(name)
    except ValueError:
        return None
