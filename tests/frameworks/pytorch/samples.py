"""Samples of PyTorch for the tests of all frameworks (`tests/support/per_framework.py`)."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.events import EVENTS
from opspec_lint.frameworks.pytorch.formats import schemas
from opspec_lint.sources import recognise
from tests.support.models import pytorch_models

FOREIGN = "dispensable|duplicable|op versions?|GraphDef|OpDef|SavedModel|Paddle|TensorFlow|attrs?|quant|extra"
DECLARATIONS = "a::f.x(Tensor(a!) x, int n=1, *, bool b) -> (Tensor(a!) y, int)  # tags: core"
EXAMPLES = "a::f(Tensor x) -> Tensor", "a::f(Tensor x, int n) -> Tensor\na::g() -> Tensor"
RAISED = 19
SCHEMAS = """\
a::f(Tensor x, int n=1) -> Tensor  # tags: core, pointwise
a::f.out(Tensor x, int n=1, *, Tensor(a!) out) -> Tensor(a!)  # tags:
a::g(Tensor(a)[] x, int[2] size=0, *, str mode="sum", Scalar? s=None, bool deep=False) -> (Tensor(a) y, int)  # tags:
a::h(Dict(str, t)(b!) self, t(c -> *) value, ...) -> ...  # tags: core
a::many(float eps=1e-05, Tensor?[] indices, (int, float)[] pairs) -> ()  # tags:
"""
RELEASE = """\
aten::div.Tensor(Tensor self, Tensor other) -> Tensor
aten::gelu(Tensor self, *, str approximate="none") -> Tensor
aten::len.t(t[] a) -> int
aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor
aten::relu(Tensor self) -> Tensor
mine::twice(Tensor x) -> Tensor
prim::Print(...) -> ()
"""
WRITTEN = {".pt": pytorch_models.written}


def name_in_head(change):
    if change.event not in EVENTS:
        return None
    if change.event == "schema_arguments_reordered":
        was, now = (order.split(", ") for order in (change.old, change.new))
        return next(name for name, old in zip(now, was, strict=True) if name != old)
    return change.new_name or change.name


def declares(text):
    return schemas.claims(text.encode())


def kinds():
    return {"pytorch": (recognise.spec_of(recognise.document_of(SCHEMAS.encode(), "schemas.txt")),)}


def models():
    return {
        "pt2": ("m.pt2", {"m.pt2": pytorch_models.exported()}),
        "torch_weights": ("m.pt", {"m.pt": pytorch_models.weights()}),
        "torchscript": ("m.pt", {"m.pt": pytorch_models.script()}),
    }


def release():
    return recognise.spec_of(recognise.document_of(RELEASE.encode(), "schemas.txt"))
