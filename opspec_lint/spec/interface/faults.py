"""Whether the texts of an interface are types: those of a file that somebody wrote by hand need not be."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.text import join
from opspec_lint.spec.interface import traces, types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.spec.model import Op, Spec


def require_types(spec: Spec) -> None:
    """Make sure that every type, default value and trace of an interface can be read.

    Raises:
        InputError: one cannot; the message names the place.
    """
    for op in spec.ops.values():
        for where, text, read in _texts(op):
            _require(spec, join("ops", op.name, *where), text, read)


def _require(spec: Spec, where: str, text: str, read: Callable[[str], object]) -> None:
    try:
        read(text)
    except types.TypeTextError as error:
        advice = "write it as `opspec-lint extract MODEL` does, such as float32[None, 4]"
        raise InputError(spec.file, f"is no type: {error}", where=where, advice=advice) from None


def _texts(op: Op) -> Iterator[tuple[tuple[str | int, ...], str, Callable[[str], object]]]:
    """Yield each text of a declaration with its place, and what reads it."""
    for section, things in (("inputs", op.inputs), ("outputs", op.outputs), ("attrs", op.attrs)):
        for at, each in enumerate(things):
            for field in ("type", "default"):
                text = each.get(field)
                if isinstance(text, str):
                    yield (section, at, field), text, types.parse
    for at, attr in enumerate(op.attrs):
        yield ("attrs", at, "name"), attr.name, traces.arguments
