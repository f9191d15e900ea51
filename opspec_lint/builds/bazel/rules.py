"""The rules of a BUILD file of Bazel: the files that each names, and whether a build compiles them.

Every call at the top of a BUILD file counts as a rule, as macros name their sources in arguments of any name. A macro
of the tree that names a file is replaced by the rules that it makes, if it can be followed.
"""

from __future__ import annotations

import posixpath
from typing import TypeVar

from opspec_lint.builds.python_uses import NO_SOURCES
from opspec_lint.builds.starlark.lists import Listing
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Generic, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.builds.starlark.files import File
    from opspec_lint.builds.starlark.lists import Cases, Place
    from opspec_lint.builds.starlark.statements import Call

W = TypeVar("W")

if TYPE_CHECKING:
    Items: TypeAlias = list[tuple[str, W]]
    """Texts, each with the cases that have it."""

_TEST = pattern(r"(?:^|_)tests?(?:_|$)")
GROUP, ALIAS, EXPORT = "filegroup", "alias", "exports_files"
_NO_CODE = pattern(r"(?:py|java|go|proto|config|sh|pkg|string|bool)_|genrule|alias|filegroup|test_suite")
"""Rules that compile no C++."""
_ARGUMENTS = ("src", "source", "file", "defs", "names", "prefix")
_PRIVATE = ("//visibility:private",)
_NOWHERE = "//:incompatible"
"""The end of the label of a platform that no build has."""
_OWN_RULES = frozenset(
    {
        *("cc_library", "cc_binary", "cc_import", "cc_shared_library", "cc_static_library", "cc_proto_library"),
        *("objc_library", "objc_import", "cc_toolchain", "cc_toolchain_suite", "toolchain", "platform"),
        *("constraint_value", "constraint_setting", "package", "package_group", "exports_files", "licenses"),
        *("bind", "workspace"),
    }
)
"""Rules of Bazel itself, wherever they are loaded from: they compile the sources that they name, and no others."""
_FOREIGN = "@"
_NAME_PART = pattern(r"[A-Za-z0-9]+")


class BuildRule(Record, Generic[W]):
    """A rule of a BUILD file: its label, and the strings in its arguments by name.

    - `kind`: the function that makes it
    - `place`: the place of the call in the BUILD file or in the macro
    - `is_test`: the rule is for tests
    - `is_group`: the rule only names files, for other rules; it compiles none
    - `is_private`: no other package may use the rule
    - `states_private`: the BUILD file states so; without a statement, it is a default
    - `is_always_linked`: a binary that depends on the library contains all its files
    - `is_unfollowed`: the rule is the call of a macro that cannot be evaluated
    - `unknown`: the place of an expression for its sources that cannot be evaluated, or None
    - `unknown_dependency`: the place of such an expression for its dependencies
    """

    label: str
    strings: Mapping[str, Items[W]]
    kind: str
    place: Place
    is_test: bool
    is_group: bool = False
    is_private: bool = False
    states_private: bool = False
    is_always_linked: bool = True
    is_unfollowed: bool = False
    unknown: Place | None = None
    unknown_dependency: Place | None = None

    @property
    def is_unread(self) -> bool:
        """True for a statement that cannot be evaluated: it may make rules with any source that it names."""
        return self.unknown is not None and "name" not in self.strings

    @property
    def package(self) -> str:
        """The folder of the BUILD file."""
        return self.label[2:].partition(":")[0]


class RuleReader(Generic[W]):
    """The reader of the rules of BUILD files.

    Args:
        cases: the algebra of the cases in which a rule has a text.
        ends: the ends of the names of sources.
        arguments: parts of the names of further arguments that may name sources, or what their names are made of.
        unused: arguments that are not evaluated.
        skipped: rules of Bazel itself that are not evaluated.
    """

    def __init__(
        self,
        cases: Cases[W],
        ends: tuple[str, ...],
        arguments: tuple[str, ...] = (),
        unused: Collection[str] = (),
        skipped: Collection[str] = (),
    ) -> None:
        self.cases = cases
        self.ends = ends
        self.unused = unused
        self.skipped = skipped
        self._arguments = (*_ARGUMENTS, *arguments)

    def special_rules(self, file: File[W], call: Call[W]) -> Collection[BuildRule[W]] | None:  # noqa: ARG002 - for frameworks
        """Return the rules of a macro that a framework knows; None for any other call."""
        return None

    def rules(self, file: File[W]) -> Iterator[BuildRule[W]]:
        """Yield the rules of a BUILD file that have a name, or that name sources."""
        defaults = _Defaults()
        groups = {name for call in file.calls if call.kind == GROUP for name, _ in call.strings.get("name", ())}
        for call in file.calls:
            special = self.special_rules(file, call)
            if call.kind == "package":
                defaults = defaults.changed_by(call, "default_")
            elif special is not None:
                yield from special
            else:
                yield from self._rules_of_call(file, call, defaults, groups)

    def _rules_of_call(
        self, file: File[W], call: Call[W], defaults: _Defaults, groups: Collection[str]
    ) -> Iterator[BuildRule[W]]:
        is_macro = self._names_source(file, call.strings, groups) and file.function(call.kind) is not None
        calls = file.expand(call) if is_macro else None
        made = [rule for inner in calls or () if (rule := self._rule(file, inner, defaults)) is not None]
        yield from made
        own = self._rule(file, call, defaults)
        if own is not None and own.label not in {rule.label for rule in made}:
            if calls is None:
                yield own.replace(is_unfollowed=True) if is_macro else own
            else:
                yield own.replace(kind=ALIAS, strings=self._without_sources(own, made))

    def rules_of_macros(self, file: File[W], unnamed: Collection[str]) -> Iterator[BuildRule[W]]:
        """Yield the rules of macros that make names of sources; of one that is not followed, a rule for its call.

        Args:
            file: the BUILD file.
            unnamed: the files of its package, relative to its folder, that no rule names.
        """
        defaults = _Defaults(is_private=False)
        for call in file.calls:
            if call.kind == "package":
                defaults = defaults.replace(is_test=defaults.changed_by(call, "default_").is_test)
            if self._names_source(file, call.strings) or self.special_rules(file, call) is not None:
                continue
            makes_names = file.contains_end(call.kind, self.ends)
            named = [] if file.is_known_rule(call.kind) else _nameable_files(call, unnamed)
            if not makes_names and not named:
                continue
            calls = file.expand(call)
            if calls is None and makes_names and _may_compile(call, defaults):
                yield self._rule_of_call(file, call).replace(unknown=call.place)
            elif calls is None:
                yield from self._rules_of_unknown(file, call, named, defaults)
            for inner in calls or ():
                rule = self._rule(file, inner, defaults)
                if rule is not None:
                    yield rule
                if not self._names_source(file, inner.strings):
                    yield from self._rules_of_unknown(file, inner, _nameable_files(inner, unnamed), defaults)

    def _rules_of_unknown(
        self, file: File[W], call: Call[W], named: Collection[str], defaults: _Defaults
    ) -> Iterator[BuildRule[W]]:
        """Yield the rule of a call of a macro that cannot be followed: it may compile the files that it can name."""
        if named and _may_compile(call, defaults):
            sources = {"srcs": [(path, self.cases.every) for path in named]}
            yield self._rule_of_call(file, call).replace(strings=sources, is_unfollowed=True)

    @staticmethod
    def _rule_of_call(file: File[W], call: Call[W]) -> BuildRule[W]:
        """Return the rule that a call of a macro counts as."""
        label = f"//{file.folder}:{call.kind} of line {call.place[1]}"
        return BuildRule(label=label, strings={}, kind=call.kind, place=call.place, is_test=False)

    def _without_sources(self, own: BuildRule[W], made: list[BuildRule[W]]) -> Mapping[str, Items[W]]:
        """Return the strings of the call of a macro: it depends on the rules of the macro."""
        dependencies = [(rule.label, self.cases.every) for rule in made]
        named = {argument: items for argument, items in own.strings.items() if "deps" in argument}
        return {**named, "made_deps": dependencies}

    def _rule(self, file: File[W], call: Call[W], defaults: _Defaults) -> BuildRule[W] | None:
        """Return the rule that a call makes; None for a call without a name that names no sources.

        A call without a name may be a macro that compiles the files that it names, or one that checks them.
        """
        names = call.strings.get("name")
        named = (value for name, value in call.named.items() if any(part in name for part in self._arguments))
        files = [*call.given, *named, call.named.get("**")]
        unknown = None if _NO_CODE.match(call.kind) else _unknown_place(files)
        if not names and unknown is None and not self._names_source(file, call.strings):
            return None
        name = names[0][0] if names else f"{call.kind} of line {call.place[1]}"
        own = defaults.changed_by(call)
        is_group = call.kind == GROUP or (call.kind != ALIAS and _NO_CODE.match(call.kind) is not None)
        return BuildRule(
            label=f"//{file.folder}:{name}",
            strings=call.strings,
            kind=call.kind,
            place=call.place,
            is_test=own.is_test or is_test(call),
            is_group=is_group or (not names and unknown is None),
            is_private=bool(names) and own.is_private,
            # Files that are exported without a visibility are for all packages, whatever the package states, and
            # another rule may name the outputs of one such as `genrule`.
            states_private=own.is_private
            and own.is_stated
            and (call.kind == GROUP or not is_group)
            and (bool(names) or "visibility" in call.named),
            is_always_linked=call.kind != "cc_library" or not _is_false(call.named.get("alwayslink", False)),
            unknown=unknown,
            unknown_dependency=_unknown_place(
                value for name, value in call.named.items() if "deps" in name or name == "**"
            ),
        )

    def _names_source(self, file: File[W], strings: Mapping[str, Items[W]], groups: Collection[str] = ()) -> bool:
        """Return whether the arguments of a call name a file in question, its prefix, a group, or a foreign source."""
        if any(path.startswith(text) for text, _ in strings.get("prefix", ()) for path in file.files):
            return True
        for argument, items in strings.items():
            for text, _ in items:
                if text.endswith(self.ends):
                    if text.startswith("//") or text.removeprefix(":") in file.files:
                        return True
                elif groups and argument != "name" and text.removeprefix(":") in groups:
                    return True
        return False

    def compatible_cases(self, rule: BuildRule[W]) -> W:
        """Return the cases that `target_compatible_with` allows; other constraints than "none" allow all."""
        allowed = self.cases.every
        for text, where in rule.strings.get("target_compatible_with", ()):
            if text.endswith(_NOWHERE):
                allowed = self.cases.without(allowed, where)
        return allowed


class _Defaults(Record):
    """The values that a package gives to the arguments of its rules.

    - `is_private`: no other package may use a rule
    - `is_stated`: the BUILD file states the visibility
    - `is_test`: only tests may use a rule
    """

    is_private: bool = True
    is_stated: bool = False
    is_test: bool = False

    def changed_by(self, call: Call[W], prefix: str = "") -> _Defaults:
        """Return the values for a rule, or with the prefix "default_" those that a call of `package` states."""
        testonly = call.named.get(f"{prefix}testonly")
        changed = self if testonly is None else self.replace(is_test=testonly in (True, 1))
        argument = f"{prefix}visibility"
        value = call.named.get(argument)
        if value is None:
            return changed
        is_known = not (isinstance(value, Listing) and value.is_partial)
        is_private = is_known and all(text in _PRIVATE for text, _ in call.strings[argument])
        return changed.replace(is_private=is_private, is_stated=True)


def _unknown_place(values: Iterable[object]) -> Place | None:
    """Return the place of an expression in values that cannot be evaluated, None if there is none."""
    return next((value.unknown for value in values if isinstance(value, Listing) and value.unknown), None)


def _may_compile(call: Call[W], defaults: _Defaults) -> bool:
    """Return whether a call may make a rule for other rules than tests that compiles C++."""
    return not is_test(call) and not defaults.changed_by(call).is_test and not _NO_CODE.match(call.kind)


def _nameable_files(call: Call[W], files: Collection[str]) -> list[str]:
    """Return the files whose names the arguments of a call may be made into; none if it names its sources itself.

    An argument names `src/a_b.cc` by some parts of that name in a row, or by these and others: "a", "a_b", "a_b_lib".
    """
    if not files or call.kind in _OWN_RULES or any("src" in argument for argument in call.strings):
        return []
    texts = {
        _normal_name(text.rpartition(":")[2])
        for argument, items in call.strings.items()
        if argument == "name" or (argument not in NO_SOURCES and "deps" not in argument)
        for text, _ in items
        if not text.startswith(("//", _FOREIGN))
    }
    texts.discard("")
    return [path for path in files if any(_is_part(text, path) for text in texts)]


def _is_part(text: str, path: str) -> bool:
    """Return whether a text is a part of a path without its end, or contains the name of the file."""
    whole = _normal_name(posixpath.splitext(path)[0])
    return (
        f"_{text}_" in f"_{whole}_"
        or f"_{_normal_name(posixpath.splitext(posixpath.basename(path))[0])}_" in f"_{text}_"
    )


def _normal_name(text: str) -> str:
    """Return the parts of a name, joined by underscores."""
    return "_".join(_NAME_PART.findall(text))


def _is_false(value: object) -> bool:
    return value is False or value == 0


def is_test(call: Call[W]) -> bool:
    """Return whether a call makes a rule for tests."""
    return bool(_TEST.search(call.kind)) or call.named.get("testonly") in (True, 1)


def named_files(rule: BuildRule[W]) -> Iterator[tuple[str, str, W]]:
    """Yield the argument, the text and the cases of each text that may name a source."""
    for argument, items in rule.strings.items():
        if argument not in NO_SOURCES and "deps" not in argument:
            for text, where in items:
                yield argument, text, where


def absolute_label(package: str, text: str) -> str:
    """Return a label of a BUILD file with its package."""
    if text.startswith("//"):
        return text if ":" in text else f"{text}:{text.rpartition('/')[2]}"
    return f"//{package}:{text.removeprefix(':')}"


def dependencies(rule: BuildRule[W]) -> Iterator[tuple[str, W]]:
    """Yield the labels that a rule depends on, with the cases in which it does."""
    package = rule.package
    for argument, items in rule.strings.items():
        if "deps" in argument:
            for text, where in items:
                if text.startswith((":", "//")):
                    yield absolute_label(package, text), where
