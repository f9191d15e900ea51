"""The files of a source tree in the manner of PyTorch's: what declares ops in YAML, C++ and Python."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.extract import native

YAML = """\
# ops
- func: f.Tensor(Tensor self, int n=1) -> Tensor  # the first
  variants: function
  tags: [pointwise, core]
  dispatch:
    CPU: f
  autogen: f.Tensor_out

- func: g_(Tensor(a!) self, *, int[2] p=0) ->
    Tensor(a!)
  structured_delegate: g.out
  autogen: g, g.out
- func: h(Tensor self) -> (Tensor values, Tensor indices)
  autogen: h.out
- func: broken(Tensor self ->
"""
CPP = """\
#include "ops.h"
// TORCH_LIBRARY(none, m) { m.def("none() -> ()"); }
#define DEF(x) m.def(x)
namespace n {
std::tuple<at::Tensor, std::optional<double>>
many(const at::Tensor& x, std::vector<int64_t> sizes, c10::string_view s = "a, b") { return {x, 1.0}; }
int64_t number() noexcept;
}
TORCH_LIBRARY(ns, m) {
  m.set_python_module("ns.fake");
  m.def("one(Tensor x, "
        "int n=1) -> Tensor", {at::Tag::pt2_compliant_tag});
#ifdef WITH_CUDA
  m.def(TORCH_SELECTIVE_SCHEMA("ns::two.out(Tensor x) -> ()"));
#endif
  m.def(R"(three(Tensor x) -> str)");
  m.def("four", &n::many);
  m.def(NAMED);
  m.impl("one", &one);
}
STABLE_TORCH_LIBRARY_FRAGMENT(ns, lib) { lib.def("five() -> ()").def("six() -> ()"); }
TORCH_LIBRARY_IMPL(ns, CPU, m) { m.impl("one", &one); }
TORCH_LIBRARY_EXPAND(CONCAT(TORCH_EXTENSION_NAME, _more), ops) { ops.def("seven() -> ()"); }
static auto registry = torch::RegisterOperators("old::a", &n::many)
    .op("old::b(Tensor x) -> Tensor", &f)
    .op("old::c", [](at::Tensor x, bool b) -> at::Tensor { return x; })
    .op("old::d", [] { return n::number(); })
    .op("old::e", &unknown);
"""
PYTHON = """
import torch
from torch.library import Library, define as declare

SCHEMA = "(Tensor x) -> Tensor"
lib = Library("py", "DEF")
lib.define("one(Tensor x) -> Tensor")
declare("py::two", SCHEMA)
torch.library.define("py::three", "(Tensor x, *, "
                     "int n) -> ()")
class Ops:
    def __init__(self):
        self.lib = torch.library.Library("own", "FRAGMENT")
        self.lib.define(f"four{SCHEMA}")
    def other(self, given, name):
        given.define("five(Tensor x) -> Tensor")
        torch.library.define(name, SCHEMA)
        given.define("no schema")
"""
CUSTOM = """\
from __future__ import annotations
import torch
import torch.library as lib
from torch import Tensor
from torch.library import custom_op
from torch.types import Number
from typing import List, Optional, Sequence, Tuple, Union

@custom_op("o::a", mutates_args=())
def a(x: Tensor, n: int, f: float = 1e-5, b: bool = True, s: str = "mean", q: Optional[int] = None, *,
      k: Number = 2, d: torch.device | None = None, t: torch.dtype = torch.float32) -> Tensor:
    return x.clone()
@torch.library.custom_op("o::b", mutates_args=["x", "y"], device_types="cpu")
def b(x: torch.Tensor, z: List[Tensor], y: Sequence[Tensor], w: list[Optional[Tensor]], i: List[int] | None = None,
      g: Union[Sequence[float], None] = None, bs: "list[bool]" = None) -> None:
    pass
@lib.triton_op("o::c", mutates_args=())
def c(x: "Tensor", y: Tensor | None, n: int = -1) -> Tuple[Tensor, List[Tensor], int, float, bool, Number]:
    pass
@custom_op("o::d", mutates_args={})
def d(x: Tensor) -> Tuple[Tensor]:
    return x
@custom_op("o::e", mutates_args="unknown")
def e(x: Tensor, n: int) -> list[Tensor]:
    return [x]
def f(x: Tensor, *, n: int) -> Tensor:
    return x
custom_op("o::f", f, mutates_args=())
@custom_op("o::g", mutates_args=(), schema="(Tensor x, int y) -> Tensor")
def g(x, y):
    return x
"""

TREE = {native.PATH: YAML, "csrc/ops.cpp": CPP, "ops.py": PYTHON, "custom.py": CUSTOM}
