"""The registrations in a C++ file: each op with its arguments, without a maker, or unresolved; and op versions."""

from __future__ import annotations

import re

from opspec_lint.cpp.assertions import is_refused
from opspec_lint.cpp.blocks import CLASS, FUNCTION, NAMESPACE
from opspec_lint.cpp.classes import class_name, split_top
from opspec_lint.cpp.replaced_macros import replacement
from opspec_lint.cpp.tokens import closing_parenthesis
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.paddle.extract.declarations import empty_file_declarations, unresolved
from opspec_lint.frameworks.paddle.extract.fluid.declaring_macros import REGISTERING, REPLACED
from opspec_lint.frameworks.paddle.extract.fluid.makers import Maker
from opspec_lint.frameworks.paddle.extract.fluid.op_versions import registered_histories
from opspec_lint.frameworks.paddle.extract.fluid.resolver import Resolvers
from opspec_lint.frameworks.paddle.extract.fluid.scope import ROOT, is_foreign
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.cpp.classes import Class
    from opspec_lint.cpp.macro import Macro
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.frameworks.paddle.extract.declarations import Declarations, FileDeclarations
    from opspec_lint.frameworks.paddle.extract.fluid.resolver import Resolver
    from opspec_lint.frameworks.paddle.extract.fluid.scope import Scope
    from opspec_lint.frameworks.paddle.extract.fluid.workspace import Workspace

_REGISTER = pattern(r"REGISTER_OP(ERATOR|_WITHOUT_GRADIENT|_WITH_KERNEL|_EX|)\s*\(")
_IDENTIFIER_CHARACTER = pattern(r"\w")


class Registration:
    """One invocation of a registering macro: the op, its class arguments, and its place.

    `is_replaced` is true if another macro than the framework's has its name.
    """

    __slots__ = ("arguments", "code", "column", "is_replaced", "line", "offset", "op")

    def __init__(self, op: str, arguments: list[str], code: Code, offset: int, *, is_replaced: bool = False) -> None:
        self.op = op
        self.arguments = arguments
        self.code = code
        self.offset = offset
        self.is_replaced = is_replaced
        self.line, self.column = code.place(offset)


def declarations(workspace: Workspace, path: str) -> FileDeclarations:
    """Return the declarations in one file, as one build compiles it."""
    resolver = Resolvers(workspace).for_path(path)
    scope = resolver.scope
    file_declarations = empty_file_declarations()
    try:
        for registration in registrations(scope):
            try:
                declared = attempt(lambda: _evaluate(registration, resolver))  # noqa: B023 - called here
            except UnresolvedError as error:
                text = _declaration_text(registration, scope)
                file_declarations["remarks"].append(unresolved(registration.op, error, path, registration.line, text))
                continue
            if declared is None:
                file_declarations["without"].append(registration.op)
            else:
                file_declarations["ops"].append(
                    (registration.op, declared.to_op((path, registration.line, registration.column)))
                )
        for code in scope.own_code():
            for name, history in registered_histories(code, resolver.names_at):
                if isinstance(history, UnresolvedError):
                    remark = unresolved(f"{name} (op version)", history, path, 1, history.reason)
                    file_declarations["remarks"].append(remark)
                else:
                    file_declarations["histories"].setdefault(name, history)
    except UnresolvedError as error:
        # A macro that cannot be expanded may hide registrations, so the whole file is unresolved.
        file_declarations["remarks"].append(unresolved(path, error, path, 1, workspace.files.raw(path) or ""))
    return file_declarations


def registrations(scope: Scope) -> Iterator[Registration]:
    """Yield the registrations in a file and in the expansions of its macros.

    Raises UnresolvedError for a macro that grows without end.
    """
    replaced = REPLACED.names_in(scope.files.raw(scope.path) or "")
    for code in scope.own_code():
        if is_refused(code):
            return
        for match in _REGISTER.finditer(code.bare):
            if _IDENTIFIER_CHARACTER.match(code.bare[max(0, match.start() - 1) : match.start()]):
                continue
            macro = _replacement(code, match, replaced)
            # An empty macro in place of the framework's registers nothing.
            if macro is not None and not macro.body.strip():
                continue
            try:
                closed = closing_parenthesis(code.bare, match.end() - 1)
            except UnresolvedError as error:
                raise error.at(code.path, code.place(match.start())[0]) from None
            arguments = split_top(code.bare[match.end() : closed])
            # Until 2018: REGISTER_OP(op, class, maker, grad op, grad class).
            if match[1] in ("", "_EX"):
                # The fourth argument is the name of the gradient op, which is no class.
                arguments = [*arguments[:3], *arguments[4:5]]
            if arguments:
                is_replaced = macro is not None
                yield Registration(arguments[0], arguments[1:], code, match.start(), is_replaced=is_replaced)


def _replacement(code: Code, registered: re.Match[str], replaced: Collection[str]) -> Macro | None:
    """Return the macro that a file has in place of the framework's at a registration; None if that registers an op."""
    name = registered[0].rstrip("( \t\n")
    if name not in replaced:
        return None
    home, offset = code.source_of(registered.start())
    return replacement(home, name, offset, REGISTERING)


def _evaluate(registration: Registration, resolver: Resolver) -> Declarations | None:
    """Return the declarations of a registration's maker; None for an op without a maker.

    Raises UnresolvedError if the maker cannot be evaluated.
    """
    if not re.fullmatch(r"[A-Za-z_]\w*", registration.op):
        raise UnresolvedError(f"{registration.op!r} is not the name of an op")
    try:
        _check_macro(registration)
        resolver.scope.check_compiled(registration.code, registration.offset)
        _check_place(registration)
        possible_chains = [_maker_chain(text, resolver.scope) for text in registration.arguments]
        chains = [chain for chain in possible_chains if chain is not None]
        if not chains:
            return None
        return Maker(_single_chain(chains), resolver).make()
    except UnresolvedError as error:
        raise error.at(registration.code.path, registration.line) from None


def _check_macro(registration: Registration) -> None:
    """Raise UnresolvedError for a registration by a macro that only has the name of Paddle's."""
    if registration.is_replaced:
        raise UnresolvedError("another macro replaces the one of Paddle that registers it")


def _check_place(registration: Registration) -> None:
    """Raise UnresolvedError for a registration that Paddle refuses to compile: STATIC_ASSERT_GLOBAL_NAMESPACE."""
    block = registration.code.blocks().at(registration.offset)
    if block is not None and any(around.kind in (CLASS, FUNCTION, NAMESPACE) for around in block.around()):
        raise UnresolvedError("Paddle registers ops in the global namespace only, and in no function")


def _single_chain(chains: list[list[tuple[Class, dict[str, str]]]]) -> list[tuple[Class, dict[str, str]]]:
    """Return the only maker among the class arguments of a registration, which may name it twice."""
    if any(_chain_key(chain) != _chain_key(chains[0]) for chain in chains):
        raise UnresolvedError("it has two makers")
    return chains[0]


def _chain_key(chain: list[tuple[Class, dict[str, str]]]) -> list[tuple[str, int, dict[str, str]]]:
    """Return the identity of a maker's classes: their files, offsets and template arguments."""
    return [(maker_class.code.path, maker_class.start, bound) for maker_class, bound in chain]


def _maker_chain(text: str, scope: Scope) -> list[tuple[Class, dict[str, str]]] | None:
    """Return the chain of classes of a maker argument; None for an argument that is no maker.

    Raises UnresolvedError for a class that the tree does not have.
    """
    name, _ = class_name(text)
    if not name or name == ROOT:
        return None
    if is_foreign(text) or is_foreign(scope.expand_namespace_alias(text)):
        return None
    if scope.find_class(name, text) is None:
        alias = scope.alias(name)
        if alias is not None:
            return _maker_chain(alias, scope)
        if scope.is_made_by_macro(name):
            return None
        raise UnresolvedError(f"the class {text} was not found")
    return scope.maker_chain(text)


def _declaration_text(registration: Registration, scope: Scope) -> str:
    """Return the text of a registration and its classes; a change of this text may resolve the op."""
    texts = [registration.op, *registration.arguments]
    waiting = [text for text in registration.arguments if not is_foreign(text)]
    seen: set[str] = set()
    while waiting:
        text = waiting.pop()
        name, _ = class_name(text)
        if not name or name in seen:
            continue
        seen.add(name)
        try:
            maker_class = scope.find_class(name, text)
        except UnresolvedError:
            maker_class = None
        if maker_class is not None:
            texts.append(" ".join(maker_class.code.text[maker_class.start : maker_class.end].split()))
            waiting += (base for base in maker_class.bases if not is_foreign(base))
    return "\0".join(texts)
