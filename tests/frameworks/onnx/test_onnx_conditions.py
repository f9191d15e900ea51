"""Only a schema that a registered operator set lists counts, and an unknown condition is a finding."""

from __future__ import annotations

import pytest

from opspec_lint.kit.errors import NothingThereError
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.condition import show
from tests.support.trees import onnx_trees as trees
from tests.support.unreached import ALIVE, DEAD, KINDS, UNKNOWN

LISTED = "fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 1, F)>());"
CASES = {**KINDS, "another function": ("auto fn = [](auto) {}; {R}", DEAD)}
SET = """#include "onnx/defs/schema.h"
namespace ONNX_NAMESPACE {
class OpSet_Onnx_ver1 {
  static void ForEachSchema(std::function<void(OpSchema&&)> fn) {
%s
  }
};
inline void RegisterOnnxOperatorSetSchema() {
  RegisterOpSetSchema<OpSet_Onnx_ver1>();
}
}
"""
SCHEMA = "ONNX_OPERATOR_SET_SCHEMA(F, 1, OpSchema()"
DRAFT = 'ONNX_OPERATOR_SET_SCHEMA(Draft, 1, OpSchema().Input(0, "X", "text", "tensor(float)"));'
LISTED_DRAFT = LISTED.replace("F)", "Draft)")
OF_SETS = {
    "a set": ("namespace ONNX_NAMESPACE", "namespace ONNX_NAMESPACE", ALIVE),
    "a set of another namespace": ("namespace ONNX_NAMESPACE {\nclass", "namespace mine {\nclass", DEAD),
    "a set that is not registered": (
        "RegisterOpSetSchema<OpSet_Onnx_ver1>();",
        "RegisterOpSetSchema<OpSet_Onnx_ver2>();",
        DEAD,
    ),
    "a set that is registered after return": ("RegisterOpSetSchema<", "return; RegisterOpSetSchema<", DEAD),
    "a set that is registered in #if 0": (
        "  RegisterOpSetSchema<OpSet_Onnx_ver1>();",
        "#if 0\nRegisterOpSetSchema<OpSet_Onnx_ver1>();\n#endif\nRegisterOpSetSchema<OpSet_Onnx_ver2>();",
        DEAD,
    ),
    "a set that is registered at run time": ("RegisterOpSetSchema<", "if (is_new()) RegisterOpSetSchema<", UNKNOWN),
    "a set that only the function for one version registers": (
        "inline void RegisterOnnxOperatorSetSchema() {",
        (
            "inline void RegisterOnnxOperatorSetSchema() { RegisterOpSetSchema<OpSet_Onnx_ver2>(); }\n"
            "inline void RegisterOnnxOperatorSetSchema(int version, bool fail = true) {"
        ),
        UNKNOWN,
    ),
    "a set that a function with a default argument registers": ("SetSchema() {", "SetSchema(int version = 0) {", ALIVE),
    "a function that nothing calls": ("ForEachSchema", "ForNoSchema", UNKNOWN),
}
OF_SCHEMAS = {
    "a schema": ("{}", ALIVE),
    "a schema in #if 0": ("#if 0\n{}\n#endif", DEAD),
    "a schema in a build": ("#ifdef SWITCH\n{}\n#endif", UNKNOWN),
    "a schema where nothing defines a macro": ("#ifndef NEVER\n{}\n#endif", ALIVE),
    "a schema in a file with #error": ("#error no\n{}", DEAD),
    "a macro without a schema": ("#define ONNX_OPERATOR_SET_SCHEMA(...)\n{}", DEAD),
    "a macro that is undefined": ("#define ONNX_OPERATOR_SET_SCHEMA(...)\n#undef ONNX_OPERATOR_SET_SCHEMA\n{}", ALIVE),
    "a macro of the same kind": ("#define ONNX_MY_SCHEMA(n, v, i) ONNX_OPERATOR_SET_SCHEMA(n, v, i)\n{}", ALIVE),
    "a schema with #else": ("#if 1\n#else\n{}\n#endif", DEAD),
}
CMAKE = "add_library(onnx {})\nadd_compile_definitions(SWITCH)\n"


def read(folder, tree):
    return SOURCES.load("onnx-source").spec(str(trees.write(folder, tree)), Reading(caches=False))


def check_op(spec, op, expected):
    if expected == DEAD:
        assert op not in spec.ops
        return
    condition = spec.ops[op].declared_if
    assert (condition is None) is (expected == ALIVE), condition and show(condition)
    assert ("declared_if" in spec.ops[op].places) is (expected != ALIVE)


def with_sets(text):
    tree = {**trees.TREE, trees.SETS: text, "onnx/config.h": "#define SWITCH 1\n"}
    return {path: text for path, text in tree.items() if path != trees.ML_SETS}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_a_schema_that_a_set_lists(text, expected, tmp_path):
    listed = LISTED.replace("F)", "G)")
    tree = with_sets(SET % f"{listed}\n{text.replace('{R}', LISTED)}")
    if text.startswith("#error"):
        with pytest.raises(NothingThereError):
            read(tmp_path, tree)
    else:
        check_op(read(tmp_path, tree), "F@1", expected)


@pytest.mark.parametrize(("old", "new", "expected"), OF_SETS.values(), ids=OF_SETS)
def test_a_set(old, new, expected, tmp_path):
    more = SET.replace("OpSet_Onnx_ver1", "OpSet_Onnx_ver9") % LISTED.replace("1, F)", "2, G)")
    text = (SET % LISTED).replace(old, new) + more
    check_op(read(tmp_path, with_sets(text)), "F@1", expected)


@pytest.mark.parametrize(("around", "expected"), OF_SCHEMAS.values(), ids=OF_SCHEMAS)
def test_a_schema_that_a_file_declares(around, expected, tmp_path):
    tree = with_sets(SET % f"{LISTED}\n{LISTED_DRAFT}")
    defs = trees.TREE[trees.DEFS].replace(DRAFT, "")
    text = f'#include "onnx/defs/schema.h"\nnamespace ONNX_NAMESPACE {{\n{around.format(DRAFT)}\n}}\n'
    spec = read(tmp_path, {**tree, trees.DEFS: defs, "onnx/defs/draft.cc": text})
    check_op(spec, "Draft@1", expected)


@pytest.mark.parametrize(
    ("sources", "op", "expected"),
    [("onnx/defs/math/defs.cc", "F@1", ALIVE), ("*.cc", "F@1", ALIVE), ("onnx/defs/math/old.cc", "F@1", DEAD)],
)
def test_a_file_that_no_build_compiles(sources, op, expected, tmp_path):
    draft = f"namespace ONNX_NAMESPACE {{\n{DRAFT}\n}}\n"
    tree = with_sets(SET % f"{LISTED}\n{LISTED_DRAFT}")
    tree |= {trees.DEFS: trees.TREE[trees.DEFS].replace(DRAFT, ""), "onnx/defs/draft.cc": draft}
    spec = read(tmp_path, {**tree, "CMakeLists.txt": CMAKE.format(f"onnx/defs/draft.cc {sources}")})
    check_op(spec, op, expected)


def test_a_build_file_that_is_deleted_is_an_error(tmp_path):
    tree = with_sets(SET % LISTED)
    base = read(tmp_path / "base", {**tree, "CMakeLists.txt": CMAKE.format("*.cc")})
    head = read(tmp_path / "head", tree)
    (finding,) = check(base, head, PROFILES.load("onnx")).findings
    assert (finding.rule, finding.level, finding.name) == ("op_unresolved", "error", "CMakeLists.txt")
    assert check(head, head, PROFILES.load("onnx")).findings == ()


def test_a_build_file_that_cannot_be_parsed_is_an_error_with_its_line(tmp_path):
    tree, build = with_sets(SET % LISTED), CMAKE.format("*.cc")
    base = read(tmp_path / "base", {**tree, "CMakeLists.txt": build})
    head = read(tmp_path / "head", {**tree, "CMakeLists.txt": f"{build}if(ONNX_ML)\n"})
    (finding,) = check(base, head, PROFILES.load("onnx")).findings
    assert (finding.rule, finding.level, finding.head_origin.place) == ("op_unresolved", "error", "CMakeLists.txt:3")


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("RegisterOnnxMLOperatorSetSchema();\n#if 1\nRegisterOnnxOperatorSetSchema();\n#endif", ALIVE),
        ("RegisterOnnxMLOperatorSetSchema();", UNKNOWN),
        ("\n#if 0\nRegisterOnnxOperatorSetSchema();\n#endif\nRegisterOnnxMLOperatorSetSchema();", UNKNOWN),
        ("\n#ifdef SWITCH\nRegisterOnnxOperatorSetSchema();\n#endif\n", UNKNOWN),
        ("RegisterOnnxOperatorSetSchema(7);", ALIVE),
    ],
)
def test_the_registry_calls_the_function_that_registers_a_set(calls, expected, tmp_path):
    tree = with_sets(SET % LISTED)
    tree |= {
        trees.SCHEMA_CODE: f"{trees.TREE[trees.SCHEMA_CODE]}struct Registerer {{ Registerer() {{ {calls} }} }};",
        "CMakeLists.txt": CMAKE.format("*.cc"),
    }
    check_op(read(tmp_path, tree), "F@1", expected)


def test_schemas_that_are_removed_from_the_registry_again_are_a_remark(tmp_path):
    text = SET % LISTED + "inline void DeregisterAll() { OpSchemaRegistry::OpSchemaDeregisterAll(ONNX_DOMAIN); }\n"
    base = read(tmp_path / "base", with_sets(text))
    head = read(tmp_path / "head", with_sets(text.replace("ver1>();", 'ver1>();\n  DeregisterSchema("F", 1, "");')))
    assert {remark.event for remark in base.remarks} == {"schema_unlisted"}
    (finding,) = check(base, head, PROFILES.load("onnx")).findings
    assert (finding.rule, finding.level, finding.head_origin.place) == ("op_unresolved", "error", f"{trees.SETS}:10")


def test_a_new_condition_is_an_error_with_its_line(tmp_path):
    base = read(tmp_path / "base", with_sets(SET % LISTED))
    head = read(tmp_path / "head", with_sets(SET % f"#ifdef SWITCH\n{LISTED}\n#endif"))
    findings = check(base, head, PROFILES.load("onnx")).findings
    assert [(finding.rule, finding.level) for finding in findings] == [("op_condition_added", "error")]
    assert findings[0].head_origin.place == f"{trees.SETS}:5"
    assert "only under `defined(SWITCH)`" in findings[0].message
