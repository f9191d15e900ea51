"""The completion of PIR ops by their patches and by their names in ProgramDescs."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.dialect.legacy import places_of
from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import LegacyNames
from opspec_lint.frameworks.paddle.extract.dialect.results import Extraction
from opspec_lint.frameworks.paddle.saved.translation import translators
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle.extract.dialect.legacy import Legacy
    from opspec_lint.frameworks.paddle.extract.dialect.patches import Patches
    from opspec_lint.frameworks.paddle.extract.dialect.results import (
        LocatedPirOp,
        PirAttr,
        PirOp,
        PirVariable,
    )
    from opspec_lint.spec.records import RemarkRecord

_TRANSLATED = "pd_op."
_NAMED = BoundedCache(most=5_000)
"""Ops with their names in ProgramDescs, by the op without them and the tables: most revisions change few of them."""


def complete(
    ops: Mapping[str, LocatedPirOp], remarks: Sequence[RemarkRecord], patches: Patches, legacy: Legacy | None = None
) -> Extraction:
    """Return the declarations of a tree or wheel, given its ops, remarks and patches.

    `legacy` has the names in op_compat.yaml; None for a wheel.
    """
    completed_ops: dict[str, LocatedPirOp] = {}
    names = None if legacy is None else LegacyNames(tables=legacy["tables"])
    for name, located_op in ops.items():
        op, places = located_op
        if names is not None and legacy is not None:
            op, places = _with_names(name, located_op, names, legacy)
        if name in patches.actions_by_op:
            op = {**op, "patches": patches.actions_by_op[name]}
        completed_ops[name] = op, places
    return Extraction(
        ops=completed_ops,
        remarks=(*remarks, *patches.remarks),
        has_names=legacy is not None,
        version=patches.version,
        loading=patches.loading,
        places=patches.places,
    )


def _with_names(name: str, located_op: LocatedPirOp, names: LegacyNames, legacy: Legacy) -> LocatedPirOp:
    """Return an op with its names in ProgramDescs, cached by the op and `legacy`, which has the tables of `names`."""
    key = name, id(located_op), id(legacy)
    # Both are kept with the result: the id of a freed object could be given to another one.
    known: tuple[LocatedPirOp, Legacy, LocatedPirOp] | None = _NAMED.get(key)
    if known is None:
        op, places = located_op
        sources = translated_ops(name, op, names)
        if sources is not None:
            places = {**places, "entries": names.entries_of((sources.name_giver, *sources.others))}
            name_places = places_of(name, legacy["places"])
            if name_places is not None:
                places["names"] = name_places
        known = _NAMED[key] = located_op, legacy, (add_legacy_names(op, names, sources), places)
    return known[2]


class TranslatedOps(Record):
    """The ops of a ProgramDesc that are translated to one PIR op.

    `renamed` are ops of other names; the first of these gives the arguments their names (`name_giver`; without any, the
    PIR op itself does). `others` are all but the name giver.
    """

    renamed: tuple[str, ...]
    name_giver: str
    others: tuple[str, ...]


def translated_ops(name: str, op: PirOp, names: LegacyNames) -> TranslatedOps | None:
    """Return the ops of a ProgramDesc that are translated to a PIR op; None for a dialect without translation."""
    if not name.startswith(_TRANSLATED):
        return None
    plain = name.removeprefix(_TRANSLATED)
    own_name = op.get("kernel_of", plain).rstrip("_")
    renamed = names.ops_translated_to(own_name)
    others = {*renamed[1:], *translators.legacy_ops_of(plain)} - set(renamed[:1])
    if renamed and names.keeps_name(own_name):
        others.add(own_name)
    return TranslatedOps(renamed=renamed, name_giver=renamed[0] if renamed else own_name, others=tuple(sorted(others)))


def add_legacy_names(op: PirOp, names: LegacyNames, sources: TranslatedOps | None) -> PirOp:
    """Return the record of an op with its names in ProgramDescs, and the names of its arguments."""
    if sources is None:
        return _mark_names_unknown(op)
    name_giver = sources.name_giver
    result: PirOp = {
        **op,
        "inputs": [_name_input(argument, names, name_giver) for argument in op.get("inputs", ())],
        "outputs": [
            _with_legacy_name(argument, names.argument(name_giver, argument["name"]))
            for argument in op.get("outputs", ())
        ],
        "attrs": [_name_attr(argument, names, name_giver) for argument in op.get("attrs", ())],
    }
    if sources.renamed:
        result["legacy_names"] = sources.renamed
    further_names = tuple(_names_in_others(op, sources.others, names))
    if further_names:
        result["other_legacy_names"] = further_names
    return result


def _mark_names_unknown(op: PirOp) -> PirOp:
    """Return the record of an op that no op of a ProgramDesc is translated to: its legacy names are unknown."""
    return {
        **op,
        "inputs": [_with_unknown(argument, "legacy_name", "legacy_tensors") for argument in op.get("inputs", ())],
        "outputs": [_with_unknown(argument, "legacy_name") for argument in op.get("outputs", ())],
        "attrs": [_with_unknown(argument, "legacy_name", "legacy_extra") for argument in op.get("attrs", ())],
    }


def _with_unknown(argument: Mapping[str, Any], *fields: str) -> dict[str, Any]:
    """Return an argument with more fields marked as unknown."""
    return {**argument, "unknown": [*argument.get("unknown", ()), *fields]}


def _names_in_others(op: PirOp, source_ops: Iterable[str], names: LegacyNames) -> Iterator[tuple[str, str, str]]:
    """Yield (op, argument, name) where another source op calls an argument differently."""
    for source_op in source_ops:
        for argument, is_attr in _argument_names(op):
            name = names.attr(source_op, argument) if is_attr else names.argument(source_op, argument)
            if name != argument:
                yield source_op, argument, name


def _argument_names(op: PirOp) -> Iterator[tuple[str, bool]]:
    """Yield the names of an op's arguments, and whether each is an attr in a ProgramDesc."""
    for argument in op.get("inputs", ()):
        yield argument["name"], argument.get("mutable_attr", False)
    for argument in op.get("outputs", ()):
        yield argument["name"], False
    for argument in op.get("attrs", ()):
        yield argument["name"], True


def _name_input(record: PirVariable, legacy: LegacyNames, op: str) -> PirVariable:
    """Return an input with its name in a ProgramDesc; a mutable attr is an attr there, which tensors may replace."""
    if not record.get("mutable_attr"):
        return _with_legacy_name(record, legacy.argument(op, record["name"]))
    named_record = _with_legacy_name(record, legacy.attr(op, record["name"]))
    tensors = legacy.tensors(op, record["name"])
    return {**named_record, "legacy_tensors": tensors} if tensors else named_record


def _name_attr(record: PirAttr, legacy: LegacyNames, op: str) -> PirAttr:
    """Return an attr with its name in a ProgramDesc."""
    name = legacy.attr(op, record["name"])
    named_record: PirAttr = record if name == record["name"] else {**record, "legacy_name": name}
    return {**named_record, "legacy_extra": True} if legacy.is_extra(op, name) else named_record


def _with_legacy_name(record: PirVariable, name: str) -> PirVariable:
    """Return an input or output with its name in a ProgramDesc, where that differs."""
    return record if name == record["name"] else {**record, "legacy_name": name}
