"""How a build makes the ops of the dialect: which YAML files it hands to op_gen.py, in which order."""

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
        """A call of op_gen.py.

        `files` are the YAML files, in the order in which they are read, `sparse` those of sparse ops, and
        `sparse_backward` those of their grad ops. `compat` is op_compat.yaml, `folder` that of op_gen.py, `cmake` the
        file that calls it, and `dialect` what stands before the dot in the name of an op.
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
"""Where the build calls op_gen.py, newest first."""
_CALL = pattern(r"\$\{op_gen_file\}")
_SPARSE, _SPARSE_BACKWARD = "sparse_ops.parsed.yaml", "sparse_backward.parsed.yaml"
_DIALECTS = ("pd_op", "pd")
"""The dialect of Paddle's ops, by its name since September 2023 and before."""


def read(text_of: Callable[[str], str | None]) -> Call | None:
    """Return the call that makes the ops of the dialect, None for a tree without one.

    Args:
        text_of: returns the text of a file of the tree, None where there is none.

    Raises:
        UnresolvedError: the tree has a generator, and its call is not understood.
    """
    script = next((each for each in GENERATORS if text_of(each) is not None), None)
    if script is None:
        return None
    folder = posixpath.dirname(script)
    for cmake in CMAKE:
        text = text_of(cmake) or ""
        if "op_gen_file" in text:
            return _read(text, cmake, folder, text_of)
    raise UnresolvedError("no CMakeLists.txt that is known calls op_gen.py", script, 1)


def _read(text: str, cmake: str, folder: str, text_of: Callable[[str], str | None]) -> Call:
    calls = ScriptCalls(text, cmake)
    parser = next((each for each in PARSERS if "parse_op.py" in (text_of(each) or "")), "")
    parsed = ScriptCalls(text_of(parser) or "", parser).parsed_files() | calls.parsed_files()
    for match in _CALL.finditer(calls.text):
        options = calls.options(match.end())
        dialect = options.get("dialect_name", "").rpartition("/")[2]
        if dialect not in _DIALECTS or not options.get("op_yaml_files"):
            continue
        files = [each.lstrip("/") for each in options["op_yaml_files"].split(",")]
        unknown = [each for each in files if each not in parsed]
        if unknown:
            raise UnresolvedError(f"nothing makes the file {unknown[0]}", cmake, 1)
        return {
            "files": [parsed[each] for each in files],
            "sparse": _ending(parsed, files, _SPARSE),
            "sparse_backward": _ending(parsed, files, _SPARSE_BACKWARD),
            "compat": options.get("op_compat_yaml_file", ""),
            "folder": folder,
            "cmake": cmake,
            "dialect": dialect,
        }
    raise UnresolvedError("the call of op_gen.py is not understood", cmake, 1)


def _ending(parsed: Mapping[str, str], files: Iterable[str], end: str) -> frozenset[str]:
    return frozenset(parsed[each] for each in files if each.endswith(end))
