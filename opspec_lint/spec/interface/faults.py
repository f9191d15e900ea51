"""Validation of interfaces: a spec file that was written by hand may lack types, or contain unreadable ones."""

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
    """Raise an error unless every type, default value and trace of an interface can be parsed, and no type is missing.

    Raises:
        InputError: a type, value or trace cannot be parsed, or is missing; the message names the place.
    """
    for op in spec.ops.values():
        for where, problem in _faults(op):
            raise InputError(spec.file, problem, where=join("ops", op.name, *where), advice=_ADVICE)
        for where, text, read in _texts_to_parse(op):
            _require_readable(spec, join("ops", op.name, *where), text, read)


def _require_readable(spec: Spec, where: str, text: str, read: Callable[[str], object]) -> None:
    try:
        read(text)
    except types.TypeTextError as error:
        raise InputError(spec.file, f"is no type: {error}", where=where, advice=_ADVICE) from None


def _faults(op: Op) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield missing types, and fields that a declaration of its kind does not have, each with its path."""
    typed = ("attrs",) if is_function(op) else ("inputs", "outputs")
    for section in typed:
        for index, argument in enumerate(getattr(op, section)):
            if not isinstance(argument.type, str):
                yield (section, index), "the type is missing"
    for index, argument in enumerate(op.inputs):
        field = "type" if is_function(op) else "passing"
        if argument.get(field) not in (None, UNKNOWN):
            yield ("inputs", index, field), f"an input of a {call_kind(op)} has no {field}"
    excluded = "outputs" if is_function(op) else "attrs"
    if getattr(op, excluded):
        yield (excluded,), f"a {call_kind(op)} has no {excluded}"


def _texts_to_parse(op: Op) -> Iterator[tuple[tuple[str | int, ...], str, Callable[[str], object]]]:
    """Yield each text of a declaration that must be parsed: its path, the text, and the parser."""
    for section, arguments in (("inputs", op.inputs), ("outputs", op.outputs), ("attrs", op.attrs)):
        for index, argument in enumerate(arguments):
            for field in ("type", "default"):
                text = argument.get(field)
                if isinstance(text, str):
                    yield (section, index, field), text, types.parse
    for index, attr in enumerate(op.attrs):
        yield ("attrs", index, "name"), attr.name, traces.parse_arguments
