"""Fast validation of records, by the form of each key's value (`spec.fields.Form`).

The Python type of a value decides in most cases. Only if it does not, the value is examined: the size of an integer,
the items of a list.
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

_NONE_TYPE = type(None)


def is_list_of_strings(value: Any) -> bool:
    """Return whether a value is a list of strings."""
    return type(value) is list and all(type(item) is str for item in value)


def _reject(_: Any) -> bool:
    return False


def _is_integer(value: Any) -> bool:
    return type(value) is int and values.is_attr_value(value)


def _is_number(value: Any) -> bool:
    return _is_integer(value) or (type(value) is float and value - value == 0)


def _is_value(value: Any) -> bool:
    return type(value) in (int, list, dict) and values.is_attr_value(value)


def _is_container_value(value: Any) -> bool:
    return type(value) in (list, dict) and values.is_attr_value(value)


def _is_condition(value: Any) -> bool:
    return (
        type(value) is list
        and len(value) > 0
        and all(is_list_of_strings(alternative) and alternative for alternative in value)
    )


FORMS: dict[str, tuple[frozenset[type], Check]] = {
    "flag": (frozenset({bool}), _reject),
    "text": (frozenset({str}), _reject),
    "name": (frozenset({str, _NONE_TYPE}), _reject),
    "names": (frozenset(), is_list_of_strings),
    "integer": (frozenset({_NONE_TYPE}), _is_integer),
    "number": (frozenset({_NONE_TYPE}), _is_number),
    # Not `int`: the type alone does not tell whether an integer has at most 64 bits.
    "value": (frozenset({_NONE_TYPE, bool, float, str}), _is_value),
    "values": (frozenset({_NONE_TYPE}), _is_container_value),
    "condition": (frozenset({_NONE_TYPE}), _is_condition),
}
"""For each form: the types whose values are all valid, and a check for values of other types."""


def valid_types_and_check(field: Field) -> tuple[frozenset[type], Check]:
    """Return the types whose values are all valid for a field, and a check for values of other types."""
    # No type is valid by itself if the field has a JSON Schema, which has to see each value.
    return (frozenset(), partial(_conforms, field)) if field.schema else FORMS[field.form]


def _conforms(field: Field, value: Any) -> bool:
    from opspec_lint.documents.conformity import conforms

    types, is_of_form = FORMS[field.form]
    return (type(value) in types or is_of_form(value)) and conforms(value, field.schema)


class Forms:
    """The valid keys and values of the records of one section.

    Args:
        known: for each key, the types whose values are all valid, and a check for values of other types.
    """

    def __init__(self, known: Mapping[str, tuple[frozenset[type], Check]]) -> None:
        self._accepted_types = {key: types for key, (types, _) in known.items()}
        self._checks = {key: check for key, (_, check) in known.items()}

    def fit(self, records: Iterable[Any]) -> bool:
        """Return whether all of some records are valid."""
        accepted_types, checks = self._accepted_types, self._checks
        try:
            for record in records:
                if type(record) is not dict:
                    return False
                for key, value in record.items():
                    # This line runs for every field of every argument of a spec, so that most values cost one lookup.
                    if type(value) not in accepted_types[key] and not checks[key](value):
                        return False
        except KeyError:  # a key that there is not
            return False
        return True
