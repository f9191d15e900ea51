"""Name lookup of C++: the declarations that a name means at a place of a file.

1. Scopes of the file itself, from the innermost outwards, up to the first that an include can extend.
2. Scopes of the file and its includes, with the using-directives of the file.
3. The same with the using-directives of included headers.
4. For `alias::name` and `derived::name`: the aliased type and the base classes.
"""

from __future__ import annotations

import re

from opspec_lint.cpp.blocks import ENUM, FUNCTION, NAMESPACE, UNKNOWN, scope_names
from opspec_lint.cpp.declarations import ALIAS, ENUMERATOR, TYPE, USING, declarations
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.cpp.declarations import NameDeclaration
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.frameworks.paddle.extract.fluid.scope import Scope

    Path = tuple[str, ...]

_DIRECTIVE = pattern(r"\busing namespace\s+((?:::)?[\w:\s]+?)\s*;")
_ALIASED = pattern(r"\bnamespace\s+(\w+)\s*=\s*((?:::)?[\w:\s]+?)\s*;")


class Lookup:
    """The name lookup of one file and its includes; `scope` is the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._declarations: dict[str, list[NameDeclaration]] = {}
        # By whether included files have them: (scope that contains the directive, namespace that it opens).
        self._directives: dict[bool, list[tuple[Path, Path]]] = {}
        self._aliases: dict[str, Path] | None = None
        self._depth = 0

    def find(self, code: Code, offset: int, qualifiers: Path, name: str) -> list[NameDeclaration]:
        """Return the declarations of `name` in the innermost scope that has any; an empty list if none has.

        `qualifiers` are the namespaces, classes and enums written before the name; "" first means the global namespace.
        """
        self._depth += 1
        try:
            # `using A = B; using B = A;` would be followed without end.
            if self._depth > MAX_DEPTH:
                raise UnresolvedError(f"the name {name} depends on itself")
            return self._find(code, offset, qualifiers, name)
        finally:
            self._depth -= 1

    def _find(self, code: Code, offset: int, qualifiers: Path, name: str) -> list[NameDeclaration]:
        """Look up a name in the order that the module describes."""
        around = code.scope_at(offset)
        inner = self._find_in_file(code, offset, around, qualifiers, name)
        if inner:
            return self._resolve_using(inner, name)
        candidates = [
            candidate for candidate in self.visible_declarations(name) if self._is_visible_from(candidate, code, offset)
        ]
        # All included headers are only read for using-directives if the directives of the file lead nowhere.
        for is_far in (False, True):
            usable = self._used_namespaces(around, is_far=is_far)
            levels = range(len(around), -1, -1) if qualifiers[:1] != ("",) else (0,)
            for level in levels:
                target = (*around[:level], *self._expand_alias(qualifiers))
                matches = [candidate for candidate in candidates if belongs_to(candidate, target)]
                matches += [
                    candidate
                    for scope, extended, namespace in usable
                    # `name` finds what a directive adds to a scope, `scope::name` what a directive in that scope names.
                    if target == (scope if qualifiers else extended)
                    for candidate in candidates
                    if belongs_to(candidate, namespace)
                ]
                if matches:
                    return self._resolve_using(matches, name)
        if qualifiers:
            return self._find_by_alias_or_base(code, offset, qualifiers, name)
        return []

    def _find_in_file(
        self, code: Code, offset: int, around: Path, qualifiers: Path, name: str
    ) -> list[NameDeclaration]:
        """Return the declarations in the file itself, in scopes that no included file can extend.

        A namespace can be reopened by a header, a function or class cannot.
        """
        if qualifiers:
            return []
        candidates = [
            declaration
            for code_part in self._scope.own_code()
            for declaration in declarations(code_part, name)
            if self._is_visible_from(declaration, code, offset)
        ]
        if not candidates:
            return []
        for level in range(len(around), code.namespaces_at(offset) - 1, -1):
            matches = [declaration for declaration in candidates if belongs_to(declaration, around[:level])]
            if matches:
                return matches
        return []

    def visible_declarations(self, name: str) -> list[NameDeclaration]:
        """Return the declarations of a name that the file sees outside of functions."""
        if name not in self._declarations:
            self._declarations[name] = [
                declaration for code in self._scope.code_with(name) for declaration in declarations(code, name)
            ]
        return self._declarations[name]

    def _is_visible_from(self, declaration: NameDeclaration, code: Code, offset: int) -> bool:
        """Return whether a declaration is visible from a place: behind it in one file, or anywhere in its class.

        Declarations of other files, and in the expansions of other macros, count as visible.
        """
        declaring_file, declared_at = declaration.code.source_of(declaration.offset)
        using_file, used_at = code.source_of(offset)
        if declaring_file is not using_file or (declaration.code is not code and declaration.code.origin is not None):
            return True
        block = declaration.code.blocks().at(declaration.offset)
        while block is not None and (block.kind == ENUM or not block.names):
            block = block.outer
        return declared_at < used_at or (block is not None and block.kind != NAMESPACE)

    def _expand_alias(self, qualifiers: Path) -> Path:
        """Return qualifiers with a namespace alias (`namespace fw = framework`) at their start replaced."""
        names = qualifiers[1:] if qualifiers[:1] == ("",) else qualifiers
        if not names:
            return names
        if self._aliases is None:
            self._aliases = {
                name: scope_names(value)
                for code in self._scope.own_code()
                for name, value in _ALIASED.findall(code.bare)
            }
        return (*self._aliases.get(names[0], (names[0],)), *names[1:])

    def _used_namespaces(self, around: Path, *, is_far: bool) -> list[tuple[Path, Path, Path]]:
        """Return (scope, extended, namespace) of each using-directive that counts in a scope.

        The directive in `scope` opens `namespace`, whose names then count as names of the scope `extended`. With
        `is_far`, included files have the directives.
        """
        if is_far not in self._directives:
            codes = self._scope.included_code() if is_far else self._scope.own_code()
            self._directives[is_far] = list(_directives(codes))
        used: list[tuple[Path, Path, Path]] = []
        for where, name in self._directives[is_far]:
            for level in range(len(where), -1, -1):
                namespace = (*where[:level], *name)
                # [namespace.udir]: its names count in the innermost namespace that contains both.
                shared = 0
                while shared < min(len(where), len(namespace)) and where[shared] == namespace[shared]:
                    shared += 1
                if around[: len(where)] == where:
                    used.append((where, where[:shared], namespace))
        return used

    def _resolve_using(self, candidates: list[NameDeclaration], name: str) -> list[NameDeclaration]:
        """Return declarations with each using-declaration replaced by the declarations that it names."""
        result: list[NameDeclaration] = []
        for declaration in candidates:
            if declaration.kind == USING:
                result += self.find(declaration.code, declaration.offset, scope_names(declaration.text), name)
            else:
                result.append(declaration)
        return result

    def _find_by_alias_or_base(self, code: Code, offset: int, qualifiers: Path, name: str) -> list[NameDeclaration]:
        """Return the declarations in the type that the last qualifier is an alias of, or in its base classes."""
        # `::name` has an empty qualifier, the global namespace, which is no type.
        owners = self.find(code, offset, qualifiers[:-1], qualifiers[-1]) if qualifiers[-1] else []
        for owner in owners:
            if owner.kind == ALIAS:
                names = _type_path(owner.text)
                if names and names != qualifiers:
                    return self.find(owner.code, owner.offset, names, name)
            if owner.kind == TYPE:
                owner_class = self._scope.class_in(owner.code, qualifiers[-1])
                bases = () if owner_class is None else owner_class.bases
                for base in bases:
                    inherited = self.find(owner.code, owner.offset, _type_path(base), name)
                    if inherited:
                        return inherited
        return []


def _type_path(text: str) -> Path:
    """Return the qualified name of a type as a path, without template arguments and qualifiers such as `const`."""
    return scope_names(re.sub(r"<.*>|\b(?:const|typename|enum|class|struct)\b", " ", text, flags=re.DOTALL))


def belongs_to(declaration: NameDeclaration, target: Path) -> bool:
    """Return whether a declaration belongs to a scope; unscoped enumerators belong to the outer scope too."""
    if declaration.path == target:
        return True
    block = declaration.block
    return (
        declaration.kind == ENUMERATOR
        and block is not None
        and not block.is_scoped
        and len(block.names) > 0
        and declaration.path[:-1] == target
    )


def _directives(codes: Iterable[Code]) -> Iterator[tuple[Path, Path]]:
    """Yield the using-directives outside of functions, as (scope that contains it, namespace)."""
    for code in codes:
        if "using namespace" not in code.bare:
            continue
        for match in _DIRECTIVE.finditer(code.bare):
            block = code.blocks().at(match.start())
            if block is not None and any(outer.kind in (FUNCTION, UNKNOWN) for outer in block.around()):
                # A directive in a function body is only visible there, and functions are evaluated without it.
                continue
            yield code.scope_at(match.start()), scope_names(match[1])
