"""Whether an interface says the types that it needs: a file that somebody wrote by hand need not."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.text import join
from opspec_lint.spec.interface import traces, types
from opspec_lint.spec.interface.declarations import call_kind, is_function
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.spec.model import Op, Spec


_ADVICE = "write it as `opspec-lint extract MODEL` does, such as float32[None, 4]"


def require_types(spec: Spec) -> None:
    """Make sure that every type, default value and trace of an interface can be read, and that no type is missing.

    Raises:
        InputError: a type, value or trace cannot be read, or is missing; the message names the place.
    """
    for op in spec.ops.values():
        for where, problem in _faults(op):
            raise InputError(spec.file, problem, where=join("ops", op.name, *where), advice=_ADVICE)
        for where, text, read in _texts(op):
            _require(spec, join("ops", op.name, *where), text, read)


def _require(spec: Spec, where: str, text: str, read: Callable[[str], object]) -> None:
    try:
        read(text)
    except types.TypeTextError as error:
        raise InputError(spec.file, f"is no type: {error}", where=where, advice=_ADVICE) from None


def _faults(op: Op) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield what has no type and needs one, and what a declaration of its kind does not have."""
    typed = ("attrs",) if is_function(op) else ("inputs", "outputs")
    for section in typed:
        for at, each in enumerate(getattr(op, section)):
            if not isinstance(each.type, str):
                yield (section, at), "the type is missing"
    for at, each in enumerate(op.inputs):
        field = "type" if is_function(op) else "passing"
        if each.get(field) not in (None, UNKNOWN):
            yield ("inputs", at, field), f"an input of a {call_kind(op)} has no {field}"
    strangers = "outputs" if is_function(op) else "attrs"
    if getattr(op, strangers):
        yield (strangers,), f"a {call_kind(op)} has no {strangers}"


def _texts(op: Op) -> Iterator[tuple[tuple[str | int, ...], str, Callable[[str], object]]]:
    """Yield each text of a declaration with its place, and what reads it."""
    for section, things in (("inputs", op.inputs), ("outputs", op.outputs), ("attrs", op.attrs)):
        for at, each in enumerate(things):
            for field in ("type", "default"):
                text = each.get(field)
                if isinstance(text, str):
                    yield (section, at, field), text, types.parse
    for at, attr in enumerate(op.attrs):
        yield ("attrs", at, "name"), attr.name, traces.parse_arguments
