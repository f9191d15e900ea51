"""Op lists: an OpList message and the Spec of the model, in both directions, without loss.

An op list in which an op stands more than once is a history: its declarations, oldest first. The last one counts, and
the others are kept as earlier ones.
"""

from __future__ import annotations

import re

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.lazy_mapping import LazyMapping
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.spec.model import Provenance, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Op

FRAMEWORK = "tensorflow"
_WORDS = 300
"""Characters of protobuf's own words in a message."""
_DEPTH = 100
_ADVICE = "is it a graph or a saved model?"


def parse(data: bytes, file: str) -> Spec:
    """Return the spec of a serialized OpList; each op keeps the bytes that it has there.

    Raises:
        InputError: the bytes are no OpList, or it holds no op, or one without a name.
    """
    oplist = from_bytes(data, file)
    records = list(message("OpListBytes").FromString(data).op)
    return _spec([opdef.name for opdef in oplist.op], records, file)


def from_bytes(data: bytes, file: str) -> Any:
    """Return the OpList message of its bytes.

    Raises:
        InputError: the bytes are no OpList.
    """
    from google.protobuf.message import DecodeError

    try:
        oplist = message("OpList").FromString(data)
        pieces = message("OpListBytes").FromString(data)
    except DecodeError:
        raise _no_list(file, "its bytes cannot be decoded", "is the file complete, and is it an OpList?") from None
    pieces.ClearField("op")
    if pieces.ByteSize():
        raise _no_list(file, "it has fields that an OpList does not have", _ADVICE)
    if any(_are_nodes(op) for op in oplist.op):
        raise _no_list(file, "it holds nodes, not op declarations", _ADVICE)
    return oplist


def _are_nodes(opdef: Any) -> bool:
    """Tell whether a message is a node of a graph: its op's name is read as an input without a name.

    Every letter that a name begins with is the tag of a field that an input does not have.
    """
    for argument in opdef.input_arg:
        if not argument.name:
            known = type(argument).FromString(argument.SerializeToString())
            known.DiscardUnknownFields()
            return bool(known.ByteSize() < argument.ByteSize())
    return False


def empty() -> Any:
    """Return an OpList message without ops."""
    return message("OpList")()


def spec_of(oplist: Any, file: str) -> Spec:
    """Return the spec of an OpList message.

    Raises:
        InputError: the list has no op, or one without a name, or is nested deeper than its bytes may be.
    """
    return parse(to_bytes(oplist), file)


def to_bytes(oplist: Any) -> bytes:
    """Return the bytes of an OpList message; a large one takes several times their memory."""
    data: bytes = oplist.SerializeToString(deterministic=True)
    return data


def from_text(text: str, file: str) -> Any:
    """Return the OpList message of a text in protobuf's text format.

    Raises:
        InputError: the text is not in that format, or no OpList.
    """
    from opspec_lint.frameworks.tensorflow.extract import text_messages

    found = message("OpList")()
    if text_messages.merge(text, found):
        return found
    from google.protobuf import text_format

    try:
        return text_format.Parse(text, message("OpList")())
    except text_format.ParseError as error:
        words = re.sub(r"^\d+:\d+ : ", "", str(error))
        line, column = error.GetLine(), error.GetColumn()
        where = "" if line is None else f"line {line}, column {column}"
        raise _no_list(file, one_line(shorten(words, _WORDS)), "is it an OpList in text format?", where) from None
    except (ValueError, RecursionError) as error:
        words = "it is nested too deep" if isinstance(error, RecursionError) else one_line(str(error))
        raise _no_list(file, shorten(words, _WORDS), "is it an OpList in text format?") from None


def from_json(value: Any, file: str) -> Any:
    """Return the OpList message of a decoded document in protobuf's JSON mapping.

    Raises:
        InputError: the document is no OpList.
    """
    from google.protobuf import json_format

    try:
        return json_format.ParseDict(value, message("OpList")(), max_recursion_depth=_DEPTH)
    except RecursionError:
        words = "it is nested too deep"
    except OverflowError:
        words = "it has infinity where an integer belongs"
    except SystemError:  # in which protobuf wraps the UnicodeEncodeError of a lone surrogate in a key
        words = "a key in it is not UTF-8 text"
    except (json_format.ParseError, ValueError, TypeError, AttributeError) as error:
        words = shorten(one_line(str(error)), _WORDS)
    raise _no_list(file, words, "is it an OpList in protobuf's JSON mapping?")


def _spec(names: list[str], records: list[bytes], file: str) -> Spec:
    if not names:
        raise _no_list(file, "it holds no ops", "did the command that wrote it fail?")
    if "" in names:
        where = f"op[{names.index('')}]"
        raise _no_list(file, "it holds an op without a name", "is it a message of another type?", where)
    ops = dict(zip(names, records, strict=True))
    earlier: dict[str, list[bytes]] = {}
    if len(ops) != len(names):
        for name, record in zip(names, records, strict=True):
            earlier.setdefault(name, []).append(record)
        earlier = {name: versions[:-1] for name, versions in earlier.items() if len(versions) > 1}
    return Spec(
        file=file,
        provenance=Provenance(framework=FRAMEWORK, made_by="OpList"),
        ops=OpTable(ops, _read, _no_numbers, "OpDef"),
        binding="signature",
        earlier=LazyMapping(earlier, lambda _, versions: tuple(map(op_defs.read, versions))),
    )


def dump(spec: Spec) -> bytes:
    """Return the serialized OpList of a spec, ops in its order, the earlier declarations of each before it.

    Raises:
        ValueError: an op says what no OpDef can.
    """
    oplist = message("OpList")()
    for name, op in spec.ops.items():
        for each in (*spec.earlier.get(name, ()), op):
            oplist.op.append(op_defs.write(each))
    return to_bytes(oplist)


def _read(name: str, record: bytes) -> Op:  # noqa: ARG001 - the record knows its name
    return op_defs.read(record)


def _no_numbers(record: bytes) -> list[Any]:  # noqa: ARG001 - equal bytes are equal
    return []


def _no_list(file: str, problem: str, advice: str, where: str = "") -> InputError:
    return InputError(file, f"is not an OpList: {problem}", where=where, advice=advice)
