"""The classes, methods, functions and constants that a C++ file sees: its own and included ones.

Class names are not unique in Paddle: the file itself comes first, then its includes, nearest first, and the other op
sources last. Macros that lead to a registration or a maker class, the declaring macros, are expanded; others are not.
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
from opspec_lint.frameworks.paddle.extract.fluid.throwing_functions import ThrowingFunctions
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
# Before a name that is an argument: a macro in capitals that may declare the name, or any macro.
_MACRO_BEFORE = pattern(r"\b(?!REGISTER_|USE_)([A-Z][A-Z0-9_]+)\s*\([^()]*\Z")
_OUTER_MACRO = pattern(r"\b([A-Za-z_]\w*)\s*\([^()]*\Z")
_LOOK_BACK = 400  # characters between a macro's parenthesis and another macro that is its argument
_MAX_SAME_NAME = 100  # classes of one name in one file
_MAX_OCCURRENCES = 1_000  # places of a class in which a method of it is named

_FOREIGN = frozenset({"framework", "imperative", "std"})

ROOT = "OpProtoAndCheckerMaker"
"""The root class of all makers."""


class Scope:
    """The names that one file sees in one build."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        self.workspace = workspace
        self.files = workspace.files
        self.path = path
        self.defined = workspace.defined
        self._declaring = workspace.declaring
        self._own: list[Code] | None = None
        self._classes: dict[str, Class | None] = {}
        self._macros = Macros(workspace, path)
        self._namespaces: dict[str, str] | None = None
        self.throwing = ThrowingFunctions(self.code_with)

    def own_code(self) -> list[Code]:
        """Return the file, and the expansions of the declaring macros in it.

        Raises UnresolvedError for macros that grow without end.
        """
        if self._own is None:
            code = self.files.code(self.path, self.defined)
            self._own = [] if code is None else [code, *self._expansions(code)]
        return self._own

    def code_with(self, identifier: str) -> Iterator[Code]:
        """Yield the file, its expansions and its includes, nearest first, whose text contains an identifier."""
        for code in self.own_code():
            if identifier in code.text:
                yield code
        for path in self.files.closure(self.path)[1:]:
            if self.files.contains(path, identifier):
                included = self.files.code(path, self.defined)
                if included is not None and identifier in included.text:
                    yield included

    def included_code(self) -> Iterator[Code]:
        """Yield the included files, nearest first."""
        for path in self.files.closure(self.path)[1:]:
            code = self.files.code(path, self.defined)
            if code is not None:
                yield code

    def expanded(self, code: Code, start: int, end: int) -> tuple[Code, Tokens]:
        """Return the tokens of a part of a file with its macros expanded, and the code that they belong to.

        Raises UnresolvedError for macros that grow without end, or an uncertain one.
        """
        return self._macros.expanded(code, start, end)

    def tokens(self, code: Code, start: int, end: int) -> Tokens:
        """Return the tokens of a part of a file with its macros expanded.

        Raises UnresolvedError for macros that grow without end, or an uncertain one.
        """
        return self.expanded(code, start, end)[1]

    def find_class(self, name: str, written: str = "") -> Class | None:
        """Return the class of a name; None if the op sources have none.

        `written` is the name with its namespaces. Raises UnresolvedError for different classes of that name in one
        file, or in two files that this one does not include.
        """
        key = f"{written}:{name}"
        if key not in self._classes:
            self._classes[key] = self._find_class(name, written)
        return self._classes[key]

    def is_made_by_macro(self, name: str) -> bool:
        """Return whether a macro that declares no maker declares a class: DECLARE_INFER_SHAPE_FUNCTOR and the like."""
        for code in self.code_with(name):
            for at in occurrences(code.bare, name, 0, len(code.bare)):
                match = _MACRO_BEFORE.search(code.bare, max(0, at - _LOOK_BACK), at)
                if match:
                    return not (self._declaring and self._declaring.fullmatch(match[1]))
        return False

    def alias(self, name: str) -> str | None:
        """Return the class that a `using` or `typedef` gives a name to; None if there is none."""
        for code in self.own_code():
            for at in occurrences(code.bare, name, 0, len(code.bare)):
                if _USING_BEFORE.search(code.bare, max(0, at - _LOOK_BACK), at):
                    match = _USING.match(code.bare, at + len(name))
                else:
                    # A typedef ends with the name and `;`; a few characters suffice for blank space between them.
                    ends = code.bare[at + len(name) : at + len(name) + 9].lstrip()[:1] == ";"
                    match = _TYPEDEF.search(code.bare, max(0, at - _LOOK_BACK), at) if ends else None
                if match:
                    return match[1].strip()
        return None

    def expand_namespace_alias(self, text: str) -> str:
        """Return a qualified class with a namespace alias at its start replaced."""
        first, separator, rest = text.partition("::")
        if not separator:
            return text
        if self._namespaces is None:
            self._namespaces = {
                name: value for code in self.own_code()[:1] for name, value in _NAMESPACE_ALIAS.findall(code.bare)
            }
        alias = self._namespaces.get(first.strip())
        return f"{alias}::{rest}" if alias else text

    def maker_chain(self, written: str) -> list[tuple[Class, dict[str, str]]] | None:
        """Return a class and its bases up to the root of all makers; None if it is no maker.

        Each class comes with the values of its template parameters. Raises UnresolvedError for an ambiguous class, or
        classes that derive from each other.
        """
        chain: list[tuple[Class, dict[str, str]]] = []
        name, arguments = class_name(written)
        seen = set()
        while name != ROOT:
            if name in seen:
                raise UnresolvedError(f"the class {name} derives from itself")
            seen.add(name)
            maker_class = self.find_class(name, written)
            if maker_class is None:
                return None
            values = split_top(arguments)
            parameters = dict(zip(maker_class.parameters, values, strict=False))
            chain.append((maker_class, parameters))
            base = next((base for base in maker_class.bases if self._is_maker(base, frozenset())), None)
            if base is None:
                return None
            written = base
            name, arguments = class_name(base)
            arguments = _substitute_parameters(arguments, parameters)
        for maker_class, _ in chain:
            # A specialization may declare other arguments than the template, and which one is used depends on the
            # values.
            if maker_class.parameters and re.search(
                rf"\b(?:class|struct)\s+{maker_class.name}\s*<", maker_class.code.bare
            ):
                raise UnresolvedError(f"a specialization of the template {maker_class.name} is not evaluated")
        return chain

    def _is_maker(self, text: str, seen: frozenset[str]) -> bool:
        """Return whether a class derives from the root; `seen` are the classes on the way to it."""
        name, _ = class_name(text)
        if name == ROOT:
            return True
        if name in seen or len(seen) > MAX_DEPTH:
            raise UnresolvedError(f"the class {name} derives from itself")
        maker_class = None if is_foreign(text) else self.find_class(name, text)
        return maker_class is not None and any(self._is_maker(base, seen | {name}) for base in maker_class.bases)

    def methods(self, maker_class: Class, name: str) -> list[Body]:
        """Return the methods of a name that a class declares, with their bodies where these are found."""
        return self._find_methods(maker_class, name)

    def constructor(self, maker_class: Class) -> Body | None:
        """Return the constructor of a class that has a body; None if there is none."""
        bodies = [body for body in self._find_methods(maker_class, maker_class.name, constructs=True) if body.is_open]
        return bodies[0] if bodies else None

    def _find_methods(self, maker_class: Class, name: str, *, constructs: bool = False) -> list[Body]:
        """Return the methods or constructors of a class: bodies in the class, or else in the files that define them."""
        bare = maker_class.code.bare
        if bare.find(name, maker_class.start, maker_class.end) < 0:
            return []
        # A generated class may name a method in every line; without a limit this search is quadratic.
        places = list(islice(occurrences(bare, name, maker_class.start, maker_class.end), _MAX_OCCURRENCES + 1))
        if len(places) > _MAX_OCCURRENCES:
            raise UnresolvedError(f"{name} occurs more than {_MAX_OCCURRENCES} times in the class {maker_class.name}")
        functions = (
            function_at(maker_class.code, name, at, constructs=constructs)
            for at in outside_of_braces(bare, places, maker_class.start)
        )
        declared = [body for body in functions if body is not None]
        if declared and all(body.is_open for body in declared):
            return declared
        if not declared and not constructs:
            # A constructor has no return type, so its declaration in the class looks like a call; its definition does
            # not.
            return []
        virtual = any(body.is_virtual for body in declared)
        outside = [
            body if body.is_virtual == virtual else body.replace(is_virtual=virtual)
            for code in self.defining_code(maker_class)
            for body in functions_in(code, name, 0, len(code.bare), owner=maker_class.name, constructs=constructs)
            if body.is_open
        ]
        return [*declared, *outside]

    def is_function(self, name: str) -> bool:
        """Return whether the file sees a free function of a name."""
        return any(
            declaration.kind == CALLABLE for code in self.code_with(name) for declaration in declarations(code, name)
        )

    def member_candidates(self, code: Code, name: str) -> list[NameDeclaration]:
        """Return the declarations of a name in the file of a class and in the source beside its header."""
        declared = declarations(code, name)
        path = code.path
        source = self.files.code(f"{path[:-2]}.cc", self.defined) if path.endswith(".h") else None
        defined = [] if source is None or name not in source.bare else declarations(source, name)
        return [*declared, *defined]

    def bodies_in_source(self, declaration: NameDeclaration, name: str) -> list[Body]:
        """Return the functions with a body in the source beside a header, for a declaration in the header."""
        functions = (
            function_at(definition.code, name, definition.offset)
            for definition in self.definitions_in_source(declaration, name)
        )
        return [body for body in functions if body is not None and body.is_open]

    def definitions_in_source(self, declaration: NameDeclaration, name: str) -> list[NameDeclaration]:
        """Return the declarations in the source beside a header, of the same name, kind and scope."""
        path = declaration.code.path
        code = self.files.code(f"{path[:-2]}.cc", self.defined) if path.endswith(".h") else None
        candidates = [] if code is None or name not in code.bare else declarations(code, name)
        return [
            candidate
            for candidate in candidates
            if candidate.kind == declaration.kind and candidate.path == declaration.path
        ]

    def base_class(self, text: str) -> Class | None:
        """Return a base class by its text; None if it is not in the op sources."""
        name, _ = class_name(text)
        return None if name == ROOT or is_foreign(text) else self.find_class(name, text)

    def check_compiled(self, code: Code, offset: int) -> None:
        """Raise UnresolvedError for a place in an `#if` that another file decides."""
        self._macros.check(code, offset, offset)

    def macro_in_class(self, maker_class: Class) -> str:
        """Return the name of a macro invoked among the members of a class; "" if there is none."""
        return self._macros.first_in_class(maker_class)

    def class_in(self, code: Code, name: str, written: str = "") -> Class | None:
        """Return the class of a name that a file declares; None if it declares none.

        Raises UnresolvedError for several classes of that name whose texts differ, unless exactly one fits.
        """
        classes = self.workspace.classes_in(code, name)
        if len(classes) > _MAX_SAME_NAME:
            raise UnresolvedError(f"the class {name} is declared more than {_MAX_SAME_NAME} times in {code.path}")
        if any(not _is_same_text(classes[0], candidate) for candidate in classes[1:]):
            names = [
                name_part.strip()
                for name_part in self.expand_namespace_alias(written.split("<", maxsplit=1)[0].strip()).split("::")
                if name_part.strip()
            ]
            classes = [
                candidate
                for candidate in classes
                if [*candidate.code.scope_at(candidate.start)][-len(names) :] == names
            ]
            if len(classes) != 1 or len(names) < 2:
                raise UnresolvedError(f"the class {name} is declared more than once in {code.path}")
        return classes[0] if classes else None

    def _find_class(self, name: str, written: str) -> Class | None:
        """Find a class for `find_class`, which stores it."""
        for code in self.own_code():
            if name in code.bare:
                class_of_file = self.class_in(code, name, written)
                if class_of_file is not None:
                    return class_of_file
        declaring_paths = self.workspace.declarers(name)
        if not declaring_paths:
            return None
        for path in self.files.closure(self.path)[1:]:
            if path in declaring_paths:
                class_of_file = self._class_in_file(path, name, written)
                if class_of_file is not None:
                    return class_of_file
        candidates = (self._class_in_file(path, name, written) for path in declaring_paths if path != self.path)
        # Files that neither include each other nor the class may each have their own; equal texts are no conflict.
        distant = [candidate for candidate in candidates if candidate is not None]
        if len({candidate.code.bare[candidate.start : candidate.end] for candidate in distant}) > 1:
            places = " and ".join(sorted({candidate.code.path for candidate in distant}))
            raise UnresolvedError(f"there are different classes {name} in {places}")
        return distant[0] if distant else None

    def _class_in_file(self, path: str, name: str, written: str) -> Class | None:
        """Return the class of a name in the file at a path."""
        code = self.files.code(path, self.defined)
        return None if code is None else self.class_in(code, name, written)

    def defining_code(self, maker_class: Class) -> Iterator[Code]:
        """Yield the files that may define members of a class: its own, the source beside its header, and this file."""
        declared = maker_class.code.path
        source = f"{declared[:-2]}.cc" if declared.endswith(".h") else declared
        for path in dict.fromkeys((declared, source, self.path)):
            code = self.files.code(path, self.defined)
            if code is not None:
                yield code

    def _expansions(self, code: Code) -> Iterator[Code]:
        """Yield the expansions of the declaring macros that the file invokes."""
        end = expanded_characters = 0
        if self._declaring is None or not self.workspace.may_declare(self.path):
            return
        for match in self._declaring.finditer(code.bare):
            start, opening = match.start(), match.end()
            if code.bare[opening : opening + 1] != "(":
                outside = _OUTER_MACRO.search(code.bare, max(0, start - _LOOK_BACK), start)  # FOR_EACH(REGISTER_X)
                if outside is None:
                    continue
                start, opening = outside.start(1), outside.end(1)
            # An invocation among the arguments of another one was expanded with that.
            if start >= end and self._macros.at(code.bare[start:opening].strip(), code, start) is not None:
                end = closing_parenthesis(code.bare, code.bare.index("(", opening)) + 1
                expanded_characters += end - start
                # A hostile file may invoke a macro that expands to itself many times over.
                if expanded_characters > MAX_EXPANDED:
                    raise UnresolvedError(f"more than {MAX_EXPANDED} characters of macros are expanded", code.path, 1)
                yield self._macros.expansion(code, start, end)


def _is_same_text(first: Class, second: Class) -> bool:
    """Return whether two classes have the same text."""
    is_as_long = first.end - first.start == second.end - second.start
    return is_as_long and first.code.text[first.start : first.end] == second.code.text[second.start : second.end]


def is_foreign(text: str) -> bool:
    """Return whether a class is in a namespace that declares no makers, such as `framework` and `std`."""
    return not _FOREIGN.isdisjoint(namespace.strip() for namespace in text.split("<", maxsplit=1)[0].split("::")[:-1])


def _substitute_parameters(text: str, values: Mapping[str, str]) -> str:
    """Return a text with template parameters replaced by their values."""
    return re.sub(r"[A-Za-z_]\w*", lambda match: values.get(match[0], match[0]), text) if text and values else text
