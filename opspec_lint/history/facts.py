"""A spec as facts, each a value of a field of an argument of an op; and a spec of facts.

The facts are the lines of the canonical spec file: a field that has its default value is no fact. So a spec that is
made of facts has the same canonical text as the spec that they were taken from.

A fact is identified by its op, `section`, argument and field. The section is `op`, `input`, `output` or `attr`;
`op_version` for a checkpoint, whose number is the argument; `earlier` for an earlier declaration, likewise; `remark`
for what could not be resolved; or `spec` for what is said of all ops, under no op. The field "" states that the op or
argument exists. The value is JSON, "" where there is none.
"""

from __future__ import annotations

import json

from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.spec import canonical, op_table
from opspec_lint.spec.canonical import ARGUMENTS, RecordWriter, checkpoint_record
from opspec_lint.spec.model import UNKNOWN, Origin, Remark, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.spec.fields import Section

    Key: TypeAlias = tuple[str, str, str]
    """The section, the argument and the field."""
    Facts: TypeAlias = dict[Key, str]
    Unit: TypeAlias = tuple[str, str]
    """What changes together: `op`, `op_version`, `earlier` or `remark`, of an op; or `spec`, of none."""

OP, SPEC, REMARK, VERSION, EARLIER = "op", "spec", "remark", "op_version", "earlier"
EXISTS: Key = (OP, "", "")
WITHHELD: Key = (OP, "", "unresolved")
"""Says that an op cannot be resolved: its other facts are those of an earlier revision, and it is in no spec."""
UNRESOLVED = "op_unresolved"
_KINDS = {"inputs": "input", "outputs": "output", "attrs": "attr"}
_SECTIONS = {kind: section for section, kind in _KINDS.items()}
_ORDER = "order of "
_DAMAGE = (AttributeError, LookupError, TypeError, ValueError)
"""What facts raise that are none of a spec, which only a damaged file has."""
_OWN = ""
"""Stands for the id of the revision itself, where the provenance of a spec names it."""


class FactsOfSpecs:
    """Takes the facts of one spec after the other; what did not change is not taken again."""

    def __init__(self) -> None:
        self._spec: Spec | None = None
        self._ops: dict[str, Facts] = {}
        self._known: dict[str, Mapping[Section, set[str]]] = {}
        self._knows: dict[str, list[str]] = {}

    def of(self, spec: Spec, commit: str) -> dict[Unit, Facts]:
        """Return the facts of a spec at a revision; those of an op that is the same are the same object."""
        records, before = RecordWriter(spec), {} if self._spec is None else self._spec.ops
        same = {name for name in spec.ops if name in before and op_table.certainly_equal(before, spec.ops, name)}
        self._known = {name: self._known[name] if name in same else records.known(spec.ops[name]) for name in spec.ops}
        knows = _together([*self._known.values(), *(map(records.known, _earlier(spec)))])
        if knows != self._knows:
            same = set()
        self._ops = {
            name: self._ops[name] if name in same else _of_op(records.op(spec.ops[name], knows)) for name in spec.ops
        }
        self._spec, self._knows = spec, knows
        found: dict[Unit, Facts] = {(OP, name): facts for name, facts in self._ops.items()}
        found[SPEC, ""] = _of_whole(spec, knows, commit)
        versions = {} if spec.op_versions is UNKNOWN else spec.op_versions
        for name, history in versions.items():
            found[VERSION, name] = _numbered(VERSION, map(checkpoint_record, history))
        for name, earlier in spec.earlier.items():
            found[EARLIER, name] = _numbered(EARLIER, (records.op(op, knows) for op in earlier))
        return found | _of_remarks(spec.remarks)


def unresolved(facts: Mapping[Unit, Facts]) -> set[str]:
    """Return the ops that a spec could not resolve, by its facts."""
    units = ((op, keys) for (section, op), keys in facts.items() if section == REMARK)
    return {op for op, keys in units if any(event == UNRESOLVED for _, _, event in keys)}


def spec_of(facts: Iterable[tuple[str, Key, str]], file: str, commit: str) -> Spec:
    """Return the spec that facts are.

    Args:
        facts: the op, the key and the value of each.
        file: what the user called it.
        commit: the id of the revision.

    Raises:
        InputError: the facts are not those of a spec.
        NothingThereError: the facts are those of a revision without a spec.
    """
    by_unit: dict[Unit, Facts] = {}
    for op, key, value in facts:
        by_unit.setdefault((unit_of(key), op), {})[key] = value
    return Assembly(by_unit).spec(file, commit)


def unit_of(key: Key) -> str:
    """Return the section of the unit that a fact is of."""
    return OP if key[0] in _SECTIONS else key[0]


class Assembly:
    """The records of a spec, made of facts, and made anew where they change.

    Args:
        facts: the facts at first.
    """

    def __init__(self, facts: Mapping[Unit, Facts]) -> None:
        self._records: dict[str, dict[str, Any]] = {OP: {}, VERSION: {}, EARLIER: {}, REMARK: {}}
        self._head: dict[str, Any] = {}
        self._values: dict[str, Any] = {}
        self._counts: dict[int, int] = {}
        self._is_damaged = False
        self.take(facts)

    def take(self, facts: Mapping[Unit, Facts]) -> None:
        """Take the facts of units, each whole; a unit without facts is gone."""
        self._records = {section: dict(records) for section, records in self._records.items()}
        try:
            for (section, op), of_unit in facts.items():
                self._take_unit(section, op, of_unit)
        except _DAMAGE:
            self._is_damaged = True

    def _take_unit(self, section: str, op: str, facts: Facts) -> None:
        if section == SPEC:
            self._head = {field: self._value(text) for (_, _, field), text in facts.items()}
            return
        record = self._record(section, facts) if facts else None
        if record is None:
            self._records[section].pop(op, None)
        else:
            self._records[section][op] = record

    def spec(self, file: str, commit: str) -> Spec:
        """Return the spec as it is now.

        Raises:
            InputError: the facts are not those of a spec.
            NothingThereError: there are none.
        """
        from opspec_lint.sources.format import FORMATS

        if not self._head and not self._is_damaged:
            raise NothingThereError(file, "the source has no ops at this revision")
        form = FORMATS.load("opspec")
        document = self._document(commit)
        if document is None or form.count_keys(document, self._counts) is None:
            raise InputError(file, "the facts of this revision are none of a spec", advice="build the history anew")
        found: Spec = form.load(document, file)
        return found.replace(remarks=tuple(each for remarks in self._records[REMARK].values() for each in remarks))

    def _document(self, commit: str) -> dict[str, Any] | None:
        """Return the spec file of the facts, None if they are none of a spec."""
        provenance = self._head.get("provenance")
        if self._is_damaged or not isinstance(provenance, dict):
            return None
        document = {"opspec": canonical.VERSION, **self._head, "ops": self._records[OP]}
        document["provenance"] = {name: value or commit for name, value in provenance.items()}
        if self._records[EARLIER]:
            document["earlier"] = self._records[EARLIER]
        if document.pop("has_op_versions", None):
            document["op_versions"] = self._records[VERSION]
        return document

    def _record(self, section: str, facts: Facts) -> Any:
        """Return the record of a unit, None for an op that is not in the spec."""
        if section == OP:
            return None if WITHHELD in facts or EXISTS not in facts else self._op(facts)
        if section == REMARK:
            return [_remark(key[1], key[2], item) for key, text in facts.items() for item in self._value(text)]
        numbered = sorted((int(number), text) for (_, number, field), text in facts.items() if not field and number)
        return [self._value(text) for _, text in numbered]

    def _op(self, facts: Facts) -> dict[str, Any]:
        own: dict[str, Any] = {}
        arguments: dict[str, dict[str, dict[str, Any]]] = {}
        for (section, argument, field), text in facts.items():
            if section == OP:
                own[field] = self._value(text)
            else:
                record = arguments.setdefault(_SECTIONS[section], {}).setdefault(argument, {"name": argument})
                if field:
                    record[field] = self._value(text)
        own.pop("")
        for section in ARGUMENTS:
            order = own.pop(_ORDER + section, None)
            if section in arguments:
                found = arguments[section]
                own[section] = [found[name] for name in order or sorted(found)]
        return own

    def _value(self, text: str) -> Any:
        """Return the value of a JSON text; that of an equal text is the same object."""
        if text not in self._values:
            self._values[text] = json.loads(text) if text else None
        return self._values[text]


def _together(known: Iterable[Mapping[Section, set[str]]]) -> dict[str, list[str]]:
    """Return the fields that all ops together know, by section."""
    found: dict[str, set[str]] = {}
    for each in known:
        for section, names in each.items():
            found.setdefault(section, set()).update(names)
    return {section: sorted(names) for section, names in sorted(found.items()) if names}


def _earlier(spec: Spec) -> Iterable[Any]:
    return (op for versions in spec.earlier.values() for op in versions)


def _of_op(record: Mapping[str, Any]) -> Facts:
    facts: Facts = {EXISTS: ""}
    for key, value in record.items():
        if key not in _KINDS:
            facts[OP, "", key] = _text(value)
            continue
        names: list[str] = []
        for argument in value:
            name = _unique(argument["name"], names)
            names.append(name)
            facts[_KINDS[key], name, ""] = ""
            facts |= {
                (_KINDS[key], name, field): _text(each)
                for field, each in argument.items()
                if field != "name" or each != name
            }
        if names != sorted(names):
            facts[OP, "", _ORDER + key] = _text(names)
    return facts


def _unique(name: str, taken: list[str]) -> str:
    """Return a name, or where it is taken, which a framework may refuse, one that is not."""
    number = 1
    found = name
    while found in taken:
        number += 1
        found = f"{name} ({number})"
    return found


def _of_whole(spec: Spec, knows: Mapping[str, list[str]], commit: str) -> Facts:
    head = canonical.header_members(spec)
    if spec.provenance.commit == commit:
        head["provenance"]["commit"] = _OWN
    head["knows"] = knows
    if spec.op_versions is not UNKNOWN:
        head["has_op_versions"] = True
    return {(SPEC, "", field): _text(value) for field, value in head.items()}


def _numbered(section: str, records: Iterable[Any]) -> Facts:
    return {(section, "", ""): ""} | {
        (section, str(number), ""): _text(record) for number, record in enumerate(records, 1)
    }


def _of_remarks(remarks: Iterable[Remark]) -> dict[Unit, Facts]:
    found: dict[Unit, dict[Key, list[Any]]] = {}
    for each in remarks:
        file = None if each.origin is None else each.origin.file
        said = {"digest": each.digest, "facts": dict(each.facts), "file": file}
        key = (REMARK, each.name, each.event)
        found.setdefault((REMARK, each.op or ""), {}).setdefault(key, []).append({"op": each.op, **said})
    return {
        unit: {key: json.dumps(items, sort_keys=True) for key, items in facts.items()} for unit, facts in found.items()
    }


def _remark(name: str, event: str, said: Mapping[str, Any]) -> Remark:
    file = said["file"]
    return Remark(
        event=event,  # type: ignore[arg-type]  # it is read from where it was written
        name=name,
        op=said["op"],
        digest=said["digest"],
        facts=said["facts"],
        origin=None if file is None else Origin(file=file),
    )


def _text(value: Any) -> str:
    return json.dumps(value)
