"""The result of the extraction of a tree, and the spec made from it."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.tree.translators import FIELD as TRANSLATOR
from opspec_lint.frameworks.paddle.framework import FLAGS
from opspec_lint.kit.lazy_mapping import LazyMapping
from opspec_lint.kit.record import Record
from opspec_lint.spec import fields, records
from opspec_lint.spec.fields import SECTIONS
from opspec_lint.spec.identity import without_build
from opspec_lint.spec.model import UNKNOWN, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opspec_lint.frameworks.paddle.extract.declarations import Aliases, History
    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.model import Origin, Provenance
    from opspec_lint.spec.records import LocatedAttr, LocatedOp, Place, RemarkRecord

FRAMEWORK = "paddle"
_LATE_FLAGS = tuple(flag.field for flag in FLAGS if flag.is_late)
_MESSAGES: dict[Section, str] = {"inputs": "Var", "outputs": "Var", "attrs": "Attr"}
"""The messages of framework.proto that declare flags."""
_NEVER_STATED = frozenset({"type", "type_attr", "number_attr", "type_list_attr", "is_ref"})
"""Fields of inputs and outputs that no tree of Paddle states."""


class Extraction(Record):
    """The declarations of a tree, as plain data.

    An op that builds declare differently is in `ops` once more for each form, as `NAME [BUILD]`. `boilerplate` are the
    attrs that the framework appends to every op, `without` the ops without a proto, `flags` the late flags that the
    tree knows. `histories` and `aliases` are by op. `translators` are the places of special handlers of the translation
    to PIR; None for a tree without a translation.
    """

    ops: Mapping[str, LocatedOp] = {}
    boilerplate: Sequence[LocatedAttr] = ()
    histories: Mapping[str, History] = {}
    has_versions: bool = False
    without: Sequence[str] = ()
    remarks: Sequence[RemarkRecord] = ()
    aliases: Mapping[str, Aliases] = {}
    flags: Sequence[str] = ()
    translators: Mapping[str, Place] | None = None

    def spec(self, file: str, provenance: Provenance) -> Spec:
        """Return the spec of the tree; `file` is the name that messages call it by."""
        histories = self.histories
        op_versions = {
            op: records.checkpoints_from_records(history["checkpoints"]) for op, history in histories.items()
        }
        return Spec(
            file=file,
            provenance=provenance,
            ops=records.OpReader(
                FRAMEWORK, _known_fields(self.flags, translates=self.translators is not None), self.boilerplate
            ).located_table(self.ops, self._places_of_fields if self.translators else None),
            op_versions=op_versions if histories or self.has_versions else UNKNOWN,
            history_origins=LazyMapping(histories, _places_of_history),
            name_origins=LazyMapping(self.aliases, _places_of_names),
            remarks=tuple(map(records.remark_from_record, self.remarks)),
        )

    def _places_of_fields(self, op: str, _: LocatedOp) -> dict[str, Origin]:
        """Return the places of an op's fields that are not in its declaration."""
        place = (self.translators or {}).get(without_build(op))
        origin = None if place is None else records.origin_from_place(place)
        return {} if origin is None else {TRANSLATOR: origin}


def known_flags(has_field: Callable[[str, str], bool]) -> tuple[str, ...]:
    """Return the late flags that a tree knows; `has_field` tells whether a message of framework.proto has a field."""
    # A flag of several messages came to all of them in one commit.
    return tuple(flag.name for flag in _LATE_FLAGS if has_field(_MESSAGES[flag.sections[0]], flag.name))


def _known_fields(flags: Sequence[str], *, translates: bool) -> dict[Section, set[str]]:
    """Return the fields that a tree states by section, given its late flags and whether it translates to PIR."""
    table = fields.field_table(FRAMEWORK)
    unknown = _NEVER_STATED.union(flag.name for flag in _LATE_FLAGS).difference(flags)
    known = {section: {*table.fields_of(section)} - unknown for section in SECTIONS}
    return known | {"ops": {TRANSLATOR} if translates else set(), "attrs": known["attrs"] | {"type"}}


def _places_of_history(_: str, history: History) -> tuple[tuple[Origin, ...], ...]:
    """Return the origins of the checkpoints of an op and of their updates."""
    return tuple(tuple(map(records.origin_from_place, places)) for places in history["places"])


def _places_of_names(_: str, aliases: Aliases) -> dict[str, tuple[str, Origin]]:
    """Return the aliases of an op with their origins."""
    return {alias: (name, records.origin_from_place(place)) for alias, (name, place) in aliases.items()}
