"""Small source trees and packages in the manner of Paddle's whose PIR ops can be read."""

from __future__ import annotations

import struct

from opspec_lint.frameworks.paddle.extract.dialect import extraction, wheel
from opspec_lint.spec.model import Provenance
from tests.support.trees.paddle_trees import Memory, kept

DIALECT = "paddle/fluid/pir/dialect"
GENERATOR = f"{DIALECT}/op_generator"
PARSER = "paddle/fluid/operators/generator"
YAML = "paddle/phi/ops/yaml"
HAND = f"{DIALECT}/operator/ir/manual_op"

PARSER_CMAKE = """
set(yaml_dir ${CMAKE_SOURCE_DIR}/paddle/phi/ops/yaml)
set(parsed_dir ${CMAKE_BINARY_DIR}/parsed)
execute_process(
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/paddle/fluid/operators/generator
  COMMAND ${PYTHON_EXECUTABLE} parse_op.py --op_yaml_path ${yaml_dir}/ops.yaml --output_path ${parsed_dir}/a.parsed.yaml
  COMMAND ${PYTHON_EXECUTABLE} parse_op.py --op_yaml_path ${yaml_dir}/backward.yaml
          --output_path ${parsed_dir}/b.parsed.yaml --backward
  COMMAND ${PYTHON_EXECUTABLE} parse_op.py --op_yaml_path ${yaml_dir}/sparse.yaml
          --output_path ${parsed_dir}/sparse_ops.parsed.yaml)
"""

CMAKE = """
set(op_gen_file ${PADDLE_SOURCE_DIR}/paddle/fluid/pir/dialect/op_generator/op_gen.py)
set(parsed_dir ${PADDLE_BINARY_DIR}/parsed)
set(own ${CMAKE_CURRENT_BINARY_DIR}/own.parsed.yaml)
set(all ${parsed_dir}/a.parsed.yaml,${parsed_dir}/b.parsed.yaml,${parsed_dir}/sparse_ops.parsed.yaml,${own})
set(dialect_name pd_op)
execute_process(
  COMMAND ${PYTHON_EXECUTABLE} ${parse_file} --op_yaml_path ${CMAKE_CURRENT_SOURCE_DIR}/own.yaml --output_path ${own})
execute_process(
  COMMAND ${PYTHON_EXECUTABLE} ${op_gen_file} --op_yaml_files ${all} --dialect_name ${dialect_name}
    --op_compat_yaml_file ${PADDLE_SOURCE_DIR}/paddle/phi/ops/yaml/op_compat.yaml)
execute_process(
  COMMAND ${PYTHON_EXECUTABLE} ${op_gen_file} --op_yaml_files ${parsed_dir}/nothing.yaml --dialect_name other_op)
"""

TYPES = """
attr_types_map = {
    'IntArray': ['paddle::dialect::IntArrayAttribute', 'IntArray'],
    'Scalar': ['paddle::dialect::ScalarAttribute', 'Scalar'],
    'Scalar(int)': ['paddle::dialect::ScalarAttribute', 'Scalar'],
    'int': ['pir::Int32Attribute', 'int'],
    'float': ['pir::FloatAttribute', 'float'],
    'bool': ['pir::BoolAttribute', 'bool'],
    'str': ['pir::StrAttribute', 'text'],
    'DataType': ['paddle::dialect::DataTypeAttribute', 'DataType'],
    'Place': ['paddle::dialect::PlaceAttribute', 'Place'],
    'int[]': [
        'pir::ArrayAttribute<pir::Int32Attribute>',
        'const std::vector<int>&',
    ],
}
"""

SCRIPT = """
PD_MANUAL_OP_LIST = {'by_hand', "also_by_hand_"}
class Compat:
    def parse_support_tensor(self, op): op_compat_item.pop('scalar'); get_compat(op['forward']['name'])
class Info:
    def is_mutable_attribute(self): op_name not in ["isclose", "allclose"]; data_type = "double"
    def more(self):
        if (x and not self.yaml_file.endswith("sparse_ops.parsed.yaml")): pass
        if 'optional' in output_info or 'intermediate' in output_info: refine_output_optional_list
        if len(func_list) == 1: op_dialect_name_suffix
"""

MAPPING = """
opmaker_attr_types_map = {
    'IntArray': 'std::vector<int64_t>',
    'Scalar': 'float',
    'Scalar(int)': 'int',
}
"""

BASE = {
    f"{DIALECT}/CMakeLists.txt": CMAKE,
    f"{DIALECT}/own.yaml": "",
    f"{GENERATOR}/op_gen.py": SCRIPT,
    f"{GENERATOR}/gen_utils.py": TYPES,
    f"{PARSER}/CMakeLists.txt": PARSER_CMAKE,
    f"{PARSER}/type_mapping.py": MAPPING,
    f"{YAML}/ops.yaml": "",
    f"{YAML}/backward.yaml": "",
    f"{YAML}/sparse.yaml": "",
    f"{YAML}/op_compat.yaml": "",
}

HAND_HEADER = """
class IR_API FOp : public pir::Op<FOp, OpYamlInfoInterface> {
 public:
  static const char *name() { return "pd_op.f"; }
  static const char *attributes_name[2];
  static constexpr uint32_t attributes_num = 2;
  static OpInfoTuple GetOpInfo();
  static void Build(pir::Builder &builder,             // NOLINT
                    pir::OperationArgument &argument,  // NOLINT
                    pir::Value x_, const std::vector<int64_t> &shape = {1, 2}, int k = 3, float s = 0.5);
  pir::Value x() { return operand_source(0); }
  pir::Value shape() { return operand_source(1); }
  pir::Value out() { return result(0); }
};
class GOp final : public pir::Op<GOp> {
 public:
  static const char *name() { return "pd_op.g"; }
  static const char *attributes_name[attributes_num];
  static constexpr uint32_t attributes_num = 2;
  static constexpr char kSecond[] = "second";
  pir::Value cond() { return operand_source(0); }
};
class UnlistedOp : public pir::Op<UnlistedOp> {
  static const char *name() { return "pd_op.unlisted"; }
};
"""

HAND_CODE = """
#ifdef GET_OP_LIST
#undef GET_OP_LIST
paddle::dialect::FOp, paddle::dialect::GOp
#else
const char *FOp::attributes_name[2] = {"k", "s"};
OpInfoTuple FOp::GetOpInfo() {
  std::vector<OpInputInfo> inputs = {
      OpInputInfo("x", "pir::VectorType<paddle::dialect::DenseTensorType>", true, false, false, true),
      paddle::dialect::OpInputInfo("shape", "paddle::dialect::IntArrayAttribute", false, false, true, false)};
  std::vector<OpAttributeInfo> attributes = {OpAttributeInfo("k", "pir::Int32Attribute", ""),
                                             OpAttributeInfo("s", "paddle::dialect::ScalarAttribute", "float")};
  std::vector<OpOutputInfo> outputs = {OpOutputInfo("out", "paddle::dialect::DenseTensorType", true, true)};
  return std::make_tuple(inputs, attributes, outputs, run_time_info, "f");
}
const char *GOp::attributes_name[attributes_num] = {  // NOLINT
    "first", kSecond};
#endif
"""

SIGNS = {"duplicable": "*", "dispensable": "?", "intermediate": "~", "mutable_attr": "#"}


def tree(yaml="", compat="", files=None):
    """Return the files of a tree whose ops.yaml and op_compat.yaml have some text."""
    return BASE | {f"{YAML}/ops.yaml": yaml, f"{YAML}/op_compat.yaml": compat} | (files or {})


def read(yaml="", compat="", files=None, **more):
    """Return the declarations of such a tree."""
    return kept(extraction.extract(Memory(tree(yaml, compat, files)), **more))


def spec_of(declarations):
    """Return the spec of a tree."""
    return declarations.spec("tree", Provenance(framework="paddle-pir", made_by="paddle-pir-source"))


def shown(op):
    """Return an op as three lists of short texts: `x?: DenseTensorType`, `axis: Int32Attribute = 1`.

    A `!` follows an input or output without any known flag.
    """
    record, _ = op
    return tuple(
        [_argument(argument) for argument in record.get(section, ())] for section in ("inputs", "outputs", "attrs")
    )


def _argument(this):
    kind = str(this.get("type")).replace("paddle::dialect::", "").replace("pir::", "")
    signs = "".join(sign for flag, sign in SIGNS.items() if this.get(flag))
    default = this.get("default_value", this.get("default"))
    untold = "!" if "duplicable" in this.get("unknown", ()) else ""
    return f"{this['name']}{signs}{untold}: {kind}{'' if default is None else f' = {default!r}'}"


REFER, CALL = b"\x48\x8d\x35", b"\xe8\0\0\0\0"


def library(functions=(), tables=None, texts=(), patches=None, constants=()):
    """Return a shared library (ELF, x86-64).

    It has names of functions, tables of texts by name, other texts, and code that makes a table of patch files: of each
    its number and its text. `constants` are the texts that have a symbol of their own.
    """
    tables = tables or {}
    table_of_patches = [value for number, text in (patches or {}).items() for value in (str(number), text)]
    rodata, places = b"\0", {}
    for text in [
        *texts,
        *sorted(table_of_patches, reverse=True),
        *(name for table in tables.values() for name in table),
    ]:
        places[text] = len(rodata)
        rodata += text.encode() + b"\0"
    names, symbols, relocations, symbolic = b"\0", b"", b"", b""
    address = 0x9000
    for function in functions:
        names += function.encode() + b"\0"
    for text in constants:
        symbols += struct.pack("<IBBHQQ", 0, 17, 0, 9, 0x4000 + places[text], len(text))
    for name, table in tables.items():
        symbols += struct.pack("<IBBHQQ", len(names), 17, 0, 9, address, 8 * len(table))
        names += name.encode() + b"\0"
        for text in table:
            if text in constants:
                symbolic += struct.pack("<QQq", address, constants.index(text) << 32 | 1, 0)
            else:
                relocations += struct.pack("<QQq", address, 8, 0x4000 + places[text])
            address += 8
    code = b"\x90" * 80
    for text in table_of_patches:
        code += REFER + struct.pack("<i", 0x4000 + places[text] - (0x80000 + len(code) + 7)) + CALL
    parts = [(b".rodata", 1, 0x4000, rodata), (b".dynstr", 3, 0, names), (b".dynsym", 11, 0, symbols)]
    parts.append((b".text", 1, 0x80000, code))
    parts += [(b".rela.dyn", 4, 0, relocations + symbolic)]
    titles = b"\0" + b"\0".join(name for name, *_ in parts) + b"\0.shstrtab\0"
    parts.append((b".shstrtab", 3, 0, titles))
    body, headers = b"", bytes(64)
    for name, kind, where, data in parts:
        offset = 64 + len(body)
        flags = 4 if name == b".text" else 0
        headers += struct.pack("<IIQQQQIIQQ", titles.index(name), kind, flags, where, offset, len(data), 0, 0, 1, 0)
        body += data
    start = 64 + len(body)
    ident = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    header = struct.pack("<16sHHIQQQIHHHHHH", ident, 3, 62, 1, 0, 0, start, 0, 64, 0, 0, 64, len(parts) + 1, len(parts))
    return header + body + headers


SAVING = "paddle/fluid/pir/serialize_deserialize"
PARTS = {
    "CMakeLists.txt": f"{SAVING}/CMakeLists.txt",
    "ops.yaml": f"{YAML}/ops.yaml",
    "op_compat.yaml": f"{YAML}/op_compat.yaml",
    "patch/0.yaml": f"{SAVING}/patch/0.yaml",
    "patch/1.yaml": f"{SAVING}/patch/1.yaml",
}
"""The files that a scene may state parts of."""
F = "- op : f\n  args : (Tensor x)\n  output : Tensor(out)\n"


def of_parts(parts):
    """Return a tree with the parts of files that a scene states.

    It has an op `f`, and is of version 1 of PIR; if the scene does not state that, it may have patches for the next.
    """
    versions = "\nadd_definitions(-DRELEASE_VERSION=1)\n"
    between = {"CMakeLists.txt": "add_definitions(-DDEVELOP_VERSION=0)", "patch/0.yaml": ""}
    stated = {"ops.yaml": F, "patch/1.yaml": "", **({} if "CMakeLists.txt" in parts else between), **parts}
    stated["CMakeLists.txt"] += versions
    return BASE | {PARTS[name]: text for name, text in stated.items()}


LIBRARY = "libpaddle.so"
HEADER = """class  FOp : public pir::Op<FOp,paddle::dialect::OpYamlInfoInterface> {
  static const char *name() { return "pd_op.f"; }
  static constexpr uint32_t attributes_num = 0;
  static OpInfoTuple GetOpInfo();
  static void Build(pir::Builder &builder, pir::OperationArgument &argument, pir::Value x_);
  pir::Value x() { return operand_source(0); }
  pir::Value out() { return result(0); }
};
"""
PATCH = "op_patches:\n  - {op_name: pd_op.f, actions: [{action: delete_attr, object: a}]}\n"


def package_of_parts(parts):
    """Return a package with an op and its patch, whose library is `for MACHINE`: only x86-64 code is understood."""
    data = library(patches={1: "", 2: PATCH})
    if parts[LIBRARY] != "for x86-64":
        data = data.replace(REFER, bytes(len(REFER)))
    return {
        "paddle/version/__init__.py": "full_version = '3.9.1'\n",
        f"paddle/{wheel.GENERATED}": HEADER,
        f"paddle/{wheel.LIBRARIES[0]}": data,
    }
