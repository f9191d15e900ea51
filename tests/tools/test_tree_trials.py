"""The comparison of source trees with wheels and earlier revisions."""

import json

import pytest

from tools.tree_trials import __main__ as tree_trials

TORCH = """
class _C:
    schemas = ["aten::add(Tensor x) -> Tensor"]

    @staticmethod
    def _jit_get_all_schemas():
        return _C.schemas
"""
OWN = """
import torch
torch._C.schemas.append("own::g() -> ()")
"""
WHEEL = """
import torch, torch.own
torch._C.schemas += ["a::same(Tensor x) -> Tensor", "a::other(Tensor x) -> Tensor", "a::lost() -> ()"]
torch._C.schemas += ["a::made_cpu() -> ()", "a::made_by_none() -> ()"]
"""
SOURCE = """
TORCH_LIBRARY(a, m) {
  m.def("same(Tensor x) -> Tensor");
  m.def("other(Tensor y) -> Tensor");
  m.def("invented() -> ()");
#if defined(USE_CUDA)
  m.def("of_cuda() -> ()");
#endif
  m.def("made_{{ device }}() -> ()");
}
"""
PYTHON = """
import torch
torch.library.define("a::in_python", "() -> ()")
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Return a tree, and put a stand-in for PyTorch and the wheel of the tree on the path of interpreters."""
    texts = {
        "torch/__init__.py": TORCH,
        "torch/own.py": OWN,
        "ext/__init__.py": WHEEL,
        "ext/gpu.py": "raise ImportError('no GPU')",
    }
    for name, text in {**texts, "tree/f.cpp": SOURCE, "tree/ext/gpu.py": PYTHON}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path / "tree"


def test_ops_of_a_wheel_are_lost_and_invented(tree, monkeypatch, capsys):
    python = tree_trials.sys.executable
    arguments = ["pytorch-source", str(tree), "--wheel", python, "--modules", "ext"]
    monkeypatch.setattr(tree_trials.sys, "argv", ["tree_trials", *arguments])
    assert tree_trials.main() == 1
    assert capsys.readouterr().out.partition("  the wheel")[2].splitlines() == [
        " registers 5 ops: 1 lost, 1 invented",
        "  not imported: ext.gpu: ImportError: no GPU",
        "  1 not compared, as their modules are not imported:",
        "    a::in_python",
        "  2 registered and unresolved:",
        "    a::made_by_none",
        "    a::made_cpu",
        "  1 lost:",
        "    a::lost",
        "  1 invented:",
        "    a::invented (f.cpp:5)",
        "  1 differing:",
        "    a::other",
        "    the wheel  a::other(Tensor x) -> Tensor",
        "    the source a::other(Tensor y) -> Tensor",
    ]


def read(*ops, error=None):
    return tree_trials.Reading(json.dumps([{op: [None, "", ""] for op in ops}, [], error]))


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        (read("a::f"), read("a::f", "a::g"), 0),
        (read("a::f"), read("a::f [csrc/a.cpp]", "a::f [csrc/b.cpp]"), 0),
        (read("a::f"), read("a::g"), 1),
        (read("TORCH_EXTENSION_NAME::f"), read("_C::f"), 0),
        (read("TORCH_EXTENSION_NAME::f"), read("_C::g"), 1),
        (read("a::f"), read(error="no tree"), 1),
        (read(error="no tree"), read(error="no tree"), 0),
    ],
)
def test_an_op_that_only_an_earlier_revision_reads_is_lost(before, after, status):
    assert tree_trials._compare_with_earlier("tree", before, after) == status


@pytest.mark.parametrize(
    ("place", "module"),
    [
        ("ext/ext/ops/f.py:3", "ext.ops.f"),
        ("src/ext/__init__.py:1", "ext"),
        ("examples/f.py:1", ""),
    ],
)
def test_a_file_is_a_module_of_the_wheel(place, module):
    assert tree_trials._module_of(place, ["ext.ops"]) == module
