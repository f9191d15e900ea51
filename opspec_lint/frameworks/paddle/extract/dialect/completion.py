"""What is said of ops besides their declarations: their patches, and what a ProgramDesc calls them."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.dialect.legacy import places_of
from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import LegacyNames
from opspec_lint.frameworks.paddle.extract.dialect.results import Extraction
from opspec_lint.frameworks.paddle.saved.translation import translators
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
        PirPlaces,
        PirVariable,
    )
    from opspec_lint.spec.records import RemarkRecord

_TRANSLATED = "pd_op."


def completed(
    ops: Mapping[str, LocatedPirOp], remarks: Sequence[RemarkRecord], patches: Patches, legacy: Legacy | None = None
) -> Extraction:
    """Return what a tree or a wheel declares.

    Args:
        ops: the ops by name, as they are declared.
        remarks: what is to be said of reading them.
        patches: what is changed of them in older files.
        legacy: what op_compat.yaml says, None for a wheel.
    """
    names = None if legacy is None else LegacyNames(tables=legacy["tables"])
    named_places = {} if legacy is None else legacy["places"]
    complete: dict[str, LocatedPirOp] = {}
    for name, (declared, declared_at) in ops.items():
        op: PirOp = {**declared}
        places: PirPlaces = {**declared_at}
        if name in patches.of_ops:
            op["patches"] = patches.of_ops[name]
        if names is not None:
            sources = sources_of(name, op, names)
            op = named(op, names, sources)
            if sources is not None:
                places["entries"] = names.entries_of((sources.name_giver, *sources.others))
                named_at = places_of(name, named_places)
                if named_at is not None:
                    places["names"] = named_at
        complete[name] = op, places
    return Extraction(
        ops=complete,
        remarks=(*remarks, *patches.remarks),
        has_names=legacy is not None,
        version=patches.version,
        loading=patches.loading,
        places=patches.places,
    )


class Sources(Record):
    """The ops of a ProgramDesc that are translated to an op of PIR.

    `renamed` are those of other names, of which the first gives its arguments their names (`name_giver`, its own name
    where there is none), and `others` all but that one.
    """

    renamed: tuple[str, ...]
    name_giver: str
    others: tuple[str, ...]


def sources_of(name: str, op: PirOp, names: LegacyNames) -> Sources | None:
    """Return the ops of a ProgramDesc that are translated to an op, None for one of a dialect that has none.

    Args:
        name: the name of the op.
        op: the record of its declaration.
        names: the names that op_compat.yaml has.
    """
    if not name.startswith(_TRANSLATED):
        return None
    plain = name.removeprefix(_TRANSLATED)
    own = op.get("kernel_of", plain).rstrip("_")
    renamed = names.of_op(own)
    others = {*renamed[1:], *translators.sources(plain)} - set(renamed[:1])
    if renamed and names.keeps_name(own):
        others.add(own)
    return Sources(renamed=renamed, name_giver=renamed[0] if renamed else own, others=tuple(sorted(others)))


def named(op: PirOp, names: LegacyNames, sources: Sources | None) -> PirOp:
    """Return the record of an op with its names in a ProgramDesc.

    Args:
        op: the record of its declaration.
        names: the names that op_compat.yaml has.
        sources: the ops of a ProgramDesc that are translated to it.
    """
    if sources is None:
        return _unnamed(op)
    known_as = sources.name_giver
    result: PirOp = {
        **op,
        "inputs": [_input(each, names, known_as) for each in op.get("inputs", ())],
        "outputs": [_named(each, names.argument(known_as, each["name"])) for each in op.get("outputs", ())],
        "attrs": [_attr(each, names, known_as) for each in op.get("attrs", ())],
    }
    if sources.renamed:
        result["legacy_names"] = sources.renamed
    different = tuple(_others(op, sources.others, names))
    if different:
        result["other_legacy_names"] = different
    return result


def _unnamed(op: PirOp) -> PirOp:
    """Return the record of an op that no op of a ProgramDesc is translated to."""
    return {
        **op,
        "inputs": [_without(each, "legacy_name", "legacy_tensors") for each in op.get("inputs", ())],
        "outputs": [_without(each, "legacy_name") for each in op.get("outputs", ())],
        "attrs": [_without(each, "legacy_name", "legacy_extra") for each in op.get("attrs", ())],
    }


def _without(argument: Mapping[str, Any], *fields: str) -> dict[str, Any]:
    return {**argument, "unknown": [*argument.get("unknown", ()), *fields]}


def _others(op: PirOp, others: Iterable[str], names: LegacyNames) -> Iterator[tuple[str, str, str]]:
    """Yield what the other ops of a ProgramDesc that become an op call its arguments, where that is another name."""
    for other in others:
        for each, is_attr in _arguments(op):
            name = names.attr(other, each) if is_attr else names.argument(other, each)
            if name != each:
                yield other, each, name


def _arguments(op: PirOp) -> Iterator[tuple[str, bool]]:
    """Yield the names of an op's arguments, and whether each is an attr of the op of a ProgramDesc."""
    for each in op.get("inputs", ()):
        yield each["name"], each.get("mutable_attr", False)
    for each in op.get("outputs", ()):
        yield each["name"], False
    for each in op.get("attrs", ()):
        yield each["name"], True


def _input(own: PirVariable, legacy: LegacyNames, known_as: str) -> PirVariable:
    if not own.get("mutable_attr"):
        return _named(own, legacy.argument(known_as, own["name"]))
    found = _named(own, legacy.attr(known_as, own["name"]))
    tensors = legacy.tensors(known_as, own["name"])
    return {**found, "legacy_tensors": tensors} if tensors else found


def _attr(own: PirAttr, legacy: LegacyNames, known_as: str) -> PirAttr:
    name = legacy.attr(known_as, own["name"])
    found: PirAttr = own if name == own["name"] else {**own, "legacy_name": name}
    return {**found, "legacy_extra": True} if legacy.is_extra(known_as, name) else found


def _named(own: PirVariable, name: str) -> PirVariable:
    return own if name == own["name"] else {**own, "legacy_name": name}
