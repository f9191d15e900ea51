"""The files of a tree that may register ops, found by their text."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source import c_registrations, loops
from opspec_lint.frameworks.tensorflow.extract.source.macros import REGISTERING, TEMPLATES
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SUFFIXES = (".cc", ".cpp", ".cxx", ".cu", ".h", ".hpp", ".inc")
SOURCES = (".cc", ".cpp", ".cxx", ".cu")
_MARK = b"REGISTER_"
_C_MARK = c_registrations.MARK.encode()
_BUILDER = loops.BUILDER.encode()
_REGISTRY = b"OpRegistry::Global()->Register("
_INVOCATION = pattern(rb"\b(REGISTER_\w*)\s*\(")
_MACRO = pattern(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)([^\\\n]*(?:\\[\s\S][^\\\n]*)*)", "m")
_TEST_OPS = pattern(r"(?:^|/)test_\w*ops?\d*(?:_\d+)?\.\w+$|_test_ops?\.\w+$")
_TEST = pattern(
    r"(?:_test|_tests|_testlib|testutil|_benchmark)\.\w+$|(?:^|/)(?:tests?|testing|testdata|kernel_tests|third_party)/"
)
_OWN = frozenset({*REGISTERING, *TEMPLATES, c_registrations.MARK, loops.BUILDER})

_OF_FRAMEWORK = frozenset({f"tensorflow/{path}.cc" for path in ("core/framework/op", "c/ops")})
"""Files of TensorFlow that implement registrations, and contain none."""

Facts = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
"""The macros of a file that begin with REGISTER_ and are invoked, and those defined whose body names such a macro."""
NO_FACTS: Facts = ((), ())


def is_source(path: str) -> bool:
    """Return whether a file may register ops, or define macros that do: C++ that is no test, and of this project."""
    return path.endswith(SUFFIXES) and path not in _OF_FRAMEWORK and not _TEST.search(path)


def has_test_ops(path: str) -> bool:
    """Return whether a file registers ops for tests by its name, as test_ops.cc, which TensorFlow's wheels contain."""
    return _TEST_OPS.search(path) is not None


def facts(data: bytes) -> Facts:
    """Return what the text of a file says about registrations."""
    builds = _REGISTRY in data and _BUILDER in data
    if _MARK not in data and _C_MARK not in data and not builds:
        return NO_FACTS
    invoked = {name.decode() for name in _INVOCATION.findall(data)}
    if _C_MARK in data:
        invoked.add(c_registrations.MARK)
    if builds:
        invoked.add(loops.BUILDER)
    if not invoked:
        return NO_FACTS
    macros = tuple(
        (name.decode(), body.decode("utf-8", "replace"))
        for name, body in _MACRO.findall(data)
        if _MARK in body and any(name.encode() in body for name in REGISTERING)
    )
    return tuple(sorted(invoked)), macros


def registering(facts_by_path: Iterable[tuple[str, Facts]], declaring: frozenset[str]) -> list[str]:
    """Return the sources that invoke a macro which registers ops.

    Args:
        facts_by_path: each file and its facts.
        declaring: the macros of headers that register ops.
    """
    names = declaring | _OWN
    return sorted(
        path for path, (invoked, _) in facts_by_path if path.endswith(SOURCES) and not names.isdisjoint(invoked)
    )
