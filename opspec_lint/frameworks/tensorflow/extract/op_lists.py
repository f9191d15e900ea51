"""Conversion of op lists between OpList messages (binary, text, JSON) and specs, without loss in either direction.

An op that occurs more than once has a history, oldest first, as in TensorFlow's ops_history_v2. The last declaration is
the op of the spec, the others are its earlier declarations.
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
_MAX_DETAIL = 300
"""Characters of an error of protobuf that a message quotes."""
_DEPTH = 100
_ADVICE = "is it a graph or a saved model?"


def parse(data: bytes, file: str) -> Spec:
    """Return the spec of a serialized OpList; each op stays serialized until it is accessed."""
    oplist = from_bytes(data, file)
    records = list(message("OpListBytes").FromString(data).op)
    return _build_spec([opdef.name for opdef in oplist.op], records, file)


def from_bytes(data: bytes, file: str) -> Any:
    """Parse a serialized OpList; anything else, such as a graph, is an InputError."""
    from google.protobuf.message import DecodeError

    try:
        oplist = message("OpList").FromString(data)
        pieces = message("OpListBytes").FromString(data)
    except DecodeError:
        raise _not_an_op_list(
            file, "its bytes cannot be decoded", "is the file complete, and is it an OpList?"
        ) from None
    # Protobuf accepts nearly any bytes as any message; fields beside `op` are those of another message.
    pieces.ClearField("op")
    if pieces.ByteSize():
        raise _not_an_op_list(file, "it has fields that an OpList does not have", _ADVICE)
    if any(_is_node(op) for op in oplist.op):
        raise _not_an_op_list(file, "it holds nodes, not op declarations", _ADVICE)
    return oplist


def _is_node(opdef: Any) -> bool:
    """Return whether a message that was read as an OpDef is a node of a graph.

    The op of a NodeDef (field 2) is read as an input then. It has no name, and fields that an ArgDef does not have, as
    each letter is the tag of such a field.
    """
    for argument in opdef.input_arg:
        if not argument.name:
            known = type(argument).FromString(argument.SerializeToString())
            known.DiscardUnknownFields()
            return bool(known.ByteSize() < argument.ByteSize())
    return False


def empty() -> Any:
    """Return an empty OpList message."""
    return message("OpList")()


def spec_of(oplist: Any, file: str) -> Spec:
    """Return the spec of an OpList message."""
    return parse(to_bytes(oplist), file)


def to_bytes(oplist: Any) -> bytes:
    """Serialize an OpList message."""
    data: bytes = oplist.SerializeToString(deterministic=True)
    return data


def from_text(text: str, file: str) -> Any:
    """Parse an OpList in protobuf's text format; a malformed text is an InputError with line and column."""
    from opspec_lint.frameworks.tensorflow.extract import text_messages

    oplist = message("OpList")()
    if text_messages.merge(text, oplist):
        return oplist
    from google.protobuf import text_format

    try:
        return text_format.Parse(text, message("OpList")())
    except text_format.ParseError as error:
        detail = re.sub(r"^\d+:\d+ : ", "", str(error))
        line, column = error.GetLine(), error.GetColumn()
        where = "" if line is None else f"line {line}, column {column}"
        raise _not_an_op_list(
            file, one_line(shorten(detail, _MAX_DETAIL)), "is it an OpList in text format?", where
        ) from None
    except (ValueError, RecursionError) as error:
        detail = "it is nested too deep" if isinstance(error, RecursionError) else one_line(str(error))
        raise _not_an_op_list(file, shorten(detail, _MAX_DETAIL), "is it an OpList in text format?") from None


def from_json(value: Any, file: str) -> Any:
    """Parse an OpList in protobuf's JSON mapping, given as decoded JSON; anything else is an InputError."""
    from google.protobuf import json_format

    try:
        return json_format.ParseDict(value, message("OpList")(), max_recursion_depth=_DEPTH)
    except RecursionError:
        detail = "it is nested too deep"
    except OverflowError:
        detail = "it has infinity where an integer belongs"
    except SystemError:  # in which protobuf wraps the UnicodeEncodeError of a lone surrogate in a key
        detail = "a key in it is not UTF-8 text"
    except (json_format.ParseError, ValueError, TypeError, AttributeError) as error:
        detail = shorten(one_line(str(error)), _MAX_DETAIL)
    raise _not_an_op_list(file, detail, "is it an OpList in protobuf's JSON mapping?")


def _build_spec(names: list[str], records: list[bytes], file: str) -> Spec:
    """Return the spec of serialized OpDefs and their names, in the order of the list."""
    if not names:
        raise _not_an_op_list(file, "it holds no ops", "check whether the command that wrote it failed")
    if "" in names:
        where = f"op[{names.index('')}]"
        raise _not_an_op_list(file, "it holds an op without a name", "is it a message of another type?", where)
    ops = dict(zip(names, records, strict=True))  # of an op that occurs again, the last declaration
    earlier: dict[str, list[bytes]] = {}
    if len(ops) != len(names):
        for name, record in zip(names, records, strict=True):
            earlier.setdefault(name, []).append(record)
        earlier = {name: versions[:-1] for name, versions in earlier.items() if len(versions) > 1}
    return Spec(
        file=file,
        provenance=Provenance(framework=FRAMEWORK, made_by="OpList"),
        ops=OpTable(ops, _read_op, _no_numbers, "OpDef"),
        binding="signature",
        earlier=LazyMapping(earlier, lambda _, versions: tuple(map(op_defs.read, versions))),
    )


def dump(spec: Spec) -> bytes:
    """Serialize a spec as an OpList, the earlier declarations of each op before it; ValueError if an op cannot be."""
    oplist = message("OpList")()
    for name, op in spec.ops.items():
        for declaration in (*spec.earlier.get(name, ()), op):
            oplist.op.append(op_defs.write(declaration))
    return to_bytes(oplist)


def _read_op(name: str, record: bytes) -> Op:  # noqa: ARG001 - the record knows its name
    return op_defs.read(record)


def _no_numbers(record: bytes) -> list[Any]:  # noqa: ARG001 - equal bytes are equal
    return []


def _not_an_op_list(file: str, problem: str, advice: str, where: str = "") -> InputError:
    return InputError(file, f"is not an OpList: {problem}", where=where, advice=advice)
