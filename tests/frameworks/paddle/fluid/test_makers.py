"""Which statements of a maker are followed, and which are let go."""

from __future__ import annotations

import pytest
from paddle_trees import attrs_of, read_maker, reasons, shown


def declares(body, before=""):
    found = read_maker(body, before)
    assert reasons(found) == {}
    return shown(found)[0]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('if (kYes) AddInput("A", ""); AddInput("B", "");', ["A", "B"]),
        ('if (!kYes) AddInput("A", ""); AddInput("B", "");', ["B"]),
        ('if (!kYes) { AddInput("A", ""); } else AddInput("B", ""); AddInput("C", "");', ["B", "C"]),
        ('if (!kYes) { AddInput("A", ""); } else if (kYes) { AddInput("B", ""); } else { AddInput("C", ""); }', ["B"]),
        ('if (kYes) { AddInput("A", ""); } else if (kYes) { AddInput("B", ""); } AddInput("C", "");', ["A", "C"]),
        ('if (!kYes) if (kYes) AddInput("A", ""); AddInput("B", "");', ["B"]),
        ('if (kYes) if (kYes) AddInput("A", ""); else AddInput("C", ""); AddInput("B", "");', ["A", "B"]),
        ('if (kYes) { if (!kYes) { AddInput("A", ""); } AddInput("B", ""); }', ["B"]),
        ('{ AddInput("A", ""); } ; AddInput("B", "");', ["A", "B"]),
        ('for (;;) { go(); } AddInput("B", "");', ["B"]),
        ('for (;;) go(); AddInput("B", "");', ["B"]),
        ('while (unknown()) { go(); } AddInput("B", "");', ["B"]),
        ('do { go(); } while (unknown()); AddInput("B", "");', ["B"]),
        ('try { go(); } catch (...) { stop(); } AddInput("B", "");', ["B"]),
        ('switch (unknown()) { case 1: go(); } AddInput("B", "");', ["B"]),
        ('if (unknown()) { go(); } else { stop(); } AddInput("B", "");', ["B"]),
        ('AddInput("A", ""); return; AddInput("B", "");', ["A"]),
        ('if (kYes) { AddInput("A", ""); return; } AddInput("B", "");', ["A", "B"]),
        ('More(); AddInput("B", "");', ["M", "B"]),
        ('this->More();', ["M"]),
        ('Base::More();', ["M"]),
        ('return More();', ["M"]),
        ('With("N");', ["N"]),
        ('if (kYes) { More(); }', ["M"]),
        ('if (!kYes) { More(); } AddInput("B", "");', ["B"]),
        ('other.More(); AddInput("B", "");', ["B"]),
        ('helper(); AddInput("B", "");', ["B"]),
        ('auto name = "A"; AddInput(name, "");', ["A"]),
        ('std::string name("A"); AddInput(name, "");', ["A"]),
        ('const std::string name{"A"}; AddInput(name, "");', ["A"]),
        ('std::vector<std::string> names{"A"}; AddInput(names[0], "");', ["A"]),
        ('const char* name = "A"; AddInput(name, "");', ["A"]),
        ('const char name[] = "A"; AddInput(name, "");', ["A"]),
        ('for (int i = 0; i < 3; ++i) { unused = i; } auto name = "A"; AddInput(name, "");', ["A"]),
        ('AddInput({"A"}, "");', ["A"]),
        ('auto& in = AddInput("A", ""); in.AsDuplicable();', ["A*"]),
        ('auto& in = AddInput("A", ""); if (kYes) { in.AsDuplicable(); }', ["A*"]),
        ('auto& in = AddInput("A", ""); if (!kYes) in.AsDuplicable(); in.AsDispensable();', ["A?"]),
        ('AddInput("A", "").Reuse("B").AsDispensable();', ["A?"]),
        ('AddInput("A", "").NotInGradient();', ["A"]),
    ],
)  # fmt: skip
def test_statements_that_are_followed(body, expected):
    before = """
    constexpr bool kYes = true;
    class Base : public framework::OpProtoAndCheckerMaker {
     protected:
      void More() { AddInput("M", ""); }
      void With(std::string name) { AddInput(name, ""); }
    };
    """
    found = read_maker("", before, f"class GOpMaker : public Base {{ void Make() override {{ {body} }} }};\n"
                       "REGISTER_OPERATOR(g, ops::FOp, ops::GOpMaker);\n")  # fmt: skip
    assert reasons(found) == {}
    assert shown(found, "g")[0] == expected


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('while (more()) { AddInput("A", ""); }', "a declaration inside `while` is not followed"),
        ('do { AddInput("A", ""); } while (more());', "a declaration inside `do` is not followed"),
        ('try { AddInput("A", ""); } catch (...) { }', "a declaration inside `try` is not followed"),
        ('try { } catch (...) { AddInput("A", ""); }', "a declaration inside `try` is not followed"),
        ('switch (1) { case 1: AddInput("A", ""); }', "a declaration inside `switch` is not followed"),
        ('if (unknown()) { } else { AddInput("A", ""); }', "the function unknown"),
        ('auto name = "A"; if (unknown()) { name = "B"; } AddInput(name, "");', "the variable name is changed"),
        ('auto name = "A"; change(&name); AddInput(name, "");', "the variable name is changed"),
        ('std::string name; AddInput(name, "");', "the variable name has no value that could be found"),
        ("AddAttr<int>;", "is not followed"),
        ('AddAttr("a", "");', "AddAttr without a type"),
        ("AddInput();", "AddInput without a name"),
        ('AddInput(1, "");', "the name 1 is no string"),
        ('AddInput({"A", "B"}, "");', 'the name {"A","B"} is no string'),
        ('AddInput("A", "") + 1;', "is not followed"),
        ('AddInput("A", "").AsExtra;', "is not followed"),
        ('AddAttr<int>("a", "").SetDefault(1).SetDefault(2);', "the default of 'a' is set twice"),
        ('AddInput("A", "").SetDefault(1);', "the modifier SetDefault of 'A' is not known"),
        ('AddAttr<int>("a", "").AsDuplicable();', "the modifier AsDuplicable of 'a' is not known"),
        ('AddInput("A", ""); AddAttr<int>("A", "");', "'A' is declared twice"),
    ],
)
def test_statements_that_are_not(body, reason):
    found = read_maker(body)
    assert found.ops == {}
    assert reason in reasons(found)["f"]


def test_a_variable_that_a_loop_changes_is_forgotten_and_no_other():
    body = 'int a = 1; int b = 2; for (int i = 0; i < 3; ++i) { a += i; } AddAttr<int>("x", "").SetDefault(%s);'
    assert attrs_of(read_maker(body % "b")) == ["x: INT = 2"]
    assert "the variable a is changed" in reasons(read_maker(body % "a"))["f"]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("int N() { return 3; }", "a: INT = 3"),
        ("int N() { int x = 1; const int y = x + 1; return y * 2; }", "a: INT = 4"),
        ("int N() { ; int x(5); return x; }", "a: INT = 5"),
        ("int N() { int x; x = 2; return 7; }", "a: INT = 7"),
        ("int N() { return M(4); } int M(int x) { return x + 1; }", "a: INT = 5"),
    ],
)
def test_functions_that_are_followed(function, expected):
    assert attrs_of(read_maker('AddAttr<int>("a", "").SetDefault(N());', function)) == [expected]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("int N() { if (1) return 3; return 4; }", "a function with `if` is not followed"),
        ("int N() { for (;;) { } return 4; }", "a function with `for` is not followed"),
        ("int N() { }", "a function that returns nothing"),
        ("int N() { int x = 1; x = 2; return x; }", "the variable x is changed"),
        ("int N() { int x; return x; }", "the variable x has no value"),
        ("int N() { return N(); }", ""),
    ],
)
def test_functions_that_are_not(function, reason):
    found = read_maker('AddAttr<int>("a", "").SetDefault(N());', function)
    assert reason in reasons(found)["f"]
