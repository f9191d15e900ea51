"""Frozen, keyword-only value classes that are cheap to define and to create.

The program runs on every commit, so its start-up time counts; docs/explanation/design-decisions.md has the figures of
dataclasses. Type checkers see a `Record` as a frozen, keyword-only dataclass.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Generic, TypeVar

    from typing_extensions import Self, dataclass_transform

    _T = TypeVar("_T")
else:

    def dataclass_transform(**_):
        """Only type checkers need the real one."""
        return lambda cls: cls

    class Generic:
        """Base of generic classes, whose parameters only type checkers need: `typing` is not imported at start-up."""

        def __class_getitem__(cls, _):
            return cls


__all__ = ["Compact", "Generic", "Record", "Sparse"]

_REQUIRED = object()


class _RecordType(type):
    """A metaclass that collects the annotations of a class and its bases in `_fields`: the defaults, or `_REQUIRED`."""

    def __new__(mcs: type[_RecordType], name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _RecordType:
        own = [field for field, kind in _annotations(namespace).items() if not str(kind).startswith("ClassVar")]
        fields: dict[str, Any] = {}
        for base in bases:
            fields |= getattr(base, "_fields", {})
        fields |= {field: namespace.pop(field, _REQUIRED) for field in own}
        required = frozenset(field for field, default in fields.items() if default is _REQUIRED)
        # A base whose instances have no `__dict__` (`Compact`) stores fields in slots, and so do its subclasses.
        if any(base.__dictoffset__ == 0 and base is not Record for base in bases):
            places: dict[str, Any] = {"__slots__": tuple(own)}
        else:
            # Also without a default: a property of that name in a base would be found before the field.
            places = {field: None if fields[field] is _REQUIRED else fields[field] for field in own}
        return super().__new__(mcs, name, bases, namespace | places | {"_fields": fields, "_required": required})


def _annotations(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the annotations in the body of a class."""
    if "__annotate_func__" not in namespace:
        annotations: dict[str, Any] = namespace.get("__annotations__", {})
        return annotations
    # From Python 3.14 on, the annotations of a module without `from __future__ import annotations` are evaluated later.
    from annotationlib import Format, call_annotate_function  # type: ignore[import-not-found,unused-ignore]

    lazy: dict[str, Any] = call_annotate_function(namespace["__annotate_func__"], Format.STRING)
    return lazy


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record(metaclass=_RecordType):
    """Base of all value classes: the annotations are its fields, which are set by keyword and never change.

    Two records are equal if they have the same class and all their fields are equal.

    Raises:
        TypeError: a field is missing or unknown.
        AttributeError: a field is assigned after the record was made.
    """

    __slots__ = ()

    if TYPE_CHECKING:
        _fields: ClassVar[dict[str, Any]]
    else:

        def __init__(self, **values):
            """Set every field, from `values` or from its default."""
            fields = self._fields
            # One merge of dicts finds unknown fields by its length: this constructor runs for every argument of a spec.
            merged = fields | values
            if len(merged) != len(fields) or not values.keys() >= self._required:
                raise TypeError(_mismatch(type(self), values))
            _put(self, "__dict__", merged)

        def __setattr__(self, name, value):
            raise AttributeError(f"{type(self).__name__} is frozen")

        def __delattr__(self, name):
            raise AttributeError(f"{type(self).__name__} is frozen")

    def replace(self, **values: Any) -> Self:
        """Return a copy with some fields replaced; the record itself if no value changes."""
        # An identical record keeps its identity, by which caches know it.
        if all(getattr(self, field, _REQUIRED) is value for field, value in values.items()):
            return self
        return type(self)(**self.__dict__ | values)

    @classmethod
    def restored(cls, fields: object) -> Self | None:
        """Return a record from its `__dict__`; None for anything else."""
        if type(fields) is dict and fields.keys() == cls._fields.keys():
            return cls(**fields)
        return None

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{field}={value!r}' for field, value in self.__dict__.items())})"

    # For classes with slots, pickle would set the fields one by one, which a frozen class refuses.
    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.__dict__)


class Compact(Record):
    """Base of value classes with many instances, which take a third of the memory of other records."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __init__(self, **values):
            """Set every field, from `values` or from its default."""
            fields = self._fields
            merged = fields | values
            if len(merged) != len(fields) or not values.keys() >= self._required:
                raise TypeError(_mismatch(type(self), values))
            for field, value in merged.items():
                _put(self, field, value)

        @property
        def __dict__(self):
            """The fields by name, as other records have them."""
            return {field: getattr(self, field) for field in self._fields}


class Sparse(Record):
    """Base of value classes with many fields that mostly have their default: an instance holds only the others.

    A default is found in the class, so it must be no function.
    """

    if not TYPE_CHECKING:

        def __init__(self, **values):
            """Set the fields of `values`; the others have their defaults."""
            if not self._required <= values.keys() <= self._fields.keys():
                raise TypeError(_mismatch(type(self), values))
            _put(self, "__dict__", values)

    def __eq__(self, value: object) -> bool:
        return type(self) is type(value) and self._fields | self.__dict__ == value._fields | value.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *(self._fields | self.__dict__).values()))


_put = object.__setattr__


def _rebuild(cls: type[_T], values: dict[str, Any]) -> _T:
    return cls(**values)


def _mismatch(cls: type[Record], values: dict[str, Any]) -> str:
    for field in values:
        if field not in cls._fields:
            return f"{cls.__name__} has no field {field!r}"
    missing = next(field for field, default in cls._fields.items() if default is _REQUIRED and field not in values)
    return f"{cls.__name__} needs {missing!r}"
