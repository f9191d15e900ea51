"""Rendering of ops in the notation, the inverse of its parser."""

from __future__ import annotations

import json

from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN, Attr
from opspec_lint.spec.notation import (
    _TYPE,
    _fields_by_mark,
    _flag_names,
    _Parser,
    _show_name,
    _show_value,
    _unsigned_fields,
    show_update,
)
from opspec_lint.spec.types import type_expression


def parse_op(line):
    """Return the op that a line describes; its history is dropped.

    Raises:
        NotationError: the line is not in the notation.
    """
    return _Parser(line).line()[0]


def show_op(op, history=None):
    """Return the line for an op, with its version history where that is given."""
    inputs, outputs = (", ".join(map(show_argument, arguments)) for arguments in (op.inputs, op.outputs))
    attrs = f" [{', '.join(map(show_argument, op.attrs))}]" if op.attrs else ""
    flags = [flag for flag in _flag_names("ops") if op.get(flag) is True]
    tail = f" {{{', '.join(flags)}}}" if flags else ""
    if op.deprecation is not UNKNOWN:
        tail += f" deprecated {json.dumps(op.deprecation)}"
        tail += "" if op.deprecation_version in (None, UNKNOWN) else f" from {op.deprecation_version}"
    if op.invalid not in (None, UNKNOWN):
        tail += f" invalid {json.dumps(op.invalid)}"
    if op.builds:
        tail += f" builds {_show_value(op.builds)}"
    tail += _show_rest(op, "ops")
    versions = "" if history is None else " @" + " |".join(map(_show_checkpoint, history))
    return f"{_show_name(op.name)}({inputs}) -> ({outputs}){attrs}{tail}{versions}"


def show_argument(argument):
    """Return the notation of one input, output or attr."""
    section = "attrs" if isinstance(argument, Attr) else "inputs"
    marks = {mark: flag for mark, flag in _fields_by_mark("flag").items() if section == "inputs"}
    text = _show_name(argument.name) + "".join(mark for mark, flag in marks.items() if argument.get(flag) is True)
    kind = argument.type if isinstance(argument, Attr) else type_expression(argument)
    if kind is not UNKNOWN:
        shown_kind = _show_type(str(kind))
        text += f": Ref({shown_kind})" if argument.get("is_ref") is True else f": {shown_kind}"
    text += _show_constraints(argument) if isinstance(argument, Attr) else _show_values(argument)
    flags = _flag_names(section)
    shown = [flag for flag in flags if argument.get(flag) is True and flag not in marks.values()]
    shown += [f"{flag}?" for flag in flags if argument.get(flag) is UNKNOWN]
    text = f"{text} {{{', '.join(shown)}}}" if shown else text
    return text + _show_rest(argument, section) if isinstance(argument, Attr) else text


def _show_rest(thing, section):
    """Return the known fields of a thing that have no sign of their own."""
    known = {name: thing.get(name) for name in _unsigned_fields(section)}
    rest = {name: values.thaw(value) for name, value in known.items() if value is not UNKNOWN}
    return f" & {_show_value(rest)}" if rest else ""


def _show_values(argument):
    known = {mark: argument.get(field) for mark, field in _fields_by_mark("value").items()}
    return "".join(f" {mark} {_show_value(value)}" for mark, value in known.items() if value not in (None, UNKNOWN))


def _show_constraints(attr):
    text = ""
    if attr.allowed_values is not UNKNOWN:
        text += f" in {_show_value(attr.allowed_values)}"
    if attr.minimum is not UNKNOWN:
        text += f" >= {_show_value(attr.minimum)}"
    if attr.maximum is not UNKNOWN:
        text += f" <= {_show_value(attr.maximum)}"
    if attr.default_value is UNKNOWN:
        return f"{text} = ?"
    return text if attr.default_value is None else f"{text} = {_show_value(attr.default_value)}"


def _show_checkpoint(checkpoint):
    note = f" {json.dumps(checkpoint.note)}" if checkpoint.note else ""
    updates = ", ".join(map(show_update, checkpoint.updates))
    return note + (f" {updates}" if updates else "")


def _show_type(name):
    return name if _TYPE.fullmatch(name) and name == name.strip() else json.dumps(name)
