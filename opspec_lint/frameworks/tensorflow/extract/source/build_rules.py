"""The rules of a BUILD file: what each compiles, in which builds, and with which macros."""

from __future__ import annotations

import posixpath

from opspec_lint.cpp.python_uses import NO_SOURCES
from opspec_lint.cpp.starlark_lists import Listing
from opspec_lint.frameworks.tensorflow.extract.source.builds import EVERY, builds_where
from opspec_lint.frameworks.tensorflow.extract.source.candidates import SOURCES
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.cpp.starlark import File
    from opspec_lint.cpp.starlark_lists import Place
    from opspec_lint.cpp.starlark_statements import Call

    Builds = frozenset[str]
    Items = list[tuple[str, Builds]]

_TEST = pattern(r"(?:^|_)tests?(?:_|$)")
_GROUP = "filegroup"
_OP_LIBRARIES, _GENERATED = "tf_gen_op_libs", "_op_lib"
_DEFINITION = pattern(r"[-/]D(\w+)(?:=(.*))?")
_FILES = pattern(r"src|source|file|ops|defs|names|prefix")
"""Arguments of rules and macros that may name sources, or what their names are made of, by a part of their name."""
_NO_CODE = pattern(r"(?:py|java|go|proto|config|sh|pkg|string|bool)_|genrule|alias|filegroup|test_suite")
"""Rules that compile no C++."""
_PRIVATE = ("//visibility:private",)


class _Builds:
    """Sets of builds as cases of Starlark's lists."""

    every: Builds = EVERY

    def where(self, setting: str) -> Builds:
        """Return the builds in which a setting or a function such as `if_cuda` is true."""
        return builds_where(setting.rpartition(":")[2])

    def both(self, first: Builds, second: Builds) -> Builds:
        """Return the builds of both sets."""
        return first & second

    def without(self, first: Builds, second: Builds) -> Builds:
        """Return the builds of the first set that are not in the second."""
        return first - second


CASES = _Builds()


class BuildRule(Record):
    """A rule of a BUILD file: its label, and the strings in its arguments by name.

    - `kind`: the function that makes it
    - `place`: the place of the call in the BUILD file or in the macro
    - `is_test`: the rule is for tests
    - `is_group`: the rule only names files, for other rules; it compiles none
    - `is_private`: no other package may use the rule
    - `is_always_linked`: a binary that depends on the library contains all its files
    - `unknown`: the place of an expression for its sources that cannot be evaluated, or None
    """

    label: str
    strings: Mapping[str, Items]
    kind: str
    place: Place
    is_test: bool
    is_group: bool = False
    is_private: bool = False
    is_always_linked: bool = True
    unknown: Place | None = None

    @property
    def is_unread(self) -> bool:
        """The rule is a statement that cannot be evaluated, and that may make any rule of its texts."""
        return self.unknown is not None and "name" not in self.strings

    @property
    def package(self) -> str:
        """The folder of the BUILD file."""
        return self.label[2:].partition(":")[0]


def rules(file: File[Builds]) -> Iterator[BuildRule]:
    """Yield the rules of a BUILD file that have a name, and the libraries that tf_gen_op_libs makes."""
    is_private = True
    for call in file.calls:
        if call.kind == "package":
            is_private = _is_private(call, "default_visibility", otherwise=True)
        elif call.kind == _OP_LIBRARIES:
            yield from _op_libraries(file, call)
        else:
            calls = file.expand(call) if _names_source(file, call.strings) else None
            made = [rule for inner in calls or () if (rule := _rule(file, inner, is_private=is_private)) is not None]
            yield from made
            own = _rule(file, call, is_private=is_private)
            if own is not None and own.label not in {rule.label for rule in made}:
                yield own if calls is None else own.replace(strings=_without_sources(own, made))


def rules_of_macros(file: File[Builds]) -> Iterator[BuildRule]:
    """Yield the rules of macros that make names of sources; of a macro that is not followed, a rule for its call."""
    for call in file.calls:
        if call.kind == _OP_LIBRARIES or _names_source(file, call.strings) or not file.contains_end(call.kind, SOURCES):
            continue
        calls = file.expand(call)
        if calls is None and not _is_test(call) and not _NO_CODE.match(call.kind):
            label = f"//{file.folder}:{call.kind} of line {call.place[1]}"
            yield BuildRule(
                label=label, strings={}, kind=call.kind, place=call.place, is_test=False, unknown=call.place
            )
        yield from (rule for inner in calls or () if (rule := _rule(file, inner, is_private=False)) is not None)


def _without_sources(own: BuildRule, made: list[BuildRule]) -> Mapping[str, Items]:
    """Return the strings of the call of a macro: it depends on the rules of the macro."""
    dependencies = [(rule.label, EVERY) for rule in made]
    named = {argument: items for argument, items in own.strings.items() if "deps" in argument}
    return {**named, "made_deps": dependencies}


def _op_libraries(file: File[Builds], call: Call[Builds]) -> Iterator[BuildRule]:
    """Yield the libraries of tf_gen_op_libs(op_lib_names = ["x"]): x_op_lib of ops/x.cc for each name."""
    strings = call.strings
    below = strings.get("sub_directory", [("ops/", EVERY)])[0][0]
    for name, builds in strings.get("op_lib_names", strings.get("", [])):
        sources = {"srcs": [(f"{below}{name}.cc", builds)], "deps": strings.get("deps", [])}
        label = f"//{file.folder}:{name}{_GENERATED}"
        yield BuildRule(
            label=label, strings=sources, kind=call.kind, place=call.place, is_test=_is_test(call), unknown=None
        )


def _rule(file: File[Builds], call: Call[Builds], *, is_private: bool) -> BuildRule | None:
    """Return the rule that a call makes; None for a call without a name that names no sources.

    A call without a name may be a macro that compiles the files that it names, or one that checks them.
    """
    names = call.strings.get("name")
    values = [*call.given, *(value for name, value in call.named.items() if _FILES.search(name))]
    places = (value.unknown for value in values if isinstance(value, Listing) and not _NO_CODE.match(call.kind))
    unknown = next(filter(None, places), None)
    if not names and unknown is None and not _names_source(file, call.strings):
        return None
    name = names[0][0] if names else f"{call.kind} of line {call.place[1]}"
    return BuildRule(
        label=f"//{file.folder}:{name}",
        strings=call.strings,
        kind=call.kind,
        place=call.place,
        is_test=_is_test(call),
        is_group=call.kind == _GROUP or (not names and unknown is None),
        is_private=bool(names) and _is_private(call, "visibility", otherwise=is_private),
        is_always_linked=call.kind != "cc_library" or not _is_false(call.named.get("alwayslink", False)),
        unknown=unknown,
    )


def _is_false(value: object) -> bool:
    return value is False or value == 0


def _is_test(call: Call[Builds]) -> bool:
    return bool(_TEST.search(call.kind)) or call.named.get("testonly") in (True, 1)


def _is_private(call: Call[Builds], argument: str, *, otherwise: bool) -> bool:
    """Return whether the visibility in an argument is limited to the package."""
    value = call.named.get(argument)
    if value is None:
        return otherwise
    is_known = not (isinstance(value, Listing) and value.is_partial)
    return is_known and all(text in _PRIVATE for text, _ in call.strings[argument])


def _names_source(file: File[Builds], strings: Mapping[str, Items]) -> bool:
    """Return whether the arguments of a call name a file in question or its prefix, or a source of another package."""
    if any(path.startswith(text) for text, _ in strings.get("prefix", ()) for path in file.files):
        return True
    sources = [text for items in strings.values() for text, _ in items if text.endswith(SOURCES)]
    return any(text.startswith("//") or text.removeprefix(":") in file.files for text in sources)


def named_files(rule: BuildRule) -> Iterator[tuple[str, str, Builds]]:
    """Yield the argument, the text and the builds of each text that may name a source."""
    for argument, items in rule.strings.items():
        if argument not in NO_SOURCES and "deps" not in argument:
            for text, builds in items:
                yield argument, text, builds


def absolute_label(package: str, text: str) -> str:
    """Return a label of a BUILD file with its package."""
    if text.startswith("//"):
        return text if ":" in text else f"{text}:{text.rpartition('/')[2]}"
    return f"//{package}:{text.removeprefix(':')}"


def dependencies(rule: BuildRule) -> Iterator[tuple[str, Builds]]:
    """Yield the labels that a rule depends on, with the builds in which it does."""
    package = rule.package
    for argument, items in rule.strings.items():
        if "deps" in argument:
            for text, builds in items:
                if text.startswith((":", "//")):
                    yield absolute_label(package, text), builds


def compatible_builds(rule: BuildRule) -> Builds:
    """Return the builds that `target_compatible_with` allows; a constraint that is not of an OS allows all."""
    allowed = EVERY
    for text, builds in rule.strings.get("target_compatible_with", ()):
        folder, _, name = text.rpartition(":")
        if name == "incompatible":
            allowed -= builds
        elif posixpath.basename(folder) == "os":
            allowed -= builds - builds_where(name)
    return allowed


def macros(rule: BuildRule, build: str) -> dict[str, str]:
    """Return the macros of C++ that a rule defines in a build."""
    options = [text for text, builds in rule.strings.get("copts", ()) if build in builds]
    for argument in ("defines", "local_defines"):
        options += [f"-D{text}" for text, builds in rule.strings.get(argument, ()) if build in builds]
    matches = [match for text in options if (match := _DEFINITION.fullmatch(text)) is not None]
    return {match[1]: "1" if match[2] is None else match[2] for match in matches}
