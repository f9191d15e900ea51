"""The PIR ops whose classes are written by hand."""

from __future__ import annotations

import pytest
from pir_trees import HAND, read, reasons, shown

HEADER = """
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

CODE = """
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


def written(header=HEADER, code=CODE):
    return read(files={f"{HAND}.h": header, f"{HAND}.cc": code})


def test_an_op_is_what_its_info_says_with_the_defaults_of_its_builder():
    found = written()
    assert reasons(found) == {}
    assert shown(found.ops["pd_op.f"]) == (
        ["x*?: VectorType<DenseTensorType>", "shape#: IntArrayAttribute = (1, 2)"],
        ["out?~: DenseTensorType"],
        ["k: Int32Attribute = 3", "s: ScalarAttribute<float> = 0.5"],
    )
    assert found.ops["pd_op.f"][:2] == (f"{HAND}.cc", 7)


def test_an_op_without_info_takes_more_than_it_names():
    found = written().ops["pd_op.g"]
    assert shown(found) == (["cond: None"], [], ["first: None", "second: None"])
    assert found[-1] is True


def test_a_class_that_is_not_registered_is_no_op():
    assert "pd_op.unlisted" not in written().ops
    everything = written(code=CODE.replace("#undef GET_OP_LIST", ""))
    assert "pd_op.unlisted" in everything.ops


@pytest.mark.parametrize(
    ("code", "op", "reason"),
    [
        (CODE.replace("FOp::GetOpInfo", "FOp::Other"), "pd_op.f", "does not say what FOp declares"),
        (
            CODE.replace('OpAttributeInfo("k"', "OpAttributeInfo(k"),
            "pd_op.f",
            "not all that FOp declares is understood",
        ),
        (CODE.replace('"first", kSecond', '"first"'), "pd_op.g", "does not say what the 2 attrs of GOp are"),
        (CODE.replace("kSecond", "kThird"), "pd_op.g", "does not say what the 2 attrs of GOp are"),
    ],
)
def test_what_is_not_told_is_unresolved(code, op, reason):
    found = written(code=code)
    assert list(reasons(found)) == [op]
    assert reason in reasons(found)[op]
    assert op not in found.ops
