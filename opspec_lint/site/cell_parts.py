"""Declarations as short texts for a cell of a table."""

from __future__ import annotations

from opspec_lint.kit.record import Compact
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.site.timeline import SECTION_OF
from opspec_lint.spec import values
from opspec_lint.spec.fields import TYPE_FIELDS
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.site.timeline import DeclarationPeriod
    from opspec_lint.spec.fact import Kind
    from opspec_lint.spec.fields import Field, FieldTable
    from opspec_lint.spec.model import Declared

_LONG = 48
"""Characters of a value that is shown as it is; a longer one is folded."""
_LONGEST = 2000
_DEFAULTS = ("default_value", "default")


class Part(Compact):
    """A part of a declaration: its label ("" for a type), its text, what is shown of a long one, and if it changed."""

    label: str
    text: str
    short: str = ""
    is_changed: bool = False


def parts(kind: Kind, period: DeclarationPeriod, table: FieldTable) -> tuple[Part, ...]:
    """Return the parts of a declaration: its type and its default value first."""
    if period.declared is None:
        return ()
    every = table.fields_of(SECTION_OF[kind])
    # The default value is shown before the other fields, since most changes that readers look for are in it.
    result = [] if kind == "op" else [*_type(period.declared, period.changed)]
    rest = [name for name in every if kind == "op" or name not in TYPE_FIELDS]
    for name in sorted(rest, key=lambda field_name: field_name not in _DEFAULTS):
        result += _part(every[name], period.declared.get(name), is_changed=name in period.changed)
    return tuple(result)


def _type(declared: Declared, changed: tuple[str, ...]) -> Iterator[Part]:
    named = {name: value for name in TYPE_FIELDS if type(value := declared.get(name)) is str}
    text = " × ".join(named[name] for name in ("number_attr", "type", "type_attr", "type_list_attr") if name in named)  # noqa: RUF001
    if text:
        yield _make_part("", text, is_changed=not set(TYPE_FIELDS).isdisjoint(changed))


def _part(field: Field, value: Any, *, is_changed: bool) -> Iterator[Part]:
    """Yield the text of a field, unless it has its default and did not change."""
    if value is UNKNOWN or (values.same(value, field.default) and not is_changed):
        return
    name = field.name.replace("_", " ")
    if field.form == "flag":
        yield Part(label=name if value else f"not {name}", text="", is_changed=is_changed)
        return
    label = "one of" if field.name == "allowed_values" else name
    if field.name in _DEFAULTS:
        label = "="
    yield _make_part(label, _value_text(value), is_changed=is_changed)


def _make_part(label: str, text: str, *, is_changed: bool) -> Part:
    text = shorten(one_line(text), _LONGEST)
    short = "" if len(text) <= _LONG else shorten(text, _LONG)
    return Part(label=label, text=text, short=short, is_changed=is_changed)


def _value_text(value: Any) -> str:
    """Return a value in a readable form; lists of names without quotes."""
    if value is None:
        return "none"
    if isinstance(value, tuple) and value and all(type(item) is str for item in value):
        return ", ".join(value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_value_text(item)}" for key, item in _items(value))
    return values.show(values.thaw(value))


def _items(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted(value.items())
