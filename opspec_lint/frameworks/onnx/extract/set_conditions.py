"""The conditions under which a tree registers schemas: operator sets list them, and functions register the sets.

A set is a class whose `ForEachSchema` passes each schema to a function that registers it.
"""

from __future__ import annotations

from opspec_lint.cpp.liveness import Liveness
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from opspec_lint.cpp.preprocessed import CppFile
    from opspec_lint.frameworks.onnx.extract.operator_sets import Listed, SchemaMacros
    from opspec_lint.spec.condition import Condition

    Unread = tuple[str, int, str]
    """A function that cannot be evaluated: the file, the line, and the reason."""

_REGISTERED = pattern(r"\bRegisterOpSetSchema\s*<\s*(?:\w+\s*::\s*)*(\w+)\s*[>,]")
_LISTING = pattern(r"\bForEachSchema\s*\(")
_REGISTERING = pattern(r"\b(Register\w*OperatorSetSchema)\s*\(([^()]*)")
_CALL = pattern(r"[;{}]\s*(?:\w+\s*::\s*)*(Register\w*OperatorSetSchema)\s*\(\s*\)\s*(?=;)")
_DEREGISTERING = pattern(r"\bDeregister\w*\s*\(|\bOpSchemaDeregister\w*\s*\(")
_NAMESPACES = ((), ("ONNX_NAMESPACE",), ("onnx",))
_FUNCTION = ("fn",)
"""The parameter of `ForEachSchema` that registers a schema."""


class SetConditions:
    """The schemas in the operator sets of a tree, each with its condition and the line that causes the condition.

    `unread` are the functions that cannot be evaluated.

    Args:
        files: the files with operator sets.
        callers: the files that may call the functions that register sets.
        macros: the macros of schema.h.
        defined: the macros that every build defines.
        may_define: returns True if another file or a build may define a macro.
    """

    def __init__(
        self,
        files: Iterable[CppFile],
        callers: Iterable[CppFile],
        macros: SchemaMacros,
        defined: Mapping[str, str],
        may_define: Callable[[str], bool],
    ) -> None:
        self._macros = macros
        self._live = [(file.path, Liveness(file, defined, may_define, _FUNCTION)) for file in files]
        self._called = dict(_called_functions(callers, defined, may_define))
        self._sets = dict(self._registered_sets())
        self.listed: dict[Listed, tuple[Condition, tuple[str, int] | None]] = {}
        """By schema, its condition, and the file and line of the condition's cause, None if there is none."""
        for path, live in self._live:
            self._add_listed(path, live)
        self.unread: list[Unread] = [(path, line, reason) for path, live in self._live for line, reason in live.unread]
        self.unread += (unread for path, live in self._live for unread in self._deregistrations(path, live))

    def _registered_sets(self) -> Iterator[tuple[str, Condition]]:
        """Yield the sets that functions register, with the condition under which at least one function does."""
        conditions: dict[str, list[Condition]] = {}
        for _, live in self._live:
            for match in _REGISTERED.finditer(live.code.bare):
                live.enter(match.start(), self._registering_condition)
                condition, _ = live.at(match.start())
                conditions.setdefault(match[1], []).append(condition)
        for name, alternatives in conditions.items():
            yield name, disjunction(alternatives)

    def _add_listed(self, path: str, live: Liveness) -> None:
        """Add the schemas that the sets of a file list."""
        for offset, listed in self._macros.listed(live.code.bare):
            live.enter(offset, self._listing_condition)
            condition, line = live.at(offset)
            # A schema may be in several sets: one that is registered is enough.
            if listed in self.listed:
                earlier_condition, _ = self.listed[listed]
                condition = disjunction((condition, earlier_condition))
            if condition != NEVER:
                self.listed[listed] = condition, None if line is None else (path, line)

    def _listing_condition(self, head: str, scope: tuple[str, ...]) -> Condition | None:
        """Return the condition of a `ForEachSchema` by the set that it belongs to, None for any other function."""
        if _LISTING.search(head) is None:
            return None
        # A class of this name in another namespace is not the one that ONNX registers.
        if scope[:-1] not in _NAMESPACES:
            return NEVER
        if not self._sets or not scope:
            return ALWAYS  # a part of a tree lacks the functions that register sets, so nothing is known of them
        return self._sets.get(scope[-1], NEVER)

    def _registering_condition(self, head: str, scope: tuple[str, ...]) -> Condition | None:
        """Return the condition of a function that registers sets, None for any other function.

        ONNX itself calls the overload that needs no argument, to register the sets of all versions; the one that needs
        a version is for programs.
        """
        match = _REGISTERING.search(head)
        if match is None:
            # A program that calls `DeregisterOnnxOperatorSetSchema` intends to lose the schemas.
            return NEVER if _DEREGISTERING.search(head) else None
        if scope not in _NAMESPACES:
            return NEVER
        needs_version = any("=" not in parameter for parameter in match[2].split(",") if parameter.strip(" \nvoid"))
        if needs_version:
            return requirement("a program registers the schemas of one version")
        # Without any call, the part of the tree that has the calls is missing, or calls them in another way.
        return self._called.get(match[1], requirement(f"a program calls `{match[1]}`")) if self._called else ALWAYS

    def _deregistrations(self, path: str, live: Liveness) -> Iterator[Unread]:
        """Yield the calls that may remove schemas again, in functions that register sets."""
        for match in _DEREGISTERING.finditer(live.code.bare):
            if live.code.blocks().function_around(match.start()) is None:
                continue  # a declaration
            live.enter(match.start(), self._registering_condition)
            condition, _ = live.at(match.start())
            if condition != NEVER:
                line, _ = live.code.place(match.start())
                yield path, line, f"`{match[0].rstrip(' (')}` removes schemas again"


def _called_functions(
    callers: Iterable[CppFile], defined: Mapping[str, str], may_define: Callable[[str], bool]
) -> Iterator[tuple[str, Condition]]:
    """Yield the functions that ONNX calls to register sets, with the condition under which the call is compiled."""
    for file in callers:
        if "OperatorSetSchema" in file.bare:
            live = Liveness(file, defined, may_define)
            for match in _CALL.finditer(live.code.bare):
                yield match[1], live.is_compiled(match.start(1))


def declaration_condition(live: Liveness, macro: str, offset: int) -> tuple[Condition, int | None]:
    """Return the condition under which a macro declares a schema at an offset, and the line that causes it."""
    condition, line = live.at(offset)
    unchanged, line_of_macro = live.unreplaced({macro}, offset, kept="ONNX_OPERATOR_SET_SCHEMA")
    return conjunction(condition, unchanged), line_of_macro if line is None else line
