"""Whether records are well-formed, decided fast: by what each key may hold.

The type of a value decides nearly always; only where it does not, the value is looked at: how large an integer is, what
is in a list.
"""

from __future__ import annotations

from functools import partial

from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.spec.fields import Field

    Check: TypeAlias = Callable[[Any], bool]

_NONE = type(None)


def are_texts(value: Any) -> bool:
    """Tell whether a value is a list of strings."""
    return type(value) is list and all(type(item) is str for item in value)


def _never(_: Any) -> bool:
    return False


def _is_integer(value: Any) -> bool:
    return type(value) is int and values.is_attr_value(value)


def _is_number(value: Any) -> bool:
    return _is_integer(value) or (type(value) is float and value - value == 0)


def _is_value(value: Any) -> bool:
    return type(value) in (int, list, dict) and values.is_attr_value(value)


def _are_values(value: Any) -> bool:
    return type(value) in (list, dict) and values.is_attr_value(value)


def _is_condition(value: Any) -> bool:
    return (
        type(value) is list and len(value) > 0 and all(are_texts(alternative) and alternative for alternative in value)
    )


FORMS: dict[str, tuple[frozenset[type], Check]] = {
    "flag": (frozenset({bool}), _never),
    "text": (frozenset({str}), _never),
    "name": (frozenset({str, _NONE}), _never),
    "names": (frozenset(), are_texts),
    "integer": (frozenset({_NONE}), _is_integer),
    "number": (frozenset({_NONE}), _is_number),
    "value": (frozenset({_NONE, bool, float, str}), _is_value),
    "values": (frozenset({_NONE}), _are_values),
    "condition": (frozenset({_NONE}), _is_condition),
}
"""Of each form (`spec.fields.Form`) the types that decide, and what tells whether another value is of it."""


def of_field(field: Field) -> tuple[frozenset[type], Check]:
    """Return the types that decide whether a value is one of a field, and what tells whether another value is."""
    return (frozenset(), partial(_conforms, field)) if field.schema else FORMS[field.form]


def _conforms(field: Field, value: Any) -> bool:
    from opspec_lint.documents.conformity import conforms

    types, is_of_form = FORMS[field.form]
    return (type(value) in types or is_of_form(value)) and conforms(value, dict(field.schema))


class Forms:
    """What records of one kind may hold.

    Args:
        known: of each key, the types that decide and what tells whether another value will do.
    """

    def __init__(self, known: Mapping[str, tuple[frozenset[type], Check]]) -> None:
        self._sure = {key: types for key, (types, _) in known.items()}
        self._checks = {key: check for key, (_, check) in known.items()}

    def fit(self, records: Iterable[Any]) -> bool:
        """Tell whether all of some records are well-formed."""
        sure, checks = self._sure, self._checks
        try:
            for record in records:
                if type(record) is not dict:
                    return False
                for key, value in record.items():
                    if type(value) not in sure[key] and not checks[key](value):
                        return False
        except KeyError:  # a key that there is not
            return False
        return True
