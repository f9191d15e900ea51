"""Selection of the files of a tree that may register ops, by a search of their text before any evaluation."""

from __future__ import annotations

import re

from opspec_lint.cpp.splices import declares, has_lists
from opspec_lint.frameworks.tensorflow.extract.source import c_registrations, loops
from opspec_lint.frameworks.tensorflow.extract.source.macros import REGISTERING, REPLACED, TEMPLATES
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.cpp.splices import Read

SUFFIXES = (".cc", ".cpp", ".cxx", ".cu", ".h", ".hpp", ".inc", ".def")
SOURCES = (".cc", ".cpp", ".cxx", ".cu")
_MARK = b"REGISTER_"
_C_MARK = c_registrations.MARK.encode()
_BUILDER = loops.BUILDER.encode()
_REGISTRY = b"OpRegistry::Global()->Register("
_INVOCATION = pattern(rb"\b(REGISTER_\w*)\s*\(")
_MACRO = pattern(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)([^\\\n]*(?:\\(?:\r\n|[\s\S])[^\\\n]*)*)", "m")
_TEST_OPS = pattern(r"(?:^|/)test_\w*ops?\d*(?:_\d+)?\.\w+$|_test_ops?\.\w+$")
_TEST_STEMS = ("_test", "_tests", "_testlib", "testutil", "_benchmark")
_TEST_FOLDER = pattern(r"(?:^|/)(?:tests?|testing|testdata|kernel_tests|third_party)/")
_KNOWN_MACROS = frozenset({*REGISTERING, *TEMPLATES, c_registrations.MARK, loops.BUILDER})

_IMPLEMENTATION_FILES = frozenset({f"tensorflow/{path}.cc" for path in ("core/framework/op", "c/ops")})
"""Files of TensorFlow that implement registration, and register nothing."""

FileFacts = tuple[tuple[str, ...], tuple[tuple[str, str], ...], bool, bool]
"""The REGISTER_ macros that a file invokes, (name, body) of its own macros that contain one, if it has lists, and if it
defines a registering macro itself."""
NO_FACTS: FileFacts = ((), (), False, False)


def select_sources(paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths of C++ files, but for tests and third_party: others may register ops, or define macros for it."""
    is_test_folder: dict[str, bool] = {}
    for path in paths:
        if not path.endswith(SUFFIXES):
            continue
        # A tree has some thousand sources in some hundred folders, so each folder is matched once.
        folder = path.rpartition("/")[0]
        if folder not in is_test_folder:
            is_test_folder[folder] = _TEST_FOLDER.search(f"{folder}/") is not None
        is_test = is_test_folder[folder] or path.rpartition(".")[0].endswith(_TEST_STEMS)
        if not is_test and path not in _IMPLEMENTATION_FILES:
            yield path


def has_test_ops(path: str) -> bool:
    """Return whether a file has ops for tests by its name, such as test_ops.cc: in wheels, but not in ops.pbtxt."""
    return _TEST_OPS.search(path) is not None


def registration_facts(data: bytes) -> FileFacts:
    """Return the macros for registrations that the text of a file invokes and defines."""
    builds = _REGISTRY in data and _BUILDER in data
    if _MARK not in data and _C_MARK not in data and not builds:
        return NO_FACTS
    invoked = {name.decode() for name in _INVOCATION.findall(data)}
    if _C_MARK in data:
        invoked.add(c_registrations.MARK)
    if builds:
        invoked.add(loops.BUILDER)
    replaces = REPLACED.replaces("", data)
    if not invoked and not replaces:
        return NO_FACTS
    macros = tuple(
        (name.decode(), body.decode("utf-8", "replace"))
        for name, body in _MACRO.findall(data)
        if _MARK in body and any(name.encode() in body for name in REGISTERING)
    )
    return tuple(sorted(invoked)), macros, has_lists(data), replaces


def with_lists(facts_by_path: Mapping[str, FileFacts], declaring: frozenset[str]) -> list[str]:
    """Return the source files that register ops and include lists, such as invocations of a macro."""
    return [path for path in registering_sources(facts_by_path, declaring) if facts_by_path[path][2]]


def registering_headers(facts_by_path: Mapping[str, FileFacts], declaring: frozenset[str], read: Read) -> list[str]:
    """Return the files that sources include and that register ops, or replace macros that do.

    Those that only define further macros are left out.
    """
    names = declaring | _KNOWN_MACROS
    possible = [
        path
        for path, (invoked, *_) in facts_by_path.items()
        if not path.endswith(SOURCES) and not names.isdisjoint(invoked)
    ]
    macros = "|".join(sorted(names - {c_registrations.MARK, loops.BUILDER}))
    registers = re.compile(rf"\b(?:{macros})\s*\(|=\s*{c_registrations.MARK}\b|{re.escape(_REGISTRY.decode())}")
    contents = read(possible) if possible else {}
    registering = [path for path, data in contents.items() if data is not None and declares(path, data, registers)]
    replacing = [path for path, (*_, replaces) in facts_by_path.items() if replaces and _is_included(path)]
    return [*registering, *replacing]


def _is_included(path: str) -> bool:
    """Return whether a file may replace macros in another one: it is no source, and not the one of TensorFlow."""
    return not path.endswith((*SOURCES, *REPLACED.homes))


def registering_sources(facts_by_path: Mapping[str, FileFacts], declaring: frozenset[str]) -> list[str]:
    """Return the source files that register ops, by macros of TensorFlow or the macros of headers in `declaring`."""
    names = declaring | _KNOWN_MACROS
    return sorted(
        path
        for path, (invoked, *_) in facts_by_path.items()
        if path.endswith(SOURCES) and not names.isdisjoint(invoked)
    )
