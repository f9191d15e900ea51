"""The values of evaluated Python code; strings, numbers and containers are plain Python objects."""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from opspec_lint.spec.condition import Condition

    FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

PRIMITIVE = (str, int, float, bool, bytes, type(None))
CONTAINER = (tuple, list, dict, set)


class Unknown:
    """A value that the source text does not decide.

    `path` is the dotted name of something that code outside the tree provides, such as `torch.library.define`; "" for
    the result of unknown code.
    """

    __slots__ = ("path",)

    def __init__(self, path: str = "") -> None:
        self.path = path


UNKNOWN = Unknown()
DELETED = Unknown()
"""The value of a name behind `del`."""


class Scope:
    """The names of a module, class, object or call, with their values."""

    __slots__ = ("is_class", "outer", "values")

    def __init__(self, outer: Scope | None = None, *, is_class: bool = False) -> None:
        self.values: dict[str, object] = {}
        self.outer = outer
        self.is_class = is_class

    def find(self, name: str) -> Scope | None:
        """Return the innermost scope, from this one outwards, that binds a name; None if none does."""
        scope: Scope | None = self
        while scope is not None and name not in scope.values:
            scope = scope.outer
        return scope


class Module:
    """A Python file of the tree.

    `package` is the package that relative imports start from. `tree` is its syntax tree, None for one that is not
    known. `rebinds`: it contains `global` or `nonlocal`.
    """

    __slots__ = ("name", "package", "path", "rebinds", "scope", "tree")

    def __init__(self, path: str, name: str, package: str) -> None:
        self.path = path
        self.name = name
        self.package = package
        self.scope = Scope()
        self.tree: ast.Module | None = None
        self.rebinds = False


class Package:
    """A module or folder of the tree as the value of a name, such as `package.module` after its import."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Imported:
    """A name imported from a module of the tree. The module is evaluated when the value is needed."""

    __slots__ = ("module", "name")

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name


class Function:
    """A function of the tree.

    `qualified` is its `__qualname__`, `kind` is "classmethod", "staticmethod", "property" or "", and `owner` is the
    object or class that it is bound to. `presented` is the value whose signature it has: the result of its decorator,
    or the function that `functools.wraps` names; None for its own.
    """

    __slots__ = ("defaults", "kind", "module", "node", "owner", "presented", "qualified", "scope")

    def __init__(  # noqa: PLR0913, PLR0917 - all that a definition has
        self,
        node: FunctionNode,
        scope: Scope,
        module: Module,
        defaults: Mapping[str, object],
        qualified: str,
        kind: str = "",
        owner: object = None,
    ) -> None:
        self.node = node
        self.scope = scope
        self.module = module
        self.defaults = defaults
        self.qualified = qualified
        self.kind = kind
        self.owner = owner
        self.presented: object = None

    @property
    def name(self) -> str:
        """The `__name__` of the function."""
        return "<lambda>" if isinstance(self.node, ast.Lambda) else self.node.name

    def bound_to(self, owner: object) -> Function:
        """Return the function bound to an object or class, as attribute access does."""
        return Function(self.node, self.scope, self.module, self.defaults, self.qualified, self.kind, owner)

    def presented_as(self, value: object) -> Function:
        """Return the function with the signature of another value."""
        result = self.bound_to(self.owner)
        result.presented = value
        return result


class Class:
    """A class of the tree. `metaclass` is the one that it names, None if it names none."""

    __slots__ = ("bases", "metaclass", "name", "scope")

    def __init__(self, name: str, scope: Scope, bases: Sequence[object], metaclass: object = None) -> None:
        self.name = name
        self.scope = scope
        self.bases = bases
        self.metaclass = metaclass

    @property
    def is_text(self) -> bool:
        """True for a class whose objects are texts, as `str` is a base class."""
        return any(isinstance(base, Unknown) and base.path == "str" for base in self.bases)

    def member(self, name: str) -> object:
        """Return an attribute of the class or its base classes, UNKNOWN if no class of the tree has it."""
        if name in self.scope.values:
            return self.scope.values[name]
        waiting: list[object] = [self]
        seen: set[int] = set()  # a class may be a base by several ways
        while waiting:
            cls = waiting.pop()
            if isinstance(cls, Class) and id(cls) not in seen:
                seen.add(id(cls))
                if (value := cls.scope.values.get(name, UNKNOWN)) is not UNKNOWN:
                    return value
                waiting += reversed(cls.bases)
        return UNKNOWN


class Instance:
    """An object of a class of the tree."""

    __slots__ = ("cls", "scope")

    def __init__(self, cls: Class) -> None:
        self.cls = cls
        self.scope = Scope()


class Partial:
    """The result of `functools.partial`."""

    __slots__ = ("arguments", "function", "keywords")

    def __init__(self, function: object, arguments: Sequence[object], keywords: Mapping[str, object]) -> None:
        self.function = function
        self.arguments = tuple(arguments)
        self.keywords = dict(keywords)


class Library:
    """A `torch.library.Library`. A scoped one removes its ops at the end of its `with` block."""

    __slots__ = ("is_scoped", "kind", "namespace")

    def __init__(self, namespace: object, kind: object = None, *, is_scoped: bool = False) -> None:
        self.namespace = namespace
        self.kind = kind
        self.is_scoped = is_scoped


class Iteration:
    """A generator, iterator or coroutine that is executed by what takes its items, awaits or enters it.

    The name `START` of `state` has the function that executes it and returns its items, None for unknown ones; behind
    that, it is None. It is a name, so that what one branch executes is still to be executed in the other one.
    """

    __slots__ = ("state",)
    START = "start"

    def __init__(self, start: Callable[[], list[object] | None]) -> None:
        self.state = Scope()
        self.state.values[self.START] = start


class OpDecorator:
    """The decorator that `torch.library.custom_op(NAME, ...)` returns, with the arguments of that call by name."""

    __slots__ = ("arguments",)

    def __init__(self, arguments: Mapping[str, object]) -> None:
        self.arguments = arguments


class Method:
    """A method of a value that Python itself or PyTorch provides, such as `str.format` or `Library.define`."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: object, name: str) -> None:
        self.owner = owner
        self.name = name


class Annotation:
    """A type that is written as an expression, such as `List[Tensor]`."""

    __slots__ = ("node", "scope")

    def __init__(self, node: ast.expr, scope: Scope) -> None:
        self.node = node
        self.scope = scope


class Deferred:
    """A call of a function that defines no op. It is evaluated when its result is needed."""

    __slots__ = ("arguments", "function", "keywords", "result")

    def __init__(self, function: Function, arguments: Sequence[object], keywords: Mapping[str, object]) -> None:
        self.function = function
        self.arguments = arguments
        self.keywords = keywords
        self.result: object = self  # until it is evaluated; any other value may be a result


class Choice:
    """A value that depends on unknown conditions: its alternatives, each with its condition."""

    __slots__ = ("alternatives",)

    def __init__(self, alternatives: Iterable[tuple[Condition, object]]) -> None:
        self.alternatives = tuple(alternatives)


MAX_ALTERNATIVES = 16
_MAX_DEPTH = 8
"""Containers within each other."""
_MAX_ITEMS = 1 << 16
"""Items of a known container, with those of the containers within it: one list may be an item many times."""


def is_same(first: object, second: object) -> bool:
    """Return whether two values are certainly equal; False where that is not known."""
    if first is second:
        return True
    if isinstance(first, Unknown) and isinstance(second, Unknown):
        return bool(first.path) and first.path == second.path
    return type(first) is type(second) and isinstance(first, PRIMITIVE) and first == second


def is_known(value: object) -> bool:
    """Return whether a value consists of constants only; False for a container that is too large or too deep."""
    return isinstance(value, PRIMITIVE) or _count_constants(value, 0, _MAX_ITEMS) >= 0


def is_hashable(value: object) -> bool:
    """Return whether a value is a constant that can be the key of a dict."""
    return isinstance(value, PRIMITIVE) or (
        isinstance(value, tuple) and is_known(value) and all(map(is_hashable, value))
    )


def _count_constants(value: object, depth: int, left: int) -> int:
    """Return how many of the constants that a value may contain are left; -1 where they, or the depth, are exceeded."""
    if isinstance(value, PRIMITIVE):
        return left - 1
    if depth > _MAX_DEPTH or not isinstance(value, CONTAINER):
        return -1
    left -= 1
    for item in [*value, *value.values()] if isinstance(value, dict) else value:
        if left < 0:
            break
        left = _count_constants(item, depth + 1, left)
    return left
