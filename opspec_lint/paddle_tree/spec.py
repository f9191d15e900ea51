"""Makes the spec of what a tree declares."""

from __future__ import annotations

from opspec_lint import values
from opspec_lint.model import UNKNOWN, Attr, Checkpoint, Input, Op, Origin, Output, Provenance, Remark, Spec, Update
from opspec_lint.optable import OpTable
from opspec_lint.paddle_tree.units import FLAGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar

    from opspec_lint.paddle_tree.extraction import Extraction

    _V = TypeVar("_V", Input, Output)

_VARIABLE_FLAGS = ("duplicable", "dispensable", "intermediate", "extra", "quant")
_LATE = ("extra", "quant")


def spec_of(found: Extraction, file: str, provenance: Provenance) -> Spec:
    """Return the spec of a tree.

    Args:
        found: what the tree declares.
        file: what the user called it.
        provenance: where it comes from.
    """
    builder = _Builder(found)
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(
            found.ops, builder.op, _numbers, ("paddle-source", found.fields, repr(found.boilerplate)), located=True
        ),
        op_versions={op: _checkpoints(history) for op, history in found.histories.items()}
        if found.histories or found.has_versions
        else UNKNOWN,
        history_origins={op: _places(history) for op, history in found.histories.items()},
        remarks=tuple(_remarks(found)),
    )


class _Builder:
    """Makes ops of records. Most arguments are the same in op after op, so those of the framework are made once."""

    def __init__(self, found: Extraction) -> None:
        self._unknown: dict[str, Any] = {flag: UNKNOWN for flag in _LATE if flag not in found.fields}
        self._known = tuple(flag for flag in _VARIABLE_FLAGS if flag not in self._unknown)
        self._attr_flags = tuple(flag for flag in _LATE if flag not in self._unknown)
        self._boilerplate = tuple(map(self._attr, found.boilerplate))
        self._everywhere = found.builds

    def op(self, name: str, record: tuple[Any, ...]) -> Op:
        (path, line, column, inputs, outputs, attrs), builds = record
        return Op(
            name=name,
            inputs=tuple(self._variable(Input, each) for each in inputs),
            outputs=tuple(self._variable(Output, each) for each in outputs),
            attrs=(*map(self._attr, attrs), *self._boilerplate),
            builds=() if builds == self._everywhere else builds or ("none",),
            origin=Origin(file=path, line=line, column=column),
        )

    def _variable(self, make: type[_V], record: tuple[Any, ...]) -> _V:
        name, mask, file, line, column = record
        flags: dict[str, Any] = {flag: bool(mask & FLAGS[flag]) for flag in self._known}
        return make(name=name, **flags, **self._unknown, origin=Origin(file=file, line=line, column=column))

    def _attr(self, record: tuple[Any, ...]) -> Attr:
        name, kind, default, mask, generated, bounds, file, line, column = record
        allowed, minimum, maximum, unknown = bounds or (None, None, None, False)
        unset = UNKNOWN if unknown else None
        flags: dict[str, Any] = {flag: bool(mask & FLAGS[flag]) for flag in self._attr_flags}
        return Attr(
            name=name,
            type=kind,
            default_value=values.freeze(default),
            allowed_values=unset if allowed is None else allowed,
            minimum=unset if minimum is None else minimum,
            maximum=unset if maximum is None else maximum,
            generated=generated,
            **flags,
            **self._unknown,
            origin=Origin(file=file, line=line, column=column),
        )


def _numbers(record: tuple[Any, ...]) -> list[Any]:
    return [(attr[2], attr[5]) for attr in record[0][5]]


def _checkpoints(history: tuple[Any, ...]) -> tuple[Checkpoint, ...]:
    return tuple(
        Checkpoint(
            note=note,
            updates=tuple(
                Update(action=action, kind=kind, name=name, remark=remark, default_value=_default(action, default))
                for action, kind, name, remark, default, _ in updates
            ),
        )
        for note, updates, _ in history[4]
    )


def _default(action: str, default: Any) -> Any:
    return UNKNOWN if action == "bugfix" else values.freeze(default)


def _places(history: tuple[Any, ...]) -> tuple[tuple[Origin, ...], ...]:
    """Return the origin of each checkpoint, followed by those of its updates."""
    file = history[1]
    return tuple(
        (Origin(file=file, line=line), *(Origin(file=file, line=update[5]) for update in updates))
        for _, updates, line in history[4]
    )


def _remarks(found: Extraction) -> list[Remark]:
    remarks = [
        Remark(
            event="op_unresolved",
            name=op,
            op=None if op == "*" or "/" in op else op.partition(" ")[0],
            digest=digest,
            facts={"reason": reason},
            origin=Origin(file=file, line=line),
        )
        for op, file, line, reason, digest in found.unresolved
    ]
    remarks += (
        Remark(event="op_version_dropped", name=name, op=name, origin=Origin(file=file, line=line))
        for name, file, line in found.dropped
    )
    remarks += (
        Remark(event="compat_key_unread", name=key, op=op.split("(")[0].strip(), origin=Origin(file=file, line=line))
        for op, key, file, line in found.misspelt
    )
    if found.strange_generator is not None:
        file, fingerprint = found.strange_generator
        remarks.append(
            Remark(
                event="yaml_generator_unknown", name=fingerprint, digest=fingerprint, origin=Origin(file=file, line=1)
            )
        )
    return remarks


def as_extraction(plain: Mapping[str, Any]) -> Extraction:
    """Return what `Extraction.plain` was made of."""
    from opspec_lint.paddle_tree.extraction import Extraction

    found = Extraction()
    for name, value in plain.items():
        setattr(found, name, value)
    return found
