"""A small source tree with the layout of TensorFlow, to be changed file by file: all of its text is our own."""

from __future__ import annotations

from tests.support.trees.onnx_trees import write

__all__ = ["TREE", "changed", "of_parts", "registering", "with_list", "write"]

OPS = "tensorflow/core/ops/some_ops.cc"
MORE_OPS = "tensorflow/core/ops/more_ops.cc"
PADDING = "tensorflow/core/util/padding.h"
PADDING_CODE = "tensorflow/core/util/padding.cc"
TYPES = "tensorflow/core/framework/types.h"
VERSION = "tensorflow/core/public/version.h"
BUILD = "tensorflow/core/BUILD"
OP_LIST = "tensorflow/core/ops/ops.pbtxt"
HISTORY = "tensorflow/core/ops/compat/ops_history_v1/Handle.pbtxt"
SINGLE_HISTORY = "tensorflow/core/ops/compat/ops_history.v1.pbtxt"
API_DEF = "tensorflow/core/api_def/base_api/api_def_Handle.pbtxt"
PYTHON_API_DEF = "tensorflow/core/api_def/python_api/api_def_Handle.pbtxt"

TREE = {
    VERSION: """
#define TF_MAJOR_VERSION 1
#define TF_MINOR_VERSION 9
#define TF_PATCH_VERSION 2
#define TF_VERSION_SUFFIX "-rc1"
#define TF_GRAPH_DEF_VERSION_MIN_PRODUCER 3
#define TF_GRAPH_DEF_VERSION_MIN_CONSUMER 4
#define TF_GRAPH_DEF_VERSION 26  // Updated: 2018/1/7
""",
    TYPES: """
#if !defined(IS_MOBILE_PLATFORM)
const DataTypeSet kRealNumberTypes = ToSet(DT_INT64) | ToSet(DT_FLOAT);
const DataTypeSet kNumberTypes = ToSet(DT_FLOAT) | ToSet(DT_COMPLEX64) | ToSet(DT_INT32);
const DataTypeSet kQuantizedTypes = ToSet(DT_QINT8);
#else
const DataTypeSet kNumberTypes = ToSet(DT_FLOAT);
#endif
""",
    PADDING: """
namespace tensorflow {
string GetPaddingAttrString();
}
""",
    PADDING_CODE: """
#include "tensorflow/core/util/padding.h"
namespace tensorflow {
string GetPaddingAttrString() { return "padding: {'SAME', 'VALID'}"; }
}
""",
    OPS: """
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/util/padding.h"

namespace tensorflow {
namespace {
constexpr char kModes[] = "mode: {'a', 'b'} = 'a'";
}  // namespace

REGISTER_OP("Pool")
    .Input("x: T")
    .Output("y: T")
    .Attr(GetPaddingAttrString())
    .Attr(kModes)
    .Attr("T: {float, numbertype} = DT_FLOAT")  // the order of types
    .SetShapeFn([](InferenceContext* c) {
      TF_RETURN_IF_ERROR(c->WithRank(c->input(0), 1, &a));
      return Status::OK();
    })
    .Doc(R"doc(
Pools.

Much text.
x: the input
  of it.
)doc");

#define UNARY() Input("x: T").Output("y: T").Attr("T: realnumbertype")

REGISTER_OP("Neg").UNARY();

#undef UNARY
#define UNARY() Input("x: T").Output("y: T").Attr("T: quantizedtype")

REGISTER_OP("QuantizedNeg").UNARY().SetIsStateful().Deprecated(20, "Use Neg");

#define REGISTER_RANDOM(name, kind) \\
  REGISTER_OP("Random" name)        \\
      .Output("out: " #kind)        \\
      .SetIsStateful()

REGISTER_RANDOM("Uniform", float);
REGISTER_RANDOM("Whole", int64)
    .Attr("seed: int = 0");

REGISTER_SYSTEM_OP("_Arg").Output("y: T").Attr("T: type");
}  // namespace tensorflow
""",
    MORE_OPS: """
namespace tensorflow {
REGISTER_OP("Handle").Output("h: resource").ControlOutput("done").SetIsCommutative().SetIsAggregate();
}
""",
    "tensorflow/core/ops/some_ops_test.cc": 'REGISTER_OP("OfATest").Output("y: float");\n',
}


LIST = """op {
  name: "Handle"
  output_arg { name: "h" type: DT_RESOURCE }
  control_output: "done"
  is_commutative: true
  is_aggregate: true
  is_stateful: true
}
"""
"""What ops.pbtxt has of MORE_OPS."""


def with_list(text=LIST):
    """Return the tree of MORE_OPS with its list of ops."""
    return {path: TREE[path] for path in (VERSION, TYPES, MORE_OPS)} | {OP_LIST: text}


def with_api_def(text, path=API_DEF):
    """Return the tree of MORE_OPS with its list and the api_def of Handle, which has a text below its name."""
    return (
        with_list()
        | {API_DEF: 'op { graph_op_name: "Handle" }'}
        | {path: f'op {{\n graph_op_name: "Handle"\n {text}\n}}\n'}
    )


def of_parts(parts):
    """Return the tree of a scene, None if its files are none of TensorFlow's.

    The list has the output of Handle that the scene states, the api_def a part; other files register ops.
    """
    if parts.keys() == {"ops.pbtxt"}:
        return with_list(LIST.replace('name: "h" type: DT_RESOURCE', parts["ops.pbtxt"]))
    if parts.keys() == {"api_def_Handle.pbtxt"}:
        return with_api_def(parts["api_def_Handle.pbtxt"])
    return parts if parts.keys() == {"one.cc", "two.cc"} else None


def changed(path, old, new):
    """Return the tree with a text of one file replaced; the text is there once."""
    assert TREE[path].count(old) == 1, old
    return {**TREE, path: TREE[path].replace(old, new)}


def registering(text):
    """Return the tree of an extension, which registers ops in one file."""
    return {"zero/ops.cc": f'#include "tensorflow/core/framework/op.h"\n{text}\n'}
