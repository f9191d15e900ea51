"""What is said of an op besides its declaration: its names in a ProgramDesc, and the patches of it."""

from __future__ import annotations

import json

from opspec_lint.frameworks.paddle.saved.translation import translators
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.frameworks.paddle.source.dialect.legacy import Legacy
    from opspec_lint.frameworks.paddle.source.dialect.legacy_names import LegacyNames
    from opspec_lint.spec.model import Attr, Input, Op, Output

_TRANSLATED = "pd_op."


def completed(op: Op, legacy: Legacy | None, kernel_of: str | None, patches: Iterable[str] | None) -> Op:
    """Return an op with its names in a ProgramDesc and its patches.

    Args:
        op: the op as it is declared.
        legacy: what op_compat.yaml says, None where nobody knows it.
        kernel_of: the op that it is one kernel of, None where that has one kernel.
        patches: the actions of patches, as JSON, None where they are not known.
    """
    actions = None if patches is None else tuple(values.freeze(json.loads(each)) for each in patches)
    if legacy is None:
        return op.but(own={**op.own, "patches": actions})
    told = {**op.own, "kernel_of": kernel_of, "patches": actions}
    if not op.name.startswith(_TRANSLATED):
        return op.but(own={**told, "legacy_names": (), "other_legacy_names": ()})
    names = legacy.names
    known, known_as, others = _sources(op.name, kernel_of, names)
    return op.but(
        own={**told, "legacy_names": known, "other_legacy_names": tuple(_others(op, others, names))},
        inputs=tuple(_input(each, names, known_as) for each in op.inputs),
        outputs=tuple(_named(each, names.argument(known_as, each.name)) for each in op.outputs),
        attrs=tuple(_attr(each, names, known_as) for each in op.attrs),
        places=legacy.places(op),
    )


def told_of(op: str, legacy: Legacy | None, kernel_of: str | None) -> tuple[tuple[str, ...], Any] | None:
    """The names of an op in a ProgramDesc, and what else the names of its arguments follow from.

    Args:
        op: the name of the op.
        legacy: what op_compat.yaml says, None where nobody knows it.
        kernel_of: the op that it is one kernel of, None where that has one kernel.
    """
    if legacy is None:
        return None
    if not op.startswith(_TRANSLATED):
        return (), ()
    known, known_as, others = _sources(op, kernel_of, legacy.names)
    return known, legacy.names.told_of((known_as, *others))


def _sources(op: str, kernel_of: str | None, names: LegacyNames) -> tuple[tuple[str, ...], str, list[str]]:
    """Return the sources of an op that have another name, the one that names its arguments, and all others."""
    name = op.removeprefix(_TRANSLATED)
    own = (kernel_of or name).rstrip("_")
    known = names.of_op(own)
    others = {*known[1:], *translators.sources(name)} - set(known[:1])
    if known and names.keeps_name(own):
        others.add(own)
    return known, known[0] if known else own, sorted(others)


def _others(op: Op, others: Iterable[str], names: LegacyNames) -> Iterator[tuple[str, str, str]]:
    """Yield what the other ops of a ProgramDesc that become an op call its arguments, where that is another name."""
    for other in others:
        for each in (*op.inputs, *op.outputs, *op.attrs):
            is_attr = each in op.attrs or each.get("mutable_attr") is True
            name = names.attr(other, each.name) if is_attr else names.argument(other, each.name)
            if name != each.name:
                yield other, each.name, name


def _input(own: Input, legacy: LegacyNames, known_as: str) -> Input:
    is_attr = own.get("mutable_attr") is True
    name = legacy.attr(known_as, own.name) if is_attr else legacy.argument(known_as, own.name)
    tensors = legacy.tensors(known_as, own.name) if is_attr else ()
    return own.but(own={**own.own, "legacy_name": _other(name, own.name), "legacy_tensors": tensors})


def _attr(own: Attr, legacy: LegacyNames, known_as: str) -> Attr:
    name = legacy.attr(known_as, own.name)
    more = {"legacy_name": _other(name, own.name), "legacy_extra": legacy.is_extra(known_as, name)}
    return own.but(own={**own.own, **more})


def _named(own: Output, name: str) -> Output:
    return own.but(own={**own.own, "legacy_name": _other(name, own.name)})


def _other(name: str, own: str) -> str | None:
    return None if name == own else name
