"""A notation of interfaces, one declaration per line, for examples and tests.

    signature serving_default(x: float32[None, 4]) -> {"y": float32[None, 1]} method "predict" tags "serve"
    signature scaled(x: float32[None, 4], scale: float32[] = 3.0) -> {"y": float32[None, 1]}
    function f(x, training=False): (float32[None], False) -> float32[] | (float32[None], True) -> float32[]
    graph model(x: float32[None, 4]) -> {"y": float32[None, 1]}

A line `from` names the framework that saved the model. The traces of a function follow its parameters; `restricted`
before them means that its source has an input_signature, `concrete function` that it has only this trace.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.interface.declarations import CONCRETE, FUNCTION, GRAPH, INTERFACE, SIGNATURE
from opspec_lint.spec.interface.rendering import FUNCTION_SUFFIX
from opspec_lint.spec.interface.traces import KEYWORD, POSITIONAL, VARARGS, VARKW, read_arguments
from opspec_lint.spec.interface.types import GroupType, TypeParser
from opspec_lint.spec.model import Attr, Input, Op, Output, Provenance, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

BEGIN = pattern(rf"(?:from \w+|({SIGNATURE}|{CONCRETE}|{FUNCTION}|{GRAPH}) ([^(\n]+)\()")
"""The beginning of a line of the notation."""
_PARAMETER = pattern(r"\s*(\*{0,2})([A-Za-z_]\w*)?")
_OPTION = pattern(r"\s*(method|tags)\s+\"([^\"]*)\"")


def parse_spec(text: str) -> Spec:
    """Return the spec of some lines.

    Raises:
        ValueError: a line does not follow the notation.
    """
    provenance = Provenance(framework=INTERFACE)
    ops = {}
    for line in filter(str.strip, text.split("\n")):
        match = BEGIN.match(line)
        if match is None:
            raise ValueError(f"no declaration of an interface: {line!r}")
        if match[1] is None:
            _, name, *version = line.split()
            provenance = provenance.replace(made_by=name, version=version[0] if version else None)
            continue
        is_called = match[1] in (FUNCTION, CONCRETE)
        name = match[2] + FUNCTION_SUFFIX if is_called else match[2]
        fields = _parse_function(line, match.end()) if is_called else _parse_signature(line, match.end())
        ops[name] = Op(name=name, **{"called_as": match[1], **fields})
    return Spec(file="notation", provenance=provenance, ops=ops, binding=INTERFACE)


def _parse_signature(line: str, at: int) -> dict[str, Any]:
    """Return the fields of a signature or graph from the text after its opening bracket."""
    reader = TypeParser(line, at)
    inputs = tuple(_parse_inputs(reader))
    reader.expect("->")
    result = reader.type()
    items = result.items if isinstance(result, GroupType) else ()
    options: dict[str, Any] = {"tags": (), "method": None, "input_signature": False}
    while (option := _OPTION.match(line, reader.at)) is not None:
        reader.at = option.end()
        options[option[1]] = tuple(option[2].split(",")) if option[1] == "tags" else option[2]
    reader.end()
    return {
        "inputs": inputs,
        "outputs": tuple(Output(name=key, type=str(result_type)) for key, result_type in items),
        **options,
    }


def _parse_inputs(reader: TypeParser) -> Iterator[Input]:
    """Yield the inputs of a signature: `x: float32[None, 4] = 3.0`."""
    for _ in reader.items_until(")"):
        match = _PARAMETER.match(reader.text, reader.at)
        reader.at = match.end() if match else reader.at
        reader.expect(":")
        kind = str(reader.type())
        own = {"default": str(reader.type()) if reader.accept("=") else None, "passing": POSITIONAL}
        yield Input(name=(match and match[2]) or "", type=kind, own=own)


def _parse_function(line: str, at: int) -> dict[str, Any]:
    """Return the fields of a function from the text after its opening bracket."""
    reader = TypeParser(line, at)
    inputs = tuple(_parse_parameters(reader))
    is_restricted = reader.accept("restricted")
    attrs = tuple(_parse_traces(reader)) if reader.accept(":") else ()
    reader.end()
    return {"inputs": inputs, "attrs": attrs, "input_signature": is_restricted, "tags": (), "method": None}


def _parse_parameters(reader: TypeParser) -> Iterator[Input]:
    """Yield the parameters of a Python function; those after `*` or `*args` are passed by keyword."""
    passing_of_rest: str | None = POSITIONAL
    for _ in reader.items_until(")"):
        match = _PARAMETER.match(reader.text, reader.at)
        stars, name = match.groups() if match else ("", None)
        reader.at = match.end() if match else reader.at
        passing = {"*": VARARGS, "**": VARKW}.get(stars, passing_of_rest)
        passing_of_rest = KEYWORD if stars == "*" else passing_of_rest
        if name:
            default = str(reader.type()) if reader.accept("=") else None
            yield Input(name=name, type=None, own={"default": default, "passing": passing})


def _parse_traces(reader: TypeParser) -> Iterator[Attr]:
    """Yield the traces of a function: `(float32[None], False) -> float32[] | ...`."""
    while True:
        begin = reader.at
        read_arguments(reader)
        name = reader.text[begin : reader.at].strip()
        reader.expect("->")
        yield Attr(name=name, type=str(reader.type()))
        if not reader.accept("|"):
            return
