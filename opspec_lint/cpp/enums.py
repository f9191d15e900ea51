"""The values of the enumerators of an enum."""

from __future__ import annotations

from opspec_lint.cpp.expressions import evaluate
from opspec_lint.cpp.numbers import Scoped, compute, convert_number, first_fitting, kind_of
from opspec_lint.cpp.tokens import tokens_between_commas
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.variables import Variables
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.expressions import NameResolver
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.type_names import CType

_ENUM_BEFORE = pattern(r"\benum\b(?:\s+(?:class|struct))?(?:\s+[A-Z_]+)?\s+\w+\Z")
_UNDERLYING = pattern(r"\s*(?::\s*([\w:\s]+?))?\s*[{;]")


def enumerators(tokens: Tokens, names: NameResolver, written: str, *, is_scoped: bool = False) -> dict[str, Any]:
    """Return the value of each enumerator, an `UnresolvedError` for one that cannot be evaluated.

    `tokens` are the tokens between the braces, `written` is the text of the underlying type or "", and `is_scoped` is
    true for an `enum class`.
    """
    kind = c_type(written, names) if written else "int"
    environment = Variables(names)
    values: dict[str, Any] = {}
    value: Any = None
    for part in tokens_between_commas(tokens):
        if not part:
            continue
        name = part[0][1]
        try:
            value = _to_underlying(_value(part, value, environment), kind, has_stated_type=bool(written))
        except UnresolvedError as error:
            value = error
        values[name] = Scoped(value) if is_scoped and isinstance(value, int) else value
        environment.declare(name, value, "auto")
    return values


def underlying(code: Code, offset: int) -> str | None:
    """Return the type of the enumerators of an enum whose name ends at an offset; None if that is no enum."""
    if not _ENUM_BEFORE.search(code.bare, max(0, offset - 200), offset):
        return None
    match = _UNDERLYING.match(code.bare, offset)
    return (match[1] or "int") if match else None


def _value(part: Tokens, before: Any, environment: Variables) -> Any:
    """Return the stated value of an enumerator, or the value of the one before it plus 1."""
    if len(part) > 2 and part[1][1] == "=":
        return evaluate(part, 2, len(part), environment)
    if len(part) > 1:
        raise UnresolvedError(f"the enumerator {part[0][1]} is not evaluated")
    return _next_value(before)


def _next_value(value: Any) -> Any:
    """Return a value plus 1, 0 for the first enumerator."""
    if isinstance(value, UnresolvedError):
        raise value
    return 0 if value is None else compute("+", value, 1)


def _to_underlying(value: Any, kind: CType | None, *, has_stated_type: bool) -> Any:
    """Return the value of an enumerator in the type of the enum."""
    if not isinstance(kind, str):
        raise UnresolvedError("the type of an enum is not known")
    if kind_of(value) is None or isinstance(value, float):
        raise UnresolvedError("an enumerator that is not an integer")
    # A stated type truncates the value; without one, each value has the first type from int upwards that holds it. (C++
    # gives all enumerators the widest of these, which changes no value.)
    return convert_number(value, kind) if has_stated_type else first_fitting(int(value), "int")
