"""The statements of a maker that are evaluated, and those that are ignored."""

from __future__ import annotations

import pytest

from tests.support.trees.paddle_trees import attrs_of, read_maker, reasons, shown


def declares(body, before=""):
    result = read_maker(body, before)
    assert reasons(result) == {}
    return shown(result)[0]


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
        ('while (unknown()) { go(); } AddInput("B", "");', ["B"]),
        ('do { go(); } while (unknown()); AddInput("B", "");', ["B"]),
        ('try { go(); } catch (...) { stop(); } AddInput("B", "");', ["B"]),
        ('switch (unknown()) { case 1: go(); } AddInput("B", "");', ["B"]),
        ('if (unknown()) { go(); } else { stop(); } AddInput("B", "");', ["B"]),
        ('AddInput("A", ""); return; AddInput("B", "");', ["A"]),
        ('if (kYes) { AddInput("A", ""); return; } AddInput("B", "");', ["A"]),
        ('More(); AddInput("B", "");', ["M", "B"]),
        ('this->More();', ["M"]),
        ('Base::More();', ["M"]),
        ('return More();', ["M"]),
        ('With("N");', ["N"]),
        ('if (kYes) { More(); }', ["M"]),
        ('if (!kYes) { More(); } AddInput("B", "");', ["B"]),
        ('std::ostringstream other; other.More(); AddInput("B", "");', ["B"]),
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
        ('AddInput("A", "").SetMultiple().IgnoreGradient(); AddInput("B", "").AsNoGradient();', ["A*", "B"]),
    ],
)  # fmt: skip
def test_statements_that_are_followed(body, expected):
    before = """
    constexpr bool kYes = true;
    int unknown(); void go(); void stop(); void helper();
    class Base : public framework::OpProtoAndCheckerMaker {
     protected:
      void More() { AddInput("M", ""); }
      void With(std::string name) { AddInput(name, ""); }
    };
    """
    result = read_maker("", before, f"class GOpMaker : public Base {{ void Make() override {{ {body} }} }};\n"
                       "REGISTER_OPERATOR(g, ops::FOp, ops::GOpMaker);\n")  # fmt: skip
    assert reasons(result) == {}
    assert shown(result, "g")[0] == expected


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('while (more()) { AddInput("A", ""); }', "the function more is not known"),
        ('do { AddInput("A", ""); } while (more());', "the function more is not known"),
        ('try { AddInput("A", ""); } catch (...) { }', "a statement inside `try` is not evaluated"),
        ('try { } catch (...) { AddInput("A", ""); }', "a statement inside `try` is not evaluated"),
        ('go(); AddInput("A", "");', "go() is not evaluated"),
        ('GO; AddInput("A", "");', "GO is not evaluated"),
        ('other.More(); AddInput("A", "");', "other.More() is not evaluated"),
        ('for (;;) { } AddInput("A", "");', "it takes more than 20000 steps"),
        ('if (unknown()) return; AddInput("A", "");', "the function unknown is not known"),
        ('auto add = [this] { AddInput("A", ""); }; add();', "is not evaluated"),
        ('int go = 1; go(); AddInput("A", "");', "go() is not evaluated"),
        ('AddInput("A", ""); for', "`for` at the end"),
        ('AddInput("A", ""); do', "a `do` without its `while`"),
        ('AddInput("A", ""); if (1)', "a `if` without a statement"),
        ('if (unknown()) { } else { AddInput("A", ""); }', "the function unknown"),
        ('auto name = "A"; if (unknown()) { name = "B"; } AddInput(name, "");', "the variable name is changed"),
        ('auto name = "A"; change(&name); AddInput(name, "");', "change(&name) is not evaluated"),
        ('int name; AddAttr<int>("a", "").SetDefault(name);', "the value of a variable is unknown"),
        ("AddAttr<int>;", "is not evaluated"),
        ('AddAttr("a", "");', "AddAttr without a type"),
        ("AddInput();", "AddInput without a name"),
        ('AddInput(1, "");', "the name 1 is not a string"),
        ('AddInput({"A", "B"}, "");', 'the name {"A","B"} is not a string'),
        ('AddInput("A", "") + 1;', "is not evaluated"),
        ('AddInput("A", "").AsExtra;', "is not evaluated"),
        ('AddAttr<int>("a", "").SetDefault(1).SetDefault(2);', "the default of 'a' is set twice"),
        ('AddInput("A", "").SetDefault(1);', "the modifier SetDefault of 'A' is not known"),
        ('AddAttr<int>("a", "").AsDuplicable();', "the modifier AsDuplicable of 'a' is not known"),
        ('AddInput("A", ""); AddAttr<int>("A", "");', "'A' is declared twice"),
    ],
)
def test_statements_that_are_not(body, reason):
    result = read_maker(body)
    assert result.ops == {}
    assert reason in reasons(result)["f"]


def test_a_variable_that_a_loop_changes_is_followed_or_forgotten():
    body = 'int a = 1; int b = 2; for (int i = 0; i < %s; ++i) { a += i; } AddAttr<int>("x", "").SetDefault(%s);'
    assert attrs_of(read_maker(body % (3, "a"))) == ["x: INT = 4"]
    assert attrs_of(read_maker(body % ("unknown()", "b"))) == ["x: INT = 2"]
    assert "the variable a is changed" in reasons(read_maker(body % ("unknown()", "a")))["f"]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("int N() { return 3; }", "a: INT = 3"),
        ("int N() { int x = 1; const int y = x + 1; return y * 2; }", "a: INT = 4"),
        ("int N() { ; int x(5); return x; }", "a: INT = 5"),
        ("int N() { int x; x = 2; return 7; }", "a: INT = 7"),
        ("int M(int x) { return x + 1; } int N() { return M(4); }", "a: INT = 5"),
        ("int N() { if (1) return 3; return 4; }", "a: INT = 3"),
        ("int N() { int x = 1; x = 2; return x; }", "a: INT = 2"),
        (
            "int N() { int x = 0; for (int i = 0; i < 4; ++i) { if (i == 2) continue; x += i; } return x; }",
            "a: INT = 4",
        ),
        ("int N() { int x = 0; while (true) { if (++x; x > 5) break; } return x; }", "a: INT = 6"),
        ("int N() { int x = 0; do { x += 2; } while (x < 5); return x; }", "a: INT = 6"),
        ("int N() { switch (2) { case 1: return 7; case 2: case 3: return 8; default: return 9; } }", "a: INT = 8"),
    ],
)
def test_functions_that_are_followed(function, expected):
    assert attrs_of(read_maker('AddAttr<int>("a", "").SetDefault(N());', function)) == [expected]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("int N() { for (;;) { } return 4; }", "it takes more than 20000 steps"),
        ("int N() { }", "the function N returns nothing"),
        ("int N() { int x = 1; change(x); return x; }", "change(x) is not evaluated"),
        ("int N() { int x; return x; }", "the value of a variable is unknown"),
        ("int N() { return N(); }", ""),
    ],
)
def test_functions_that_are_not(function, reason):
    result = read_maker('AddAttr<int>("a", "").SetDefault(N());', function)
    assert reason in reasons(result)["f"]
