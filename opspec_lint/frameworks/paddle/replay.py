"""A replay of the output of Paddle's `tools/check_op_desc.py`, as of 2020-01-02 and in its last version.

Both scripts are replayed with all their habits, on the decoded outputs of `print_op_desc`: they also react to fields
that the model would complete or refuse. Where they iterate over sets, and so print in a varying order, names are
sorted.

- An op of one side only is skipped. So is a field that only the pull request's side has, but its argument counts as
  changed, an error without a line.
- A deletion or change is an error even if the argument is extra, in either direction.
- Values are compared as in Python: `True == 1`, `0 == 0.0`. A NaN only differs from itself if something else in its
  argument differs too, because `json` decodes every NaN to one object and mappings compare values by identity first.
- The last version prints both blocks as soon as there is one error, and may head ops that have no line.
- Of the versions of an op it reads the last checkpoint only, and one attr change that is not registered there marks
  every changed attr of the op. An empty name is registered by any update of the right type.
"""

from __future__ import annotations

from itertools import chain, islice

from opspec_lint.documents.decode import read_document
from opspec_lint.frameworks.paddle.companions.op_versions import parse_table
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_MAX_DEPTH = 100
_RULE = "-" * 30
_BAR = "======================= "
_CHANGES = "Op desc error for the changes of Inputs/Outputs/Attrs of OPs:"
_REGISTRATIONS = "Operator registration error for the changes of Inputs/Outputs/Attrs of OPs:"


class _Section(Record):
    """One of the three groups of arguments: its key, its nouns in the blocks, and the update type of an addition."""

    key: str
    noun: str
    registered_noun: str
    addition: str


_INPUTS = _Section(key="Inputs", noun="Input", registered_noun="input", addition="kNewInput")
_OUTPUTS = _Section(key="Outputs", noun="Output", registered_noun="output", addition="kNewOutput")
_ATTRS = _Section(key="Attrs", noun="attr", registered_noun="attribute", addition="kNewAttr")
_ATTR_CHANGE = "kModifyAttr"
_SECTIONS = (_INPUTS, _OUTPUTS, _ATTRS)


class _Delta(Record):
    """The differences of one section of an op; names are sorted.

    `added` are the fields of new arguments. `changed` are (field, base's value, new value) of arguments that changed;
    empty if the argument only got a new field.
    """

    section: _Section
    before: dict[str, Any]
    added: dict[str, dict[str, Any]]
    deleted: list[str]
    changed: dict[str, list[tuple[str, Any, Any]]]


def load(path: str) -> dict[str, Any]:
    """Read an output of `print_op_desc`, with only the checks that the replay needs.

    Returns {op: {"Inputs": {name: {field: value}}, "Outputs": ..., "Attrs": ...}} as decoded; an op may lack any
    section. Raises InputError for a file that cannot be read, is no JSON, has a key twice, or another form.
    """
    ops = _read_json(path)
    for place, value in _mappings(ops):
        if type(value) is not dict:
            from opspec_lint.documents import schema

            raise InputError(
                path,
                f"expected a mapping, found {schema.describe(value)}",
                where=join(*place),
                advice="write the file again with `print_op_desc`",
            )
    return ops  # type: ignore[no-any-return]


def load_versions(path: str) -> dict[str, Any]:
    """Read the op version registry of a Paddle.

    Returns {op: {"version_id": ..., "checkpoints": [{"note": ..., "updates": [...]}]}} as decoded. Raises InputError
    for a file that cannot be read, is no JSON, has a key twice, or another form.
    """
    registry = _read_json(path)
    parse_table(registry, path)
    return registry  # type: ignore[no-any-return]


def check_2020(base: dict[str, Any], pr: dict[str, Any]) -> str:
    """Return the output of the version of 2020-01-02: one block, or "" without errors."""
    lines = [
        line
        for op, deltas in _deltas(base, pr)
        if any(map(_is_broken, deltas))
        for line in _with_heading(op, chain.from_iterable(map(_error_lines, deltas)))
    ]
    return _frame(_CHANGES, "", *lines) if lines else ""


def check_2021(base: dict[str, Any], pr: dict[str, Any], op_versions: dict[str, Any]) -> str:
    """Return the output of the last version: a block of changes and one of registrations, or "" without errors.

    This version also asks for reviews, and checks changes against the op version registry.
    """
    # The last version decides by all ops together whether it prints anything at all.
    ops = list(_deltas(base, pr))
    if not any(_is_broken(delta) or any(_review_lines(delta)) for _, deltas in ops for delta in deltas):
        return ""
    changes = [line for op, deltas in ops for line in _change_lines(op, deltas)]
    registrations = [
        line for op, deltas in ops for line in _registration_lines(op, deltas, _registered_updates(op_versions, op))
    ]
    return _frame("", _BAR, _CHANGES, "", *changes, "", _BAR, _REGISTRATIONS, "", *registrations)


def _read_json(path: str) -> Any:
    """Return a decoded JSON file without repeated keys or deep nesting."""
    decoded = read_document(path)
    if decoded.text is None:
        raise InputError(
            path, "is not JSON; expected a JSON object", advice="write the file again with `print_op_desc`"
        )
    levels = list(islice(_levels(decoded.value), _MAX_DEPTH + 1))
    if len(levels) > _MAX_DEPTH:
        raise InputError(
            path,
            f"is nested more than {_MAX_DEPTH} levels deep, the limit for a spec",
            advice="write the file again with `print_op_desc`",
        )
    decoded.check_unique_keys(sum(len(value) for level in levels for value in level if type(value) is dict))
    return decoded.value


def _levels(value: Any) -> Iterator[list[Any]]:
    """Yield the values of a document level by level."""
    level = [value]
    while level:
        yield level
        level = [
            inner
            for outer in level
            if type(outer) in (dict, list)
            for inner in (outer.values() if type(outer) is dict else outer)
        ]


def _mappings(ops: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value that must be a mapping, with its path; the caller stops at the first that is none."""
    yield (), ops
    for op, record in ops.items():
        yield (op,), record
        for section in _SECTIONS:
            arguments = record.get(section.key, {})
            yield (op, section.key), arguments
            for name, fields in arguments.items():
                yield (op, section.key, name), fields


def _deltas(base: dict[str, Any], pr: dict[str, Any]) -> Iterator[tuple[str, list[_Delta]]]:
    """Yield the ops that differ, with their differences by section."""
    for op, before in base.items():
        after = pr.get(op, before)
        if before != after:
            yield (
                op,
                [_delta(section, before.get(section.key, {}), after.get(section.key, {})) for section in _SECTIONS],
            )


def _delta(section: _Section, before: dict[str, Any], after: dict[str, Any]) -> _Delta:
    """Return the differences of one section."""
    return _Delta(
        section=section,
        before=before,
        added={name: after[name] for name in sorted(after.keys() - before.keys())},
        deleted=sorted(before.keys() - after.keys()),
        changed={
            name: [
                (field, value, after[name].get(field))
                for field, value in before[name].items()
                if value != after[name].get(field)
            ]
            for name in sorted(before.keys() & after.keys())
            if before[name] != after[name]
        },
    )


def _is_broken(delta: _Delta) -> bool:
    """Return whether a section has an error."""
    return bool(delta.changed) or any(_error_lines(delta))


def _error_lines(delta: _Delta) -> Iterator[str]:
    """Yield the lines on errors."""
    noun = delta.section.noun
    for name, fields in delta.added.items():
        if delta.section is _ATTRS and fields.get("default_value") is None:
            yield f" * The added {noun} '{name}' doesn't set default value."
        elif delta.section is not _ATTRS and not fields.get("dispensable"):
            yield f" * The added {noun} '{name}' is not dispensable."
    for name in delta.deleted:
        yield f" * The {noun} '{name}' is deleted."
    for name, changes in delta.changed.items():
        for field, before, after in changes:
            yield f" * The arg '{field}' of {noun} '{name}' is changed: from '{before}' to '{after}'."


def _review_lines(delta: _Delta) -> Iterator[str]:
    """Yield the lines on additions that a team has to review."""
    for part, reviewer in ("quant", "slim"), ("def", "inference"):
        for name in delta.added:
            if _part(delta, name) == part:
                yield f" * The added {delta.section.noun} '{name}' is `{part}`, need {reviewer} to review."


def _part(delta: _Delta, name: str) -> str:
    """Return the part of the op that a new argument belongs to; in attrs only, quant comes before extra."""
    fields = delta.added[name]
    if fields.get("extra") and not (fields.get("quant") and delta.section is _ATTRS):
        return "extra"
    return "quant" if fields.get("quant") else "def"


def _change_lines(op: str, deltas: list[_Delta]) -> list[str]:
    """Return the lines of an op in the block of changes."""
    lines = [line for delta in deltas for line in chain(_error_lines(delta), _review_lines(delta))]
    return _with_heading(op, lines) if lines or any(delta.added for delta in deltas) else []


def _registration_lines(op: str, deltas: list[_Delta], registered: set[tuple[str, str]]) -> list[str]:
    """Return the lines of an op in the block of registrations."""
    missing = [
        (delta, name) for delta in deltas for name in delta.added if (delta.section.addition, name) not in registered
    ]
    lines = [
        f" * The added {delta.section.registered_noun} '{name}' is not yet registered."
        for delta, name in missing
        if _part(delta, name) != "extra"
    ]
    # Only changes of attrs can be registered: there is no check for changed inputs and outputs.
    attrs = deltas[-1]
    changed = [name for name, changes in attrs.changed.items() if changes]
    if any((_ATTR_CHANGE, name) not in registered for name in changed):
        lines += [
            f" * The change of attribute '{name}' is not yet registered."
            for name in changed
            if not attrs.before[name].get("extra")
        ]
    return _with_heading(op, lines) if lines or any(delta.section is not _ATTRS for delta, _ in missing) else []


def _registered_updates(op_versions: dict[str, Any], op: str) -> set[tuple[str, str]]:
    """Return (type, name) of each update in an op's last checkpoint, and (type, ""), which an empty name matches."""
    checkpoints = op_versions[op]["checkpoints"] if op in op_versions else []
    updates = checkpoints[-1]["updates"] if checkpoints else []
    return {(update["type"], name) for update in updates for name in (update.get("name") or "", "")}


def _with_heading(op: str, lines: Iterable[str]) -> list[str]:
    """Return lines below the heading of an op."""
    return [f"For OP '{op}':", *lines]


def _frame(*lines: str) -> str:
    """Return a block between two rules."""
    return "\n".join((_RULE, *lines, _RULE, ""))
