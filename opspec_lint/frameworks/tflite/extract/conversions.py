"""How the runtime fills the C struct of an op from its options table: the code of flatbuffer_conversions.cc."""

from __future__ import annotations

import re
from functools import cache

from opspec_lint.cpp.comments import without_comments
from opspec_lint.frameworks.tflite.extract.functions import function, line_of
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Reads: TypeAlias = dict[str, dict[str, list[str]]]
    """By options table, and by field, the members of the C struct that it goes to; none where that cannot be told."""

MARK = "builtin_options_as_"

_SWITCHES = ("ParseOpDataTfLite", "ParseOpData")
"""The function that goes by the op; before TensorFlow 2.3 it has the second name."""
_PARSER = pattern(r"^TfLiteStatus (Parse\w+)\(", "m")
_CASE = pattern(r"\bcase\s+BuiltinOperator_(\w+)\s*:")
_CALL = pattern(r"(Parse\w+)\(")
_TABLE = pattern(r"\b(\w{1,80})\s*=\s*\w{1,80}(?:->|\.)builtin_options(?:_\d)?_as_(\w{1,80})\s*\(\s*\)")
_DIRECT = pattern(r"builtin_options(?:_\d)?_as_(\w{1,80})\s*\(\s*\)")
_STRUCT = pattern(r"\b(\w{1,80})\s*=\s*\w{1,80}\.Allocate<(\w{1,80})>")


def read(text: str) -> dict[str, Any]:
    """Return the conversions of the code.

    `tables` are the options tables that the code of each op reads; `reads` is what is read of each table; `structs` are
    the C structs that are filled from it.
    """
    bodies = {name: without_comments(body) for name, body in _parsers(text)}
    reads: Reads = {}
    structs: dict[str, list[str]] = {}
    for body in bodies.values():
        _gather(body, reads, structs)
    switches = [found for name in _SWITCHES if (found := function(text, name)) is not None and "case " in found[1]]
    switch = switches[0] if switches else None
    tables: dict[str, list[str]] = {}
    if switch is not None:
        _gather(switch[1], reads, structs)
        direct = {name: _DIRECT.findall(body) for name, body in bodies.items()}
        for op, body in _cases(switch[1]):
            called = [table for name in _CALL.findall(body) for table in direct.get(name, ())]
            tables[op] = list(dict.fromkeys([*_DIRECT.findall(body), *called]))
    return {
        "tables": tables,
        "reads": reads,
        "structs": structs,
        "line": line_of(text, switch[0]) if switch else 1,
    }


def _parsers(text: str) -> list[tuple[str, str]]:
    """Return the functions that read the options of one op, or of some: the name of each, and its text."""
    found = list(_PARSER.finditer(text))
    ends = [each.start() for each in found[1:]] + [len(text)] * bool(found)
    return [
        (each[1], text[each.start() : text.find("\n}", each.end(), end) + 2])
        for each, end in zip(found, ends, strict=True)
    ]


def _cases(body: str) -> list[tuple[str, str]]:
    """Return the ops of a switch, each with the code of its case; labels in a row have the same."""
    labels = list(_CASE.finditer(body))
    found: list[tuple[str, str]] = []
    waiting: list[str] = []
    ends = [each.start() for each in labels[1:]] + [len(body)] * bool(labels)
    for label, end in zip(labels, ends, strict=True):
        waiting.append(label[1])
        code = body[label.end() : end]
        if code.strip():
            found += [(op, code) for op in waiting]
            waiting = []
    return found


def _gather(body: str, reads: Reads, structs: dict[str, list[str]]) -> None:
    """Add what a function reads of options tables, and into which structs that goes.

    A name stands for the table that it was last given, as each case of a switch names its own.
    """
    tables: dict[str, str] = {}
    filled: dict[str, str] = {}
    for statement in body.split(";"):
        if "builtin_options" in statement:
            tables |= dict(_TABLE.findall(statement))
        if ".Allocate<" in statement:
            filled |= dict(_STRUCT.findall(statement))
        for name, table in tables.items():
            if f"{name}->" in statement:
                _add(_accesses(name).findall(statement), table, _members(statement, filled), reads)
                if filled and (struct := list(filled.values())[-1]) not in structs.setdefault(table, []):
                    structs[table].append(struct)


def _add(fields: list[str], table: str, members: list[str], reads: Reads) -> None:
    for field in fields:
        known = reads.setdefault(table, {}).setdefault(field, [])
        known += [member for member in members if member not in known]


def _members(statement: str, filled: dict[str, str]) -> list[str]:
    """Return the members that a statement names of what is filled."""
    return [member for name in filled if f"{name}->" in statement for member in _member(name).findall(statement)]


@cache
def _accesses(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{name}->(\w+)\s*\(\s*\)")


@cache
def _member(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{name}->(\w+)\b(?!\s*\()")
