"""Damaged source trees, random but the same for the same seed.

    python -m tests.support.hostile.trees --count 5000 [--seed 0]

reads each in a separate process with 10 s and 1 GB. The exit code is 1 if one takes more, or ends in an internal error.
A tree starts from small ones in the manner of Paddle's, and has up to six faults.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time

from opspec_lint.cpp.unresolved import FAILED
from opspec_lint.frameworks.paddle.extract.tree import extraction
from opspec_lint.kit.errors import OpspecError
from opspec_lint.spec.model import Provenance
from tests.support import limited
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS, Memory, kept

GENERATOR = "paddle/fluid/operators/generator"
YAML = "paddle/phi/ops/yaml"

CPP = """
#include "paddle/fluid/operators/helper.h"
#ifdef PADDLE_WITH_CUDA
#define WIDTH 64
#else
#define WIDTH (1 << 5)
#endif
#define ADD_NUMBER(name, value) AddAttr<int>(#name, "a number").SetDefault(value).EqualGreaterThan(0)
namespace paddle {
namespace operators {
using framework::Tensor;
enum class Mode : int { kFirst, kSecond = 1 << 2, kThird = kSecond | 1 };
enum { kPlain = 3, kNext };
constexpr char kName[] = "Name";
static const std::vector<std::string> kModes = {"a", R"(b")", "c\\n"};
template <typename T>
struct Limits { static constexpr T kLeast = static_cast<T>(-1); };
inline int Width(int times, bool twice = false) {
  int width = 0;
  for (int i = 0; i < times; ++i) { width += WIDTH; }
  if (twice) return 2 * width;
  return width;
}
static void AddCommon(framework::OpProtoAndCheckerMaker* maker) { maker->AddInput("Common", "text"); }
class FOp : public framework::OperatorWithKernel {};
template <typename AttrType>
class FOpMaker : public BaseMaker {
 public:
  void Make() override {
    BaseMaker::Make();
    AddCommon(this);
    AddInput("X", "(Tensor), 'it' } \\" {").AsDuplicable().AsDispensable();
    AddOutput(kName, R"DOC(the "output")DOC").AsIntermediate();
    AddAttr<AttrType>("alpha", "text").SetDefault(static_cast<AttrType>(1.5 * 2));
    AddAttr<std::vector<int>>("dims", "").SetDefault({1, 2, Width(2, true)});
    AddAttr<std::string>("mode", "").SetDefault("a").InEnum({"a", "b"});
    AddAttr<int64_t>("many", "").SetDefault(std::numeric_limits<int64_t>::max()).AsExtra();
    AddAttr<float>("ratio", "").SetDefault(-0.5e-3f).AddCustomChecker([](const float& v) {
      PADDLE_ENFORCE_EQ(v >= 0.0f && v <= 1.0f, true, platform::errors::InvalidArgument("no %f", v));
    });
    ADD_NUMBER(count, kNext + 1);
    for (auto& name : {"P", "Q"}) { AddInput(name, ""); }
    std::unordered_set<std::string> names;
    for (size_t i = 0; i < 3; ++i) { names.insert("n"); }
    if (kPlain > 2 && !names.empty()) { AddOutput("Out", ""); } else { AddOutput("No", ""); }
    switch (kPlain) { case 3: AddInput("Three", ""); break; default: break; }
    auto add = [this](const std::string& name) { AddAttr<bool>(name, "").SetDefault(true); };
    add("one");
    AddComment(R"DOC(
A comment, "with" (parentheses and { braces.
)DOC");
  }
};
}  // namespace operators
}  // namespace paddle
namespace ops = paddle::operators;
REGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker<float>, paddle::framework::EmptyGradOpMaker<framework::OpDesc>);
REGISTER_OP_VERSION(f).AddCheckpoint(R"ROC(Add one)ROC",
    paddle::framework::compatible::OpVersionDesc().NewAttr("alpha", "new", -1.0f).NewInput("X", "x"));
"""

HEADER = """
#pragma once
#include "paddle/fluid/framework/op_proto_maker.h"
namespace paddle { namespace operators {
class BaseMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override { AddOutput("Base", Comment()); Apply(); }
 protected:
  virtual std::string Comment() const { return "text"; }
  virtual void Apply() {}
};
#define REGISTER_BOTH(one, maker)           \\
  REGISTER_OPERATOR(one, ops::FOp, maker);  \\
  REGISTER_OP_WITHOUT_GRADIENT(one##_2, ops::FOp, maker)
}}
"""

MACROS = """
#include "paddle/fluid/operators/helper.h"
namespace paddle { namespace operators {
class FOp : public framework::OperatorBase {};
REGISTER_BOTH(both, BaseMaker);
#define FOR_ALL(m) m(sin, Sin) m(cos, Cos)
#define MAKER(name, Name)                                             \\
  class Name##Maker : public framework::OpProtoAndCheckerMaker {      \\
    void Make() override { AddInput("X", #name); }                    \\
  };                                                                  \\
  REGISTER_OPERATOR(name, FOp, Name##Maker);
FOR_ALL(MAKER)
}}
"""

OPS = """
- op : abs
  args : (Tensor x, int axis = -1, float eps = 1e-5f, Scalar(int64_t) k = 1, int[] shape = {1, 2}, str s = "a")
  output : Tensor(out), Tensor[](more){x.size()}
  infer_meta :
    func : UnchangedInferMeta
  kernel :
    func : abs
  optional : x
  backward : abs_grad
- op : add_
  args : (Tensor[] x, IntArray dims = {}, DataType dtype = DataType::FLOAT32, Place place = {})
  output : Tensor
  infer_meta : {func : AddMeta}
  kernel : {func : add, param : [x, dims, dtype]}
"""
COMPAT = """
- op : abs (absolute)
  inputs : {x : X}
  outputs : {out : Out}
  extra :
    attrs : [bool use_cudnn = false]
  scalar :
    k : {data_type : int, tensor_name : K}
- op : add
  int_array :
    dims : {data_type : int, tensors_name : Dims}
"""
VERSIONS = """
- op : abs
  version :
    - checkpoint : Added axis
      action :
        - add_attr : axis
          comment : which
          default : -1
"""
CMAKE = f"""
set(yaml ${{CMAKE_SOURCE_DIR}}/{YAML})
execute_process(
  WORKING_DIRECTORY ${{CMAKE_SOURCE_DIR}}/{GENERATOR}
  COMMAND python generate_op.py --ops_yaml_path ${{yaml}}/ops.yaml --op_version_yaml_path ${{yaml}}/op_version.yaml
    --op_compat_yaml_path ${{yaml}}/op_compat.yaml
  RESULT_VARIABLE _result)
"""
TYPES = (
    "opmaker_attr_types_map = {'int': 'int', 'float': 'float', 'str': 'std::string', 'int[]': 'std::vector<int>', "
    "'Scalar(int64_t)': 'int64_t', 'IntArray': 'std::vector<int64_t>', 'DataType': 'int', 'Place': 'int'}"
)
LISTS = """
include(operators)
if(WITH_GPU AND NOT (WIN32 OR APPLE))
  op_library(f_op SRCS f_op.cc DEPS x)
elseif(${VERSION} VERSION_GREATER_EQUAL "11.2")
  add_subdirectory(reader)
endif()
file(GLOB OPS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*_op.cc")
foreach(each ${OPS})
  string(REPLACE ".cc" "" each "${each}")
  op_library(${each})
endforeach()
register_operators(EXCLUDES no_op DEPS ${ALL})
"""

SEED = BASE | {
    f"{OPERATORS}/CMakeLists.txt": LISTS,
    f"{OPERATORS}/f_op.cc": CPP,
    f"{OPERATORS}/helper.h": HEADER,
    f"{OPERATORS}/macros_op.cc": MACROS,
    f"{OPERATORS}/plain_op.cc": f"class FOp : public framework::OperatorBase {{}};\n{CLASS.format(name='M', body='')}"
    "REGISTER_OPERATOR(plain, FOp, M);",
    f"{GENERATOR}/CMakeLists.txt": CMAKE,
    f"{GENERATOR}/generate_op.py": "scalar_configs int_array_configs without_underline",
    f"{GENERATOR}/type_mapping.py": TYPES,
    f"{GENERATOR}/parse_utils.py": "op_name[-1] != '_'",
    f"{YAML}/ops.yaml": OPS,
    f"{YAML}/op_compat.yaml": COMPAT,
    f"{YAML}/op_version.yaml": VERSIONS,
    "paddle/phi/common/place.h": "enum class AllocationType { UNDEFINED = 0, CPU = 1 };",
}
"""What the damage starts from."""

_TOKEN = re.compile(r'\w+|R"\w*\(|"(?:[^"\\\n]|\\.)*"|\s+|[^\w\s]')
_TOKENS = (
    *"(){}[]<>;:,.#=&*-+!?~\\\"'/|", "::", "->", "<<", "##", "\n", "\0", "\ud7ff", "\x1b[31m", "é", "for", "if", "else",
    "while", "do", "switch", "case", "return", "enum", "class", "struct", "template <", "typename", "namespace",
    "using", "operator", "const", "constexpr", "auto&", "AddAttr<", "AddAttr<>", "AddAttr<int", "AddInput(", "Make(",
    "this", "[this]", "[&](", "static_cast<", "std::vector<", "numeric_limits", "R\"(", ")\"", "/*", "*/", "//",
    "\n#if ", "\n#else\n", "\n#endif\n", "\n#define ", "\n#undef ", "\n#include \"", "__VA_ARGS__", "...", "1e999",
    "0x", "99999999999999999999", "-1U", "'\\", "1 / 0", "1 << 99", "% 0", "- op :", "[", "&a", "*a", "!!str", "? ",
    "kPlain", "kThird", "WIDTH", "Width", "FOpMaker", "BaseMaker", "ADD_NUMBER", "REGISTER_OPERATOR(", "FOR_ALL",
)  # fmt: skip


def damaged(seed):
    """Return the files of a damaged tree."""
    chance = random.Random(seed)  # noqa: S311 - the same for the same seed
    files = dict(SEED)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        path = chance.choice([path for path in files if files[path]])
        files[path] = chance.choice(FAULTS)(chance, files[path])[: 1 << 21]
    return {
        path: text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass") for path, text in files.items()
    }


def _cut(chance, text):
    at = chance.randrange(len(text))
    return text[:at]


def _dropped(chance, text):
    pieces = _TOKEN.findall(text)
    at = chance.randrange(len(pieces))
    del pieces[at : at + chance.choice((1, 1, 1, 2, 5, 20))]
    return "".join(pieces)


def _inserted(chance, text):
    pieces = _TOKEN.findall(text)
    pieces.insert(chance.randrange(len(pieces)), chance.choice(_TOKENS))
    return "".join(pieces)


def _replaced(chance, text):
    pieces = _TOKEN.findall(text)
    pieces[chance.randrange(len(pieces))] = chance.choice(_TOKENS)
    return "".join(pieces)


def _swapped(chance, text):
    pieces = _TOKEN.findall(text)
    first, second = (chance.randrange(len(pieces)) for _ in range(2))
    pieces[first], pieces[second] = pieces[second], pieces[first]
    return "".join(pieces)


def _moved(chance, text):
    pieces = _TOKEN.findall(text)
    start, end = sorted(chance.randrange(len(pieces)) for _ in range(2))
    part, rest = pieces[start:end], pieces[:start] + pieces[end:]
    at = chance.randrange(len(rest) + 1)
    return "".join([*rest[:at], *part, *rest[at:]])


def _repeated(chance, text):
    pieces = _TOKEN.findall(text)
    start = chance.randrange(len(pieces))
    part = "".join(pieces[start : start + chance.choice((1, 1, 2, 3, 8, 40))])
    times = chance.choice((2, 3, 70, 1000, 30_000))
    return "".join(pieces[:start]) + part * times + "".join(pieces[start:])


def _renamed(chance, text):
    """Give one name the place of another, everywhere: what then depends on itself, or means something else."""
    names = sorted(set(re.findall(r"[A-Za-z_]\w*", text)))
    if not names:
        return text
    return re.sub(rf"\b{chance.choice(names)}\b", chance.choice((*names, "")), text)


def _flipped(chance, text):
    data = bytearray(text if isinstance(text, bytes) else text.encode())
    for _ in range(chance.choice((1, 4, 30))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data).decode("latin-1")


def _line_lost(chance, text):
    lines = text.split("\n")
    del lines[chance.randrange(len(lines))]
    return "\n".join(lines)


FAULTS = (_cut, _dropped, _inserted, _replaced, _swapped, _moved, _repeated, _renamed, _flipped, _line_lost)


def reading_of(seed):
    """Read a damaged tree; return "" or what is wrong with that."""
    files = damaged(seed)
    try:
        declarations = kept(extraction.extract(Memory(files), "all"))
        spec = declarations.spec("hostile", Provenance(framework="paddle"))
        for name in spec.ops:
            _ = spec.ops[name]
    except OpspecError:
        return ""
    failed = [remark.facts["reason"] for remark in spec.remarks if FAILED in str(remark.facts.get("reason"))]
    return failed[0] if failed else ""


def main():
    """Read many; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    wrong = 0
    slowest = (0.0, 0)
    for seed in range(options.seed, options.seed + options.count):
        start = time.perf_counter()
        outcome = limited.call(reading_of, seed)
        slowest = max(slowest, (time.perf_counter() - start, seed))
        problem = outcome.failure or outcome.value
        if problem:
            wrong += 1
            print(f"seed {seed}: {problem.strip()}", flush=True)
    took, at = slowest
    print(f"{options.count} trees, {wrong} not read as they should be; {took:.1f} s at most (seed {at})")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
