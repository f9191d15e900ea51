"""Names mean what they mean in C++, macros stand for what they stand for at their place, or the op is unresolved."""

from __future__ import annotations

import pytest

from tests.support.trees.paddle_trees import CLASS, OPERATORS, attrs_of, declared_of, read, read_maker, reasons, shown

ADD_INT = '#define ADD_INT(n, d) AddAttr<int>(n, "x").SetDefault(d)\n'
ADD_Q = 'inline void AddCommon(Root* m) { m->AddInput("Q", ""); }'
OP = "class FOp : public framework::OperatorBase {};\n"


def with_header(header, body, include='"paddle/fluid/operators/h.h"', before=""):
    maker = CLASS.format(name="FOpMaker", body=body)
    text = f"#include {include}\n{OP}{before}{maker}REGISTER_OPERATOR(f, FOp, FOpMaker);\n"
    return read({f"{OPERATORS}/f_op.cc": text, f"{OPERATORS}/h.h": header})


def default(before, value, kind="int"):
    result = read_maker(f'AddAttr<{kind}>("a", "").SetDefault({value});', before)
    assert reasons(result) == {}
    return attrs_of(result)[0].partition(" = ")[2]


def refused(before, value, kind="int"):
    result = read_maker(f'AddAttr<{kind}>("a", "").SetDefault({value});', before)
    assert result.ops == {}
    return reasons(result)["f"]


@pytest.mark.parametrize(
    ("before", "value", "expected"),
    [
        ("namespace q { const int k = 1; }\nconst int k = 2;", "k", "2"),
        ("namespace q { const int k = 1; }\nconst int k = 2;", "q::k", "1"),
        ("struct S { static constexpr int k = 1; };\nconst int k = 2;", "k", "2"),
        ("struct S { static constexpr int k = 1; };\nconst int k = 2;", "S::k", "1"),
        ("inline int F() { const int k = 1; return k; }\nconst int k = 2;", "k", "2"),
        ("enum class P { kX = 1 };\nenum class Q { kX = 7 };", "static_cast<int>(Q::kX)", "7"),
        ("enum class P { kX = 1 };\nenum class Q { kX = 7 };", "static_cast<int>(P::kX)", "1"),
        ("enum E { E_A = 1, E_B = E_A << 3, E_C = E_B | 1 };", "E_C", "9"),
        ("inline int F() { return 1; }\ninline int F(int a) { return a + 10; }", "F(1)", "11"),
        ("inline int F() { return 1; }\ninline int F(int a) { return a + 10; }", "F()", "1"),
        ("namespace q { inline int F() { return 1; } }\ninline int F() { return 2; }", "F()", "2"),
        ("namespace q { inline int F() { return 1; } }\ninline int F() { return 2; }", "q::F()", "1"),
        ("inline int F(int) { return 1; }\ninline int F(double) { return 2; }", "F(1.5)", "2"),
        ("#define SV 1 + 2\n", "2 * SV", "4"),
        ("#define A B\n#define B 5\n#undef B\n#define B 6\n", "A", "6"),
        ("const int k{4};", "k", "4"),
        ("const int k(4);", "k", "4"),
        ("constexpr int kB = 1'000;", "kB", "1000"),
        ("inline int F() { if (true) { return 3; } return 4; }", "F()", "3"),
        ("using namespace std;\nnamespace q { const int k = 3; }\nusing q::k;", "k", "3"),
        ("namespace q { const int k = 3; }\nusing namespace q;", "k", "3"),
        ("namespace q { const int k = 3; }\nnamespace w = q;", "w::k", "3"),
        ("inline uint8_t F() { return 300; }", "F()", "44"),
    ],
)
def test_a_name_is_looked_up_scope_by_scope(before, value, expected):
    assert default(before, value) == expected


@pytest.mark.parametrize(
    ("before", "value", "kind", "expected"),
    [
        ("", "-1U", "int64_t", "4294967295"),
        ("const uint32_t kC = -1;", "kC", "int64_t", "4294967295"),
        ("constexpr float kF = 0.1;", "kF", "double", "0.10000000149011612"),
        ("using Small = uint8_t;\nconst Small kC = 300;", "kC", "int", "44"),
    ],
)
def test_numbers_are_those_of_their_type(before, value, kind, expected):
    assert default(before, value, kind) == expected


@pytest.mark.parametrize(
    ("before", "value", "reason"),
    [
        ("int k = 1;", "k", "the variable k is not a constant"),
        ("inline int F(long) { return 1; }\ninline int F(double) { return 2; }", "F(1)", "is ambiguous"),
        ("const int k = k + 1;", "k", "the name k has no known value"),
        ("struct S { static constexpr int k = T::k; };\nstruct T : S {};", "S::k", "has no known value"),
        ("enum { A = B, B = A };", "A", "the name B has no known value"),
        ("namespace q { const int k = 1; }", "k", "the name k has no known value"),
        ("template <typename T> struct V { static constexpr int k = sizeof(T); };", "V<int>::k", "is not evaluated"),
    ],
)
def test_what_cannot_be_determined_is_unresolved(before, value, reason):
    assert reason in refused(before, value)


def test_the_last_definition_before_a_maker_counts():
    body = 'AddAttr<int>("a", "").SetDefault(kZ);'
    result = read_maker(body, "#define kZ 2\n", "#undef kZ\n#define kZ 3\n")
    assert attrs_of(result) == ["a: INT = 2"]
    assert reasons(read_maker(body, "", "#define kZ 3\n"))["f"].endswith("the name kZ has no known value")


@pytest.mark.parametrize(
    ("macros", "body", "expected"),
    [
        (ADD_INT, 'ADD_INT("boom", 3);', ["boom: INT = 3"]),
        (ADD_INT, 'ADD_INT("boom", 3).AsExtra();', ["boom: INT = 3 extra"]),
        (
            ADD_INT,
            'for (int i = 0; i < 2; ++i) { ADD_INT("a" + std::to_string(i), i); }',
            ["a0: INT = 0", "a1: INT = 1"],
        ),
        ('#define COMMON AddAttr<int>("c", "").SetDefault(1);\n', "COMMON", ["c: INT = 1"]),
        ("#define FLAGS .SetDefault(2).AsExtra()\n", 'AddAttr<int>("a", "") FLAGS;', ["a: INT = 2 extra"]),
        ("#define TT int64_t\n", 'AddAttr<TT>("a", "");', ["a: LONG = None"]),
    ],
)
def test_macros_in_a_maker_are_expanded(macros, body, expected):
    for result in (read_maker(body, macros), with_header(macros, body)):
        assert reasons(result) == {}
        assert attrs_of(result) == expected
        assert {attr.origin.line for attr in declared_of(result).attrs} <= set(range(4, 12))


@pytest.mark.parametrize("include", ['"h.h"', '"./h.h"', '"../operators/h.h"'])
def test_a_header_next_to_the_file(include):
    assert attrs_of(with_header("const int kA = 3;\n", 'AddAttr<int>("a", "").SetDefault(kA);', include)) == [
        "a: INT = 3"
    ]


@pytest.mark.parametrize(
    ("header", "body", "reason"),
    [
        ("#define MODE 2\n", '#if MODE == 2\nAddInput("B", "");\n#endif', "it depends on the macro MODE"),
        ("#define EMPTY()\n", 'EMPTY(1, 2); AddInput("B", "");', "the macro EMPTY takes 0 arguments, not 2"),
        ("", '#include "paddle/fluid/operators/body.inc"\nAddInput("B", "");', "a file is included in the middle"),
        ("", '#define N "B"\nAddInput(N, "");', "a macro is defined in the middle of a declaration"),
        ("", 'UNKNOWN("a", 1); AddInput("B", "");', 'UNKNOWN("a",1) is not evaluated'),
    ],
)
def test_macros_that_cannot_be_determined(header, body, reason):
    result = with_header(header, body)
    assert result.ops == {}
    assert reason in reasons(result)["f"]


def test_headers_that_disagree_on_a_macro():
    result = read(
        {
            f"{OPERATORS}/a.h": "#define N 1\n",
            f"{OPERATORS}/b.h": "#define N 2\n",
            f"{OPERATORS}/f_op.cc": '#include "a.h"\n#include "b.h"\n'
            + OP
            + CLASS.format(name="FOpMaker", body='AddAttr<int>("a", "").SetDefault(N);')
            + "REGISTER_OPERATOR(f, FOp, FOpMaker);\n",
        }
    )
    assert reasons(result)["f"] == f"the macro N is defined differently in {OPERATORS}/a.h and {OPERATORS}/b.h"


def test_a_macro_that_may_make_a_method_of_a_maker():
    after = "struct GOpMaker : public FOpMaker { EXTRA };\nREGISTER_OPERATOR(g, FOp, GOpMaker);"
    result = read_maker('AddInput("X", "");', '#define EXTRA void Make() override { AddInput("Y", ""); }\n', after)
    assert reasons(result) == {"g": "the macro EXTRA in the class GOpMaker is not evaluated"}


@pytest.mark.parametrize(
    ("function", "call", "expected"),
    [
        (
            'inline void AddCommon(framework::OpProtoAndCheckerMaker* m) { m->AddInput("C", ""); }',
            "AddCommon(this);",
            ["C"],
        ),
        (
            'inline void AddCommon(framework::OpProtoAndCheckerMaker& m) { m.AddInput("C", ""); }',
            "AddCommon(*this);",
            ["C"],
        ),
        ('template <typename T> void AddCommon(T* m) { m->AddInput("C", ""); }', "AddCommon(this);", ["C"]),
        (f"namespace q {{ {ADD_Q} }}\n{ADD_Q.replace('Q', 'C')}", "AddCommon(this);", ["C"]),
        (f"namespace q {{ {ADD_Q} }}\n{ADD_Q.replace('Q', 'C')}", "q::AddCommon(this);", ["Q"]),
    ],
)
def test_a_function_that_is_given_the_maker_is_followed(function, call, expected):
    result = read_maker(call, function)
    assert reasons(result) == {}
    assert shown(result)[0] == expected


def test_a_function_that_is_given_the_maker_and_cannot_be_detected():
    assert reasons(read_maker("AddCommon(this);")) == {
        "f": "the function AddCommon, which takes the maker, was not found"
    }


def test_a_method_that_is_not_virtual_is_that_of_the_class_that_calls_it():
    base = """
    struct Base : public framework::OpProtoAndCheckerMaker {
      VIRTUAL std::string Name() { return "base"; }
      void More() { AddInput(Name(), ""); }
    };
    struct GOpMaker : public Base { std::string Name() { return "derived"; } void Make() override { More(); } };
    """
    for text, name in (("", "base"), ("virtual", "derived")):
        result = read_maker("", base.replace("VIRTUAL", text), "REGISTER_OPERATOR(g, FOp, GOpMaker);")
        assert shown(result, "g")[0] == [name]


def test_classes_of_the_same_name_in_a_single_file():
    two = "".join(
        f"namespace {name} {{ struct GOpMaker : public framework::OpProtoAndCheckerMaker {{\n"
        f'void Make() override {{ AddInput("{name}", ""); }} }}; }}\n'
        for name in ("one", "two")
    )
    result = read_maker("", two, "REGISTER_OPERATOR(g, FOp, two::GOpMaker);\nREGISTER_OPERATOR(h, FOp, GOpMaker);")
    assert shown(result, "g")[0] == ["two"]
    assert "is declared more than once" in reasons(result)["h"]


@pytest.mark.parametrize(
    "body",
    ['AddAttr<>("a", "");', "AddAttr<int", 'AddAttr<int>("a"', 'AddInput("X", ""); for', 'AddInput("X", ""); do', "if",
     "switch (1) {", "case", "for (;;)", "while (1) ;", "{", "this->", "AddInput", "x ? y", "[[", "int a[", "= 1",
     "return", "for (auto x : y)", "try {} catch", "template", "::", "a::b::", "goto x; x: ;", "switch (1) { case 1 }",
     "using", "typedef"],
)  # fmt: skip
def test_half_a_statement_ends_as_unresolved_or_as_nothing(body):
    result = read_maker(f'AddInput("A", "");\n{body}')
    assert "f" in result.ops or "f" in reasons(result)
    assert "its reading failed" not in str(reasons(result))
