"""The rules of TensorFlow's BUILD files: its macro for libraries of ops, platforms, and macros of C++."""

from __future__ import annotations

import posixpath

from opspec_lint.builds.bazel.rules import BuildRule, RuleReader, is_test
from opspec_lint.frameworks.tensorflow.extract.source.builds import EVERY, builds_where
from opspec_lint.frameworks.tensorflow.extract.source.candidates import SOURCES
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.builds.starlark.files import File
    from opspec_lint.builds.starlark.statements import Call

    Builds = frozenset[str]

_OP_LIBRARIES, _GENERATED = "tf_gen_op_libs", "_op_lib"
_DEFINITION = pattern(r"[-/]D(\w+)(?:=(.*))?")


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


class OpRuleReader(RuleReader[frozenset[str]]):
    """The reader of rules that knows the macro for libraries of ops, and which build is for which platform."""

    def __init__(self) -> None:
        super().__init__(CASES, SOURCES, ("ops",))

    def special_rules(self, file: File[Builds], call: Call[Builds]) -> Collection[BuildRule[Builds]] | None:
        """Return the libraries of tf_gen_op_libs; None for any other call."""
        return list(_op_libraries(file, call)) if call.kind == _OP_LIBRARIES else None

    def compatible_cases(self, rule: BuildRule[Builds]) -> Builds:
        """Return the builds that `target_compatible_with` allows; a constraint that is not of an OS allows all."""
        allowed = super().compatible_cases(rule)
        for text, builds in rule.strings.get("target_compatible_with", ()):
            folder, _, name = text.rpartition(":")
            if posixpath.basename(folder) == "os":
                allowed -= builds - builds_where(name)
        return allowed


def _op_libraries(file: File[Builds], call: Call[Builds]) -> Iterator[BuildRule[Builds]]:
    """Yield the libraries of tf_gen_op_libs(op_lib_names = ["x"]): x_op_lib of ops/x.cc for each name."""
    strings = call.strings
    below = strings.get("sub_directory", [("ops/", EVERY)])[0][0]
    for name, builds in strings.get("op_lib_names", strings.get("", [])):
        sources = {"srcs": [(f"{below}{name}.cc", builds)], "deps": strings.get("deps", [])}
        label = f"//{file.folder}:{name}{_GENERATED}"
        yield BuildRule(label=label, strings=sources, kind=call.kind, place=call.place, is_test=is_test(call))


def macros(rule: BuildRule[Builds], build: str) -> dict[str, str]:
    """Return the macros of C++ that a rule defines in a build."""
    options = [text for text, builds in rule.strings.get("copts", ()) if build in builds]
    for argument in ("defines", "local_defines"):
        options += [f"-D{text}" for text, builds in rule.strings.get(argument, ()) if build in builds]
    matches = [match for text in options if (match := _DEFINITION.fullmatch(text)) is not None]
    return {match[1]: "1" if match[2] is None else match[2] for match in matches}
