"""Samples of FlatBuffers for the tests of all frameworks (`tests/support/per_framework.py`)."""

from __future__ import annotations

from opspec_lint.lint import examples
from opspec_lint.sources import recognise

FOREIGN = "dispensable|duplicable|op versions?|GraphDef|OpDef|Paddle|TensorFlow|(?<!{)ops?|attrs?|models?"
DECLARATIONS = "table T { a:int (deprecated); s:string (key, required); }\nenum E:byte { A }\nroot_type T;"
EXAMPLES = "table T { a:int; }", "table T { a:int; b:int; }"
WRONG = [({"form": "tabel"}, "form: expected ")]
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


declares = examples.is_schema


def kinds():
    return {"flatbuffers": (recognise.spec_of(recognise.document_of(SCHEMA.encode(), "schema.fbs")),)}
