"""The notation of declarations, for examples and tests: one declaration a line.

    from tensorflow 2.12.1
    signature serving_default(x: float32[None, 4]) -> {"y": float32[None, 1]} method "predict" tags "serve"
    signature scaled(x: float32[None, 4], scale: float32[] = 3.0) -> {"y": float32[None, 1]}
    function f(x, training=False): (float32[None], False) -> float32[] | (float32[None], True) -> float32[]
    graph model(x: float32[None, 4]) -> {"y": float32[None, 1]}

A line `from` says which framework saved the model. Behind the parameters of a function stand its traces; `restricted`
in front of them says that its source has an input_signature, `concrete function` that it is one trace and no more.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.interface.declarations import CONCRETE, FUNCTION, GRAPH, INTERFACE, SIGNATURE
from opspec_lint.spec.interface.rendering import FUNCTION_SUFFIX
from opspec_lint.spec.interface.traces import KEYWORD, POSITIONAL, VARARGS, VARKW, read_arguments
from opspec_lint.spec.interface.types import Group, Reader
from opspec_lint.spec.model import Attr, Input, Op, Output, Provenance, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

BEGIN = pattern(rf"(?:from \w+|({SIGNATURE}|{CONCRETE}|{FUNCTION}|{GRAPH}) ([^(\n]+)\()")
"""How a line of the notation begins."""
_PARAMETER = pattern(r"\s*(\*{0,2})([A-Za-z_]\w*)?")
_OPTION = pattern(r"\s*(method|tags)\s+\"([^\"]*)\"")


def parse_spec(text: str) -> Spec:
    """Return the spec of some lines.

    Raises:
        ValueError: a line is not in the notation.
    """
    provenance = Provenance(framework=INTERFACE)
    ops = {}
    for line in filter(str.strip, text.split("\n")):
        found = BEGIN.match(line)
        if found is None:
            raise ValueError(f"no declaration of an interface: {line!r}")
        if found[1] is None:
            _, name, *version = line.split()
            provenance = provenance.replace(made_by=name, version=version[0] if version else None)
            continue
        is_called = found[1] in (FUNCTION, CONCRETE)
        name = found[2] + FUNCTION_SUFFIX if is_called else found[2]
        fields = _function(line, found.end()) if is_called else _tensors(line, found.end())
        ops[name] = Op(name=name, **{"called_as": found[1], **fields})
    return Spec(file="notation", provenance=provenance, ops=ops, binding=INTERFACE)


def _tensors(line: str, at: int) -> dict[str, Any]:
    reader = Reader(line, at)
    inputs = tuple(_typed(reader))
    reader.expect("->")
    result = reader.type()
    items = result.items if isinstance(result, Group) else ()
    options: dict[str, Any] = {"tags": (), "method": None, "input_signature": False}
    while (option := _OPTION.match(line, reader.at)) is not None:
        reader.at = option.end()
        options[option[1]] = tuple(option[2].split(",")) if option[1] == "tags" else option[2]
    reader.end()
    return {"inputs": inputs, "outputs": tuple(Output(name=key, type=str(each)) for key, each in items), **options}


def _typed(reader: Reader) -> Iterator[Input]:
    for _ in reader.items(")"):
        found = _PARAMETER.match(reader.text, reader.at)
        reader.at = found.end() if found else reader.at
        reader.expect(":")
        kind = str(reader.type())
        own = {"default": str(reader.type()) if reader.takes("=") else None, "passing": POSITIONAL}
        yield Input(name=(found and found[2]) or "", type=kind, own=own)


def _function(line: str, at: int) -> dict[str, Any]:
    reader = Reader(line, at)
    inputs = tuple(_parameters(reader))
    is_restricted = reader.takes("restricted")
    attrs = tuple(_traces(reader)) if reader.takes(":") else ()
    reader.end()
    return {"inputs": inputs, "attrs": attrs, "input_signature": is_restricted, "tags": (), "method": None}


def _parameters(reader: Reader) -> Iterator[Input]:
    rest: str | None = POSITIONAL
    for _ in reader.items(")"):
        found = _PARAMETER.match(reader.text, reader.at)
        stars, name = found.groups() if found else ("", None)
        reader.at = found.end() if found else reader.at
        passing = {"*": VARARGS, "**": VARKW}.get(stars, rest)
        rest = KEYWORD if stars == "*" else rest
        if name:
            default = str(reader.type()) if reader.takes("=") else None
            yield Input(name=name, type=None, own={"default": default, "passing": passing})


def _traces(reader: Reader) -> Iterator[Attr]:
    while True:
        begin = reader.at
        read_arguments(reader)
        name = reader.text[begin : reader.at].strip()
        reader.expect("->")
        yield Attr(name=name, type=str(reader.type()))
        if not reader.takes("|"):
            return
