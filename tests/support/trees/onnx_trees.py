"""A small source tree with the layout of ONNX, to be changed file by file: all of its text is our own."""

from __future__ import annotations

PROTO = "onnx/onnx.in.proto"
CONSTANTS = "onnx/common/constants.h"
SCHEMA = "onnx/defs/schema.h"
SCHEMA_CODE = "onnx/defs/schema.cc"
SETS = "onnx/defs/operator_sets.h"
ML_SETS = "onnx/defs/operator_sets_ml.h"
UTILS = "onnx/defs/math/utils.h"
UTILS_CODE = "onnx/defs/math/utils.cc"
DEFS = "onnx/defs/math/defs.cc"
CONVERTER = "onnx/version_converter/convert.h"
ADAPTER = "onnx/version_converter/adapters/g_2_1.h"

TREE = {
    "VERSION_NUMBER": "1.30.0\n",
    PROTO: """
enum Version {
  IR_VERSION_OLD = 0x0000000000000001; // the first
  IR_VERSION = 0x000000000000000C;
}
message AttributeProto {
  enum AttributeType {
    UNDEFINED = 0;
    FLOAT = 1;
    INT = 2;
    STRING = 3;
    TENSOR = 4;
    FLOATS = 6;
    INTS = 7;
  }
}
message TensorProto {
  enum DataType {
    UNDEFINED = 0;
    // Basic types.
    FLOAT = 1;   // float
    INT64 = 7;
    FLOAT16 = 10;
    BFLOAT16 = 16;
  }
}
""",
    CONSTANTS: """
constexpr const char* ONNX_DOMAIN = "";
constexpr const char* AI_ONNX_ML_DOMAIN = "ai.onnx.ml";
""",
    SCHEMA: """#pragma once
#include "onnx/common/constants.h"
namespace ONNX_NAMESPACE {
constexpr bool OPTIONAL_VALUE = false;
class OpSchema final {
 public:
  static const std::vector<std::string>& real_types() { return wide_types(); }
  ONNX_API static const std::vector<std::string>& wide_types();
  static const std::vector<std::string>& lists_too();
};
map_[ONNX_DOMAIN] = std::make_pair(1, 9);
namespace types {
inline std::string Tensor(TensorProto::DataType e) {
  return "tensor(" + Utils::DataTypeUtils::ToDataTypeString(static_cast<int32_t>(e)) + ")";
}
inline std::vector<std::string> Tensors(std::initializer_list<TensorProto::DataType> elements) {
  std::vector<std::string> out;
  out.reserve(elements.size());
  for (auto e : elements) {
    out.push_back(Tensor(e));
  }
  return out;
}
inline constexpr const char* Int64 = "tensor(int64)";
}  // namespace types
#define ONNX_OPERATOR_SET_SCHEMA(name, ver, impl) \\
  ONNX_OPERATOR_SET_SCHEMA_EX(name, Onnx, ONNX_DOMAIN, ver, true, impl)
#define ONNX_ML_OPERATOR_SET_SCHEMA(name, ver, impl) \\
  ONNX_OPERATOR_SET_SCHEMA_EX(                       \\
      name, OnnxML, AI_ONNX_ML_DOMAIN, ver, true, impl)
#define ONNX_ML_OPERATOR_SET_SCHEMA_CLASS_NAME(ver, name) \\
  ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(OnnxML, ver, name)
}
""",
    SCHEMA_CODE: """#include "onnx/defs/schema.h"
namespace ONNX_NAMESPACE {
const std::vector<std::string>& OpSchema::wide_types() {
  static const auto v = types::Tensors({TensorProto::FLOAT, TensorProto::BFLOAT16});
  return v;
}
const std::vector<std::string>& OpSchema::lists_too() {
  static const std::vector<std::string> v = {"seq(tensor(float))"};
  return v;
}
}
""",
    SETS: """#include "onnx/defs/schema.h"
class OpSet_Onnx_ver1 {
  static void ForEachSchema(std::function<void(OpSchema&&)> fn) {
    fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 1, F)>());
    fn(GetOpSchema<class ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 1, G)>());
    fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 2, G)>());
    // fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 1, Draft)>());
  }
};
""",
    ML_SETS: """
    fn(GetOpSchema<ONNX_ML_OPERATOR_SET_SCHEMA_CLASS_NAME(3, M)>());
""",
    UTILS: """#include "onnx/defs/schema.h"
namespace ONNX_NAMESPACE::math {
std::function<void(OpSchema&)> Generator(
    const char* name, std::vector<std::string> allowed = OpSchema::real_types(), bool with_axes = false);
}
""",
    UTILS_CODE: """#include "onnx/defs/math/utils.h"
namespace ONNX_NAMESPACE::math {
std::function<void(OpSchema&)> Generator(const char* name, std::vector<std::string> allowed, bool with_axes) {
  return [=, kept = std::move(allowed)](OpSchema& schema) {
    std::string doc;
    POPULATE_OP_DOC_STR(doc = R"DOC(Computes {name}, "quoted" (as always).)DOC"; ReplaceAll(doc, "{name}", name););
    schema.SetDoc(doc);
    schema.Input(0, "X", "text", "T", OpSchema::Single, true, 1, OpSchema::Differentiable)
        .Output(0, "Y", "text", "T");
    if (with_axes) {
      schema.Attr("axes", "text", AttributeProto::INTS, OPTIONAL_VALUE);
    }
    schema.TypeConstraint("T", kept, "text");
    schema.TypeAndShapeInferenceFunction([](InferenceContext& ctx) {
      if (ctx.getNumInputs() > 1) return;
      schema.Nothing();
    });
  };
}
}
""",
    DEFS: """#include "onnx/defs/math/utils.h"
namespace ONNX_NAMESPACE {
static float kDefault = 0.5;
static std::vector<std::string> all_kinds() {
  auto t = OpSchema::wide_types();
  auto lists = OpSchema::lists_too();
  t.insert(t.end(), lists.begin(), lists.end());
  return t;
}

ONNX_OPERATOR_SET_SCHEMA(F, 1, OpSchema()
    .SetDoc(GET_OP_DOC_STR(std::string(F_doc) + Unknown()))
    .Input(0, "A", "text", "T")
    .Input(1, "B", "text", types::Int64, OpSchema::Optional)
    .Input(2, "rest", "text", "V", OpSchema::Variadic, false, 2)
    .Output(0, "C", "text", "T")
    .Attr("required", "text", AttributeProto::INT)
    .Attr("absent", "text", AttributeProto::STRING, OPTIONAL_VALUE)
    .Attr("alpha", "text", AttributeProto::FLOAT, kDefault)
    .Attr("mode", "text", AttributeProto::STRING, std::string("first"))
    .Attr("steps", "text", AttributeProto::INTS, std::vector<int64_t>{1, -2})
    .Attr("table", "text", "in words", AttributeProto::TENSOR)
    .TypeConstraint("T", {"tensor(float)", "tensor(float16)"}, "text")
    .TypeConstraint("V", []() {
          auto v = all_kinds();
          v.emplace_back("tensor(string)");
          return v;
        }(), "text")
    .FunctionBody(R"ONNX({ C = Abs(A) })ONNX"));

ONNX_OPERATOR_SET_SCHEMA(G, 1, OpSchema().FillUsing(math::Generator("one")));
ONNX_OPERATOR_SET_SCHEMA(
    G, 2, OpSchema().FillUsing(math::Generator("two", {"tensor(float)", types::Int64}, true)).Deprecate());
ONNX_OPERATOR_SET_SCHEMA(Draft, 1, OpSchema().Input(0, "X", "text", "tensor(float)"));
ONNX_ML_OPERATOR_SET_SCHEMA(
    M,
    3,
    OpSchema().FillUsing([](OpSchema& s) { s.Output(0, "Y", "text", "tensor(float)"); }));
}
""",
    CONVERTER: """
registerAdapter(std::make_unique<G_2_1>());
// registerAdapter(std::make_unique<CompatibleAdapter>("G", OpSetID(1), OpSetID(2)));
registerAdapter(std::make_unique<CompatibleAdapter>("F", OpSetID(8), OpSetID(9)));
""",
    ADAPTER: """
class G_2_1 final : public Adapter {
 public:
  explicit G_2_1() : Adapter("G", OpSetID(2), OpSetID(1)) {}
};
""",
}


def write(folder, tree):
    """Write a tree to a folder and return the folder."""
    for path, text in tree.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def changed(path, old, new):
    """Return the tree with a text of one file replaced; the text is there once."""
    assert TREE[path].count(old) == 1, old
    return {**TREE, path: TREE[path].replace(old, new)}


def of_parts(parts):
    """Return the tree with the schemas and the entries of operator sets that a scene adds to those it has."""
    schemas, listed = parts.get("defs.cc", ""), parts.get("operator_sets.h", "")
    tree = changed(DEFS, "ONNX_OPERATOR_SET_SCHEMA(Draft", f"{schemas}\nONNX_OPERATOR_SET_SCHEMA(Draft")
    return tree | {SETS: TREE[SETS].replace("  }\n", f"{listed}\n  }}\n")}
