"""The targets of a CMake project: their sources, and the conditions under which a build compiles them."""

from __future__ import annotations

from collections import defaultdict

from opspec_lint.builds.cmake.commands import is_true
from opspec_lint.builds.cmake.items import restrict
from opspec_lint.builds.source_lists import ENDS
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from opspec_lint.builds.cmake.folders import Folder
    from opspec_lint.builds.cmake.items import Item
    from opspec_lint.builds.source_lists import SourceLists
    from opspec_lint.spec.condition import Condition

_LIBRARY_KINDS = frozenset({"SHARED", "MODULE", "STATIC", "OBJECT", "INTERFACE"})
_SCOPES = frozenset({"PRIVATE", "PUBLIC", "INTERFACE"})
_MAX_ROUNDS = 20
_EXECUTABLE = "EXECUTABLE"
_PRODUCTS = frozenset({"SHARED", "MODULE"})
_OBJECTS = pattern(r"\$<TARGET_OBJECTS:([^<>]*)>")


class Targets:
    """The targets of a project, in their order.

    Attributes:
        is_whole: set if no file of the tree that was not followed can link a target.
        folder: the folder whose commands are executed.
        folder_excluded_if: the condition under which a build makes the targets of the folder only if others need them.
    """

    def __init__(self, folder: Folder, *, is_whole: bool) -> None:
        self.is_whole = is_whole
        self.folder = folder
        self.folder_excluded_if: Condition = NEVER
        self._added: list[tuple[Folder, str, str, list[Item]]] = []
        """The folder, target, its kind or scope, and sources, for each command; "" for one that is not a target's."""
        self._kinds: dict[str, dict[str, Condition]] = defaultdict(dict)
        self._shared_if: dict[str, Condition] = {}
        """The condition under which each library without a kind is shared."""
        self._excluded_if: dict[str, Condition] = {}
        self._aliases: dict[str, str] = {}
        self._users: dict[str, list[tuple[str, Condition]]] = defaultdict(list)
        """For each target, those that need it and the condition; "" for a command that is not a target's."""
        self._not_compiled: list[tuple[Folder, str, Condition]] = []
        self._names: dict[str, list[str]] = defaultdict(list)
        """The aliases of each target."""
        self._made_if: dict[str, Condition] = {}
        """The condition under which a build makes a target, as far as it is known."""
        self._before: dict[str, Condition] = {}
        self._has_products = False
        """Set if a build makes shared libraries, next to which a library that none of them links is of no use."""
        self._open: set[str] = set()
        """The targets whose conditions are being found."""
        self._is_cyclic = False

    def add(self, arguments: Sequence[Item], runs_if: Condition, shared_if: Condition | None) -> None:
        """Add the target of an `add_library` or `add_executable`.

        `shared_if` is the condition under which a library without a kind is shared, None for an executable.
        """
        if not arguments:
            return
        name, *rest = arguments
        options = [item.text for item in rest]
        if "IMPORTED" in options:
            return
        if options[:1] == ["ALIAS"]:
            self._aliases[name.text] = options[-1]
            return
        kind = next((text for text in options if text in _LIBRARY_KINDS), "")
        if shared_if is None:
            kind = _EXECUTABLE
        elif not kind:
            self._shared_if[name.text] = shared_if
        kinds = self._kinds[name.text]
        kinds[kind] = disjunction((kinds.get(kind, NEVER), runs_if))
        if "EXCLUDE_FROM_ALL" in options:
            self.exclude(name.text, runs_if)
        elif self.folder_excluded_if != NEVER:
            self.exclude(name.text, conjunction(runs_if, self.folder_excluded_if))
        if kind != "INTERFACE":  # it is not built, and its users do not compile its own sources
            self._add(name.text, kind, rest, runs_if)

    def add_sources(self, arguments: Sequence[Item], runs_if: Condition) -> None:
        """Add the sources of a `target_sources`."""
        scope = "PRIVATE"
        parts: dict[str, list[Item]] = defaultdict(list)
        for item in arguments[1:]:
            if item.text in _SCOPES:
                scope = item.text
            else:
                parts[scope].append(item)
        for scope, items in parts.items():
            if scope != "INTERFACE":
                self._add(arguments[0].text, "", items, runs_if)
            if scope != "PRIVATE":
                self._add(arguments[0].text, "INTERFACE", items, runs_if)

    def set_sources(self, target: Item, items: Sequence[Item], runs_if: Condition, *, is_added: bool) -> None:
        """Set the property SOURCES of a target, in place of the sources so far or in addition to them.

        The sources that its users compile are another property.
        """
        runs_if = conjunction(runs_if, target.condition)
        if not is_added:
            kept_if = negation(runs_if)
            self._added = [
                (folder, name, kind, list(restrict(sources, kept_if)))
                if name == target.text and kind != "INTERFACE"
                else (folder, name, kind, sources)
                for folder, name, kind, sources in self._added
            ]
        self._add(target.text, "", items, runs_if)

    def add_others(self, items: Sequence[Item], runs_if: Condition) -> None:
        """Add the arguments of a command that is not followed: it may compile each source, and link each target."""
        self._add("", "", items, runs_if)
        for item in items:
            self.use(item.text, "", conjunction(runs_if, item.condition))

    def use(self, name: str, user: str, condition: Condition) -> None:
        """Record that a target needs another one; "" for a command such as `install`."""
        self._users[name].append((user, condition))

    def exclude(self, name: str, condition: Condition) -> None:
        """Record that a build makes a target only if another one needs it."""
        self._excluded_if[name] = disjunction((self._excluded_if.get(name, NEVER), condition))

    def leave_out(self, source: str, condition: Condition) -> None:
        """Record that a source is a part of its targets without being compiled."""
        self._not_compiled.append((self.folder, source, condition))

    def set_property(
        self, name: str, value: str, items: Iterable[Item], runs_if: Condition, *, is_target: bool
    ) -> None:
        """Set a property of targets or sources, of those that decide what is compiled."""
        if not is_true(value):
            return
        for item in items:
            condition = conjunction(runs_if, item.condition)
            if name == "EXCLUDE_FROM_ALL" and is_target:
                self.exclude(item.text, condition)
            elif name == "HEADER_FILE_ONLY" and not is_target:
                self.leave_out(item.text, condition)

    def record(self, root: SourceLists, simplify: Callable[[Condition], Condition]) -> None:
        """Record what the targets compile, each list under its condition as a function simplifies it.

        A list belongs to the folder of its command; sources outside of this folder are recorded in `root`.
        """
        self._solve()
        for folder, name, kind, items in self._added:
            compiled_if = self._interface_condition(name) if kind == "INTERFACE" else self._condition(name)
            groups: dict[tuple[Condition, tuple[object, ...]], list[Item]] = defaultdict(list)
            for item in restrict(items, compiled_if):
                groups[simplify(item.condition), item.excluded].append(item)
            for (condition, _), group in groups.items():
                own, outside = folder.split([item.text for item in group])
                folder.lists.list(own, group[0].excluded, condition)
                if outside:
                    root.list(outside, group[0].excluded, condition)
        for folder, source, condition in self._not_compiled:
            own, outside = folder.split([source])
            folder.lists.exclude(own, is_certain=True, condition=condition)
            root.exclude(outside, is_certain=True, condition=condition)

    def _add(self, name: str, kind: str, items: Sequence[Item], runs_if: Condition) -> None:
        self._added.append((self.folder, name, kind, list(restrict(items, runs_if))))
        self.folder.doubts += [item.doubt for item in items if item.doubt is not None]
        for item in items:
            for linked in _OBJECTS.findall(item.text):
                self.use(linked, name, conjunction(runs_if, item.condition))

    def _solve(self) -> None:
        """Find the condition under which a build makes each target.

        Targets may need each other: each round takes the results of the one before for a target that needs itself.

        Raises:
            SyntaxError: the targets need each other in too many ways.
        """
        self._has_products = any(not _PRODUCTS.isdisjoint(kinds) for kinds in self._kinds.values()) or any(
            not name and any(item.text.endswith(ENDS) for item in items) for _, name, _, items in self._added
        )
        self._names = defaultdict(list)
        for alias, name in self._aliases.items():
            self._names[name].append(alias)
        for _ in range(_MAX_ROUNDS):
            before, self._made_if = self._made_if, {}
            self._before, self._is_cyclic = before, False
            for name in self._kinds:
                self._condition(name)
            if not self._is_cyclic or self._made_if == before:
                return
        raise SyntaxError("its targets need each other")

    def _condition(self, name: str) -> Condition:
        """Return the condition under which a build makes a target."""
        kinds = self._kinds.get(name)
        if not kinds:
            return ALWAYS
        if name in self._open:
            self._is_cyclic = True
            return self._before.get(name, NEVER)
        if name not in self._made_if:
            self._open.add(name)
            self._made_if[name] = self._find_condition(name, kinds)
            self._open.discard(name)
        return self._made_if[name]

    def _find_condition(self, name: str, kinds: Mapping[str, Condition]) -> Condition:
        needed = self._needed_if(name)
        made = []
        for kind, condition in kinds.items():
            own = ALWAYS
            if kind == "INTERFACE":
                own = NEVER
            elif kind == _EXECUTABLE:
                own = requirement(f"the program is `{name}`")
            elif kind in ("STATIC", "OBJECT") and self.is_whole:
                own = requirement(f"a target links `{name}`")
            elif not kind and self.is_whole and self._has_products:
                own = disjunction((self._shared_if[name], requirement(f"a target links `{name}`")))
            made.append(conjunction(condition, disjunction((needed, own))))
        excluded = self._excluded_if.get(name, NEVER)
        result = disjunction(made)
        if excluded != NEVER:
            result = conjunction(
                result, disjunction((negation(excluded), needed, requirement(f"a build makes `{name}`")))
            )
        return result

    def _interface_condition(self, name: str) -> Condition:
        """Return the condition under which another target compiles the INTERFACE sources of a target."""
        needed = self._needed_if(name)
        return needed if self.is_whole else disjunction((needed, requirement(f"a target links `{name}`")))

    def _needed_if(self, name: str) -> Condition:
        return disjunction(
            conjunction(condition, self._condition(user) if user else ALWAYS)
            for used in (name, *self._names[name])
            for user, condition in self._users.get(used, ())
        )
