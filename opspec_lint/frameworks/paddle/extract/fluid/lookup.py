"""Finds the declaration that a name means at a place of a C++ file, scope by scope from the inside, as C++ does."""

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
    """Finds what names mean in one file and in what it includes.

    Args:
        scope: the file.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._found: dict[str, list[NameDeclaration]] = {}
        self._directives: dict[bool, list[tuple[Path, Path]]] = {}
        self._aliases: dict[str, Path] | None = None
        self._depth = 0

    def find(self, code: Code, offset: int, qualifiers: Path, name: str) -> list[NameDeclaration]:
        """Return the declarations of the innermost scope that has any of a name; none where no scope has.

        Args:
            code: where the name is used.
            offset: at which place.
            qualifiers: the namespaces, classes and enums that are written before it; "" first for the outermost.
            name: the name.
        """
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise UnresolvedError(f"the name {name} depends on itself")
            return self._find(code, offset, qualifiers, name)
        finally:
            self._depth -= 1

    def _find(self, code: Code, offset: int, qualifiers: Path, name: str) -> list[NameDeclaration]:
        around = code.scope_at(offset)
        inner = self._innermost(code, offset, around, qualifiers, name)
        if inner:
            return self._without_using(inner, name)
        found = [each for each in self.all(name) if self._is_before(each, code, offset)]
        for is_far in (False, True):  # headers are read for using-directives only if those of the file lead nowhere
            usable = self._used(around, is_far=is_far)
            levels = range(len(around), -1, -1) if qualifiers[:1] != ("",) else (0,)
            for level in levels:
                target = (*around[:level], *self._without_alias(qualifiers))
                here = [each for each in found if is_in(each, target)]
                here += [
                    each
                    for where, source in usable
                    if (where == target if not qualifiers else source[0] == target)
                    for each in found
                    if is_in(each, source[1])
                ]
                if here:
                    return self._without_using(here, name)
        if qualifiers:
            return self._of_another(code, offset, qualifiers, name)
        return []

    def _innermost(self, code: Code, offset: int, around: Path, qualifiers: Path, name: str) -> list[NameDeclaration]:
        """Return the declarations in the file itself, where no file that it includes can have any further inside."""
        if qualifiers:
            return []
        found = [each for own in self._scope.own() for each in declarations(own, name)]
        found = [each for each in found if self._is_before(each, code, offset)] if found else []
        for level in range(len(around), code.namespaces_at(offset) - 1, -1):
            here = [each for each in found if is_in(each, around[:level])]
            if here:
                return here
        return []

    def all(self, name: str) -> list[NameDeclaration]:
        """Return every declaration of a name that the file sees, outside of functions."""
        if name not in self._found:
            self._found[name] = [each for code in self._scope.visible(name) for each in declarations(code, name)]
        return self._found[name]

    def _is_before(self, this: NameDeclaration, code: Code, offset: int) -> bool:
        """Tell whether a declaration can be seen from a place: in its own file only from behind, or in its class."""
        one, first = this.code.home(this.offset)
        other, second = code.home(offset)
        if one is not other or (this.code is not code and this.code.origin is not None):
            return True
        block = this.code.blocks().at(this.offset)
        while block is not None and (block.kind == ENUM or not block.names):
            block = block.outer
        return first < second or (block is not None and block.kind != NAMESPACE)

    def _without_alias(self, qualifiers: Path) -> Path:
        """Return qualifiers with what the first of them is another name for."""
        words = qualifiers[1:] if qualifiers[:1] == ("",) else qualifiers
        if not words:
            return words
        if self._aliases is None:
            self._aliases = {
                name: scope_names(value) for code in self._scope.own() for name, value in _ALIASED.findall(code.bare)
            }
        return (*self._aliases.get(words[0], (words[0],)), *words[1:])

    def _used(self, around: Path, *, is_far: bool) -> list[tuple[Path, tuple[Path, Path]]]:
        """Return the namespaces that using-directives open: where their names count, where it stands, and which."""
        if is_far not in self._directives:
            codes = self._scope.included() if is_far else self._scope.own()
            self._directives[is_far] = list(_directives(codes))
        found: list[tuple[Path, tuple[Path, Path]]] = []
        for where, name in self._directives[is_far]:
            for level in range(len(where), -1, -1):
                named = (*where[:level], *name)
                # [namespace.udir]: its names count in the innermost namespace that contains both.
                shared = 0
                while shared < min(len(where), len(named)) and where[shared] == named[shared]:
                    shared += 1
                if around[: len(where)] == where:
                    found.append((where[:shared], (where, named)))
        return found

    def _without_using(self, found: list[NameDeclaration], name: str) -> list[NameDeclaration]:
        """Return declarations with those in place of using-declarations that they bring."""
        result: list[NameDeclaration] = []
        for each in found:
            if each.kind == USING:
                result += self.find(each.code, each.offset, scope_names(each.text), name)
            else:
                result.append(each)
        return result

    def _of_another(self, code: Code, offset: int, qualifiers: Path, name: str) -> list[NameDeclaration]:
        """Return the declarations in what the last qualifier is another name for, or in a base of it."""
        owners = self.find(code, offset, qualifiers[:-1], qualifiers[-1]) if qualifiers[-1] else []
        for owner in owners:
            if owner.kind == ALIAS:
                words = _names(owner.text)
                if words and words != qualifiers:
                    return self.find(owner.code, owner.offset, words, name)
            if owner.kind == TYPE:
                this = self._scope.class_in(owner.code, qualifiers[-1])
                for base in () if this is None else this.bases:
                    found = self.find(owner.code, owner.offset, _names(base), name)
                    if found:
                        return found
        return []


def _names(text: str) -> Path:
    return scope_names(re.sub(r"<.*>|\b(?:const|typename|enum|class|struct)\b", " ", text, flags=re.DOTALL))


def is_in(this: NameDeclaration, target: Path) -> bool:
    """Tell whether a declaration belongs to a scope; an enumerator of a plain enum belongs to that around it."""
    if this.path == target:
        return True
    block = this.block
    return (
        this.kind == ENUMERATOR
        and block is not None
        and not block.is_scoped
        and len(block.names) > 0
        and this.path[:-1] == target
    )


def _directives(codes: Iterable[Code]) -> Iterator[tuple[Path, Path]]:
    for code in codes:
        if "using namespace" not in code.bare:
            continue
        for match in _DIRECTIVE.finditer(code.bare):
            block = code.blocks().at(match.start())
            if block is not None and any(each.kind in (FUNCTION, UNKNOWN) for each in block.around()):
                continue
            yield code.scope_at(match.start()), scope_names(match[1])
