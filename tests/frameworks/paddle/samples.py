"""Samples of Paddle for the tests of all frameworks (`tests/support/per_framework.py`)."""

from __future__ import annotations

from tests.support.models import paddle_programs, pir_models
from tests.support.released_specs import released
from tests.support.trees import paddle_yaml

FOREIGN = "GraphDef|OpDef|SavedModel|TensorFlow|graphs?|list\\(type\\)|Ref|is_stateful|strip"
OF_TREES = {"allowed_values", "minimum", "maximum", "translator"}
WRITERS = {"paddle@2.6.2": ("program_desc", "legacy_executor")}
WRITTEN = {".pdmodel": paddle_programs.written, ".json": pir_models.written}


def kinds():
    return {"paddle": tuple(map(released, ("paddle-1.8.5", "paddle-2.6.2", "paddle-3.3.1")))}


def models():
    node = paddle_programs.node("scale", ["X"], a=("INT", 1), b=("VAR", "x"))
    return {
        "paddle_pir": ("m.json", {"m.json": pir_models.program()}),
        "paddle_program": ("m.pdmodel", {"m.pdmodel": paddle_programs.program(node)}),
    }


def release():
    return paddle_programs.release("scale(X) -> (Out) [a: INT = 0, b: INT = 1 {support_tensor}]")


def tree(parts):
    return ("paddle-source", paddle_yaml.of_parts(parts)) if parts.keys() <= paddle_yaml.PARTS.keys() else None
