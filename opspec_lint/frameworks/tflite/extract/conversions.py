"""The options that the runtime reads, by flatbuffer_conversions.cc: it copies them from options tables to C structs."""

from __future__ import annotations

import re
from functools import cache

from opspec_lint.cpp.comments import without_comments
from opspec_lint.frameworks.tflite.extract.functions import find_function, line_of
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Reads: TypeAlias = dict[str, dict[str, list[str]]]
    """By options table, and by field, the members of the C struct that it is copied to; [] if they are not known."""

MARK = "builtin_options_as_"

_SWITCHES = ("ParseOpDataTfLite", "ParseOpData")
"""The function with the switch over all ops; before TensorFlow 2.3 it has the second name."""
_PARSER = pattern(r"^TfLiteStatus (Parse\w+)\(", "m")
_CASE = pattern(r"\bcase\s+BuiltinOperator_(\w+)\s*:")
_CALL = pattern(r"(Parse\w+)\(")
_TABLE = pattern(r"\b(\w{1,80})\s*=\s*\w{1,80}(?:->|\.)builtin_options(?:_\d)?_as_(\w{1,80})\s*\(\s*\)")
_DIRECT = pattern(r"builtin_options(?:_\d)?_as_(\w{1,80})\s*\(\s*\)")
_STRUCT = pattern(r"\b(\w{1,80})\s*=\s*\w{1,80}\.Allocate<(\w{1,80})>")


def read(text: str) -> dict[str, Any]:
    """Return the conversions of the code as plain data.

    `tables` has the options tables that the code of each op reads, `reads` the fields that are read of each table, and
    `structs` the C structs that are filled from each table.
    """
    parser_bodies = {name: without_comments(body) for name, body in _parser_functions(text)}
    reads: Reads = {}
    structs: dict[str, list[str]] = {}
    for body in parser_bodies.values():
        _collect_reads(body, reads, structs)
    tables: dict[str, list[str]] = {}
    line = 1
    definitions = filter(None, (find_function(text, name) for name in _SWITCHES))
    # Where a file has both functions, one only calls the other: the one with the cases counts.
    switch = next(((offset, switch_body) for offset, switch_body in definitions if "case " in switch_body), None)
    if switch is not None:
        offset, switch_body = switch
        line = line_of(text, offset)
        _collect_reads(switch_body, reads, structs)
        tables_of_parser = {name: _DIRECT.findall(body) for name, body in parser_bodies.items()}
        for op, case in _switch_cases(switch_body):
            of_parsers = [table for name in _CALL.findall(case) for table in tables_of_parser.get(name, ())]
            tables[op] = list(dict.fromkeys([*_DIRECT.findall(case), *of_parsers]))
    return {"tables": tables, "reads": reads, "structs": structs, "line": line}


def _parser_functions(text: str) -> list[tuple[str, str]]:
    """Return the name and text of each function that reads the options of one or a few ops."""
    matches = list(_PARSER.finditer(text))
    ends = [*(following.start() for following in matches[1:]), len(text)]
    return [
        # clang-format writes only the closing brace of a function into the first column.
        (match[1], text[match.start() : text.find("\n}", match.end(), end) + 2])
        for match, end in zip(matches, ends, strict=False)
    ]


def _switch_cases(body: str) -> list[tuple[str, str]]:
    """Return the ops of a switch, each with the code of its case; adjacent labels share the code."""
    labels = list(_CASE.finditer(body))
    cases: list[tuple[str, str]] = []
    waiting: list[str] = []
    ends = [*(following.start() for following in labels[1:]), len(body)]
    for label, end in zip(labels, ends, strict=False):
        waiting.append(label[1])
        code = body[label.end() : end]
        if code.strip():
            cases += [(op, code) for op in waiting]
            waiting = []
    return cases


def _collect_reads(body: str, reads: Reads, structs: dict[str, list[str]]) -> None:
    """Add the fields that a function reads of options tables, and the structs that it fills, to `reads` and `structs`.

    A variable is the table that was last assigned to it, as each case of a switch assigns another one.
    """
    # By the name of the variable.
    tables: dict[str, str] = {}
    filled: dict[str, str] = {}
    for statement in body.split(";"):
        if "builtin_options" in statement:
            tables |= dict(_TABLE.findall(statement))
        if ".Allocate<" in statement:
            filled |= dict(_STRUCT.findall(statement))
        for name, table in tables.items():
            if f"{name}->" in statement:
                _add_members(_access_pattern(name).findall(statement), table, _filled_members(statement, filled), reads)
                if filled:
                    # The struct that was allocated last is the one that the current case fills.
                    *_, struct = filled.values()
                    known = structs.setdefault(table, [])
                    if struct not in known:
                        known.append(struct)


def _add_members(fields: list[str], table: str, members: list[str], reads: Reads) -> None:
    """Add members of a struct to each of the given fields of a table."""
    for field in fields:
        known = reads.setdefault(table, {}).setdefault(field, [])
        known += [member for member in members if member not in known]


def _filled_members(statement: str, filled: dict[str, str]) -> list[str]:
    """Return the struct members that a statement assigns; `filled` has the structs by the variable."""
    return [
        member for name in filled if f"{name}->" in statement for member in _member_pattern(name).findall(statement)
    ]


@cache
def _access_pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of a read of a field: `VARIABLE->FIELD()`."""
    return re.compile(rf"\b{name}->(\w+)\s*\(\s*\)")


@cache
def _member_pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of a struct member: `VARIABLE->MEMBER`, and no call."""
    return re.compile(rf"\b{name}->(\w+)\b(?!\s*\()")
