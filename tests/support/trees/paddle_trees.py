"""Small source trees like Paddle's, and the declarations read from them."""

from __future__ import annotations

import marshal

from opspec_lint.frameworks.paddle.extract.tree import extraction
from opspec_lint.frameworks.paddle.extract.tree.folders import SUFFIXES
from opspec_lint.git import folder_tree
from opspec_lint.spec.model import Provenance

OPERATORS = "paddle/fluid/operators"
FRAMEWORK = "paddle/fluid/framework"

PROTO = """
syntax = "proto2";
enum AttrType { INT = 0; FLOAT = 1; STRING = 2; }
message OpProto {
  message Var {
    required string name = 1;
    optional bool duplicable = 3 [ default = false ];
    optional bool extra = 6 [ default = false ];
    optional bool quant = 7 [ default = false ];
  }
}
message VarType { enum Type { BOOL = 0; INT32 = 2; INT64 = 3; FP32 = 5; } }
message Other { enum Type { SOMETHING = 7; } }
"""

MAKER_H = """
enum class Role { kForward = 0, kLoss = 0x100, kNone = 0x1000 };
class OpProtoAndCheckerMaker {
 public:
  static const char *RoleName() { return "op_role"; }
  virtual void Make() = 0;
};
"""

MAKER_CC = """
#include "paddle/fluid/framework/op_proto_maker.h"
void OpProtoAndCheckerMaker::operator()(proto::OpProto* proto, OpAttrChecker* checker) {
  proto_ = proto;
  Make();
  AddAttr<int>(RoleName(), "who")
      .InEnum({static_cast<int>(Role::kForward), static_cast<int>(Role::kNone)})
      .SetDefault(static_cast<int>(Role::kNone))
      .AsExtra();
}
"""

BASE = {
    f"{FRAMEWORK}/framework.proto": PROTO,
    f"{FRAMEWORK}/op_proto_maker.h": MAKER_H,
    f"{FRAMEWORK}/op_proto_maker.cc": MAKER_CC,
    f"{OPERATORS}/CMakeLists.txt": "register_operators()\n",
}

CLASS = """
class {name} : public framework::OpProtoAndCheckerMaker {{
 public:
  void Make() override {{
    {body}
  }}
}};
"""


class Memory:
    """A tree that is a mapping."""

    name = "memory"

    def __init__(self, files):
        self.files = {path: text if isinstance(text, bytes) else text.encode() for path, text in files.items()}
        self.links = {}
        self.folders = {}
        self.was_read = []

    def blobs(self, folders):
        paths = [path for path in self.files if path.startswith(tuple(f"{folder}/" for folder in folders))]
        return self.identify(paths)

    def read(self, paths):
        paths = list(paths)
        self.was_read += paths
        return {path: self.files.get(path) for path in paths}

    def follow(self, paths):
        return {path: self.links[path] for path in paths}

    def identify(self, paths):
        return {path: str(hash(self.files[path])) if path in self.files else "" for path in paths}

    def read_folders(self):
        return {}


def read(files, build="cpu", **more):
    """Return the declarations of a tree of some files beside those that every tree has."""
    return kept(extraction.extract(Memory(BASE | files), build, **more))


def kept(declarations):
    """Return declarations after a round trip through the cache, which fails for values that are no plain data."""
    return declarations.restored(marshal.loads(marshal.dumps(declarations.__dict__, 4)))  # noqa: S302 - our own


def read_maker(body, before="", after="", build="cpu", **files):
    """Return the declarations of one op `f`, from the body of its Make() and the text around its class.

    Other files of the tree are named by their names: `framework_proto` is framework.proto.
    """
    others = {f"{FRAMEWORK}/{name.replace('_', '.')}": text for name, text in files.items()}
    return read({f"{OPERATORS}/f_op.cc": maker_file(body, before, after), **others}, build)


def maker_file(body, before="", after=""):
    """Return the file of an op `f`, from the body of its Make() and the text around the class of that."""
    code = (
        f"{before}{CLASS.format(name='FOpMaker', body=body)}{after}\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
    )
    return f"class FOp : public framework::OperatorWithKernel {{}};\n{code}"


def shown(declarations, op="f"):
    """Return the inputs, outputs and attrs of an op as short texts: `X?*`, `out!`, `axis: INT = 1`."""
    record, _ = declarations.ops[op]
    return (
        [_variable(variable) for variable in record.get("inputs", ())],
        [_variable(variable) for variable in record.get("outputs", ())],
        [_attr(attr) for attr in record.get("attrs", ())],
    )


def spec(declarations):
    """Return the spec of a tree."""
    return declarations.spec("paddle-source:.", Provenance(framework="paddle"))


def declared_of(declarations, op="f"):
    """Return an op of a tree, without the attrs that every op has."""
    made = spec(declarations).ops[op]
    return made.replace(attrs=made.attrs[: len(made.attrs) - len(declarations.boilerplate)])


def history_of(declarations, op="f"):
    """Return the registered history of an op in a tree, and its places."""
    made = spec(declarations)
    return made.op_versions[op], made.history_origins[op]


def lost(declarations):
    """Return the unresolved declarations: the op, the file and the line, the reason, and the digest of the text."""
    unresolved = (remark for remark in declarations.remarks if remark["event"] == "op_unresolved")
    return [
        (remark["name"], *remark["place"][:2], remark["facts"]["reason"], remark["digest"]) for remark in unresolved
    ]


def remarks(declarations, event):
    """Return the remarks of a kind: the op, what each is about, the file and the line."""
    chosen = (remark for remark in declarations.remarks if remark["event"] == event)
    return [(remark["op"], remark["name"], *remark["place"][:2]) for remark in chosen]


def attrs_of(declarations, op="f"):
    """Return the attrs of an op as short texts."""
    return shown(declarations, op)[2]


def reasons(declarations):
    """Return why each op is unresolved."""
    return {op: reason for op, _, _, reason, _ in lost(declarations)}


def _variable(this):
    signs = {"duplicable": "*", "dispensable": "?", "intermediate": "!", "extra": "~", "quant": "^"}
    return this["name"] + "".join(sign for flag, sign in signs.items() if this.get(flag))


def _attr(this):
    flags = [flag for flag in ("extra", "quant", "support_tensor", "generated") if this.get(flag)]
    return " ".join([f"{this['name']}: {this['type']} = {this.get('default_value')!r}", *flags])


def folder(path, files):
    """Write files into a folder, and return it as a tree."""
    for name, text in (BASE | files).items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder_tree.FolderTree(str(path), str(path), SUFFIXES)
