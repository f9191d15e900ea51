"""The values of constant expressions of C++."""

from __future__ import annotations

import math

import pytest

from opspec_lint.cpp.expressions import NoNames, evaluate, text_of
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.numbers import Float32, kind_of
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import NULL, Chars

INT, LONG = 1 << 31, 1 << 63


def value(text, names=None):
    tokens = tokenize(text, 0, len(text))
    return evaluate(tokens, 0, len(tokens), names or NoNames())


def refusal(text):
    with pytest.raises(UnresolvedError) as caught:
        value(text)
    return caught.value.reason


class Named(NoNames):
    """One constant: a text that stands beside others."""

    def constant(self, _, name):
        return {"MIDDLE": "b"}[name]


def test_what_the_headers_of_c_name():
    texts = {
        "INT_MAX": INT - 1,
        "INT_MIN": -INT,
        "INT32_MAX": INT - 1,
        "INT32_MIN": -INT,
        "INT64_MAX": LONG - 1,
        "INT64_MIN": -LONG,
        "LLONG_MAX": LONG - 1,
        "UINT32_MAX": 2 * INT - 1,
        "UINT64_MAX": 2 * LONG - 1,
        "SIZE_MAX": 2 * LONG - 1,
        "FLT_MAX": (2 - 2**-23) * 2.0**127,
        "FLT_MIN": 2.0**-126,
        "FLT_EPSILON": 2.0**-23,
        "DBL_MAX": (2 - 2**-52) * 2.0**1023,
        "M_PI": math.pi,
        "true": True,
        "false": False,
        "nullptr": NULL,
        "NULL": NULL,
    }
    assert {key: value(key) for key in texts} == texts


@pytest.mark.parametrize("text", ["none", "other::none", "other::INT_MAX"])
def test_names_that_are_in_no_header(text):
    assert refusal(text) == f"the name {text} has no known value"


def test_the_limits_of_every_type_of_number():
    whole = {"int": INT, "int32_t": INT, "int64_t": LONG}
    for kind, limit in whole.items():
        messages = [value(f"std::numeric_limits<{kind}>::{which}()") for which in ("max", "min", "lowest")]
        assert messages == [limit - 1, -limit, -limit]
    fractions = {
        "float": ((2 - 2**-23) * 2.0**127, 2.0**-126, 2.0**-23),
        "double": ((2 - 2**-52) * 2.0**1023, 2.0**-1022, 2.0**-52),
    }
    for kind, (largest, smallest, step) in fractions.items():
        messages = [
            value(f"std::numeric_limits<{kind}>::{which}()")
            for which in ("max", "min", "lowest", "epsilon", "infinity", "quiet_NaN")
        ]
        assert messages[:5] == [largest, smallest, -largest, step, math.inf]
        assert math.isnan(messages[5])
        assert {type(item) for item in messages} == {Float32 if kind == "float" else float}
    assert refusal("std::numeric_limits<int>::digits()") == "std::numeric_limits<int>::digits() is not known"
    assert refusal("std::numeric_limits<T>::max()") == "std::numeric_limits<T>::max() is not known"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("16 / 4 / 2", 2),
        ("7 % 4 * 2", 6),
        ("1 << 2 + 1", 8),
        ("1 << 2 << 1", 8),
        ("64 >> 2 >> 1", 8),
        ("1 | 2 ^ 6 & 5", 1 | (2 ^ (6 & 5))),
        ("6 & 3 == 3", 0),
        ("1 < 2 == 2 > 1", True),
        ("2 <= 2 && 3 >= 4", False),
        ("1 != 2", True),
        ("2 != 2", False),
        ("0 || 1 && 0", False),
        ("1 || 0 && 0", True),
        ("0 || 2", True),
        ("0 || 0", False),
        ("1 && 2", True),
        ("1 && 0", False),
        ("1 < 2 ? 3 : 4", 3),
        ("1 > 2 ? 3 : 4", 4),
        ("0 ? 1 : 1 ? 2 : 3", 2),
        ("1 ? 0 ? 1 : 2 : 3", 2),
        ("1 ? (0 ? 5 : 6) : 7", 6),
        ("0 ? std::vector<int>{1, 2} : 7", 7),
        ("-3 + 1", -2),
        ("- -3", 3),
        ("+3", 3),
        ("!0", True),
        ("!!7", True),
        ("~5", -6),
        ("-~5", 6),
        ("{1, 2,}", [1, 2]),
        ("{}", []),
        ("(int)2.7", 2),
        ("(int)-2.7", -2),
        ("(2.5)", 2.5),
        ("static_cast<int>(2.7) + 1", 3),
        ("std::string(3, 'x')", "xxx"),
        ("std::string{\"ab\"}", "ab"),
        ("std::string()", ""),
        ("std::to_string(12)", "12"),
        ("std::vector<int>(2, 3)", [3, 3]),
        ("std::vector<int>{4, 5}[1]", 5),
        ("std::vector<int>{4.5, 5}", [4, 5]),
        ("std::vector<std::string>{\"a\"}", ["a"]),
        ("int(2.5)", 2),
        ("int()", 0),
        ("1 < (2)", True),
        ("3 > 2 > 0", True),
    ],
)  # fmt: skip
def test_values(text, expected):
    actual = value(text, Named())
    assert actual == expected
    assert type(actual) is type(expected)


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("0.1f", Float32, 0.10000000149011612),
        ("-0.1f", Float32, -0.10000000149011612),
        ("0.1", float, 0.1),
        ("0.1f + 1", Float32, 1.100000023841858),
        ("0.1f + 1.0", float, 1.1000000014901161),
        ("1.0f / 3", Float32, 0.3333333432674408),
        ("1 / 2.0", float, 0.5),
        ("float(0.1)", Float32, 0.10000000149011612),
        ("std::vector<float>{0.1}[0]", Float32, 0.10000000149011612),
        ("1.0f < 2", bool, True),
    ],
)
def test_numbers_keep_the_precision_of_their_type(text, kind, expected):
    result = value(text)
    assert (type(result), result) == (kind, expected)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "an expression that ends early"),
        ("1 +", "an expression that ends early"),
        ("1 x", "1 x cannot be evaluated"),
        ("1 ? 2", "a condition without its colon"),
        ("-{}", "- cannot be applied"),
        ("~1.5", "~ cannot be applied"),
        ("&x", "the name x has no known value"),
        ("*x", "the name x has no known value"),
        ("a::b", "the name a::b has no known value"),
        ("a::1", "a cannot be evaluated"),
        ("f(1)", "the function f is not known"),
        ("{1}[1]", "an index that cannot be evaluated"),
        ("{1}[0 - 1]", "an index that cannot be evaluated"),
        ("{1}[0.0]", "an index that cannot be evaluated"),
        ("(1)[0]", "an index that cannot be evaluated"),
        ('"a"[1]', "an index that cannot be evaluated"),
        ("{1}.rbegin()", "the member rbegin is not known"),
        ("{1}.first", "the member first is not known"),
        ("{1}.size(2)", "the member size is not known"),
        ("(1).size()", "the member size is not known"),
        ("{1, 2}.data()", "the member data is not known"),
        ("std::vector<int>(-1, 2)", "a container that cannot be evaluated"),
        ("std::vector<int>(10001, 2)", "a container that cannot be evaluated"),
        ("std::vector<int>(10001)", "a container that cannot be evaluated"),
        ("std::vector<int>(1, 2, 3)", "a container that cannot be evaluated"),
        ("std::vector<int>(1.5)", "a container that cannot be evaluated"),
        ("std::string(1)", "a string that cannot be evaluated"),
        ("std::string(1, 2.5)", "a string that cannot be evaluated"),
        ("int(1, 2)", "int(...) cannot be evaluated"),
        ("pair<int>(1)", "the function pair<int> is not known"),
        ('std::to_string("a")', "a string of something that is not a number"),
        ("static_cast<Strange>(4)", "a variable of type unknown cannot be 4"),
        ('"a" + "b"', "'a' + 'b' cannot be evaluated"),
        ('"a" == "a"', "'a' == 'a' cannot be evaluated"),
        ("2147483647 + 1", "2147483648 is too large for int"),
        ("-2147483648 / -1 * 4294967296 * 4294967296", "9223372036854775808 is too large for long"),
        ("INT_MIN / -1", "2147483648 is too large for int"),
        ("1 << 32", "1 << 32 cannot be evaluated"),
        ("-1 << 1", "-1 << 1 cannot be evaluated"),
        ("++x", "++x cannot be evaluated"),
        ("--3", "--3 cannot be evaluated"),
        ("std::vector<int>{1}.data()", "the member data is not known"),
        ("Vector<int>::kSize", "a member of the template Vector is not evaluated"),
        ('GradVarName("a", "b")', "the function GradVarName is not known"),
        ("1 / 0", "a division by zero"),
        ('"a" * 2', "'a' * 2 cannot be evaluated"),
    ],
)
def test_what_cannot_be_evaluated_is_reported_to_be_so(text, reason):
    assert refusal(text) == reason


def test_a_list_of_one_holds_its_item_as_an_array_of_characters_does():
    assert value('{"ab"}.data()') == "ab"


def test_the_depth_of_an_expression_is_limited():
    allowed = MAX_DEPTH - 1
    assert value("(" * allowed + "1" + ")" * allowed) == 1
    assert refusal("(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH) == f"an expression is nested more than {MAX_DEPTH} deep"
    assert value(" + ".join(["(1)"] * (MAX_DEPTH + 1))) == MAX_DEPTH + 1  # beside each other is not nested


def test_copies_up_to_a_limit():
    assert len(value("std::vector<int>(10000, 2)")) == 10_000
    assert len(value("std::string(10000, 'x')")) == 10_000
    assert refusal("std::string(10001, 'x')") == "a string that cannot be evaluated"


def test_the_text_of_an_expression_is_shortened():
    tokens = tokenize("const int x<y>", 0, 14)
    assert text_of(tokens, 0, len(tokens)) == "const int x<y>"
    long = "+".join(["abcdefgh"] * 20)
    tokens = tokenize(long, 0, len(long))
    assert text_of(tokens, 0, len(tokens)) == f"{long[:77]}..."
    assert text_of(tokens, 0, 17) == long[:80]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("'a'", "char", 97),
        ("'a' + 1", "int", 98),
        ("-1U", "unsigned int", (1 << 32) - 1),
        ("1u - 2", "unsigned int", (1 << 32) - 1),
        ("~0u", "unsigned int", (1 << 32) - 1),
        ("-1 < 1u", "bool", False),
        ("true + true", "int", 2),
        ("true | false", "int", 1),
        ("4294967295u + 1", "unsigned int", 0),
        ("4294967295u + 1L", "long", 1 << 32),
        ("static_cast<int64_t>(1) << 40", "long", 1 << 40),
        ("static_cast<uint8_t>(-1)", "unsigned char", 255),
        ("static_cast<uint8_t>(255) + 1", "int", 256),
        ("(unsigned char)300", "unsigned char", 44),
        ("short(70000)", "short", 4464),
        ("sizeof(int) - 5", "unsigned long", (1 << 64) - 1),
        ("-7 / 2", "int", -3),
        ("-7 % 3", "int", -1),
        ("7 / 2.0f", "float", 3.5),
        ("16777217 + 0.0f", "float", 16777216.0),
        ("1 ? 2 : 3.5", "double", 2.0),
        ("(0 ? 1u : -1) > 0", "bool", True),
        ('std::string("ab").size()', "unsigned long", 2),
        ('std::string("\\303\\251").size()', "unsigned long", 2),
        ("std::vector<int>(2).size()", "unsigned long", 2),
        ('"ab"[1]', "char", 98),
        ("int64_t{7}", "long", 7),
        ("std::numeric_limits<uint8_t>::max()", "unsigned char", 255),
        ("std::max<int64_t>(2, 3)", "long", 3),
        ("std::set<int>{3, 1, 1}.size()", "unsigned long", 2),
    ],
)
def test_numbers_have_the_type_and_value_that_a_compiler_gives_them(text, kind, expected):
    result = value(text)
    assert (kind_of(result), result) == (kind, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a" "b"', "ab"),
        ('"a" MIDDLE "c"', "abc"),
        ('"a" MIDDLE', "ab"),
        ('std::string("ab").c_str()', "ab"),
        ('std::string("ab").data()', "ab"),
    ],
)
def test_a_c_string_is_distinguished_from_a_string(text, expected):
    actual = value(text, Named())
    assert isinstance(actual, Chars)
    assert actual == expected
    assert type(value('std::string("a\\0b")')) is str
    assert value('std::string("a\\0b")') == "a"
