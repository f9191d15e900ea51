"""Resolution of the names in a schema: types by namespace, and the order of declarations.

`flatc` reads a schema from its top to its end. An enum, a union, an attribute, and a struct in a struct, must be
declared above the place that uses them; a table need not.
"""

from __future__ import annotations

from itertools import islice

from opspec_lint.documents.fbs.schema import SYNONYMS
from opspec_lint.kit.errors import nearest_advice
from opspec_lint.spec.slots import FLOATS, SCALARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.documents.fbs.syntax import RawDeclaration, RawFile, RawItem, RawRoot

_INTEGERS = frozenset(SCALARS) - FLOATS - {"bool"}


class SchemaNames:
    """The declared names of all files of a schema.

    Args:
        files: the content of the files, in the order in which `flatc` reads them.

    Raises:
        InputError: a name is declared twice.
    """

    def __init__(self, files: Iterable[RawFile]) -> None:
        self.raws: dict[str, RawDeclaration] = {}
        # Places in the order of `raws`: of each declaration, of the first declaration below an attribute, and of the
        # first declaration of a file.
        self._orders: dict[str, int] = {}
        self._attributes: dict[str, int] = {}
        self._starts: dict[str, int] = {}
        # None for a name that is not declared.
        self._full_names: dict[tuple[str, str], str | None] = {}
        for file in files:
            self._add(file)

    def _add(self, file: RawFile) -> None:
        """Add the declarations and attributes of a file; refuse a name that was declared before."""
        start = self._starts[file.text.path] = len(self.raws)
        for name, above in file.attributes:
            self._attributes.setdefault(name, start + above)
        for raw in file.declarations:
            name = raw.full_name
            if name in self.raws:
                first = self.raws[name]
                place = f"{first.text.path}, line {first.text.line(first.at)}"
                raw.text.refuse(raw.at, f"{name!r} is declared twice, first in {place}")
            self._orders[name] = len(self.raws)
            self.raws[name] = raw

    def full(self, name: str, namespace: str) -> str | None:
        """Return the full name of a type that is used in a namespace; None if it is not declared."""
        key = namespace, name
        if key not in self._full_names:
            around = namespace
            while around and f"{around}.{name}" not in self.raws:
                around = around.rpartition(".")[0]
            full = f"{around}.{name}" if around else name
            self._full_names[key] = full if self.form(full) not in (None, "rpc_service") else None
        return self._full_names[key]

    def form(self, kind: str) -> str | None:
        """Return the form of a type, None for a scalar and for `string`."""
        raw = self.raws.get(kind)
        return None if raw is None else raw.form

    def is_above(self, name: str, raw: RawDeclaration) -> bool:
        """Return whether a declaration is above another one, or is the same one."""
        return self._orders[name] <= self._orders[raw.full_name]

    def knows_attribute(self, name: str, raw: RawDeclaration) -> bool:
        """Return whether an attribute is declared above a declaration."""
        return name in self._attributes and self._attributes[name] <= self._orders[raw.full_name]

    def type_of(self, raw: RawDeclaration, item: RawItem, name: str | None = None) -> str:
        """Return the type of an item: a scalar, `string`, or the full name of a declaration.

        Args:
            raw: the declaration that contains the item.
            item: the item.
            name: the type as it is written; by default, the type of the item.

        Raises:
            InputError: the type is not declared, or is declared below its use.
        """
        name = item.type if name is None else name
        kind = scalar_type(name) or ("string" if name == "string" else self.full(name, raw.namespace))
        if kind is None:
            advice = nearest_advice(name, [*self.raws, *SCALARS])
            raw.text.refuse(raw.place(item), f"the type {name!r} is not declared", advice)
        if self.form(kind) in ("enum", "union") and not self.is_above(kind, raw):
            problem = f"the {self.form(kind)} {name!r} is declared below"
            raw.text.refuse(raw.place(item), problem, f"declare {name!r} above {raw.name!r}")
        return kind

    def root(self, written: RawRoot, file: RawFile) -> str:
        """Return the full name of a root type.

        Raises:
            InputError: the root is no table, or is declared below.
        """
        name, namespace = written.name, written.namespace
        full = next(
            # Unlike the type of a field, a root type is first looked for without the namespace (SetRootType,
            # src/idl_parser.cpp).
            (candidate for candidate in (name, f"{namespace}.{name}") if self.form(candidate) in ("table", "struct")),
            None,
        )
        if full is None or self.form(full) != "table":
            advice = nearest_advice(name, self.raws)
            file.text.refuse(written.at, f"the root type {name!r} is not a table of the schema", advice)
        declared_above = self._starts[file.text.path] + written.above
        if self._orders[full] >= declared_above and not self._is_mentioned(full, declared_above):
            problem = f"the root type {name!r} is declared below"
            file.text.refuse(written.at, problem, "move root_type below the table")
        return full

    def is_known(self, full: str, raw: RawDeclaration, item: RawItem) -> bool:
        """Return whether a type is declared or used above an item, or by the declaration of the item."""
        if self.is_above(full, raw) or self._is_mentioned(full, self._orders[raw.full_name]):
            return True
        return any(self.full(earlier.type, raw.namespace) == full for earlier in raw.items[: raw.items.index(item)])

    def _is_mentioned(self, full: str, end: int) -> bool:
        """Return whether one of the first `end` declarations uses a type."""
        return any(
            self.full(item.type, raw.namespace) == full for raw in islice(self.raws.values(), end) for item in raw.items
        )

    def scalar_of(self, kind: str) -> str | None:
        """Return the scalar type of the bytes of a scalar or enum, None for any other type."""
        if kind in SCALARS:
            return kind
        raw = self.raws.get(kind)
        return self.underlying(raw) if raw is not None and raw.form == "enum" else None

    def underlying(self, raw: RawDeclaration) -> str:
        """Return the integer type of the values of an enum, or of the type of a union.

        Raises:
            InputError: the type is no integer type, or an enum names none.
        """
        if raw.underlying is None and raw.form == "union":
            return "ubyte"
        if raw.underlying is None:
            problem = f"the enum {raw.name!r} names no underlying type"
            raw.text.refuse(raw.at, problem, f"write the type of its values, such as `enum {raw.name} : short`")
        underlying = self._underlying_of_enum(raw)
        if underlying not in _INTEGERS:
            problem = f"the underlying type of the {raw.form} {raw.name!r} must be an integer type"
            raw.text.refuse(raw.at, problem)
        return underlying

    def _underlying_of_enum(self, raw: RawDeclaration) -> str | None:
        """Return the scalar type that an enum names, directly or through other enums."""
        while (underlying := scalar_type(raw.underlying or "")) is None:
            enum = self.full(raw.underlying or "", raw.namespace)
            if enum is None or self.form(enum) != "enum" or self._orders[enum] >= self._orders[raw.full_name]:
                return None
            raw = self.raws[enum]
        return underlying


def scalar_type(name: str) -> str | None:
    """Return the one name of a scalar type, None if it is no scalar type."""
    return name if name in SCALARS else SYNONYMS.get(name)
