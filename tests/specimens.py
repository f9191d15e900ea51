"""A spec of every framework, in which nearly every field says something: what tests of all fields start from."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import tflite_trees
from paths import TESTS

from opspec_lint.documents.decode import decode
from opspec_lint.frameworks.tflite.sources import source
from opspec_lint.sources import recognise
from opspec_lint.sources.reading import Reading
from opspec_lint.spec.interface import notation

SPECS = TESTS.parent / "specs"
RELEASED = {
    "paddle": ("paddle-1.8.5", "paddle-2.6.2", "paddle-3.3.1"),
    "paddle-pir": ("paddle-pir-3.0.0", "paddle-pir-3.3.1"),
    "tensorflow": ("tensorflow-1.15.0", "tensorflow-2.18.1"),
    "tflite": ("tflite-2.17.1",),
    "litert": ("litert-2.1.2",),
}
"""The included specs, by the kind of spec that they are."""
SCHEMA = """\
namespace a.b;
enum Kind : ubyte { A = 0, B = 3, C }
enum Bits : ushort (bit_flags) { X, Y = 4 }
struct Point (force_align: 8) { x:int; y:[ubyte:3]; }
struct Line { from:Point; to:Point; }
table Leaf { name:string (key, required); at:Point; along:Line; }
union Any { Leaf, Other:Leaf = 7 }
table Root {
  kind:Kind = B; bits:Bits = "X Y"; any:Any; many:[Leaf]; old:int (deprecated); bare:[Any];
  named:uint (hash: "fnv1_32"); far:string (offset64); flex:[ubyte] (flexbuffer);
  raw:[ubyte] (nested_flatbuffer: "Leaf", force_align: 16); opt:long = null; ratio:float = 1e-1; on:bool = true;
}
rpc_service Store { Get(Leaf):Root; Put(Root):Leaf; }
root_type Root;
file_extension "abc";
file_identifier "ABCD";
"""
INTERFACE = """\
from tensorflow 2.15.1
signature serving_default(x: float32[None, 4]) -> {"y": float32[None], "z": int64[None]} method "predict" tags "serve"
signature scaled(x: float32[None, 4], scale: float32[] = 3.0) -> {"y": float32[None, 1]} tags "serve"
function f(x, training=False): (float32[None], False) -> float32[] | (float32[None], True) -> float32[]
function g(x, *more, scale=2, **named) restricted: (float32[None, 2], scale=2) -> (float32[], [int32[None], "a"])
concrete function h(x, *, flag): (float32[2], flag=True) -> {"a": float32[2], "b": string[]}
graph model(x: float32[None, 4], n: int32[]) -> {"y": float32[None, 1], "w": float32[4]}
"""
KINDS = (*RELEASED, "tflite source", "interface", "flatbuffers")
"""The kinds of specs: those of a framework that say different things are several."""


@cache
def released(name):
    """A released spec."""
    return recognise.spec_of(decode((SPECS / f"{name}.json").read_bytes(), name))


@cache
def of_kind(kind):
    """The specs of a kind, each whole."""
    if kind in RELEASED:
        return tuple(map(released, RELEASED[kind]))
    if kind == "interface":
        return (notation.parse_spec(INTERFACE),)
    if kind == "flatbuffers":
        return (recognise.spec_of(recognise.document_of(SCHEMA.encode(), "schema.fbs")),)
    with tempfile.TemporaryDirectory() as folder:
        tree = str(tflite_trees.write(Path(folder), tflite_trees.TREE))
        return (source.extract(tree, Reading(caches=False)),)
