"""The sources that the rules of a package of Bazel compile, each with its condition.

A file is compiled if a rule that names it is built, also through a `filegroup`. A `cc_library` or an alias is built for
the rules that depend on it, and for other packages unless its visibility is limited to its own. What cannot be
evaluated decides nothing, and is a doubt.
"""

from __future__ import annotations

import posixpath

from opspec_lint.builds.bazel.packages import Packages
from opspec_lint.builds.bazel.rules import ALIAS, EXPORT, GROUP, RuleReader, absolute_label, named_files
from opspec_lint.builds.source_lists import ENDS, WORKSPACES, may_be_in
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.builds.bazel.rules import BuildRule
    from opspec_lint.builds.starlark.lists import Place
    from opspec_lint.spec.condition import Condition

    Rule: TypeAlias = BuildRule[Condition]
    NamingRules: TypeAlias = list[tuple[Rule, Condition]]

_LINKED = ("cc_library", ALIAS)
"""Rules that are built for others only."""
_LINKS = pattern(r"(?:^|_)(?:cc_(?:binary|shared_library)|shared_object)\Z")
"""Rules that link libraries."""
_NAMING = pattern(r"^(?:module|workspace)[ \t]*\(([^()]*)\)", "m")
_NAME = pattern(r"""\b(?:repo_)?name[ \t]*=[ \t]*["']([^"']*)["']""")
_NO_USE = ("name", "visibility", "tags")
"""Arguments that name no rule to be built."""
_UNUSED = frozenset(
    {"copts", "cxxopts", "linkopts", "defines", "local_defines", "includes", "features", "compatible_with", "licenses"}
)
"""Arguments that name no file and no rule to be built; many of them call functions of other files."""
_TESTS = frozenset({"cc_test", "py_test", "sh_test", "test_suite", "build_test"})
"""Rules that build nothing for others."""
_UNKNOWN = "an expression that cannot be evaluated"
_UNKNOWN_USE = "an expression that cannot be evaluated may depend on `{label}`"
_UNFOLLOWED = "the macro `{macro}` cannot be evaluated"
_EXPORTED = "only `exports_files` names it, and no rule around it does"
_GROUPED = "only the {noun} `{label}` names it, and no rule around it uses the {noun}"
_UNLINKED = "no rule around it depends on `{label}`"


class Doubt(Record):
    """The place of a rule or an expression that may keep a source from being compiled, and the reason."""

    place: Place
    reason: str


class PackageSources(Record):
    """The sources in question that a package compiles, as plain data.

    - `conditions`: the condition under which the rules compile each source; a source that no rule names is left out
    - `doubt_by_source`: the doubt on a source that is taken for compiled
    - `unknown_list`: the line and the name of an expression that may list further sources, None if there is none
    - `unknown_file`: None; an expression of another file names the file itself
    - `unparsed`: the line at which the BUILD file cannot be parsed, and the reason
    - `together`: the sources of each rule
    - `listed`: the texts and patterns that may name a source
    """

    conditions: Mapping[str, Condition] = {}
    doubt_by_source: Mapping[str, Doubt] = {}
    unknown_list: tuple[int, str] | None = None
    unknown_file: str | None = None
    unparsed: tuple[int, str] | None = None
    together: tuple[frozenset[str], ...] = ()
    listed: tuple[str, ...] = ()

    def compiles(self, path: str) -> Condition:
        """Return the condition under which the package compiles a source."""
        condition = self.conditions.get(path)
        if condition is None:
            return NEVER if self.unknown_list is None and self.unparsed is None else ALWAYS
        return condition

    def doubts(self, path: str) -> Iterator[Doubt]:
        """Yield the doubt on a source that the package is taken to compile."""
        if path in self.doubt_by_source:
            yield self.doubt_by_source[path]

    def lists_named(self, path: str) -> Condition | None:
        """Return the condition under which a rule that names a source is built; None if there is no such rule."""
        return self.conditions.get(path)

    def lists_together(self, paths: Iterable[str]) -> bool:
        """Return whether one rule compiles several sources."""
        return any(sources.issuperset(paths) for sources in self.together)

    def may_list_folder(self, folder: str) -> bool:
        """Return whether the rules may list any source of a folder, which is relative to the package."""
        return any(may_be_in(text, folder) for text in self.listed)


class _Conditions:
    """Conditions as cases of Starlark's lists."""

    every: Condition = ALWAYS

    def where(self, setting: str) -> Condition:
        """Return the condition that a setting or a function such as `if_cuda` is true."""
        return requirement(setting)

    def both(self, first: Condition, second: Condition) -> Condition:
        """Return the condition that two conditions both hold."""
        return conjunction(first, second)

    def without(self, first: Condition, second: Condition) -> Condition:
        """Return the condition that the first condition holds, and the second does not."""
        return conjunction(first, negation(second))


_READER = RuleReader(_Conditions(), ENDS, unused=_UNUSED, skipped=_TESTS)


class PackageReader(Packages["Condition"]):
    """The reader of the sources that packages compile.

    Args:
        files: the paths of the sources in question.
        text_of: returns the text of a file of the tree, None for a missing file.
    """

    def __init__(self, files: Collection[str], text_of: Callable[[str], str | None]) -> None:
        super().__init__(files, text_of, _READER, self._own_names)
        self._names: dict[str, str] | None = None
        """The root of the tree by the names of its repository; None as long as it is not needed."""
        self._users_by_label: dict[str, NamingRules] | None = None
        """The rules by the labels that they name; None as long as it is not needed."""
        self._built: dict[str, Condition] = {}

    def _own_names(self) -> Mapping[str, str]:
        """Return the root of the tree by the names of the repository that it is."""
        if self._names is None:
            texts = "\n".join(self._text_of(file) or "" for file in WORKSPACES)
            named = (match[1] for statement in _NAMING.findall(texts) for match in _NAME.finditer(statement))
            self._names = dict.fromkeys(("", *named), "")
        return self._names

    def read(self, folder: str) -> PackageSources:
        """Return the sources in question that the package of a folder compiles."""
        try:
            return self._read(folder)
        except RecursionError:  # a chain of a thousand rules
            return PackageSources(unknown_list=(1, _UNKNOWN))

    def _read(self, folder: str) -> PackageSources:
        rules = self.rules_of_package(folder)
        if rules is None:
            line = self.unread[self.build_file(folder) or ""][1]
            return PackageSources(unparsed=(line, "it is not valid Python"))
        self.add(rules)
        inside = [path for path in self.files if self.package_of(path) == folder]
        if any(map(self.is_unnamed, inside)):
            self.add(self.made_rules(folder))
        if not all(self._is_settled(path) for path in inside):
            self._add_above(folder)
        conditions: dict[str, Condition] = {}
        doubts: dict[str, Doubt] = {}
        for path in inside:
            naming = self._naming_rules(path)
            if naming:
                conditions[path] = self._compiled_if(naming)
                doubt = self._doubt(naming)
                if doubt is not None and conditions[path] != NEVER:
                    doubts[path] = doubt
        return PackageSources(
            conditions=conditions,
            doubt_by_source=doubts,
            unknown_list=self._unknown_list(folder),
            together=tuple(self._sources_together()),
            listed=tuple(self._listed(folder, rules)),
        )

    def _unknown_list(self, folder: str) -> tuple[int, str] | None:
        """Return the line and the name of an expression in a package that may list sources, None if there is none."""
        place = self.unknown_place(folder)
        if place is None:
            return None
        file, line = place
        return line, _UNKNOWN if file == self.build_file(folder) else f"{_UNKNOWN} of `{file}`"

    def add(self, rules: Iterable[Rule]) -> None:
        """Record rules and the files that they name."""
        super().add(rules)
        self._users_by_label = None

    def _users(self, label: str) -> NamingRules:
        """Return the rules that name a label, each with the condition under which it does; tests are left out."""
        if self._users_by_label is None:
            self._users_by_label = {}
            for rule in self.rules.values():
                for argument, items in rule.strings.items():
                    if argument not in _NO_USE and not rule.is_test:
                        for text, where in items:
                            used = absolute_label(rule.package, text)
                            self._users_by_label.setdefault(used, []).append((rule, where))
        return self._users_by_label.get(label, [])

    def _add_above(self, folder: str) -> None:
        """Record the rules of the packages above a folder, which may use its rules and files."""
        while folder:
            folder = posixpath.dirname(folder)
            self.add(self.rules_of_package(folder) or ())

    def _naming_rules(self, path: str) -> NamingRules:
        """Return the rules that name a source and are no tests, each with the condition under which it does.

        A statement that cannot be evaluated makes no rule: its place is `unknown`.
        """
        rules = self.rules_by_file.get(path, ())
        return [(rule, named) for rule, named in rules if not rule.is_test and not rule.is_unread]

    def _is_settled(self, path: str) -> bool:
        """Return whether the rules of the package itself decide whether a source is compiled."""
        naming = self._naming_rules(path)
        return any(not rule.is_group for rule, _ in naming) and self._doubt(naming) is None

    def _compiled_if(self, naming: NamingRules) -> Condition:
        """Return the condition under which a rule that names a source is built."""
        compiling = [(rule, named) for rule, named in naming if not rule.is_group]
        if not compiling:  # a rule of another package may compile the files of a group
            return NEVER if all(rule.states_private for rule, _ in naming) else ALWAYS
        return disjunction(conjunction(named, self._built_if(rule)) for rule, named in compiling)

    def _built_if(self, rule: Rule) -> Condition:
        """Return the condition under which a build needs a rule."""
        compatible = self.reader.compatible_cases(rule)
        if rule.kind not in _LINKED or not rule.states_private or self._unknown_dependency(rule) is not None:
            return compatible
        if rule.label not in self._built:
            self._built[rule.label] = NEVER  # for rules that depend on each other
            users = self._users(rule.label)
            needed = disjunction((NEVER, *(conjunction(where, self._built_if(user)) for user, where in users)))
            self._built[rule.label] = conjunction(compatible, needed)
        return self._built[rule.label]

    def _unknown_dependency(self, rule: Rule) -> Place | None:
        """Return the place of an expression that may name a rule which nothing else in its package uses."""
        if self._users(rule.label):
            return None
        places = (neighbour.unknown_dependency for neighbour in self._neighbours(rule))
        return next((place for place in places if place is not None), None)

    def _neighbours(self, rule: Rule) -> Iterator[Rule]:
        """Yield the rules of the package of a rule that are no tests."""
        return (near for near in self.rules.values() if near.package == rule.package and not near.is_test)

    def _doubt(self, naming: NamingRules) -> Doubt | None:
        """Return the doubt that a rule which names a source compiles it; None if one of the rules certainly does."""
        doubts = [self._doubt_of_rule(rule) for rule, _ in naming if not rule.is_group]
        if not doubts:
            groups = [rule for rule, _ in naming if not rule.states_private]
            doubts = [Doubt(place=rule.place, reason=_reason_of_group(rule)) for rule in groups]
        return doubts[0] if doubts and all(doubts) else None

    def _doubt_of_rule(self, rule: Rule) -> Doubt | None:
        """Return the doubt that a build needs a rule, None for no doubt."""
        if rule.is_unfollowed:
            return Doubt(place=rule.place, reason=_UNFOLLOWED.format(macro=rule.kind))
        if rule.kind not in _LINKED:
            return None
        if rule.states_private:
            unknown = self._unknown_dependency(rule)
            return unknown and Doubt(place=unknown, reason=_UNKNOWN_USE.format(label=rule.label))
        # A library without any user is exported; next to a binary, it may have been dropped from the binary.
        has_binary = any(_LINKS.search(neighbour.kind) for neighbour in self._neighbours(rule))
        if not has_binary or self._is_linked(rule.label):
            return None
        return Doubt(place=rule.place, reason=_UNLINKED.format(label=rule.label))

    def _is_linked(self, label: str) -> bool:
        """Return whether a rule that is no library depends on a library, also indirectly."""
        waiting, visited = [label], {label}
        while waiting:
            for user, _ in self._users(waiting.pop()):
                if user.kind not in _LINKED:
                    return True
                if user.label not in visited:
                    visited.add(user.label)
                    waiting.append(user.label)
        return False

    def _sources_together(self) -> Iterator[frozenset[str]]:
        """Yield the sources that each rule compiles under one condition."""
        together: dict[tuple[str, Condition], set[str]] = {}
        for path in self.rules_by_file:
            for rule, named in self._naming_rules(path):
                if not rule.is_group:
                    together.setdefault((rule.label, named), set()).add(path)
        yield from (frozenset(paths) for paths in together.values() if len(paths) > 1)

    def _listed(self, folder: str, rules: Iterable[Rule]) -> Iterator[str]:
        """Yield the texts and patterns of the rules of a package that may name a source."""
        file = self.file(folder)
        yield from () if file is None else file.patterns
        for rule in rules:
            yield from (text for _, text, _ in named_files(rule) if text.endswith(ENDS))


def _reason_of_group(rule: Rule) -> str:
    """Return the doubt on a file that only rules name which compile nothing themselves."""
    if rule.kind == EXPORT:
        return _EXPORTED
    return _GROUPED.format(noun="group" if rule.kind == GROUP else rule.kind, label=rule.label)
