"""Small source trees in the manner of Paddle's, and what is read of them."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.records import FLAGS
from opspec_lint.frameworks.paddle.source.tree import extraction
from opspec_lint.frameworks.paddle.source.tree.folders import SUFFIXES
from opspec_lint.git import folder_tree

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
        ours = [path for path in self.files if path.startswith(tuple(f"{folder}/" for folder in folders))]
        return self.identify(ours)

    def read(self, paths):
        paths = list(paths)
        self.was_read += paths
        return {path: self.files.get(path) for path in paths}

    def identify(self, paths):
        return {path: str(hash(self.files[path])) if path in self.files else "" for path in paths}

    def opened(self):
        return {}


def read(files, build="cpu", **more):
    """Return what a tree of some files, beside those that every tree has, declares."""
    return extraction.extract(Memory(BASE | files), build, **more)


def read_maker(body, before="", after="", build="cpu"):
    """Return what is read of one op `f` whose Make() has a body, and of what stands around its class."""
    code = (
        f"{before}{CLASS.format(name='FOpMaker', body=body)}{after}\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
    )
    return read({f"{OPERATORS}/f_op.cc": f"class FOp : public framework::OperatorWithKernel {{}};\n{code}"}, build)


def shown(found, op="f"):
    """Return the inputs, outputs and attrs of an op as short texts: `X?*`, `out!`, `axis: INT = 1`."""
    (_, _, _, inputs, outputs, attrs), _ = found.ops[op]
    return [_variable(each) for each in inputs], [_variable(each) for each in outputs], [_attr(each) for each in attrs]


def attrs_of(found, op="f"):
    """Return the attrs of an op as short texts."""
    return shown(found, op)[2]


def reasons(found):
    """Return why each op is unresolved."""
    return {op: reason for op, _, _, reason, _ in found.unresolved}


def _variable(record):
    signs = {"duplicable": "*", "dispensable": "?", "intermediate": "!", "extra": "~", "quant": "^"}
    return record[0] + "".join(sign for flag, sign in signs.items() if record[1] & FLAGS[flag])


def _attr(record):
    name, kind, default, mask, generated = record[:5]
    flags = "".join(f" {flag}" for flag in ("extra", "quant", "support_tensor") if mask & FLAGS[flag]) + (
        " generated" if generated else ""
    )
    return f"{name}: {kind} = {default!r}{flags}"


def folder(path, files):
    """Write files into a folder, and return it as a tree."""
    for name, text in (BASE | files).items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder_tree.FolderTree(str(path), str(path), SUFFIXES)
