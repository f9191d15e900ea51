"""The call of op_gen.py in CMake: the YAML files that make the ops of the dialect, in order."""

from __future__ import annotations

import posixpath

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.dialect.folders import GENERATORS
from opspec_lint.frameworks.paddle.extract.yaml.generator import CMAKE as PARSERS
from opspec_lint.frameworks.paddle.extract.yaml.script_calls import ScriptCalls
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from typing_extensions import TypedDict

    class Call(TypedDict):
        """The call of op_gen.py.

        `files` are the YAML files in the order of the call, `sparse` the files of sparse ops, and `sparse_backward` the
        files of their gradients. `compat` is op_compat.yaml, `folder` the folder of op_gen.py, `cmake` the file with
        the call, and `dialect` the prefix of op names: `pd_op`.
        """

        files: list[str]
        sparse: frozenset[str]
        sparse_backward: frozenset[str]
        compat: str
        folder: str
        cmake: str
        dialect: str


CMAKE = (
    "paddle/fluid/pir/dialect/CMakeLists.txt",
    "paddle/fluid/pir/dialect/operator/ir/CMakeLists.txt",
    "paddle/fluid/pir/dialect/paddle_dialect/ir/CMakeLists.txt",
    "paddle/fluid/ir/dialect/paddle_dialect/ir/CMakeLists.txt",
)
"""The files that may call op_gen.py, newest first."""
_CALL = pattern(r"\$\{op_gen_file\}")
_SPARSE, _SPARSE_BACKWARD = "sparse_ops.parsed.yaml", "sparse_backward.parsed.yaml"
_DIALECTS = ("pd_op", "pd")
"""The dialect of Paddle's ops, since September 2023 and before."""


def read(text_of: Callable[[str], str | None]) -> Call | None:
    """Return the call that makes the ops of the dialect; None for a tree without one.

    Raises UnresolvedError for a tree with a generator whose call is not understood.
    """
    script = next((path for path in GENERATORS if text_of(path) is not None), None)
    if script is None:
        return None
    folder = posixpath.dirname(script)
    for cmake in CMAKE:
        text = text_of(cmake) or ""
        if "op_gen_file" in text:
            return _parse_call(text, cmake, folder, text_of)
    raise UnresolvedError("no CMakeLists.txt that is known calls op_gen.py", script, 1)


def _parse_call(text: str, cmake: str, folder: str, text_of: Callable[[str], str | None]) -> Call:
    """Return the call in the text of a CMakeLists.txt."""
    calls = ScriptCalls(text, cmake)
    parser = next((path for path in PARSERS if "parse_op.py" in (text_of(path) or "")), "")
    sources = ScriptCalls(text_of(parser) or "", parser).parsed_files() | calls.parsed_files()
    for match in _CALL.finditer(calls.text):
        options = calls.options(match.end())
        dialect = options.get("dialect_name", "").rpartition("/")[2]
        if dialect not in _DIALECTS or not options.get("op_yaml_files"):
            continue
        files = [path.lstrip("/") for path in options["op_yaml_files"].split(",")]
        unknown = [path for path in files if path not in sources]
        if unknown:
            raise UnresolvedError(f"nothing makes the file {unknown[0]}", cmake, 1)
        return {
            "files": [sources[path] for path in files],
            "sparse": _sources_of(sources, files, _SPARSE),
            "sparse_backward": _sources_of(sources, files, _SPARSE_BACKWARD),
            "compat": options.get("op_compat_yaml_file", ""),
            "folder": folder,
            "cmake": cmake,
            "dialect": dialect,
        }
    raise UnresolvedError("the call of op_gen.py is not understood", cmake, 1)


def _sources_of(sources: Mapping[str, str], files: Iterable[str], end: str) -> frozenset[str]:
    """Return the sources of those parsed files whose names have an end."""
    return frozenset(sources[path] for path in files if path.endswith(end))
