"""Calls of Python's own functions and methods that the evaluation follows, such as `range` and `str.format`."""

from __future__ import annotations

from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.operators import MAX_SIZE, Operators
from opspec_lint.frameworks.pytorch.extract.python.values import (
    CONTAINER,
    PRIMITIVE,
    UNKNOWN,
    Class,
    Function,
    Partial,
    Unknown,
    is_known,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.pytorch.extract.python.state import Frame

_STRING_METHODS = frozenset(
    """
    capitalize casefold endswith find format join lower lstrip partition removeprefix removesuffix replace rpartition
    rsplit rstrip split splitlines startswith strip title upper
    """.split()  # noqa: SIM905 - a list would have a line for each
)
_CONTAINER_METHODS = frozenset(
    ("append", "copy", "extend", "get", "items", "keys", "update", "values", "add", "insert")
)
_BUILTINS: Mapping[str, Callable[..., Any]] = {
    **{
        function.__name__: function
        for function in (len, str, repr, int, float, bool, list, tuple, dict, sorted, min, max, sum)
    },
    "enumerate": lambda items, start=0: list(enumerate(items, start)),
    "range": lambda *arguments: list(range(*arguments)),
    "reversed": lambda items: list(reversed(items)),
    # A dict in place of a set: the order of a set of strings differs from run to run.
    "set": lambda items=(): dict.fromkeys(items),
    "frozenset": lambda items=(): dict.fromkeys(items),
    "zip": lambda *iterables: list(zip(*iterables, strict=False)),
    "itertools.chain": lambda *iterables: [item for items in iterables for item in items],
    "itertools.product": lambda *iterables: list(_limited_product(iterables)),
}


class BuiltinCalls(Operators):
    """The evaluation of calls of Python's own functions and methods."""

    def call_builtin(
        self,
        path: str,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        """Return the result of a call of Python's own function `path`; UNKNOWN for a function that is not followed."""
        if path == "functools.partial" and arguments:
            return Partial(arguments[0], arguments[1:], keywords)
        if path in _BUILTINS:
            return self.apply(partial(_BUILTINS[path], **keywords), *map(self.resolve_deeply, arguments))
        if path == "getattr" and len(arguments) > 1 and isinstance(name := self.resolve_deeply(arguments[1]), str):
            return self.get_attribute(arguments[0], name)
        if path == "isinstance" and len(arguments) == 2:
            return self._is_instance(*map(self.resolve, arguments))
        if path == "callable" and isinstance(
            self.resolve(arguments[0]) if arguments else None, Function | Class | Partial
        ):
            return True
        if path == "map" and len(arguments) == 2 and (items := self.known_items(arguments[1])) is not None:
            return [self.call(arguments[0], (item,), {}, node, frame) for item in items]
        return UNKNOWN

    @staticmethod
    def _is_instance(value: object, kind: object) -> object:
        """Return whether `isinstance(value, kind)` is true, UNKNOWN where the type is none of Python's own."""
        if isinstance(value, Function) and isinstance(kind, Unknown) and kind.path == "str":
            return False
        if not isinstance(value, (*PRIMITIVE, *CONTAINER)) or not isinstance(kind, Unknown):
            return UNKNOWN
        types = {kind.__name__: kind for kind in (str, int, float, bool, tuple, list, dict)}
        return isinstance(value, types[kind.path]) if kind.path in types else UNKNOWN

    def call_method(
        self, owner: object, name: str, arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> object:
        """Return the result of a method of a string or container."""
        if isinstance(owner, str) and name in _STRING_METHODS:
            positional = list(map(self.resolve_deeply, arguments))
            named = {key: self.resolve_deeply(value) for key, value in keywords.items()}
            if not all(map(is_known, named.values())):
                return UNKNOWN
            return self.apply(lambda text, *rest: getattr(text, name)(*rest, **named), owner, *positional)
        if isinstance(owner, list | dict | set) and name in _CONTAINER_METHODS:
            return self._call_container_method(owner, name, list(arguments), keywords)
        return UNKNOWN

    def _call_container_method(
        self,
        owner: list[object] | dict[object, object] | set[object],
        name: str,
        arguments: list[object],
        keywords: Mapping[str, object],
    ) -> object:
        """Return the result of a method of a container; what it adds is there under the current condition."""
        if isinstance(owner, dict):
            if name == "update":
                added = self.resolve(arguments[0]) if arguments else {}
                if isinstance(added, dict):
                    owner.update({key: self.guard(value) for key, value in (*added.items(), *keywords.items())})
                return None
            if name == "get":
                key = self.resolve_deeply(arguments[0])
                return owner.get(key, *arguments[1:2]) if is_known(key) else UNKNOWN
            if name in ("items", "keys", "values"):
                return list(getattr(owner, name)())
            return dict(owner) if name == "copy" else UNKNOWN
        if isinstance(owner, list):
            if name in ("append", "insert") and arguments:
                owner.append(self.guard(arguments[-1]))
            elif name == "extend" and (items := self.known_items(arguments[0] if arguments else None)) is not None:
                owner += map(self.guard, items)
            return list(owner) if name == "copy" else None
        return UNKNOWN


def _limited_product(iterables: Sequence[Any]) -> Any:
    """Return the first items of `itertools.product`, whose number is the product of the lengths of its arguments."""
    from itertools import islice, product

    return islice(product(*iterables), MAX_SIZE)
