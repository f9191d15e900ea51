"""What a name means in a C++ file: classes, their methods, functions and constants, its own and those it includes.

Class names are not unique in Paddle: the file itself comes first, then what it includes, nearest first, and the rest of
the op sources last.
"""

from __future__ import annotations

import re

from opspec_lint.frameworks.paddle.cpp.classes import class_name, function_in, is_called, split_top
from opspec_lint.frameworks.paddle.cpp.limits import MAX_DEPTH
from opspec_lint.frameworks.paddle.cpp.macros import Expander
from opspec_lint.frameworks.paddle.cpp.preprocessed import Code, blanked, occurrences
from opspec_lint.frameworks.paddle.cpp.tokens import closing_parenthesis
from opspec_lint.frameworks.paddle.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.paddle.cpp.classes import Body, Class
    from opspec_lint.frameworks.paddle.cpp.preprocessed import Macro
    from opspec_lint.frameworks.paddle.fluid.workspace import Workspace

_NAMESPACE_ALIAS = re.compile(r"namespace\s+(\w+)\s*=\s*([\w:]+)\s*;")
_USING_BEFORE = re.compile(r"\busing\s+\Z")
_USING = re.compile(r"\s*=\s*([^;]+);")
_TYPEDEF = re.compile(r"\btypedef\s+([^;]+?)\s+\Z")
_MACRO_BEFORE = re.compile(r"\b(?!REGISTER_|USE_)([A-Z][A-Z0-9_]+)\s*\([^()]*\Z")
_HANDED_ON = re.compile(r"\b([A-Za-z_]\w*)\s*\([^()]*\Z")
_FAR = 400  # characters between a macro's parenthesis and another macro that is its argument

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
        self._macros: dict[str, Macro | None] = {}
        self._definers: dict[str, list[str]] | None = None
        self._namespaces: dict[str, str] | None = None

    def own(self) -> list[Code]:
        """Return the file, and what the declaring macros in it expand to.

        Raises:
            UnresolvedError: they grow without end.
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
            if word in (self.files.raw(path) or ""):
                included = self.files.code(path, self.defined)
                if included is not None and word in included.text:
                    yield included

    def macro(self, name: str) -> Macro | None:
        """Return a macro of the file, or of what it includes."""
        if self._definers is None:
            self._definers = {}
            for path in self.files.closure(self.path):
                for defined in self.files.defines(path):
                    self._definers.setdefault(defined, []).append(path)
        if name not in self._macros:
            codes = (self.files.code(path, self.defined) for path in self._definers.get(name, ()))
            found = (code.macros.get(name) for code in codes if code is not None)
            self._macros[name] = next((macro for macro in found if macro is not None), None)
        return self._macros[name]

    def find_class(self, name: str) -> Class | None:
        """Return the class of a name; None where the op sources have none.

        Raises:
            UnresolvedError: two files that have nothing to do with this one declare different classes of that name.
        """
        if name not in self._found:
            self._found[name] = self._find_class(name)
        return self._found[name]

    def is_made_by_macro(self, name: str) -> bool:
        """Tell whether a macro that makes no maker declares a class: DECLARE_INFER_SHAPE_FUNCTOR and its like."""
        for code in self.visible(name):
            for at in occurrences(code.bare, name, 0, len(code.bare)):
                match = _MACRO_BEFORE.search(code.bare, max(0, at - _FAR), at)
                if match:
                    return not (self._declaring and self._declaring.fullmatch(match[1]))
        return False

    def alias(self, name: str) -> str | None:
        """Return what a name is another name for."""
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

    def chain(self, name: str, arguments: str = "") -> list[tuple[Class, dict[str, str]]] | None:
        """Return a class and the classes it derives from, up to the root of all makers; None where it is no maker.

        With each come the texts that its template parameters stand for.

        Raises:
            UnresolvedError: it cannot be told, or the classes derive from each other.
        """
        found: list[tuple[Class, dict[str, str]]] = []
        seen = set()
        while name != ROOT:
            if name in seen:
                raise UnresolvedError(f"the class {name} derives from itself")
            seen.add(name)
            this = self.find_class(name)
            if this is None:
                return None
            values = split_top(arguments)
            bound = dict(zip(this.parameters, values, strict=False))
            found.append((this, bound))
            base = next((base for base in this.bases if self._is_maker(base, frozenset())), None)
            if base is None:
                return None
            name, arguments = class_name(base)
            arguments = _bound(arguments, bound)
        return found

    def _is_maker(self, text: str, seen: frozenset[str]) -> bool:
        name, _ = class_name(text)
        if name == ROOT:
            return True
        if name in seen or len(seen) > MAX_DEPTH:
            raise UnresolvedError(f"the class {name} derives from itself")
        this = None if is_foreign(text) else self.find_class(name)
        return this is not None and any(self._is_maker(base, seen | {name}) for base in this.bases)

    def method(self, this: Class, name: str) -> Body | None:
        """Return the body of a method that a class declares itself, wherever it is defined."""
        return self._member(this, name)

    def constructor(self, this: Class) -> Body | None:
        """Return the body of the constructor of a class, wherever it is defined."""
        return self._member(this, this.name, constructs=True)

    def _member(self, this: Class, name: str, *, constructs: bool = False) -> Body | None:
        found = function_in(this.code, name, this.start, this.end, constructs=constructs)
        if found is not None or not is_called(this.code.bare, name, this.start, this.end):
            return found
        for code in self.definers(this):
            found = function_in(code, name, 0, len(code.bare), owner=this.name, constructs=constructs)
            if found is not None:
                return found
        return None

    def function(self, name: str) -> Body | None:
        """Return the body of a free function that the file sees, or that is defined beside a header which it sees."""
        for code in self.visible(name):
            found = function_in(code, name, 0, len(code.bare))
            if found is None and code.path.endswith(".h"):
                beside = self.files.code(f"{code.path[:-2]}.cc", self.defined)
                found = None if beside is None else function_in(beside, name, 0, len(beside.bare))
            if found is not None:
                return found
        return None

    def class_in(self, code: Code, name: str) -> Class | None:
        """Return the class of a name that a file declares, None where it does not."""
        return self.workspace.class_in(code, name)

    def _find_class(self, name: str) -> Class | None:
        for code in self.own():
            if name in code.bare:
                found = self.class_in(code, name)
                if found is not None:
                    return found
        where = self.workspace.declarers(name)
        if not where:
            return None
        for path in self.files.closure(self.path)[1:]:
            if path in where:
                found = self._class_in(path, name)
                if found is not None:
                    return found
        distant = [this for path in where if path != self.path and (this := self._class_in(path, name)) is not None]
        if len({this.code.bare[this.start : this.end] for this in distant}) > 1:
            places = " and ".join(sorted({this.code.path for this in distant}))
            raise UnresolvedError(f"there are different classes {name} in {places}")
        return distant[0] if distant else None

    def _class_in(self, path: str, name: str) -> Class | None:
        code = self.files.code(path, self.defined)
        return None if code is None else self.class_in(code, name)

    def definers(self, this: Class) -> Iterator[Code]:
        """Yield where a member of a class may be defined: where the class is, beside its header, or in the file."""
        declared = this.code.path
        beside = f"{declared[:-2]}.cc" if declared.endswith(".h") else declared
        for path in dict.fromkeys((declared, beside, self.path)):
            code = self.files.code(path, self.defined)
            if code is not None:
                yield code

    def _expansions(self, code: Code) -> Iterator[Code]:
        end = 0
        if self._declaring is None or not self.workspace.may_declare(self.path):
            return
        for match in self._declaring.finditer(code.bare):
            start, opening = match.start(), match.end()
            if code.bare[opening : opening + 1] != "(":
                outside = _HANDED_ON.search(code.bare, max(0, start - _FAR), start)  # FOR_EACH(REGISTER_X)
                if outside is None:
                    continue
                start, opening = outside.start(1), outside.end(1)
            if start >= end and self.macro(code.bare[start:opening].strip()) is not None:
                end = closing_parenthesis(code.bare, code.bare.index("(", opening)) + 1
                yield self._expansion(code, start, end)

    def _expansion(self, code: Code, start: int, end: int) -> Code:
        place = code.place(start)
        try:
            expanded = Expander(self._expandable).expand(code.text[start:end])
        except UnresolvedError as error:
            raise error.at(code.path, place[0]) from None
        text, bare = blanked(expanded)
        return Code(code.path, text, bare, {}, place)

    def _expandable(self, name: str) -> Macro | None:
        return self.macro(name)


def is_foreign(text: str) -> bool:
    """Tell whether a class is of a namespace that has no makers but the root of all."""
    return not _FOREIGN.isdisjoint(word.strip() for word in text.split("<", maxsplit=1)[0].split("::")[:-1])


def _bound(text: str, bound: Mapping[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda match: bound.get(match[0], match[0]), text) if text and bound else text
