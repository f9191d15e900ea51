"""Calls of Python's own functions and methods that the evaluation follows, such as `range` and `str.format`."""

from __future__ import annotations

from functools import partial
from textwrap import dedent

from opspec_lint.frameworks.pytorch.extract.python.containers import CHANGING_METHODS, is_open, open_container
from opspec_lint.frameworks.pytorch.extract.python.operators import Operators
from opspec_lint.frameworks.pytorch.extract.python.values import (
    CONTAINER,
    PRIMITIVE,
    UNKNOWN,
    Class,
    Function,
    Iteration,
    Partial,
    Unknown,
    is_hashable,
    is_known,
)
from opspec_lint.kit.guarded import MAX_SIZE
from opspec_lint.spec.condition import ALWAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.pytorch.extract.python.state import EvaluatedCall

_STRING_METHODS = frozenset(
    """
    capitalize casefold endswith find format join lower lstrip partition removeprefix removesuffix replace rpartition
    rsplit rstrip split splitlines startswith strip title upper
    """.split()  # noqa: SIM905 - a list would have a line for each
)
_METHOD_CALL = "operator.methodcaller()"
"""The path of the function that `operator.methodcaller` returns; its arguments begin with the name of the method."""
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
    "textwrap.dedent": dedent,
    "itertools.product": lambda *iterables: list(_limited_product(iterables)),
}


class BuiltinCalls(Operators):
    """The evaluation of calls of Python's own functions and methods."""

    def call_builtin(self, path: str, call: EvaluatedCall) -> object:
        """Return the result of a call of Python's own function `path`; UNKNOWN for a function that is not followed."""
        arguments, keywords = call.arguments, call.keywords
        if path == "functools.partial" and arguments:
            return Partial(arguments[0], arguments[1:], keywords)
        if path == "functools.wraps" and arguments:
            return Partial(Unknown("functools.update_wrapper"), (), {"wrapped": arguments[0]})
        if path == "functools.update_wrapper" and arguments and isinstance(arguments[0], Function):
            return arguments[0].presented_as(keywords.get("wrapped", *arguments[1:2]))
        if path in _BUILTINS:
            named = {name: self.resolve_deeply(value) for name, value in keywords.items()}
            if path != "dict" and not all(map(is_known, named.values())):
                return UNKNOWN
            return self.apply(partial(_BUILTINS[path], **named), *map(self.resolve_deeply, arguments))
        if path == "getattr" and len(arguments) > 1 and isinstance(name := self.resolve_deeply(arguments[1]), str):
            return self.get_attribute(arguments[0], name)
        if path == "isinstance" and len(arguments) == 2:
            return self._is_instance(*map(self.resolve, arguments))
        if path == "callable" and isinstance(
            self.resolve(arguments[0]) if arguments else None, Function | Class | Partial
        ):
            return True
        if path == "map" and len(arguments) == 2:
            mapped = partial(self._map_items, arguments[0], arguments[1], call)
            if self.can_define_ops(arguments[0]):
                return Iteration(mapped)
            return UNKNOWN if (items := mapped()) is None else items
        if path == "operator.methodcaller" and arguments:
            return Partial(Unknown(_METHOD_CALL), arguments, keywords)
        if path == _METHOD_CALL and len(arguments) > 1:
            name, *others, owner = arguments
            method = self.get_attribute(owner, str(self.resolve(name)))
            return self.call(method, call.replace(others, keywords))
        return UNKNOWN

    def can_define_ops(self, value: object) -> bool:
        """Return whether a function that is given the value may define ops with it (`calls.py`)."""
        raise NotImplementedError

    def _map_items(self, function: object, items: object, call: EvaluatedCall) -> list[object] | None:
        """Return the results of a function for the items of a value, None where these are unknown."""
        known = self.known_items(items)
        return None if known is None else [self.call(function, call.replace((item,), {})) for item in known]

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
        arguments = list(map(self.consume, arguments))
        if isinstance(owner, str) and name in _STRING_METHODS:
            positional = list(map(self.resolve_deeply, arguments))
            named = {key: self.resolve_deeply(value) for key, value in keywords.items()}
            if not all(map(is_known, named.values())):
                return UNKNOWN
            return self.apply(lambda text, *rest: getattr(text, name)(*rest, **named), owner, *positional)
        if isinstance(owner, dict):
            return self._call_dict_method(owner, name, list(arguments), keywords)
        return self._call_list_method(owner, name, list(arguments)) if isinstance(owner, list) else UNKNOWN

    def store_item(self, owner: object, key: object, value: object) -> None:
        """Evaluate `owner[key] = value` for a list or dict; the item is there under the current condition."""
        key = self.resolve_deeply(key)
        if isinstance(owner, dict):
            if is_hashable(key):
                owner[key] = self.guard(value)
            else:
                open_container(owner)
                self.escaped.append(value)
        elif isinstance(owner, list):
            if isinstance(key, int) and -len(owner) <= key < len(owner) and self.condition == ALWAYS:
                owner[key] = value
            else:
                open_container(owner)
                self.escaped.append(value)

    def _call_dict_method(
        self, owner: dict[object, object], name: str, arguments: list[object], keywords: Mapping[str, object]
    ) -> object:
        """Return the result of a method of a dict; a set is a dict as well (see `_BUILTINS`)."""
        if name in ("items", "keys", "values"):
            return list(getattr(owner, name)())
        if name == "copy":
            return dict(owner)
        key = self.resolve_deeply(arguments[0]) if arguments else UNKNOWN
        if name == "get":
            is_decided = is_hashable(key) and (key in owner or not is_open(owner))
            return owner.get(key, *arguments[1:2]) if is_decided else UNKNOWN
        if name == "update":
            added = self.resolve(arguments[0]) if arguments else {}
            items = [tuple(item) for item in added.items()] if isinstance(added, dict) else self._pairs(added)
            if items is None:
                open_container(owner)
            for added_key, value in (*(items or ()), *keywords.items()):
                self.store_item(owner, added_key, value)
            return None
        if name == "add" or (name == "setdefault" and not (is_hashable(key) and key in owner)):
            self.store_item(owner, key, arguments[1] if len(arguments) > 1 else None)
        elif name in CHANGING_METHODS and name != "setdefault":
            self._change_in_place(owner, name, arguments)
        return owner.get(key, UNKNOWN) if name == "setdefault" and is_hashable(key) else UNKNOWN

    def _pairs(self, value: object) -> list[tuple[object, ...]] | None:
        """Return the items of a list of pairs, None where they are not known."""
        elements = self.known_items(value)
        items = [tuple(self.known_items(element) or ()) for element in elements or ()]
        return None if elements is None or any(len(item) != 2 for item in items) else items

    def _call_list_method(self, owner: list[object], name: str, arguments: list[object]) -> object:
        """Return the result of a method of a list; what it adds is there under the current condition."""
        if name == "copy":
            return list(owner)
        if name in ("append", "insert", "add") and arguments:
            owner.append(self.guard(arguments[-1]))
        elif name in ("extend", "update"):
            items = self.known_items(arguments[0] if arguments else None)
            if items is None or len(owner) > MAX_SIZE:
                open_container(owner)
            else:
                owner += map(self.guard, items)
        elif name in CHANGING_METHODS:
            return self._change_in_place(owner, name, arguments)
        return None

    def _change_in_place(
        self, owner: list[object] | dict[object, object], name: str, arguments: Sequence[object]
    ) -> object:
        """Return the result of a method that removes or orders items; its effect is unknown where its condition is."""
        operands = list(map(self.resolve_deeply, arguments))
        is_decided = is_known(owner) if name in ("remove", "sort") and isinstance(owner, list) else not is_open(owner)
        if self.condition == ALWAYS and all(map(is_known, operands)) and (is_decided or name == "clear"):
            # `discard` is a method of sets, which are dicts here; an error of Python leaves the container as it was.
            try:
                return getattr(owner, "pop" if name in ("discard", "remove") and isinstance(owner, dict) else name)(
                    *operands
                )
            except Exception:
                return UNKNOWN
        open_container(owner)
        return UNKNOWN


def _limited_product(iterables: Sequence[Any]) -> Any:
    """Return the first items of `itertools.product`, whose number is the product of the lengths of its arguments."""
    from itertools import islice, product

    return islice(product(*iterables), MAX_SIZE)
