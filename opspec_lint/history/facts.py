"""Conversion of a spec to facts and back; a fact is the value of one field of an op or argument.

The facts are the lines of the canonical spec file, which omits fields with default values. A spec that is made of facts
hence has the same canonical text as the spec that the facts were extracted from.

A fact is identified by its op, `section`, argument and field. The section is `op`, `input`, `output` or `attr`;
`op_version` for a checkpoint, with its number as the argument; `earlier` for an earlier declaration, likewise; `remark`
for a declaration that could not be resolved; or `spec`, without op, for statements on all ops. The field "" states that
the op or argument exists. The value is JSON text, or "" for such a statement.
"""

from __future__ import annotations

import json

from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.spec import canonical, op_table
from opspec_lint.spec.canonical import ARGUMENTS, RecordWriter, checkpoint_record
from opspec_lint.spec.model import UNKNOWN, Origin, Remark, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.spec.fields import Section

    Key: TypeAlias = tuple[str, str, str]
    """The section, the argument and the field."""
    Facts: TypeAlias = dict[Key, str]
    Unit: TypeAlias = tuple[str, str]
    """Section and op whose facts are compared and replaced as a whole; the op is "" for the section `spec`."""

OP, SPEC, REMARK, VERSION, EARLIER = "op", "spec", "remark", "op_version", "earlier"
EXISTS: Key = (OP, "", "")
WITHHELD: Key = (OP, "", "unresolved")
"""The key of the fact that an op cannot be resolved: its other facts are old, and specs omit the op."""
UNRESOLVED = "op_unresolved"
_KINDS = {"inputs": "input", "outputs": "output", "attrs": "attr"}
_SECTIONS = {kind: section for section, kind in _KINDS.items()}
_ORDER = "order of "
_DAMAGE = (AttributeError, LookupError, TypeError, ValueError)
"""Exceptions that only the facts of a damaged file raise."""
_OWN = ""
"""Placeholder for the id of the revision in its provenance: every revision would otherwise have a new fact."""


class FactExtractor:
    """Extracts the facts of one spec after the other; the facts of unchanged ops are reused.

    Args:
        only: the only op whose facts are extracted, with the facts about the whole spec; None for all ops.
    """

    def __init__(self, only: str | None = None) -> None:
        self._only = only
        self._spec: Spec | None = None
        self._ops: dict[str, Facts] = {}
        self._known: dict[str, Mapping[Section, set[str]]] = {}
        self._knows: dict[str, list[str]] = {}

    def extract(self, spec: Spec, commit: str) -> dict[Unit, Facts]:
        """Return the facts of a spec at a revision; an unchanged op has the same dictionary as before."""
        records, before = RecordWriter(spec), {} if self._spec is None else self._spec.ops
        same = {name for name in spec.ops if name in before and op_table.certainly_equal(before, spec.ops, name)}
        self._known = {name: self._known[name] if name in same else records.known(spec.ops[name]) for name in spec.ops}
        knows = _merge_known_fields([*self._known.values(), *(map(records.known, _earlier_ops(spec)))])
        # Each record lists the fields that other ops know and its op does not, so all records depend on this.
        if knows != self._knows:
            same = set()
        self._ops = {
            name: self._ops[name] if name in same else _op_facts(records.op(spec.ops[name], knows))
            for name in self._chosen(spec.ops)
        }
        self._spec, self._knows = spec, knows
        facts_by_unit: dict[Unit, Facts] = {(OP, name): facts for name, facts in self._ops.items()}
        facts_by_unit[SPEC, ""] = _spec_facts(spec, knows, commit)
        versions = {} if spec.op_versions is UNKNOWN else spec.op_versions
        for name in self._chosen(versions):
            facts_by_unit[VERSION, name] = _numbered_facts(VERSION, map(checkpoint_record, versions[name]))
        for name in self._chosen(spec.earlier):
            facts_by_unit[EARLIER, name] = _numbered_facts(
                EARLIER, (records.op(op, knows) for op in spec.earlier[name])
            )
        return facts_by_unit | _remark_facts(spec.remarks)

    def _chosen(self, names: Collection[str]) -> Collection[str]:
        """Return the names of the ops whose facts are extracted."""
        return names if self._only is None else [name for name in (self._only,) if name in names]


def unresolved_ops(facts: Mapping[Unit, Facts]) -> set[str]:
    """Return the names of the ops that a spec could not resolve, by the remarks among its facts."""
    return {
        op
        for (section, op), remarks in facts.items()
        # The last part of the key of a remark is its event.
        if section == REMARK and any(event == UNRESOLVED for _, _, event in remarks)
    }


def spec_of(facts: Iterable[tuple[str, Key, str]], file: str, commit: str) -> Spec:
    """Return the spec that consists of facts, given as (op, key, value).

    `file` is the user's name of the history, `commit` the id of the revision. Raises InputError if the facts make no
    valid spec, NothingThereError if the revision has no spec.
    """
    by_unit: dict[Unit, Facts] = {}
    for op, key, value in facts:
        by_unit.setdefault((unit_of(key), op), {})[key] = value
    return SpecAssembly(by_unit).spec(file, commit)


def unit_of(key: Key) -> str:
    """Return the section of the unit that a fact belongs to: arguments belong to their op."""
    return OP if key[0] in _SECTIONS else key[0]


class SpecAssembly:
    """Builds specs from facts step by step: after a change, only the records of changed ops are made anew."""

    def __init__(self, facts: Mapping[Unit, Facts]) -> None:
        self._records: dict[str, dict[str, Any]] = {OP: {}, VERSION: {}, EARLIER: {}, REMARK: {}}
        self._head: dict[str, Any] = {}
        self._values: dict[str, Any] = {}
        self._counts: dict[int, int] = {}
        self._has_bad_facts = False
        self.update_units(facts)

    def update_units(self, facts: Mapping[Unit, Facts]) -> None:
        """Replace the facts of whole units; a unit without facts is removed."""
        # New dictionaries, since specs that were returned before keep the old ones.
        self._records = {section: dict(records) for section, records in self._records.items()}
        try:
            for (section, op), of_unit in facts.items():
                self._update_unit(section, op, of_unit)
        except _DAMAGE:
            self._has_bad_facts = True

    def _update_unit(self, section: str, op: str, facts: Facts) -> None:
        """Replace the record of an op, of a remark or of the spec; without facts, remove it."""
        if section == SPEC:
            self._head = {field: self._decode_value(text) for (_, _, field), text in facts.items()}
            return
        record = self._record(section, facts) if facts else None
        if record is None:
            self._records[section].pop(op, None)
        else:
            self._records[section][op] = record

    def spec(self, file: str, commit: str) -> Spec:
        """Return the spec of the present facts.

        Raises InputError if the facts make no valid spec, NothingThereError if there are no facts.
        """
        from opspec_lint.sources.format import FORMATS

        if not self._head and not self._has_bad_facts:
            raise NothingThereError(file, "the source has no ops at this revision")
        spec_format = FORMATS.load("opspec")
        document = self._document(commit)
        if document is None or spec_format.count_keys(document, self._counts) is None:
            raise InputError(
                file, "the stored facts of this revision are not those of a spec", advice="build the history anew"
            )
        spec: Spec = spec_format.load(document, file)
        return spec.replace(remarks=tuple(remark for remarks in self._records[REMARK].values() for remark in remarks))

    def _document(self, commit: str) -> dict[str, Any] | None:
        """Return the spec file that the facts make, None if they make none."""
        provenance = self._head.get("provenance")
        if self._has_bad_facts or not isinstance(provenance, dict):
            return None
        document = {"opspec": canonical.VERSION, **self._head, "ops": self._records[OP]}
        document["provenance"] = {name: value or commit for name, value in provenance.items()}
        if self._records[EARLIER]:
            document["earlier"] = self._records[EARLIER]
        if document.pop("has_op_versions", None):
            document["op_versions"] = self._records[VERSION]
        return document

    def _record(self, section: str, facts: Facts) -> Any:
        """Return the record of a unit, None for an op that is left out of the spec."""
        if section == OP:
            return None if WITHHELD in facts or EXISTS not in facts else self._op(facts)
        if section == REMARK:
            return [
                _remark_from_json(key[1], key[2], item)
                for key, text in facts.items()
                for item in self._decode_value(text)
            ]
        records = sorted((int(number), text) for (_, number, field), text in facts.items() if not field and number)
        return [self._decode_value(text) for _, text in records]

    def _op(self, facts: Facts) -> dict[str, Any]:
        """Return the record of an op from its facts, the reverse of `_op_facts`."""
        own: dict[str, Any] = {}
        arguments: dict[str, dict[str, dict[str, Any]]] = {}
        for (section, argument, field), text in facts.items():
            if section == OP:
                own[field] = self._decode_value(text)
            else:
                record = arguments.setdefault(_SECTIONS[section], {}).setdefault(argument, {"name": argument})
                if field:
                    record[field] = self._decode_value(text)
        own.pop("")
        for section in ARGUMENTS:
            order = own.pop(_ORDER + section, None)
            if section in arguments:
                records = arguments[section]
                own[section] = [records[name] for name in order or sorted(records)]
        return own

    def _decode_value(self, text: str) -> Any:
        """Return the value of a JSON text; equal texts share one object."""
        if text not in self._values:
            self._values[text] = json.loads(text) if text else None
        return self._values[text]


def _merge_known_fields(known: Iterable[Mapping[Section, set[str]]]) -> dict[str, list[str]]:
    """Return the names of the fields that any of the ops knows, by section."""
    fields: dict[str, set[str]] = {}
    for known_fields in known:
        for section, names in known_fields.items():
            fields.setdefault(section, set()).update(names)
    return {section: sorted(names) for section, names in sorted(fields.items()) if names}


def _earlier_ops(spec: Spec) -> Iterable[Any]:
    return (op for versions in spec.earlier.values() for op in versions)


def _op_facts(record: Mapping[str, Any]) -> Facts:
    """Return the facts of the record of an op and of its arguments."""
    facts: Facts = {EXISTS: ""}
    for key, value in record.items():
        if key not in _KINDS:
            facts[OP, "", key] = _json_text(value)
            continue
        names: list[str] = []
        for argument in value:
            name = _unique_name(argument["name"], names)
            names.append(name)
            facts[_KINDS[key], name, ""] = ""
            facts |= {
                (_KINDS[key], name, field): _json_text(item)
                for field, item in argument.items()
                if field != "name" or item != name
            }
        # The order of arguments is a fact only if it is not alphabetical: most attrs need no such fact.
        if names != sorted(names):
            facts[OP, "", _ORDER + key] = _json_text(names)
    return facts


def _unique_name(name: str, used_names: list[str]) -> str:
    """Return `name`, or "name (2)" and so on if it is used: a history records duplicates that a framework refuses."""
    number = 1
    unique = name
    while unique in used_names:
        number += 1
        unique = f"{name} ({number})"
    return unique


def _spec_facts(spec: Spec, knows: Mapping[str, list[str]], commit: str) -> Facts:
    head = canonical.header_members(spec)
    if spec.provenance.commit == commit:
        head["provenance"]["commit"] = _OWN
    head["knows"] = knows
    if spec.op_versions is not UNKNOWN:
        head["has_op_versions"] = True
    return {(SPEC, "", field): _json_text(value) for field, value in head.items()}


def _numbered_facts(section: str, records: Iterable[Any]) -> Facts:
    return {(section, "", ""): ""} | {
        (section, str(number), ""): _json_text(record) for number, record in enumerate(records, 1)
    }


def _remark_facts(remarks: Iterable[Remark]) -> dict[Unit, Facts]:
    """Return the facts of remarks by unit: all remarks of one name and event are one fact."""
    facts_by_unit: dict[Unit, dict[Key, list[Any]]] = {}
    for remark in remarks:
        file = None if remark.origin is None else remark.origin.file
        values = {"digest": remark.digest, "facts": dict(remark.facts), "file": file}
        key = (REMARK, remark.name, remark.event)
        facts_by_unit.setdefault((REMARK, remark.op or ""), {}).setdefault(key, []).append({"op": remark.op, **values})
    return {
        unit: {key: json.dumps(items, sort_keys=True) for key, items in facts.items()}
        for unit, facts in facts_by_unit.items()
    }


def _remark_from_json(name: str, event: str, values: Mapping[str, Any]) -> Remark:
    """Return a remark from its fact, the reverse of `_remark_facts`."""
    file = values["file"]
    return Remark(
        event=event,  # type: ignore[arg-type]  # written by _remark_facts, so it is the name of an event
        name=name,
        op=values["op"],
        digest=values["digest"],
        facts=values["facts"],
        origin=None if file is None else Origin(file=file),
    )


def _json_text(value: Any) -> str:
    return json.dumps(value)
