"""What a name means in a C++ file: classes, their methods, functions and constants, its own and those it includes.

Class names are not unique in Paddle: the file itself comes first, then what it includes, nearest first, and the rest of
the op sources last.
"""

from __future__ import annotations

import re
from itertools import islice

from opspec_lint.cpp.classes import class_name, function_at, functions_in, split_top
from opspec_lint.cpp.declarations import CALLABLE, declarations
from opspec_lint.cpp.limits import MAX_DEPTH, MAX_EXPANDED
from opspec_lint.cpp.preprocessed import occurrences, outside_of_braces
from opspec_lint.cpp.tokens import closing_parenthesis
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.fluid.macros import Macros
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.cpp.classes import Body, Class
    from opspec_lint.cpp.declarations import NameDeclaration
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.paddle.extract.fluid.workspace import Workspace

_NAMESPACE_ALIAS = pattern(r"namespace\s+(\w+)\s*=\s*([\w:]+)\s*;")
_USING_BEFORE = pattern(r"\busing\s+\Z")
_USING = pattern(r"\s*=\s*([^;]+);")
_TYPEDEF = pattern(r"\btypedef\s+([^;]+?)\s+\Z")
_MACRO_BEFORE = pattern(r"\b(?!REGISTER_|USE_)([A-Z][A-Z0-9_]+)\s*\([^()]*\Z")
_HANDED_ON = pattern(r"\b([A-Za-z_]\w*)\s*\([^()]*\Z")
_FAR = 400  # characters between a macro's parenthesis and another macro that is its argument
_MANY = 100  # classes of one name in one file
_MOST_NAMED = 1_000  # places of a class in which a method of it is named

_FOREIGN = frozenset({"framework", "imperative", "std"})

ROOT = "OpProtoAndCheckerMaker"
"""The class that every maker derives from."""


class Scope:
    """What the names of one file mean to one build.

    Args:
        workspace: the tree, the build, and what is known of all of it.
        path: the file.
    """

    def __init__(self, workspace: Workspace, path: str) -> None:
        self.workspace = workspace
        self.files = workspace.files
        self.path = path
        self.defined = workspace.defined
        self._declaring = workspace.declaring
        self._own: list[Code] | None = None
        self._found: dict[str, Class | None] = {}
        self._macros = Macros(workspace, path)
        self._namespaces: dict[str, str] | None = None

    def own(self) -> list[Code]:
        """Return the file, and what the declaring macros in it expand to.

        Raises:
            UnresolvedError: the macros grow without end.
        """
        if self._own is None:
            code = self.files.code(self.path, self.defined)
            self._own = [] if code is None else [code, *self._expansions(code)]
        return self._own

    def visible(self, word: str) -> Iterator[Code]:
        """Yield the file, what its macros expand to, and what it includes, nearest first, where a word stands."""
        for code in self.own():
            if word in code.text:
                yield code
        for path in self.files.closure(self.path)[1:]:
            if self.files.contains(path, word):
                included = self.files.code(path, self.defined)
                if included is not None and word in included.text:
                    yield included

    def included(self) -> Iterator[Code]:
        """Yield what the file includes, nearest first."""
        for path in self.files.closure(self.path)[1:]:
            code = self.files.code(path, self.defined)
            if code is not None:
                yield code

    def expanded(self, code: Code, start: int, end: int) -> tuple[Code, Tokens]:
        """Return the tokens of a part of the file, with the macros in it expanded, and where they stand.

        Raises:
            UnresolvedError: the macros grow without end, or what one is cannot be told.
        """
        return self._macros.expanded(code, start, end)

    def words(self, code: Code, start: int, end: int) -> Tokens:
        """Return the tokens of a part of a file, with the macros in it expanded.

        Raises:
            UnresolvedError: the macros grow without end, or what one is cannot be told.
        """
        return self.expanded(code, start, end)[1]

    def find_class(self, name: str, written: str = "") -> Class | None:
        """Return the class of a name; None where the op sources have none.

        Args:
            name: the name.
            written: the name as it is written, with namespaces before it.

        Raises:
            UnresolvedError: two files that have nothing to do with this one declare different classes of that name, or
                one file several.
        """
        key = f"{written}:{name}"
        if key not in self._found:
            self._found[key] = self._find_class(name, written)
        return self._found[key]

    def is_made_by_macro(self, name: str) -> bool:
        """Tell whether a macro that makes no maker declares a class: DECLARE_INFER_SHAPE_FUNCTOR and its like."""
        for code in self.visible(name):
            for at in occurrences(code.bare, name, 0, len(code.bare)):
                match = _MACRO_BEFORE.search(code.bare, max(0, at - _FAR), at)
                if match:
                    return not (self._declaring and self._declaring.fullmatch(match[1]))
        return False

    def alias(self, name: str) -> str | None:
        """The class that a name is an alias of."""
        for code in self.own():
            for at in occurrences(code.bare, name, 0, len(code.bare)):
                if _USING_BEFORE.search(code.bare, max(0, at - _FAR), at):
                    match = _USING.match(code.bare, at + len(name))
                else:
                    ends = code.bare[at + len(name) : at + len(name) + 9].lstrip()[:1] == ";"
                    match = _TYPEDEF.search(code.bare, max(0, at - _FAR), at) if ends else None
                if match:
                    return match[1].strip()
        return None

    def unaliased(self, text: str) -> str:
        """Return a class with what the first of its namespaces is another name for."""
        first, separator, rest = text.partition("::")
        if not separator:
            return text
        if self._namespaces is None:
            self._namespaces = {
                name: value for code in self.own()[:1] for name, value in _NAMESPACE_ALIAS.findall(code.bare)
            }
        alias = self._namespaces.get(first.strip())
        return f"{alias}::{rest}" if alias else text

    def chain(self, written: str) -> list[tuple[Class, dict[str, str]]] | None:
        """Return a class and the classes it derives from, up to the root of all makers; None where it is no maker.

        With each come the texts that its template parameters stand for.

        Raises:
            UnresolvedError: a class is ambiguous, or the classes derive from each other.
        """
        found: list[tuple[Class, dict[str, str]]] = []
        name, arguments = class_name(written)
        seen = set()
        while name != ROOT:
            if name in seen:
                raise UnresolvedError(f"the class {name} derives from itself")
            seen.add(name)
            this = self.find_class(name, written)
            if this is None:
                return None
            values = split_top(arguments)
            bound = dict(zip(this.parameters, values, strict=False))
            found.append((this, bound))
            base = next((base for base in this.bases if self._is_maker(base, frozenset())), None)
            if base is None:
                return None
            written = base
            name, arguments = class_name(base)
            arguments = _bound(arguments, bound)
        for this, _ in found:
            if this.parameters and re.search(rf"\b(?:class|struct)\s+{this.name}\s*<", this.code.bare):
                raise UnresolvedError(f"a specialization of the template {this.name} is not followed")
        return found

    def _is_maker(self, text: str, seen: frozenset[str]) -> bool:
        name, _ = class_name(text)
        if name == ROOT:
            return True
        if name in seen or len(seen) > MAX_DEPTH:
            raise UnresolvedError(f"the class {name} derives from itself")
        this = None if is_foreign(text) else self.find_class(name, text)
        return this is not None and any(self._is_maker(base, seen | {name}) for base in this.bases)

    def methods(self, this: Class, name: str) -> list[Body]:
        """Return the methods of a name that a class declares, with their bodies, wherever they are defined."""
        return self._members(this, name)

    def constructor(self, this: Class) -> Body | None:
        """Return the constructor of a class that has a body, wherever it is defined."""
        found = [body for body in self._members(this, this.name, constructs=True) if body.is_open]
        return found[0] if found else None

    def _members(self, this: Class, name: str, *, constructs: bool = False) -> list[Body]:
        bare = this.code.bare
        if bare.find(name, this.start, this.end) < 0:
            return []
        places = list(islice(occurrences(bare, name, this.start, this.end), _MOST_NAMED + 1))
        if len(places) > _MOST_NAMED:
            raise UnresolvedError(f"{name} occurs more than {_MOST_NAMED} times in the class {this.name}")
        found = [
            body
            for at in outside_of_braces(bare, places, this.start)
            if (body := function_at(this.code, name, at, constructs=constructs)) is not None
        ]
        if found and all(body.is_open for body in found):
            return found
        if not found and not constructs:
            return []  # a constructor is not told from a call where its class declares it: it has no type before it
        virtual = any(body.is_virtual for body in found)
        outside = [
            body if body.is_virtual == virtual else body.replace(is_virtual=virtual)
            for code in self.definers(this)
            for body in functions_in(code, name, 0, len(code.bare), owner=this.name, constructs=constructs)
            if body.is_open
        ]
        return [*found, *outside]

    def is_function(self, name: str) -> bool:
        """Tell whether the file sees a function of a name that is no method."""
        return any(each.kind == CALLABLE for code in self.visible(name) for each in declarations(code, name))

    def members(self, code: Code, name: str) -> list[NameDeclaration]:
        """The declarations that may be members of a class: those of a name in its file, and beside its header."""
        found = declarations(code, name)
        path = code.path
        beside = self.files.code(f"{path[:-2]}.cc", self.defined) if path.endswith(".h") else None
        own = [] if beside is None or name not in beside.bare else declarations(beside, name)
        return [*found, *own]

    def beside(self, this: NameDeclaration, name: str) -> list[Body]:
        """Return the functions with a body that the source beside a header defines for a declaration in it."""
        found = (function_at(each.code, name, each.offset) for each in self.defined_beside(this, name))
        return [body for body in found if body is not None and body.is_open]

    def defined_beside(self, this: NameDeclaration, name: str) -> list[NameDeclaration]:
        """The declarations in the source beside a header, of the same name and in the same scope as in the header."""
        path = this.code.path
        code = self.files.code(f"{path[:-2]}.cc", self.defined) if path.endswith(".h") else None
        found = [] if code is None or name not in code.bare else declarations(code, name)
        return [each for each in found if each.kind == this.kind and each.path == this.path]

    def base(self, text: str) -> Class | None:
        """Return a class that another derives from, None where it is none of the op sources."""
        name, _ = class_name(text)
        return None if name == ROOT or is_foreign(text) else self.find_class(name, text)

    def check(self, code: Code, offset: int) -> None:
        """Refuse a place that may not be compiled, as another file decides.

        Raises:
            UnresolvedError: the place depends on another file.
        """
        self._macros.check(code, offset, offset)

    def macro_in_class(self, this: Class) -> str:
        """Return the name of a macro that stands among the members of a class; "" where none does."""
        return self._macros.in_class(this)

    def class_in(self, code: Code, name: str, written: str = "") -> Class | None:
        """Return the class of a name that a file declares, None where it does not.

        Raises:
            UnresolvedError: the file declares several classes of that name, of which not exactly one fits.
        """
        found = self.workspace.classes_in(code, name)
        if len(found) > _MANY:
            raise UnresolvedError(f"the class {name} is declared more than {_MANY} times in {code.path}")
        if any(not _is_same_text(found[0], this) for this in found[1:]):
            words = [
                word.strip()
                for word in self.unaliased(written.split("<", maxsplit=1)[0].strip()).split("::")
                if word.strip()
            ]
            found = [this for this in found if [*this.code.scope_at(this.start)][-len(words) :] == words]
            if len(found) != 1 or len(words) < 2:
                raise UnresolvedError(f"the class {name} is declared more than once in {code.path}")
        return found[0] if found else None

    def _find_class(self, name: str, written: str) -> Class | None:
        for code in self.own():
            if name in code.bare:
                found = self.class_in(code, name, written)
                if found is not None:
                    return found
        where = self.workspace.declarers(name)
        if not where:
            return None
        for path in self.files.closure(self.path)[1:]:
            if path in where:
                found = self._class_in(path, name, written)
                if found is not None:
                    return found
        others = (self._class_in(path, name, written) for path in where if path != self.path)
        distant = [this for this in others if this is not None]
        if len({this.code.bare[this.start : this.end] for this in distant}) > 1:
            places = " and ".join(sorted({this.code.path for this in distant}))
            raise UnresolvedError(f"there are different classes {name} in {places}")
        return distant[0] if distant else None

    def _class_in(self, path: str, name: str, written: str) -> Class | None:
        code = self.files.code(path, self.defined)
        return None if code is None else self.class_in(code, name, written)

    def definers(self, this: Class) -> Iterator[Code]:
        """Yield where a member of a class may be defined: where the class is, beside its header, or in the file."""
        declared = this.code.path
        beside = f"{declared[:-2]}.cc" if declared.endswith(".h") else declared
        for path in dict.fromkeys((declared, beside, self.path)):
            code = self.files.code(path, self.defined)
            if code is not None:
                yield code

    def _expansions(self, code: Code) -> Iterator[Code]:
        end = expanded = 0
        if self._declaring is None or not self.workspace.may_declare(self.path):
            return
        for match in self._declaring.finditer(code.bare):
            start, opening = match.start(), match.end()
            if code.bare[opening : opening + 1] != "(":
                outside = _HANDED_ON.search(code.bare, max(0, start - _FAR), start)  # FOR_EACH(REGISTER_X)
                if outside is None:
                    continue
                start, opening = outside.start(1), outside.end(1)
            # An invocation among the arguments of another one was expanded with that.
            if start >= end and self._macros.at(code.bare[start:opening].strip(), code, start) is not None:
                end = closing_parenthesis(code.bare, code.bare.index("(", opening)) + 1
                expanded += end - start
                if expanded > MAX_EXPANDED:
                    raise UnresolvedError(f"more than {MAX_EXPANDED} characters of macros are expanded", code.path, 1)
                yield self._macros.expansion(code, start, end)


def _is_same_text(one: Class, other: Class) -> bool:
    is_as_long = one.end - one.start == other.end - other.start
    return is_as_long and one.code.text[one.start : one.end] == other.code.text[other.start : other.end]


def is_foreign(text: str) -> bool:
    """Tell whether a class is of a namespace that has no makers but the root of all."""
    return not _FOREIGN.isdisjoint(word.strip() for word in text.split("<", maxsplit=1)[0].split("::")[:-1])


def _bound(text: str, bound: Mapping[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda match: bound.get(match[0], match[0]), text) if text and bound else text
