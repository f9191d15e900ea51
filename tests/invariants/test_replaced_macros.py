"""A header of the tree that replaces the macro of a framework decides what the sources that include it register.

The preprocessor of g++ says whether a registration is left: the framework's own macro becomes REGISTERED.
"""

from __future__ import annotations

import shutil
import subprocess
from typing import NamedTuple

import pytest

from opspec_lint.kit.errors import NothingThereError
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from tests.support.trees import onnx_trees, paddle_trees, tensorflow_trees, tflite_trees

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ on the path"),
]


class ReplacedMacro(NamedTuple):
    """A macro or method that registers ops, and a tree with a source that uses it for one op."""

    source: str
    name: str
    tree: dict[str, str]
    unit: str
    header: str
    op: str


def _with_maker():
    text = paddle_trees.maker_file('AddInput("X", "x");')
    first = {f"{paddle_trees.OPERATORS}/f_op.cc": text}
    second = {f"{paddle_trees.OPERATORS}/g_op.cc": text.replace("FOp", "GOp").replace("(f,", "(g,")}
    return {**paddle_trees.BASE, **first, **second}


_EXTENSION = {
    "src/a.cpp": 'TORCH_LIBRARY(a, m) { m.def("f(Tensor x) -> Tensor"); }\n',
    "src/b.cpp": 'TORCH_LIBRARY_FRAGMENT(b, m) { m.def("g(Tensor x) -> Tensor"); }\n',
}
MACROS = (
    ReplacedMacro(
        "tensorflow-source",
        "REGISTER_OP",
        tensorflow_trees.TREE,
        "tensorflow/core/ops/more_ops.cc",
        "tensorflow/core/ops/replaced.h",
        "Handle",
    ),
    ReplacedMacro("pytorch-source", "TORCH_LIBRARY", _EXTENSION, "src/a.cpp", "src/replaced.h", "a::f"),
    ReplacedMacro(
        "onnx-source",
        "ONNX_OPERATOR_SET_SCHEMA",
        onnx_trees.TREE,
        onnx_trees.DEFS,
        "onnx/defs/math/replaced.h",
        "G@1",
    ),
    ReplacedMacro(
        "paddle-source",
        "REGISTER_OPERATOR",
        _with_maker(),
        f"{paddle_trees.OPERATORS}/f_op.cc",
        f"{paddle_trees.OPERATORS}/replaced.h",
        "f",
    ),
    ReplacedMacro(
        "tflite-source",
        "AddBuiltin",
        tflite_trees.TREE,
        tflite_trees.KERNELS,
        "tflite/core/kernels/replaced.h",
        "ADD",
    ),
)
INNER = "inner_of_replaced.h"
INCLUDE = '#include "{header}"\n'
REDEFINED = "#undef {name}\n#define {name}(...) static int unused\n"
KINDS = {
    "an empty header": ("", INCLUDE, "", ""),
    "redefined": (REDEFINED, INCLUDE, "", ""),
    "redefined as nothing": ("#undef {name}\n#define {name}(...)\n", INCLUDE, "", ""),
    "redefined with a continued line": ("#undef {name}\n#define \\\n{name}(...) static int unused\n", INCLUDE, "", ""),
    "redefined in the file": ("", REDEFINED, "", ""),
    "redefined behind a guard": (f"#pragma once\n{REDEFINED}", INCLUDE * 2, "", ""),
    "redefined by an included header": ('#include "{inner}"\n', INCLUDE, "", REDEFINED),
    "redefined behind the registration": (REDEFINED, "", INCLUDE, ""),
    "redefined and not included": (REDEFINED, "", "", ""),
    "redefined in #if 0": (f"#if 0\n{REDEFINED}#endif\n", INCLUDE, "", ""),
    "redefined in a comment": (f"/*\n{REDEFINED}*/\n", INCLUDE, "", ""),
    "included in #if 0": (REDEFINED, f"#if 0\n{INCLUDE}#endif\n", "", ""),
    "another macro": ("#undef {name}S\n#define {name}S(...)\n", INCLUDE, "", ""),
    "defined if it is missing": ("#ifndef {name}\n#define {name}(...) static int unused\n#endif\n", INCLUDE, "", ""),
}
"""The texts of the header, before and behind the source, and of a header that the first one includes."""


def _tree(macro, kind):
    folder = macro.header.rpartition("/")[0]
    names = {"name": macro.name, "header": macro.header, "inner": f"{folder}/{INNER}"}
    header, before, behind, inner = (text.format(**names) for text in KINDS[kind])
    unit = f"{before}{macro.tree[macro.unit]}{behind}"
    return {**macro.tree, macro.unit: unit, macro.header: header, f"{folder}/{INNER}": inner}


def _is_alive(macro, tree, folder):
    """Return whether the preprocessor leaves a registration in the source; other headers are not known to it."""
    known = {macro.unit, macro.header, f"{macro.header.rpartition('/')[0]}/{INNER}"}
    for path in known:
        lines = tree[path].splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith("#include") or line.split('"')[1] in known]
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f"#define {macro.name}(...) REGISTERED\n" * (path == macro.unit) + "".join(kept))
    command = ["g++", "-E", "-P", "-w", "-I", folder, folder / macro.unit]
    return "REGISTERED" in subprocess.run(command, capture_output=True, check=True, text=True).stdout


def _declares(macro, folder):
    try:
        spec = SOURCES.load(macro.source).spec(str(folder), Reading(caches=False))
    except NothingThereError:
        return False
    op = spec.ops.get(macro.op)
    return op is not None and getattr(op, "min_version", 1) is not None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("macro", MACROS, ids=[macro.source for macro in MACROS])
def test_a_replaced_macro_is_read_as_by_the_preprocessor(macro, kind, tmp_path):
    tree = _tree(macro, kind)
    alive = _is_alive(macro, tree, tmp_path / "preprocessed")
    assert _declares(macro, onnx_trees.write(tmp_path / "tree", tree)) == alive
