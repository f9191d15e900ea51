from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.extract.tree import extraction
from tests.support.trees.paddle_trees import (
    BASE,
    CLASS,
    OPERATORS,
    Memory,
    declared_of,
    kept,
    maker_file,
    read,
    read_maker,
    reasons,
    shown,
)

OP = "class FOp : public framework::OperatorBase {};"


def test_a_registration_without_a_maker_has_no_proto():
    result = read_maker("", after="REGISTER_OPERATOR(f_grad, FOp, framework::EmptyGradOpMaker<framework::OpDesc>);")
    assert (sorted(result.ops), result.without) == (["f"], ("f_grad",))


def test_a_class_that_a_macro_declares_is_no_maker():
    after = "DECLARE_INFER_SHAPE_FUNCTOR(f, FInfer, PD_INFER_META(phi::FInferMeta));REGISTER_OPERATOR(g, FOp, FInfer);"
    result = read_maker("", after=after)
    assert (result.without, reasons(result)) == (("g",), {})


def test_another_name_of_a_class_is_followed():
    after = "using GMaker = ops::FOpMaker;\ntypedef FOpMaker HMaker;\nREGISTER_OPERATOR(g, FOp, GMaker);"
    result = read_maker('AddInput("X", "");', after=f"{after}REGISTER_OPERATOR(h, FOp, HMaker);")
    assert sorted(result.ops) == ["f", "g", "h"]


def test_a_class_that_is_nowhere_makes_its_op_unresolved():
    result = read_maker("", after="REGISTER_OPERATOR(g, FOp, ops::Lost);")
    assert sorted(result.ops) == ["f"]
    assert reasons(result) == {"g": "the class ops::Lost was not found"}


def test_classes_that_derive_from_each_other_are_unresolved():
    result = read(
        {
            f"{OPERATORS}/f_op.cc": "class AMaker : public BMaker {};class BMaker : public AMaker {};"
            "REGISTER_OPERATOR(f, AMaker);"
        }
    )
    assert "derives from itself" in reasons(result)["f"]


@pytest.mark.parametrize("around", ["static void Register() {", "namespace paddle {", "class G {"])
def test_a_registration_inside_of_a_block_is_unresolved(around):
    result = read_maker("", after=f"{around} REGISTER_OPERATOR(g, FOp, FOpMaker); }}")
    assert reasons(result) == {"g": "Paddle registers ops in the global namespace only, and in no function"}


def test_two_makers_are_unresolved():
    text = CLASS.format(name="GOpMaker", body="")
    result = read_maker("", after=f"{text}\nREGISTER_OPERATOR(g, FOpMaker, GOpMaker);")
    assert reasons(result) == {"g": "it has two makers"}


def test_the_same_maker_twice_is_one():
    result = read_maker('AddInput("X", "");', after="REGISTER_OPERATOR(g, FOp, ops::FOpMaker, FOpMaker);")
    assert reasons(result) == {}
    assert shown(result, "g")[0] == ["X"]


def test_tests_register_no_ops():
    maker = CLASS.format(name="FOpMaker", body="")
    text = f"{OP}{maker}REGISTER_OPERATOR(fake, FOp, FOpMaker);"
    files = {f"{OPERATORS}/{name}": text for name in ("f_op_test.cc", "test/f_op.cc", "jit_tester.cc")}
    assert read(files).ops == {}


def test_registrations_in_comments_strings_and_dead_regions_do_not_count():
    after = """
    // REGISTER_OPERATOR(g, FOp, FOpMaker);
    const char* text = "REGISTER_OPERATOR(h, FOp, FOpMaker);";
    #if 0
    REGISTER_OPERATOR(i, FOp, FOpMaker);
    #endif
    UNREGISTER_OPERATOR(k, FOp, FOpMaker);
    """
    assert sorted(read_maker("", after=after).ops) == ["f"]


def test_a_single_op_declared_twice_for_a_single_build_is_unresolved():
    first, second = (
        f"{OP}{CLASS.format(name='FOpMaker', body=body)}REGISTER_OPERATOR(f, FOp, FOpMaker);"
        for body in ('AddInput("X", "");', 'AddInput("Y", "");')
    )
    result = read({f"{OPERATORS}/a_op.cc": first, f"{OPERATORS}/b_op.cc": second})
    assert "declared differently" in reasons(result)["f"]


def test_a_namespace_of_another_name_is_followed():
    after = "namespace f = paddle::framework;\nREGISTER_OPERATOR(g, FOp, FOpMaker, f::EmptyGradOpMaker);"
    result = read_maker("", after=after)
    assert (sorted(result.ops), reasons(result)) == (["f", "g"], {})


def test_an_op_of_2017_that_has_no_class_of_its_own():
    body = CLASS.format(name="FOpMaker", body='AddInput("X", "");')
    code = f"{body}REGISTER_OP_WITH_KERNEL(f, FGradMaker, ops::FOpMaker);\nREGISTER_OP_KERNEL(f, CPU, FOpKernel);\n"
    result = read({f"{OPERATORS}/f_op.cc": f"class FGradMaker {{}};\n{code}"})
    assert shown(result)[0] == ["X"]


def test_an_op_of_2017_whose_gradient_keeps_empty_inputs():
    body = CLASS.format(name="FOpMaker", body='AddInput("X", "");')
    code = f"{body}class FGrad {{}};\nREGISTER_OP_EX(f, ops::FOp, ops::FOpMaker, f_grad, ops::FGrad, false);\n"
    assert shown(read({f"{OPERATORS}/f_op.cc": f"{OP}\n{code}"}))[0] == ["X"]


WHOLE = maker_file('AddInput("X", "x"); AddOutput("Out", "out");')
REGISTRATION = WHOLE[WHOLE.index("REGISTER_OPERATOR(") :]
MAKER = WHOLE.replace(REGISTRATION, "")
INCLUDED = {
    "a registration": (MAKER + '#include "f.inc"\n', "f.inc", REGISTRATION),
    "a list": (
        f'#define F(NAME) REGISTER_OPERATOR(NAME, ops::FOp, ops::FOpMaker);\n{MAKER}#include "f.def"\n',
        "f.def",
        "F(f)",
    ),
    "all of it": ('#include "f_impl.h"\n', "f_impl.h", f"#pragma once\n{WHOLE}"),
}


@pytest.mark.parametrize("case", INCLUDED)
def test_ops_of_included_files_belong_to_the_source(case):
    text, name, included = INCLUDED[case]
    declarations = read({f"{OPERATORS}/f_op.cc": text, f"{OPERATORS}/{name}": included})
    assert shown(declarations) == shown(read({f"{OPERATORS}/f_op.cc": WHOLE}))
    line = included[: included.index("(f")].count("\n") + 1
    assert declared_of(declarations).origin.place == f"{OPERATORS}/{name}:{line}"
    assert not declarations.remarks


def test_a_linked_source_registers_the_ops_of_its_target():
    tree = Memory(BASE | {f"{OPERATORS}/f_impl.txt": WHOLE})
    tree.links = {f"{OPERATORS}/f_op.cc": f"{OPERATORS}/f_impl.txt", f"{OPERATORS}/g_op.cc": "away/g_op.cc"}
    declarations = kept(extraction.extract(tree, "cpu"))
    assert declared_of(declarations).origin.file == f"{OPERATORS}/f_impl.txt"
    assert [remark["name"] for remark in declarations.remarks] == [f"{OPERATORS}/g_op.cc"]
