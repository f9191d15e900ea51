from __future__ import annotations

from tests.support.trees.paddle_trees import CLASS, OPERATORS, read, read_maker, reasons, shown

OP = "class FOp : public framework::OperatorBase {};"


def test_a_registration_without_a_maker_has_no_proto():
    found = read_maker("", after="REGISTER_OPERATOR(f_grad, FOp, framework::EmptyGradOpMaker<framework::OpDesc>);")
    assert (sorted(found.ops), found.without) == (["f"], ("f_grad",))


def test_a_class_that_a_macro_declares_is_no_maker():
    after = "DECLARE_INFER_SHAPE_FUNCTOR(f, FInfer, PD_INFER_META(phi::FInferMeta));REGISTER_OPERATOR(g, FOp, FInfer);"
    found = read_maker("", after=after)
    assert (found.without, reasons(found)) == (("g",), {})


def test_another_name_of_a_class_is_followed():
    after = "using GMaker = ops::FOpMaker;\ntypedef FOpMaker HMaker;\nREGISTER_OPERATOR(g, FOp, GMaker);"
    found = read_maker('AddInput("X", "");', after=f"{after}REGISTER_OPERATOR(h, FOp, HMaker);")
    assert sorted(found.ops) == ["f", "g", "h"]


def test_a_class_that_is_nowhere_makes_its_op_unresolved():
    found = read_maker("", after="REGISTER_OPERATOR(g, FOp, ops::Lost);")
    assert sorted(found.ops) == ["f"]
    assert reasons(found) == {"g": "the class ops::Lost was not found"}


def test_classes_that_derive_from_each_other_are_unresolved():
    found = read(
        {
            f"{OPERATORS}/f_op.cc": "class AMaker : public BMaker {};class BMaker : public AMaker {};"
            "REGISTER_OPERATOR(f, AMaker);"
        }
    )
    assert "derives from itself" in reasons(found)["f"]


def test_two_makers_are_unresolved():
    other = CLASS.format(name="GOpMaker", body="")
    found = read_maker("", after=f"{other}\nREGISTER_OPERATOR(g, FOpMaker, GOpMaker);")
    assert reasons(found) == {"g": "it has two makers"}


def test_the_same_maker_twice_is_one():
    found = read_maker('AddInput("X", "");', after="REGISTER_OPERATOR(g, FOp, ops::FOpMaker, FOpMaker);")
    assert reasons(found) == {}
    assert shown(found, "g")[0] == ["X"]


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


def test_one_op_declared_twice_for_one_build_is_unresolved():
    one, other = (
        f"{OP}{CLASS.format(name='FOpMaker', body=body)}REGISTER_OPERATOR(f, FOp, FOpMaker);"
        for body in ('AddInput("X", "");', 'AddInput("Y", "");')
    )
    found = read({f"{OPERATORS}/a_op.cc": one, f"{OPERATORS}/b_op.cc": other})
    assert "declared differently" in reasons(found)["f"]


def test_a_namespace_of_another_name_is_followed():
    after = "namespace f = paddle::framework;\nREGISTER_OPERATOR(g, FOp, FOpMaker, f::EmptyGradOpMaker);"
    found = read_maker("", after=after)
    assert (sorted(found.ops), reasons(found)) == (["f", "g"], {})


def test_an_op_of_2017_that_has_no_class_of_its_own():
    body = CLASS.format(name="FOpMaker", body='AddInput("X", "");')
    code = f"{body}REGISTER_OP_WITH_KERNEL(f, FGradMaker, ops::FOpMaker);\nREGISTER_OP_KERNEL(f, CPU, FOpKernel);\n"
    found = read({f"{OPERATORS}/f_op.cc": f"class FGradMaker {{}};\n{code}"})
    assert shown(found)[0] == ["X"]


def test_an_op_of_2017_whose_gradient_keeps_empty_inputs():
    body = CLASS.format(name="FOpMaker", body='AddInput("X", "");')
    code = f"{body}class FGrad {{}};\nREGISTER_OP_EX(f, ops::FOp, ops::FOpMaker, f_grad, ops::FGrad, false);\n"
    assert shown(read({f"{OPERATORS}/f_op.cc": f"{OP}\n{code}"}))[0] == ["X"]
