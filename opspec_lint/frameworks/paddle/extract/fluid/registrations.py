"""What a C++ file registers: each op with its arguments, without a maker, or unresolved; and op versions."""

from __future__ import annotations

import re

from opspec_lint.cpp.classes import class_name, split_top
from opspec_lint.cpp.tokens import closing_parenthesis
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.paddle.extract.declared import no_declarations, unresolved
from opspec_lint.frameworks.paddle.extract.fluid.makers import Maker
from opspec_lint.frameworks.paddle.extract.fluid.op_versions import registered
from opspec_lint.frameworks.paddle.extract.fluid.resolver import Resolvers
from opspec_lint.frameworks.paddle.extract.fluid.scope import ROOT, is_foreign
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cpp.classes import Class
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.frameworks.paddle.extract.declared import Declarations, FileDeclarations
    from opspec_lint.frameworks.paddle.extract.fluid.resolver import Resolver
    from opspec_lint.frameworks.paddle.extract.fluid.scope import Scope
    from opspec_lint.frameworks.paddle.extract.fluid.workspace import Workspace

_REGISTER = pattern(r"REGISTER_OP(ERATOR|_WITHOUT_GRADIENT|_WITH_KERNEL|_EX|)\s*\(")
_WORD_BEFORE = pattern(r"\w")


class Registration:
    """One registration: the op, its class arguments, and where it stands."""

    __slots__ = ("arguments", "code", "column", "line", "offset", "op")

    def __init__(self, op: str, arguments: list[str], code: Code, offset: int) -> None:
        self.op = op
        self.arguments = arguments
        self.code = code
        self.offset = offset
        self.line, self.column = code.place(offset)


def declarations(workspace: Workspace, path: str) -> FileDeclarations:
    """Return what a file declares, in one build."""
    resolver = Resolvers(workspace).of(path)
    scope = resolver.scope
    found = no_declarations()
    try:
        for this in registrations(scope):
            try:
                declared = attempt(lambda: _evaluated(this, resolver))  # noqa: B023 - called here
            except UnresolvedError as error:
                text = _declaring_text(this, scope)
                found["remarks"].append(unresolved(this.op, error, path, this.line, text))
                continue
            if declared is None:
                found["without"].append(this.op)
            else:
                found["ops"].append((this.op, declared.op((path, this.line, this.column))))
        for code in scope.own():
            for name, history in registered(code, resolver.at):
                if isinstance(history, UnresolvedError):
                    remark = unresolved(f"{name} (op version)", history, path, 1, history.reason)
                    found["remarks"].append(remark)
                else:
                    found["histories"].setdefault(name, history)
    except UnresolvedError as error:  # a macro that cannot be expanded hides what it registers
        found["remarks"].append(unresolved(path, error, path, 1, workspace.files.raw(path) or ""))
    return found


def registrations(scope: Scope) -> Iterator[Registration]:
    """Yield the registrations of a file, those in macros included.

    Raises:
        UnresolvedError: a macro grows without end.
    """
    for code in scope.own():
        for match in _REGISTER.finditer(code.bare):
            if _WORD_BEFORE.match(code.bare[max(0, match.start() - 1) : match.start()]):
                continue
            try:
                closed = closing_parenthesis(code.bare, match.end() - 1)
            except UnresolvedError as error:
                raise error.at(code.path, code.place(match.start())[0]) from None
            arguments = split_top(code.bare[match.end() : closed])
            if match[1] in ("", "_EX"):  # REGISTER_OP(op, class, maker, grad op, grad class), until 2018
                arguments = [*arguments[:3], *arguments[4:5]]
            if arguments:
                yield Registration(arguments[0], arguments[1:], code, match.start())


def _evaluated(this: Registration, resolver: Resolver) -> Declarations | None:
    """Return what the maker of a registration declares, None for an op without a maker.

    Raises:
        UnresolvedError: the maker cannot be evaluated.
    """
    if not re.fullmatch(r"[A-Za-z_]\w*", this.op):
        raise UnresolvedError(f"{this.op!r} is not the name of an op")
    try:
        resolver.scope.check(this.code, this.offset)
        chains = [chain for text in this.arguments if (chain := _chain(text, resolver.scope)) is not None]
        if not chains:
            return None
        return Maker(_only(chains), resolver).make()
    except UnresolvedError as error:
        raise error.at(this.code.path, this.line) from None


def _only(chains: list[list[tuple[Class, dict[str, str]]]]) -> list[tuple[Class, dict[str, str]]]:
    if any(_told(chain) != _told(chains[0]) for chain in chains):
        raise UnresolvedError("it has two makers")
    return chains[0]


def _told(chain: list[tuple[Class, dict[str, str]]]) -> list[tuple[str, int, dict[str, str]]]:
    return [(this.code.path, this.start, bound) for this, bound in chain]


def _chain(text: str, scope: Scope) -> list[tuple[Class, dict[str, str]]] | None:
    """Return the classes of a maker, as it is written; None for what is none.

    Raises:
        UnresolvedError: the tree does not have the class.
    """
    name, _ = class_name(text)
    if not name or name == ROOT:
        return None
    if is_foreign(text) or is_foreign(scope.unaliased(text)):
        return None
    if scope.find_class(name, text) is None:
        alias = scope.alias(name)
        if alias is not None:
            return _chain(alias, scope)
        if scope.is_made_by_macro(name):
            return None
        raise UnresolvedError(f"the class {text} was not found")
    return scope.chain(text)


def _declaring_text(this: Registration, scope: Scope) -> str:
    """Return the text that declares an op: its registration, and what is found of its classes."""
    texts = [this.op, *this.arguments]
    waiting = [text for text in this.arguments if not is_foreign(text)]
    seen: set[str] = set()
    while waiting:
        text = waiting.pop()
        name, _ = class_name(text)
        if not name or name in seen:
            continue
        seen.add(name)
        try:
            found = scope.find_class(name, text)
        except UnresolvedError:
            found = None
        if found is not None:
            texts.append(" ".join(found.code.text[found.start : found.end].split()))
            waiting += (base for base in found.bases if not is_foreign(base))
    return "\0".join(texts)
