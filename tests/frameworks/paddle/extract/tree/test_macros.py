from __future__ import annotations

import pytest

from opspec_lint.cpp.macro import Macro
from opspec_lint.cpp.macros import Expander
from opspec_lint.cpp.unresolved import UnresolvedError
from tests.support.trees.paddle_trees import FRAMEWORK, OPERATORS, attrs_of, declared_of, lost, read, reasons, shown

OP = "class FOp : public framework::OperatorBase {};"


def expand(text, **macros):
    table = {
        name: Macro(name, None if parameters is None else tuple(parameters), body, "m.h")
        for name, (parameters, body) in macros.items()
    }
    return Expander(table.get).expand(text)


@pytest.mark.parametrize(
    ("text", "macros", "expected"),
    [
        ("F(a)", {"F": (["x"], "[x]")}, "[a]"),
        ("F(a, b)", {"F": (["x", "y"], "y x")}, "b a"),
        ("F(a)", {"F": (["x"], "#x")}, '"a"'),
        ("F(a)", {"F": (["x"], "x##Op")}, "aOp"),
        ("F(a)", {"F": (["x"], "_##x##Op")}, "_aOp"),
        ("F(a, b, c)", {"F": (["x", "..."], "x: __VA_ARGS__")}, "a: b, c"),
        ("F(a)", {"F": (["x", "..."], "g(x, ##__VA_ARGS__)")}, "g(a)"),
        ("F(G)", {"F": (["m"], "m(1) m(2)"), "G": (["n"], "<n>")}, "<1> <2>"),
        ("F((a, b), c)", {"F": (["x", "y"], "y")}, "c"),
        ("F F(a)", {"F": (["x"], "x")}, "F a"),
        ("N", {"N": (None, "M + 1"), "M": (None, "2")}, "2 + 1"),
        ("N", {"N": (None, "N")}, "N"),
        ('F("a, b")', {"F": (["x"], "x")}, '"a, b"'),
    ],
)
def test_expansion(text, macros, expected):
    assert expand(text, **macros) == expected


def test_a_bomb_is_refused(monkeypatch):
    monkeypatch.setattr("opspec_lint.cpp.macros.MAX_EXPANSION", 1 << 14)
    bomb = {f"M{level}": (["x"], f"M{level + 1}(x x x x x x x x)") for level in range(30)}
    with pytest.raises(UnresolvedError, match="macros expand to more than"):
        expand("M0(boom)", **bomb)


def test_macros_that_make_classes_and_registrations():
    result = read(
        {
            f"{OPERATORS}/f_op.cc": f"""
            {OP}
            #define MAKE(NAME, COMMENT)                                        \\
              class NAME##OpMaker                                              \\
                  : public ::paddle::framework::OpProtoAndCheckerMaker {{      \\
               public:                                                         \\
                void Make() override {{                                        \\
                  AddInput("X", "Input of " #NAME " {{");                      \\
                  AddAttr<bool>("use_" "x", "text").SetDefault(false);         \\
                }}                                                             \\
              }}
            MAKE(Relu, Doc);
            #define REGISTER_IT(             \\
                KIND,                        \\
                NAME) REGISTER_OPERATOR(KIND, ops::FOp, ops::NAME##OpMaker)
            REGISTER_IT(relu, Relu);
            """
        }
    )
    assert reasons(result) == {}
    assert shown(result, "relu")[0] == ["X"]
    assert attrs_of(result, "relu") == ["use_x: BOOLEAN = False"]
    assert declared_of(result, "relu").origin.line == 16


def test_a_macro_of_macros_and_a_macro_of_a_header():
    result = read(
        {
            f"{OPERATORS}/all.h": """
            #define FOR_ALL(__macro) \\
              __macro(sin, Sin);     \\
              __macro(cos, Cos);
            #define REGISTER_REDUCE_OP(op_name)                                      \\
              class __##op_name##Maker__ : public ops::ReduceMaker {                 \\
               protected:                                                            \\
                virtual std::string GetName() const { return #op_name; }             \\
              };                                                                     \\
              REGISTER_OPERATOR(op_name, ops::FOp, __##op_name##Maker__)
            class ReduceMaker : public framework::OpProtoAndCheckerMaker {
              void Make() override { AddOutput("Out", GetName()); }
            };
            """,
            f"{OPERATORS}/act_op.cc": f"""
            #include "paddle/fluid/operators/all.h"
            {OP}
            class SinMaker : public framework::OpProtoAndCheckerMaker {{ void Make() {{ AddInput("S", ""); }} }};
            class CosMaker : public framework::OpProtoAndCheckerMaker {{ void Make() {{ AddInput("C", ""); }} }};
            #define REGISTER_ACT(KIND, NAME) REGISTER_OPERATOR(KIND, FOp, ops::NAME##Maker)
            FOR_ALL(REGISTER_ACT);
            """,
            f"{OPERATORS}/sum_op.cc": f"""
            #include "paddle/fluid/operators/all.h"
            {OP}
            REGISTER_REDUCE_OP(reduce_sum);
            """,
        }
    )
    assert reasons(result) == {}
    assert shown(result, "sin")[0] == ["S"]
    assert shown(result, "cos")[0] == ["C"]
    assert shown(result, "reduce_sum")[1] == ["Out"]


def test_a_macro_that_registers_is_not_expanded():
    registry = f"{FRAMEWORK}/op_registry.h"
    head = f'#include "{registry}"\n#define REGISTER_IT(name, M) REGISTER_OPERATOR(name, FOp, M)'
    maker = 'class M : public framework::OpProtoAndCheckerMaker { void Make() { AddInput("X", ""); } };'
    source = f"{head}\n{OP}\n{maker}\nREGISTER_IT(f, M);\n"
    result = read({registry: "#define REGISTER_OPERATOR(...) nothing\n", f"{OPERATORS}/f_op.cc": source})
    assert reasons(result) == {}
    assert shown(result, "f")[0] == ["X"]


def test_a_macro_that_grows_without_end_is_named_with_its_file():
    levels = "".join(f"#define REGISTER_M{n}(x) REGISTER_M{n + 1}(x x x x x x x x)\n" for n in range(12))
    result = read({f"{OPERATORS}/f_op.cc": f"{levels}#define REGISTER_M12(x) REGISTER_OPERATOR(x)\nREGISTER_M0(f);\n"})
    assert result.ops == {}
    assert lost(result)[0][:3] == (f"{OPERATORS}/f_op.cc", f"{OPERATORS}/f_op.cc", 14)
