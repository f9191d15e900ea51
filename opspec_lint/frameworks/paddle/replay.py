"""What Paddle's `tools/check_op_desc.py` prints, line by line: as of 2020-01-02, and in its last version.

The two scripts are replayed with all their habits, on decoded outputs of `print_op_desc` as they stand: fields that the
model would complete or refuse are part of what they react to. Where they iterate over sets, and so print in another
order each time, the names are sorted.

- An op of one side only is passed over. So is a field that only the pull request's side has, but for this: its argument
  counts as changed, an error without a line.
- A deletion or a change is an error whether or not the argument is extra, and in whatever direction it goes.
- Values are equal as Python has it: `True == 1`, `0 == 0.0`. A NaN differs from itself only where something else of its
  argument does too, because `json` decodes every NaN to one object and mappings compare their values by identity first.
- The last version prints both blocks as soon as there is one error, and may head ops of which it has nothing to say.
- Of the versions of an op it sees the last checkpoint only, and one attr change that is not registered in it marks
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
    """One of the three groups of arguments: its key, its words in each block, and the update that adds to it."""

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
    """How one section of an op, `before`, differs after the change; names are sorted.

    `added` holds the fields of every new argument. `changed` holds (field, base's value, value now) for those fields of
    an argument that changed: none, where all that happened is that it got another field.
    """

    section: _Section
    before: dict[str, Any]
    added: dict[str, dict[str, Any]]
    deleted: list[str]
    changed: dict[str, list[tuple[str, Any, Any]]]


def load(path: str) -> dict[str, Any]:
    """Read an output of `print_op_desc`, no more strictly than the checks need it.

    Returns:
        {op: {"Inputs": {name: {field: value}}, "Outputs": ..., "Attrs": ...}}, as decoded; an op may lack any section.

    Raises:
        InputError: the file cannot be read, is no JSON, has a key twice, or is not of this form.
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

    Returns:
        {op: {"version_id": ..., "checkpoints": [{"note": ..., "updates": [...]}]}}, as decoded.

    Raises:
        InputError: the file cannot be read, is no JSON, has a key twice, or is not of this form.
    """
    registry = _read_json(path)
    parse_table(registry, path)
    return registry  # type: ignore[no-any-return]


def check_2020(base: dict[str, Any], pr: dict[str, Any]) -> str:
    """The output of the version of 2020-01-02.

    Args:
        base: the ops before the change, as `load` returns them.
        pr: the ops after it.

    Returns:
        One block, or "" where there is no error.
    """
    lines = [
        line
        for op, deltas in _deltas(base, pr)
        if any(map(_is_broken, deltas))
        for line in _headed(op, chain.from_iterable(map(_breaks, deltas)))
    ]
    return _framed(_CHANGES, "", *lines) if lines else ""


def check_2021(base: dict[str, Any], pr: dict[str, Any], op_versions: dict[str, Any]) -> str:
    """The output of the last version, which also asks for reviews and for the op version registry.

    Args:
        base: the ops before the change, as `load` returns them.
        pr: the ops after it.
        op_versions: the registry after it, as `load_versions` returns it.

    Returns:
        The block of changes and the block of registrations, or "" where there is no error.
    """
    ops = list(_deltas(base, pr))
    if not any(_is_broken(delta) or any(_reviews(delta)) for _, deltas in ops for delta in deltas):
        return ""
    changes = [line for op, deltas in ops for line in _described(op, deltas)]
    registrations = [line for op, deltas in ops for line in _unregistered(op, deltas, _registered(op_versions, op))]
    return _framed("", _BAR, _CHANGES, "", *changes, "", _BAR, _REGISTRATIONS, "", *registrations)


def _read_json(path: str) -> Any:
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
    """Yield all that has to be a mapping, with its path; the caller stops at the first that is none."""
    yield (), ops
    for op, record in ops.items():
        yield (op,), record
        for section in _SECTIONS:
            arguments = record.get(section.key, {})
            yield (op, section.key), arguments
            for name, fields in arguments.items():
                yield (op, section.key, name), fields


def _deltas(base: dict[str, Any], pr: dict[str, Any]) -> Iterator[tuple[str, list[_Delta]]]:
    for op, before in base.items():
        after = pr.get(op, before)
        if before != after:
            yield (
                op,
                [_delta(section, before.get(section.key, {}), after.get(section.key, {})) for section in _SECTIONS],
            )


def _delta(section: _Section, before: dict[str, Any], after: dict[str, Any]) -> _Delta:
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
    return bool(delta.changed) or any(_breaks(delta))


def _breaks(delta: _Delta) -> Iterator[str]:
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


def _reviews(delta: _Delta) -> Iterator[str]:
    for part, reviewer in ("quant", "slim"), ("def", "inference"):
        for name in delta.added:
            if _part(delta, name) == part:
                yield f" * The added {delta.section.noun} '{name}' is `{part}`, need {reviewer} to review."


def _part(delta: _Delta, name: str) -> str:
    """Return the part of the op that a new argument belongs to; quant comes before extra in attrs only."""
    fields = delta.added[name]
    if fields.get("extra") and not (fields.get("quant") and delta.section is _ATTRS):
        return "extra"
    return "quant" if fields.get("quant") else "def"


def _described(op: str, deltas: list[_Delta]) -> list[str]:
    lines = [line for delta in deltas for line in chain(_breaks(delta), _reviews(delta))]
    return _headed(op, lines) if lines or any(delta.added for delta in deltas) else []


def _unregistered(op: str, deltas: list[_Delta], registered: set[tuple[str, str]]) -> list[str]:
    missing = [
        (delta, name) for delta in deltas for name in delta.added if (delta.section.addition, name) not in registered
    ]
    lines = [
        f" * The added {delta.section.registered_noun} '{name}' is not yet registered."
        for delta, name in missing
        if _part(delta, name) != "extra"
    ]
    attrs = deltas[-1]
    changed = [name for name, changes in attrs.changed.items() if changes]
    if any((_ATTR_CHANGE, name) not in registered for name in changed):
        lines += [
            f" * The change of attribute '{name}' is not yet registered."
            for name in changed
            if not attrs.before[name].get("extra")
        ]
    return _headed(op, lines) if lines or any(delta.section is not _ATTRS for delta, _ in missing) else []


def _registered(op_versions: dict[str, Any], op: str) -> set[tuple[str, str]]:
    """Return (type, name) of every update of an op's last checkpoint, and (type, ""): no name stands for any."""
    checkpoints = op_versions[op]["checkpoints"] if op in op_versions else []
    updates = checkpoints[-1]["updates"] if checkpoints else []
    return {(update["type"], name) for update in updates for name in (update.get("name") or "", "")}


def _headed(op: str, lines: Iterable[str]) -> list[str]:
    return [f"For OP '{op}':", *lines]


def _framed(*lines: str) -> str:
    return "\n".join((_RULE, *lines, _RULE, ""))
