"""Kinds of C++ that makers of ops may be written in, each a whole file; and a small framework that compiles them.

A kind is what stands before the class, the body of its Make(), and perhaps a header. `{ns}` is the namespace around it.
"""

from __future__ import annotations

import re

HARNESS = r"""
#include <array>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>
#include <initializer_list>
#include <algorithm>
#include <sstream>
namespace framework {
inline std::string shown(bool v) { return v ? "True" : "False"; }
inline std::string shown(int v) { return std::to_string(v); }
inline std::string shown(int64_t v) { return std::to_string(v); }
inline std::string shown(double v) { char t[64]; snprintf(t, 64, "%.17g", v); return t; }
inline std::string shown(float v) { return shown(static_cast<double>(v)); }
inline std::string shown(const std::string& v) {
  std::string t = "'";
  for (unsigned char c : v) { char h[4]; snprintf(h, 4, "%02x", c); t += h; }
  return t;
}
template <typename T> std::string shown(const std::vector<T>& v) {
  std::string t = "(";
  for (size_t i = 0; i < v.size(); ++i) t += shown(static_cast<T>(v[i])) + ",";
  return t + ")";
}
struct Item { std::string kind, name, flags, value; bool has = false, generated = false; };
template <typename T> struct Checker {
  explicit Checker(Item* i) : item(i) {}
  Checker& SetDefault(const T& v) { item->value = shown(v); item->has = true; return *this; }
  Checker& AsExtra() { item->flags += "e"; return *this; }
  Checker& AsQuant() { item->flags += "q"; return *this; }
  Checker& InEnum(const std::unordered_set<T>&) { return *this; }
  Checker& GreaterThan(const T&) { return *this; }
  Checker& EqualGreaterThan(const T&) { return *this; }
  Checker& AddCustomChecker(const std::function<void(const T&)>&) { return *this; }
  Item* item;
};
struct Builder {
  explicit Builder(Item* i) : item(i) {}
  Builder& AsDuplicable() { item->flags += "d"; return *this; }
  Builder& AsDispensable() { item->flags += "o"; return *this; }
  Builder& AsIntermediate() { item->flags += "i"; return *this; }
  Builder& AsExtra() { item->flags += "e"; return *this; }
  Builder& AsQuant() { item->flags += "q"; return *this; }
  Item* item;
};
class OpProtoAndCheckerMaker {
 public:
  virtual ~OpProtoAndCheckerMaker() {}
  virtual void Make() = 0;
  Item* add(const char* kind, const std::string& name) { Item* i = new Item; i->kind = kind; i->name = name; items.push_back(i); return i; }
  Builder AddInput(const std::string& name, const std::string&) { return Builder(add("I", name)); }
  Builder AddOutput(const std::string& name, const std::string&) { return Builder(add("O", name)); }
  template <typename T> Checker<T>& AddAttr(const std::string& name, const std::string&, bool generated = false) {
    Item* i = add("A", name); i->generated = generated; return *new Checker<T>(i);
  }
  void AddComment(const std::string&) {}
  std::vector<Item*> items;
};
template <typename T> int reg(const char* op) {
  T maker;
  maker.Make();
  for (Item* i : maker.items) {
    std::sort(i->flags.begin(), i->flags.end());
    printf("%s\t%s\t%s\t%s\t%s\t%s\n", op, i->kind.c_str(), shown(i->name).c_str(), i->flags.c_str(),
           i->generated ? "g" : "", i->has ? i->value.c_str() : "None");
  }
  printf("%s\tend\n", op);
  return 0;
}
class OperatorWithKernel {};
}  // namespace framework
#define REGISTER_OPERATOR(op, cls, ...) static int reg_##op = framework::reg<__VA_ARGS__>(#op);
#define PADDLE_ENFORCE(...)
#define VLOG(n) std::ostringstream()
"""


class Snippet:
    """One kind: its files, by the name `{ns}`."""

    def __init__(self, body, before="", after="", header="", members=""):
        self.body = body
        self.before = before
        self.after = after
        self.header = header
        self.members = members

    def files(self, ns):
        """Return the source and the header, the latter "" where there is none."""
        include = f'#include "paddle/fluid/operators/{ns}.h"\n' if self.header else ""
        text = (
            f"{include}namespace {ns} {{\nclass FOp : public framework::OperatorWithKernel {{}};\n{self.before}\n"
            f"class M : public framework::OpProtoAndCheckerMaker {{\n public:\n{self.members}\n"
            f"  void Make() override {{\n{self.body}\n  }}\n}};\n{self.after}\n}}\n"
            f"REGISTER_OPERATOR({ns}, {ns}::FOp, {ns}::M);\n"
        )
        return text.replace("{ns}", ns), self.header.replace("{ns}", ns)

    def macros(self):
        """Return the names of the macros that it defines."""
        return sorted(
            set(re.findall(r"#\s*define\s+(\w+)", f"{self.before}{self.body}{self.after}{self.header}{self.members}"))
        )


def attr(kind, value, before="", **more):
    """Return a snippet of one attr with a default."""
    return Snippet(f'AddAttr<{kind}>("a", "").SetDefault({value});', before, **more)


NUMBERS = ("int", "int64_t", "bool", "float", "double")

EXPRESSIONS = (
    "7 / 2", "-7 / 2", "-7 % 3", "7 / 2.0", "1 << 4 | 3", "~0", "~0u", "-1U", "1u - 2", "0xFFFFFFFF", "0x7fffffff + 0", "-1 < 1u",
    "1 ? 2 : 3.5", "(1 ? 1 : 2.0) / 2", "true + true", "!3", "!!3", "'a' + 1", "'\\n'", "1'000'000", "0b101", "017", "1e3", "0.1f + 0.2f",
    "0.1 + 0.2", "0.1f * 3", "1.0f / 3", "16777217 + 0.0f", "static_cast<int8_t>(200)", "static_cast<uint8_t>(-1)", "(unsigned char)300",
    "static_cast<unsigned>(-1) / 2", "static_cast<int64_t>(1) << 40", "1LL << 40", "1UL << 63 >> 60", "sizeof(int)", "sizeof(double) - 9 < 0",
    "int(2.9)", "int(-2.9)", "unsigned(3) - 4 > 0", "5 & 3 ^ 6", "1 + 2 * 3 - 4 / 2", "2 < 3 == 1", "10 - 3 - 2", "100 / 10 / 5",
    "std::numeric_limits<int>::max()", "std::numeric_limits<uint8_t>::max()", "std::numeric_limits<int16_t>::min()", "INT_MAX", "UINT32_MAX",
    "std::max(2, 3)", "std::min(2.5, 1.5)", "std::max<int>(2, 3)", "std::abs(-4)", "static_cast<short>(70000)", "2147483648", "-2147483648",
    "0x80000000", "4294967295 + 1", "4294967295u + 1", "3 > 2 > 1", "1 || 0 && 0", "bool(2) + 1", "float(16777217)", "double(0.1f)",
    "static_cast<float>(0.1)", "1.5e-3f", ".5", "5.", "0x1p-2", "'a'", "L'a' * 0 + 1", "short(1) - 2u < 0", "(char)65", "65 == 'A'",
    "-1 >> 1", "5 % -3", "1.9 > 1", "0.1f == 0.1", "uint16_t(65535) + 1", "int64_t{7}", "int{4}", "!0 + !0", "- -3", "+(-3)",
)  # fmt: skip

CONSTANT_TYPES = (
    "int", "unsigned", "uint32_t", "int64_t", "uint64_t", "size_t", "short", "uint8_t", "int8_t", "char", "bool", "float", "double", "long long",
    "unsigned short", "auto", "long", "int16_t", "unsigned long long int", "signed char",
)  # fmt: skip
CONSTANT_VALUES = ("-1", "300", "1.9", "0.1", "true", "'a'", "0x80000000", "1 << 20", "7u", "0.1f", "65536", "3 / 2")


def snippets():
    """Return every kind, in an order that does not change."""
    return [*_numbers(), *_constants(), *_strings(), *_containers(), *_enums(), *_scopes(), *_overloads(), *_macros(),
            *_functions(), *_control(), *_helpers(), *_templates(), *_declarations(), *_traps()]  # fmt: skip


def _numbers():
    for index, expression in enumerate(EXPRESSIONS):
        for kind in (NUMBERS[index % 5], NUMBERS[(index + 1) % 5], NUMBERS[(index + 3) % 5]):
            yield attr(kind, expression)


def _constants():
    for row, kind in enumerate(CONSTANT_TYPES):
        for column, value in enumerate(CONSTANT_VALUES):
            target = NUMBERS[(row + column) % 5]
            style = (row + column) % 4
            text = ("constexpr", "const", "static const", "constexpr static")[style] if "e" not in value else "const"
            if kind not in ("auto", "float", "double") and value not in ("7u",) and text.count("constexpr"):
                text = "const"
            yield attr(target, "kC", f"{text} {kind} kC = {value};")
            if column % 3 == 0:
                yield Snippet(
                    f'{text.replace("static", "")} {kind} c = {value};\nAddAttr<{target}>("a", "").SetDefault(c);'
                )
            if column % 4 == 1:
                yield attr(target, "kC + 1", f"{text} {kind} kC({value});")


def _strings():
    for value in (
        '"a"', '"a" "b"', '"a\\tb"', '"\\x41"', '"\\303\\251"', '"\\u00e9"', 'R"(a\\n"b")"', 'R"x(a)")x"', 'std::string("a") + "b"',
        '"a" + std::string("b")', 'std::string("a") + \'b\'', 'std::string(3, \'x\')', 'std::string()', 'std::string{"ab"}', '{}', '""',
        'std::to_string(12)', 'std::to_string(-1) + "x"', 'std::to_string(1.5)', 'std::to_string(3u)', 'std::string("abc").c_str()', '"a\\0b"',
        'std::string("a\\0b")', '"\\"q\\""', "\"'\"", '"// no comment"', '"/* no */"', '"\\\\"', '"?"', 'u8"z"', '"a" /* c */ "b"', '{"in"}',
        'std::string("x").append("y")', 'std::string("abc").substr(1)', '"%d"', '1 ? "a" : "b"', 'std::string("a") == "a" ? "same" : "other"',
        'std::string({\'a\', \'b\'})', 'std::to_string(true)', "std::to_string('a')", 'std::string("ab").back() == \'b\' ? "b" : "c"',
    ):  # fmt: skip
        yield attr("std::string", value)
    yield attr("int", 'std::string("\\xc3\\xa9").size()')
    yield attr("int", 'std::string("abc")[1]')
    yield attr("int", '"abc"[1]')
    yield attr("bool", 'std::string("abc").empty()')
    yield attr("bool", 'std::string("a") == "b"')
    yield attr("bool", 'std::string("a") != "b"')
    for declared in (
        'const char kN[] = "N";', 'const char* kN = "N";', 'constexpr char kN[] = "N";', 'static const std::string kN = "N";',
        'const std::string kN("N");', 'const std::string kN{"N"};', 'constexpr const char* kN = "N";', 'const char* const kN = "N";',
        'const auto kN = "N";', 'const std::string kM = "N", kN = kM + "x";', 'const char kN[4] = "N";', "const char kN[] = {'N', 0};",
        'inline const char* N() { return "N"; }\nconst std::string kN = N();', "const std::string kN(2, 'N');",
        'static constexpr char kN[] = "N" "M";', 'const std::string kN = {"N"};', "const std::array<const char, 3> kA = {\"N\"};\nconst std::string kN = kA.data();",
    ):  # fmt: skip
        yield Snippet('AddInput(kN, "");', declared)
        yield Snippet('AddInput(std::string("pre_") + kN, "").AsDispensable();', declared)


def _containers():
    for kind, value in (
        ("int", "{1, 2, 3}"), ("int", "{}"), ("int", "std::vector<int>{4}"), ("int", "std::vector<int>(4)"), ("int", "std::vector<int>(2, 7)"),
        ("int", "std::vector<int>{2, 7}"), ("int", "std::vector<int>()"), ("int", "{1 + 1, 'a'}"), ("int64_t", "{1, 2}"), ("int64_t", "{}"),
        ("float", "{0.1f, 0.2f}"), ("float", "{0.5, 1}"), ("float", "std::vector<float>(3, 0.1)"), ("double", "{0.1, 0.2f}"), ("bool", "{true, false}"),
        ("bool", "std::vector<bool>(2)"), ("std::string", '{"a", "b", "c"}'), ("std::string", "{}"), ("std::string", 'std::vector<std::string>{"a"}'),
        ("std::string", 'std::vector<std::string>(2, "z")'), ("std::string", '{std::string("a"), "b"}'), ("int", "(std::vector<int>{1, 2})"),
        ("int", "{{1, 2}}"), ("int", "{1, 2,}"), ("int", "std::vector<int>({1, 2})"), ("int", "std::vector<int>{}"), ("std::string", '{"a"}'),
        ("int", "{3}"), ("int", "{INT_MAX, -1}"), ("int64_t", "{1LL << 40, -1}"), ("int", "std::vector<int>{std::vector<int>{1, 2}}"),
    ):  # fmt: skip
        yield attr(f"std::vector<{kind}>", value)
    for value in (
        "std::vector<int>{5, 6}[1]", "std::vector<int>{5, 6}.size()", "std::vector<int>{5, 6}.at(0)", "std::vector<int>{5, 6}.front()",
        "std::vector<int>{5, 6}.back()", "std::set<int>{3, 1, 1}.size()", "std::vector<uint8_t>{200, 100}[0] + 100", "kV[1]", "kV.size()",
        "kA[2]", "kA[0] + kA[1]", "kS.size()", "*kS.begin()", "kV.front()",
    ):  # fmt: skip
        before = "const std::vector<int> kV = {8, 9};\nconst int kA[3] = {1, 2};\nconst std::set<int> kS = {5, 3, 5};"
        yield attr("int", value, before)
    yield attr("std::vector<int>", "kV", "const std::vector<int> kV = {8, 9};")
    yield attr("std::vector<int>", "kV", "const std::vector<int> kV(3);")
    yield attr("std::vector<int>", "kV", "const std::vector<int> kV(3, 1);")
    yield attr("std::vector<int>", "kV", "const std::vector<int> kV{3, 1};")
    yield attr("std::vector<float>", "std::vector<float>(kV)", "const std::vector<float> kV{3, 0.1f};")
    yield attr("std::vector<int>", "std::vector<int>(kA, kA + 2)", "const int kA[] = {1, 2};")


def _enums():
    for members, name in (
        ("A, B, C", "C"), ("A = 4, B", "B"), ("A = 1 << 2, B = A | 1, C", "C"), ("A = -2, B, C", "C"), ("A, B = A << 3, C = B | 1", "C"),
        ("A = 'x', B", "B"), ("A = 0x10, B = A * 2, C = B - A", "C"), ("A = (1, 5), B", "B"), ("A = sizeof(int), B", "B"), ("A = true, B", "B"),
        ("A = 3, B = A, C = B + 1,", "C"), ("A = ~0, B", "B"),
    ):  # fmt: skip
        yield attr("int", name, f"enum E {{ {members} }};")
        yield attr("int64_t", f"static_cast<int64_t>(E::{name})", f"enum class E {{ {members} }};")
        yield attr("int", f"E::{name}", f"struct S {{ int x; }};\nenum E : int16_t {{ {members} }};")
    two = "enum class P { kX = 1, kY };\nenum class Q { kX = 7, kY };"
    for value in ("P::kX", "Q::kX", "Q::kY", "P::kY"):
        yield attr("int", f"static_cast<int>({value})", two)
        yield attr("int", f"static_cast<int>({value})", f"namespace in {{ enum class Q {{ kX = 70, kY }}; }}\n{two}")
        yield attr(
            "int",
            f"static_cast<int>(in::{value})",
            f"{two}\nnamespace in {{\n{two.replace('1', '11').replace('7', '17')}\n}}",
        )
    yield attr("int", "kLocal", "struct S { enum { kLocal = 1 }; };\nenum { kLocal = 2 };")
    yield attr("int", "S::kLocal", "struct S { enum { kLocal = 1 }; };\nenum { kLocal = 2 };")
    yield attr("int", "S::kLocal", "struct S { enum In { kLocal = 1 }; };")
    yield attr("int", "S::In::kLocal", "struct S { enum In { kLocal = 1 }; };\nenum In { kLocal = 3 };")
    yield attr(
        "int",
        "static_cast<int>(S::In::kLocal)",
        "struct S { enum class In { kLocal = 1 }; };\nenum class In { kLocal = 3 };",
    )
    yield attr("int64_t", "kBig", "enum : uint32_t { kBig = 0xFFFFFFFF };")
    yield attr("int", "kByte", "enum B : uint8_t { kByte = 200 };")
    yield attr("int", "kE", "enum class C { kV = 3 };\nconstexpr int kE = static_cast<int>(C::kV) + 1;")
    yield attr("int", "static_cast<int>(kE)", "enum class C { kU, kV };\nconst C kE = C::kV;")
    yield attr("bool", "kE == C::kV", "enum class C { kU, kV };\nconst C kE = C::kV;")
    yield attr("int", "kOwn", members="enum { kOwn = 6 };")
    yield attr("int", "static_cast<int>(Own::kOwn)", members="enum class Own { kOwn = 6 };")
    yield attr("int", "static_cast<int>(Alias::kV)", "enum class C { kU, kV };\nusing Alias = C;")
    yield attr(
        "int", "static_cast<int>(Alias::kV)", "namespace deep { enum class C { kU, kV }; }\ntypedef deep::C Alias;"
    )


def _scopes():
    inner = "const int kK = 1;\nnamespace q { const int kK = 2; namespace r { const int kK = 3; } }\nstruct S { static constexpr int kK = 4; };\n"
    for value in ("kK", "q::kK", "q::r::kK", "S::kK", "{ns}::kK", "::{ns}::q::kK", "{ns}::S::kK"):
        yield attr("int", value, inner)
        yield attr("int", f"{value} * 10 + 1", f"{inner}inline int Other() {{ const int kK = 5; return kK; }}")
        yield attr("int", value, inner, members="static constexpr int kK = 9;")
        yield attr("int", value, inner, members="int Local() { const int kK = 11; return kK; }")
        yield Snippet(f'const int kK = 21;\nAddAttr<int>("a", "").SetDefault({value});', inner)
        yield Snippet(f'{{ const int kK = 22; }}\nAddAttr<int>("a", "").SetDefault({value});', inner)
    for use in (
        "using namespace q;", "using q::kJ;", "namespace w = q;\nconstexpr int kJ = w::kJ;", "namespace q { inline namespace v1 { const int kI = 5; } }\nusing q::kJ;",
        "namespace { const int kJ = 6; }", "const int kJ = 1;\nstruct T { static constexpr int kJ = 2; };", "struct T { static constexpr int kJ = 2; };\nusing q::kJ;",
        "extern const int kJ;\nconst int kJ = 12;", "constexpr int kI = 3;\nconstexpr int kJ = kI + q::kJ;",
    ):  # fmt: skip
        yield attr("int", "kJ", f"namespace q {{ const int kJ = 2; }}\n{use}")
        yield attr("int64_t", "kJ + q::kJ", f"namespace q {{ const int kJ = 2; }}\n{use}")
        yield attr("int", "kJ", f"namespace q {{ const int kJ = 2; }}\n{use}", after="const int kLate = 1;")
    yield attr(
        "int",
        "kX",
        "const int kX = 1;\nnamespace in {\nconst int kY = kX;\n}\n",
        after="namespace in { const int kX = 2; }",
    )
    yield attr("int", "in::kY", "const int kX = 1;\nnamespace in {\nconst int kY = kX;\nconst int kX = 2;\n}\n")
    yield attr("int", "in::kY", "const int kX = 1;\nnamespace in {\nconst int kX = 2;\nconst int kY = kX;\n}\n")
    yield attr(
        "int", "S::kY", "const int kX = 1;\nstruct S { static constexpr int kX = 2; static constexpr int kY = kX; };"
    )
    yield attr("int", "T::kX", "struct S { static constexpr int kX = 2; };\nstruct T : S {};\nconst int kX = 1;")
    yield attr(
        "int",
        "T::kX",
        "struct S { static constexpr int kX = 2; };\nstruct T : public S { static constexpr int kX = 3; };",
    )
    yield attr("int", "S::kX", "struct S { static const int kX; };\nconst int S::kX = 7;\nconst int kX = 8;")
    yield attr(
        "int", "S::T::kX", "struct S { struct T { static constexpr int kX = 2; }; static constexpr int kX = 3; };"
    )
    yield attr("int", "S::kX", "struct S { struct T { static constexpr int kX = 2; }; static constexpr int kX = 3; };")
    yield attr("int", "A::kX", "struct S { static constexpr int kX = 2; };\nusing A = S;")
    yield attr("int", "a1::kX", "namespace a1 { namespace b1 { const int kX = 1; } using b1::kX; }")
    yield attr("int", "a1::kX", "namespace a1 { namespace b1 { const int kX = 1; } using namespace b1; }")
    yield attr("int", "a1::b1::kX", "namespace a1::b1 { const int kX = 1; }")
    yield attr("int", "kX", "constexpr int kX{4};")
    yield attr("int", "kX", "constexpr int kX(4);")
    yield attr("int", "kX", "const int kW = 3, kX = kW * 2;")
    yield attr("int", "kX", "const int kX = 4, kW = kX * 2;")
    yield attr("int", "kX", "int kX = 4;")
    yield attr("int", "kX", "static int kX = 4;\nconst int kKeep = 1;")
    yield attr("int", "kX", header="const int kX = 3;\n", before="const int kX = 4;")
    yield attr("int", "kX", header="#pragma once\nnamespace lib { const int kX = 3; }\n", before="using lib::kX;")
    yield attr("int", "lib::{ns}_x", header="#pragma once\nnamespace lib { const int {ns}_x = 3; }\n")
    yield attr("int", "::{ns}_g", header="#pragma once\nconst int {ns}_g = 3;\n", before="const int {ns}_g = 5;")


def _overloads():
    two = "inline int F(int) { return 1; }\ninline int F(double) { return 2; }\ninline int F(bool) { return 3; }\n"
    for call in (
        "F(1)",
        "F(1.5)",
        "F(true)",
        "F('a')",
        "F(1.5f)",
        "F(static_cast<short>(1))",
        "F(0 == 1)",
        "F(1 + 1.0)",
    ):
        yield attr("int", call, two)
    counted = "inline int F() { return 1; }\ninline int F(int a) { return a + 10; }\ninline int F(int a, int b) { return a + b + 100; }\n"
    for call in ("F()", "F(1)", "F(1, 2)", "F(F(1))", "F(F(), F())"):
        yield attr("int", call, counted)
        yield attr(
            "int",
            call,
            f"namespace q {{ inline int F() {{ return -1; }} inline int F(int) {{ return -2; }} }}\n{counted}",
        )
    named = "inline int G() { return 1; }\nnamespace q { inline int G() { return 2; } }\nstruct S { static int G() { return 3; } };\n"
    for call in ("G()", "q::G()", "S::G()", "{ns}::G()"):
        yield attr("int", call, named)
        yield attr("int", call, named, members="static int G() { return 4; }")
    text = "inline int F(const std::string&) { return 1; }\ninline int F(int) { return 2; }\ninline int F(const char*) { return 3; }\n"
    for call in ('F("a")', 'F(std::string("a"))', "F(1)"):
        yield attr("int", call, text)
    yield attr("int", 'F("a")', "inline int F(const std::string&) { return 1; }\ninline int F(bool) { return 2; }\n")
    yield attr("int", "F(1)", "inline int F(int64_t) { return 1; }\ninline int F(int) { return 2; }\n")
    yield attr("int", "F(1L)", "inline int F(int64_t) { return 1; }\ninline int F(int) { return 2; }\n")
    yield attr("int", "F(1u)", "inline int F(unsigned) { return 1; }\ninline int F(int) { return 2; }\n")
    yield attr("int", "F(3)", "inline int F(int a, int b = 4) { return a * b; }\n")
    yield attr(
        "int",
        "F(3)",
        "int F(int a);\ninline int F(int a, int b) { return a * b; }\n",
        after="int F(int a) { return -a; }",
    )
    yield attr("int", "F(3)", "int F(int a);\nint F(int a) { return -a; }\n")


def _macros():
    add = '#define ADD_INT(n, d) AddAttr<int>(n, "x").SetDefault(d)\n'
    for body in (
        'ADD_INT("boom", 3);', 'ADD_INT("boom", 3).AsExtra();', 'ADD_INT("a", 1);\nADD_INT("b", 2);', 'AddInput("X", "");\nADD_INT("boom", 1 + 2);',
        'for (int i = 0; i < 2; ++i) ADD_INT("a" + std::to_string(i), i);', 'if (true) { ADD_INT("boom", 3); }', 'if (false) { ADD_INT("boom", 3); } else { ADD_INT("bam", 4); }',
    ):  # fmt: skip
        yield Snippet(body, add)
        yield Snippet(body, header=add)
        yield Snippet(body, f"{add}#undef ADD_INT\n#define ADD_INT(n, d) AddInput(n, \"\"), AddAttr<int>(n \"2\", \"\").SetDefault(d)\n".replace('n "2"', 'std::string(n) + "2"')
                      if "AsExtra" not in body else add)  # fmt: skip
    for macro, value in (
        ("#define SV 1 + 2", "2 * SV"), ("#define SV (1 + 2)", "2 * SV"), ("#define SV 3", "SV * SV"), ("#define TWICE(x) x + x", "TWICE(3) * 2"),
        ("#define TWICE(x) ((x) + (x))", "TWICE(1 + 1) * 2"), ("#define A1 B1\n#define B1 5", "A1"), ("#define A1 B1\n#define B1 5\n#undef B1\n#define B1 6", "A1"),
        ("#define P(a, b) a##b\nconst int kXY = 9;", "P(kX, Y)"), ("#define N(...) sizeof(#__VA_ARGS__)", "N(a, b)"), ("#define SEL(a, b, ...) b", "SEL(1, 2, 3)"),
        ("#define V(...) __VA_ARGS__", "V(4)"), ("#define ID(x) x\n#define CALL ID", "CALL(7)"), ("#define EMPTY\n", "EMPTY 3 EMPTY"), ("#define kMac 4\n", "kMac + 1"),
        ("#define MIN(a, b) ((a) < (b) ? (a) : (b))", "MIN(3, 2)"), ("#define SELF SELF_\nconst int SELF_ = 2;", "SELF"), ("const int REC = 3;\n#define REC REC + 1", "REC"),
        ("#define NEG -1", "3 NEG"), ("#define LONG_ONE 1 + \\\n  1", "LONG_ONE * 2"), ("#define X1 1\n#define X2 (X1 + 1)\n#define X3 (X2 + X1)", "X3"),
        ("#ifndef D1\n#define D1 5\n#endif\n", "D1"), ("#define D1 4\n#ifndef D1\n#define D1 5\n#endif\n", "D1"), ("#define D1 1\n#if D1\nconst int kD = 1;\n#else\nconst int kD = 2;\n#endif\n", "kD"),
        ("#define D1 0\n#if defined(D1) && D1 > 0\nconst int kD = 1;\n#elif !D1\nconst int kD = 2;\n#endif\n", "kD"),
        ("const int kZ = 1;\n#define kZ 2\n#undef kZ\n", "kZ"), ("#define kZ 2\nconst int kY = kZ;\n#undef kZ\n#define kZ 3\n", "kY * 10 + kZ"),
    ):  # fmt: skip
        yield attr("int", value, f"{macro}\n")
        yield attr("int", value, header=f"{macro}\n")
    yield attr("int", "kZ", "#define kZ 2\n", after="#undef kZ\n#define kZ 3\n")
    yield attr("int", "kZ", "const int kZ = 1;\n", after="#define kZ 3\n")
    yield attr("int", "kZ", "#undef kZ\n#define kZ 3\n", header="#define kZ 2\n")
    yield attr("int", "kZ", "#undef kZ\nconst int kZ = 5;\n", header="#define kZ 2\n")
    yield attr("std::string", "STR(a b)", "#define STR(x) #x\n")
    yield attr("std::string", "XSTR(VAL)", "#define STR(x) #x\n#define XSTR(x) STR(x)\n#define VAL 12\n")
    yield attr("std::string", 'PRE "b"', '#define PRE "a"\n')
    yield attr("std::string", '"a" MID "c"', '#define MID "b"\n')
    yield attr("std::string", "NAME_OF(x)", '#define NAME_OF(n) "pre_" #n "_post"\n')
    for chain in ("FLAGS", ".AsDispensable() MORE", ".AsDispensable().DUP()", "FLAGS MORE"):
        yield Snippet(
            f'AddInput("X", "") {chain};',
            "#define FLAGS .AsDuplicable()\n#define MORE .AsExtra()\n#define DUP AsDuplicable\n",
        )
        yield Snippet(
            f'AddInput("X", "") {chain};',
            header="#define FLAGS .AsDuplicable()\n#define MORE .AsExtra()\n#define DUP AsDuplicable\n",
        )
    yield Snippet('COMMON\nAddInput("Y", "");', '#define COMMON AddInput("X", "");\n')
    yield Snippet("COMMON", header='#define COMMON AddInput("X", ""); AddOutput("Out", "");\n')
    yield Snippet("COMMON()", '#define COMMON() do { AddInput("X", ""); AddOutput("Out", ""); } while (0);\n')
    yield Snippet("EACH(ADD)", '#define ADD(n) AddInput(#n, "");\n#define EACH(F) F(A) F(B) F(C)\n')
    yield Snippet(
        'ADDT(int, "a", 1);\nADDT(std::string, "s", "x");\nADDT(std::vector<int>, "v", {});',
        '#define ADDT(T, n, d) AddAttr<T>(n, "").SetDefault(d)\n',
    )
    yield Snippet('AddAttr<TT>("a", "").SetDefault(1);', "#define TT int64_t\n")
    yield Snippet('ADDER("X", "");', "#define ADDER AddInput\n")
    yield Snippet('ADD(Input)("X", "");', "#define ADD(k) Add##k\n")
    yield Snippet("INPUT(X)", '#define INPUT(n) AddInput(#n, "of " #n);\n')
    yield Snippet('THIS->AddInput("X", "");', "#define THIS this\n")
    yield Snippet("", members='#define MAKE_X void Extra() { AddInput("E", ""); }\nMAKE_X')
    yield Snippet('#define LOCAL 3\nAddAttr<int>("a", "").SetDefault(LOCAL);\n#undef LOCAL\n')
    yield Snippet(
        'AddAttr<int>("a", "")\n#ifdef NOT_DEFINED_ANYWHERE\n.SetDefault(1)\n#else\n.SetDefault(2)\n#endif\n;'
    )
    yield Snippet('#if MODE == 2\nAddInput("B", "");\n#else\nAddInput("A", "");\n#endif', "#define MODE 2\n")
    yield Snippet('#if MODE == 2\nAddInput("B", "");\n#else\nAddInput("A", "");\n#endif', header="#define MODE 2\n")
    yield Snippet('#ifdef MODE\nAddInput("B", "");\n#else\nAddInput("A", "");\n#endif', header="#define MODE\n")
    yield attr(
        "int",
        "kH",
        "#ifdef {ns}_MODE\nconst int kH = 1;\n#else\nconst int kH = 2;\n#endif",
        header="#define {ns}_MODE\n",
    )


def _functions():
    for function in (
        "int N() { return 3; }", "int N() { const int a = 1; return a + 1; }", "int N() { if (true) return 1; return 2; }", "int N() { int x = 1; x += 4; return x; }",
        "int N() { int s = 0; for (int i = 0; i < 5; ++i) s += i; return s; }", "int N() { int i = 0; while (i < 7) { i += 2; } return i; }",
        "unsigned N() { return -1; }", "uint8_t N() { return 300; }", "bool N() { return 7; }", "double N() { return 7 / 2; }", "float N() { return 0.1; }",
        "int N() { return 2.9; }", "auto N() -> int { return 4; }", "constexpr int N() { return 1 << 3; }", "int H() { return 2; }\nint N() { return H() * H(); }",
        "int H(int a) { return a * 2; }\nint N() { return H(H(3)); }", "int H(uint8_t a) { return a; }\nint N() { return H(257); }", "int H(bool a) { return a + 1; }\nint N() { return H(9); }",
        "int H(int a) { a = a + 1; return a; }\nint N() { int b = 1; return H(b) * 10 + b; }", "void H(int& a) { a = 5; }\nint N() { int b = 1; H(b); return b; }",
        "int N() { switch (3) { case 1: return 1; case 3: return 30; default: return 9; } }", "int N() { int r = 0; switch (1) { case 1: r += 1; case 2: r += 10; break; default: r += 100; } return r; }",
        "int N() { for (int i = 0;; ++i) { if (i == 4) return i; } }", "int N() { int n = 0; for (int i : {1, 2, 3}) n = n * 10 + i; return n; }",
        "int N() { int n = 5; { int n = 6; n++; } return n; }", "int N() { int a = 3, b = a++; return a * 10 + b; }", "int N() { int a = 3; return a++ + ++a; }",
        "int N() { static const int k = 8; return k; }", "int N() { static int k = 8; k++; return 1; }", "int N() { auto f = [](int x) { return x + 1; }; return f(2); }",
        "int N() { std::string s = \"abc\"; return s.size(); }", "int N() { std::vector<int> v; v.push_back(4); v.push_back(5); return v[1] * 10 + v.size(); }",
        "int N() { std::vector<int> v{1, 2}, w{7, 8}; v.reserve(9); v.insert(v.end(), w.begin(), w.end()); return v[2] * 10 + v.size(); }",
        "int N() { std::vector<int> v{1, 2}, w{7, 8}; auto last = w.cend(); v.insert(v.begin(), w.cbegin(), last); return v[0] * 10 + v[3]; }",
        "int F(int a, int b = 3); int F(int a, int b) { return a * 10 + b; } int N() { return F(1); }",
        'int F(const std::string& a) { return 1; } int F(const std::vector<std::string>& a) { return 2; } int N() { std::vector<std::string> v{"a"}; return F(v) * 10 + F(v[0]); }',
        "int N() { const char* e = std::getenv(\"NOBODY_SETS_THIS\"); return e ? atoi(e) : 12; }", "int N() { int a[2] = {1}; return a[0] + a[1]; }",
        "int N() { int x = 1; int& y = x; y = 2; return x; }", "int N() { unsigned u = 0; --u; return u > 5; }", "int N() { uint8_t b = 255; b++; return b; }",
        "int N() { int8_t b = 127; b += 1; return b; }", "int N() { float f = 16777216; f += 1; return f == 16777216; }", "int N() { int x = 10; x /= 3; x <<= 2; x ^= 1; return x; }",
        "int N() { return ([] { return 6; })(); }", "int N(); int N() { return 14; }", "int N() { if (int k = 3) return k; return 0; }", "int N() { if (const int k = 3; k > 2) { return k; } else { return 0; } }",
        "int N() { do { return 1; } while (true); }", "int N() { int i = 3; do { --i; } while (i > 0); return i; }", "int N() { goto end; end: return 3; }",
        "int N() { int r = 0; for (int i = 0; i < 3; ++i) { for (int j = 0; j < 3; ++j) { if (j == 1) continue; if (i == 2) break; r += i * 3 + j; } } return r; }",
        "int N() { try { return 1; } catch (...) { return 2; } }", "int N() { bool a = 5; return a; }", "int N() { long long x = 1; x <<= 40; return x >> 38; }", "int N() { int a = 1, *p = &a; *p = 4; return a; }",
        "int N() { const auto& v = std::vector<int>{4, 5}; return v[0]; }", "int N() { int x = 5; auto y = x; y = 6; return x; }", "int N() { size_t n = std::string(\"ab\").size(); return n - 3 > 0; }",
        "int N() { using T = uint8_t; T t = 257; return t; }", "int N() { typedef int64_t L; return sizeof(L); }", "int N() { struct P { int a; }; return sizeof(P); }",
        "int N() { return sizeof(\"abc\"); }", "int N() { int x{3}; return x; }", "int N() { int x(3); return x; }", "int N() { const int x = {3}; return x; }",
    ):  # fmt: skip
        yield attr("int", "N()", f"inline {function}" if not function.startswith(("void", "constexpr")) else function)
    yield attr("int64_t", "N()", "inline uint32_t N() { return -1; }")
    yield attr(
        "std::string",
        "N()",
        'inline std::string N() { std::string s = "a"; s += "b"; s.push_back(\'c\'); return s + "d"; }',
    )
    yield attr("std::string", "N(2)", 'inline std::string N(int i) { return "x" + std::to_string(i); }')
    yield attr("std::string", 'N("q")', "inline std::string N(const std::string& s) { return s + s; }")
    yield attr("std::string", "N(true)", 'inline const char* N(bool b) { if (b) { return "yes"; } return "no"; }')
    yield attr(
        "std::vector<int>",
        "N()",
        "inline std::vector<int> N() { std::vector<int> v; for (int i = 0; i < 3; ++i) v.push_back(i * i); return v; }",
    )
    yield attr("std::vector<std::string>", "N()", 'inline std::vector<std::string> N() { return {"a", "b"}; }')


def _control():
    for body in (
        'for (auto& n : {"A", "B"}) AddInput(n, "");', 'for (const char* n : {"A", "B"}) { AddInput(n, "").AsDispensable(); }',
        'for (const std::string& n : std::vector<std::string>{"A", "B"}) { AddInput(n + "x", ""); }', 'for (int i = 0; i < 3; ++i) AddInput("X" + std::to_string(i), "");',
        'for (int i = 3; i > 0; i--) { AddOutput("O" + std::to_string(i), ""); }', 'for (size_t i = 0; i < 2; i += 1) { AddAttr<int>("a" + std::to_string(i), "").SetDefault(i * 2); }',
        'int i = 0; while (i < 2) { AddInput("X" + std::to_string(i++), ""); }', 'int i = 0; while (i < 2) { AddInput("X" + std::to_string(i), ""); ++i; }',
        'int i = 0; do { AddInput("X" + std::to_string(i), ""); i++; } while (i < 2);', 'if (kYes) { AddInput("A", ""); } else { AddInput("B", ""); }',
        'if (!kYes) AddInput("A", ""); else AddInput("B", "");', 'if (kNum > 2 && kYes) { AddInput("A", ""); } else if (kNum == 2) { AddInput("B", ""); } else { AddInput("C", ""); }',
        'if (kYes) { AddInput("A", ""); return; }\nAddInput("B", "");', 'if (kNum) return;\nAddInput("B", "");', 'switch (kNum) { case 1: AddInput("A", ""); break; case 2: AddInput("B", ""); default: AddInput("C", ""); }',
        'switch (kNum) { case 7: AddInput("A", ""); break; default: AddInput("D", ""); break; case 8: AddInput("E", ""); }', '{ AddInput("A", ""); { AddInput("B", ""); } }', ';;; AddInput("A", "");',
        'try { AddInput("A", ""); } catch (...) { AddInput("B", ""); }', 'for (auto n : {1, 2, 3}) { if (n == 2) continue; AddInput(std::to_string(n), ""); }',
        'for (auto n : {1, 2, 3}) { if (n == 2) break; AddInput(std::to_string(n), ""); }', 'std::vector<std::string> v = {"A"}; v.push_back("B"); for (auto& n : v) AddInput(n, "");',
        'std::string n = "A"; n += "B"; AddInput(n, "");', 'std::string n; n = "Z"; AddInput(n, "");', 'const auto n = std::string("A") + "B"; AddInput(n, "");', 'auto n = "A"; AddInput(n, ""); n = "B"; AddInput(n, "");',
        'const char* names[] = {"A", "B"}; for (auto n : names) AddInput(n, "");', 'const char* names[2] = {"A", "B"}; for (int i = 0; i < 2; ++i) AddInput(names[i], "");', 'std::array<int, 2> a = {1, 2}; AddAttr<int>("a", "").SetDefault(a[1]);',
        'auto& in = AddAttr<int>("a", ""); in.SetDefault(4);', 'auto in = AddInput("X", ""); in.AsDuplicable(); in.AsExtra();', 'auto in = AddInput("X", ""); if (kYes) in.AsDuplicable();', 'auto add = [this](const char* n) { AddInput(n, ""); }; add("A"); add("B");',
        'auto add = [&](int i) { AddInput(std::to_string(i), ""); }; for (int i = 0; i < 2; ++i) add(i);', 'auto* self = this; self->AddInput("A", "");', 'OpProtoAndCheckerMaker::AddInput("A", "");', '(*this).AddInput("A", "");', 'this->AddInput("A", ""), AddInput("B", "");',
        'kYes ? AddInput("A", "") : AddInput("B", "");', 'VLOG(3) << "hello"; AddInput("A", "");', 'PADDLE_ENFORCE(kYes, "no"); AddInput("A", "");', 'AddComment("x" + std::to_string(3)); AddInput("A", "");', 'static_assert(kNum == 2, ""); AddInput("A", "");', '(void)kNum; AddInput("A", "");',
        'std::ostringstream os; os << "a" << 3; AddInput("A", os.str());', 'std::ostringstream os; os << "a" << 3; AddInput(os.str(), "");', 'int n = kNum; n *= 3; n -= 1; AddAttr<int>("a", "").SetDefault(n);', 'unsigned n = 0; n--; AddAttr<int64_t>("a", "").SetDefault(n);',
        'for (int i = 0, j = 5; i < j; ++i, --j) AddInput(std::to_string(i * 10 + j), "");', 'for (auto& n : kNames) AddInput(n, "");', 'for (size_t i = 0; i < kNames.size(); ++i) AddInput(kNames[i], "");', 'std::set<std::string> s = {"b", "a"}; for (auto& n : s) AddInput(n, "");',
        'if (kNames.size() == 2) AddInput("A", "");', 'if (kNames[0] == "p") AddInput("A", "");', 'if (std::string("x") < "y") AddInput("A", "");', 'AddInput(kYes ? "A" : "B", "");', 'AddAttr<int>("a", "", true);', 'AddAttr<int>("a", "x", "y");', 'AddAttr<int>("a", "", kNum > 1);',
        'AddInput("A", "").AsDuplicable().AsDispensable().AsExtra();', 'AddAttr<int>("a", "").AsExtra().SetDefault(2).AsQuant();', 'AddOutput("A", "").AsIntermediate();', 'AddAttr<int>("a", "").SetDefault(2).EqualGreaterThan(0);', 'AddAttr<float>("a", "").SetDefault(2).AddCustomChecker([](const float& x) {});',
        'AddAttr<std::string>("a", "").SetDefault("x").InEnum({"x", "y"});', 'int x = 1, y = x + 1; AddAttr<int>("a", "").SetDefault(y);', 'using T = int64_t; AddAttr<T>("a", "").SetDefault(1);', 'typedef std::vector<int> V; AddAttr<V>("a", "").SetDefault({1});', 'const bool b = kNum == 2; if (b) { AddInput("A", ""); }',
        'if (kNum == 2)\n#ifdef NEVER\nAddInput("A", "");\n#else\nAddInput("B", "");\n#endif', 'std::string n("A"); std::string& m = n; m += "B"; AddInput(n, "");', 'AddInput({"A"}, "");', 'std::string names[2]; names[0] = "A"; AddInput(names[0], "");', 'AddInput(std::string(kNames[1]), "");',
        'for (int i = 0; i < 2; ++i) { static int n = 0; AddInput(std::to_string(n++), ""); }', 'int n = 0; auto inc = [&n] { ++n; }; inc(); AddAttr<int>("a", "").SetDefault(n);', 'goto end; AddInput("A", ""); end: AddInput("B", "");', 'while (true) { AddInput("A", ""); break; }', 'for (;;) { AddInput("A", ""); if (kYes) return; }',
    ):  # fmt: skip
        before = (
            'constexpr bool kYes = true;\nconst int kNum = 2;\nconst std::vector<std::string> kNames = {"p", "q"};\n'
        )
        yield Snippet(body, before)


def _helpers():
    common = "struct Common : public framework::OpProtoAndCheckerMaker {{ {} }};\n"
    for helper, body in (
        ('inline void AddCommon(framework::OpProtoAndCheckerMaker* m) { m->AddInput("C", ""); }', "AddCommon(this);"),
        ('inline void AddCommon(framework::OpProtoAndCheckerMaker& m) { m.AddInput("C", ""); }', "AddCommon(*this);"),
        ('inline void AddCommon(framework::OpProtoAndCheckerMaker* m, int d) { m->AddAttr<int>("c", "").SetDefault(d); }', "AddCommon(this, 3 + 1);"),
        ('inline void AddCommon(framework::OpProtoAndCheckerMaker* m, int d = 7) { m->AddAttr<int>("c", "").SetDefault(d); }', "AddCommon(this);"),
        ('template <typename T> void AddCommon(T* m) { m->AddInput("C", ""); }', "AddCommon(this);"),
        ('namespace util { inline void AddCommon(framework::OpProtoAndCheckerMaker* m) { m->AddInput("U", ""); } }\ninline void AddCommon(framework::OpProtoAndCheckerMaker* m) { m->AddInput("C", ""); }', "util::AddCommon(this);"),
        ('inline void In(framework::OpProtoAndCheckerMaker* m) { m->AddInput("I", ""); }\ninline void AddCommon(framework::OpProtoAndCheckerMaker* m) { In(m); m->AddOutput("O", ""); }', "AddCommon(this);"),
        ('struct Util { static void AddCommon(framework::OpProtoAndCheckerMaker* m) { m->AddInput("S", ""); } };', "Util::AddCommon(this);"),
        ('inline void AddCommon(framework::OpProtoAndCheckerMaker* m) { for (auto n : {"A", "B"}) m->AddInput(n, ""); }', 'AddCommon(this); AddInput("Z", "");'),
        ('inline int AddCommon(framework::OpProtoAndCheckerMaker* m) { m->AddInput("C", ""); return 4; }', 'AddAttr<int>("a", "").SetDefault(AddCommon(this));'),
        ('inline int AddCommon(framework::OpProtoAndCheckerMaker* m) { m->AddInput("C", ""); return 4; }', "int x = AddCommon(this); (void)x;"),
        ('inline std::string Name(int i) { return "n" + std::to_string(i); }', 'AddInput(Name(1), ""); AddInput(Name(2), "");'),
        ('inline void Flags(framework::Builder b) { b.AsDuplicable(); }', 'Flags(AddInput("X", ""));'),
        ('inline void Nothing() {}', 'Nothing(); AddInput("X", "");'),
        ('inline void Nothing(int) {}', 'Nothing(3); AddInput("X", "");'),
        ('template <typename T> void Typed(framework::OpProtoAndCheckerMaker* m) { m->AddAttr<T>("t", ""); }', "Typed<int>(this); "),
        ('template <typename T> void Typed(framework::OpProtoAndCheckerMaker* m, T d) { m->AddAttr<T>("t", "").SetDefault(d); }', "Typed<int64_t>(this, 3);"),
    ):  # fmt: skip
        yield Snippet(body, helper)
        yield Snippet(f'AddOutput("First", "");\n{body}', helper)
        yield Snippet(f"if (true) {{ {body} }}", helper)
        yield Snippet(body, header=f"#pragma once\nnamespace {{ns}} {{\n{helper}\n}}\n")
    for members, body in (
        ('void More() { AddInput("M", ""); }', 'More(); AddInput("Z", "");'), ('void More(int n) { AddInput("M" + std::to_string(n), ""); }', "More(1); More(2);"),
        ('void More() { AddInput("0", ""); }\nvoid More(int) { AddInput("1", ""); }', "More(1); More();"), ('std::string Name() { return "N"; }', 'AddInput(Name(), "");'),
        ('std::string Name() { AddInput("side", ""); return "N"; }', 'AddInput(Name(), "");'), ('static constexpr int kK = 3;\nint Get() const { return kK; }', 'AddAttr<int>("a", "").SetDefault(Get());'),
        ('static int Get() { return 4; }', 'AddAttr<int>("a", "").SetDefault(Get());'), ('static int Get() { return 4; }', 'AddAttr<int>("a", "").SetDefault(M::Get());'),
        ('int n_ = 5;', 'AddAttr<int>("a", "").SetDefault(n_);'), ('int n_ = 5;', 'n_ = 6; AddAttr<int>("a", "").SetDefault(n_);'), ('const int n_ = 5;', 'AddAttr<int>("a", "").SetDefault(n_);'),
        ('void More(const std::string& n, bool opt = false) { if (opt) { AddInput(n, "").AsDispensable(); } else { AddInput(n, ""); } }', 'More("A"); More("B", true);'),
        ('template <typename T> void Typed(const char* n) { AddAttr<T>(n, ""); }', 'Typed<int>("a"); Typed<float>("b");'), ('bool Is() { return false; }', 'if (Is()) { AddInput("A", ""); } AddInput("B", "");'),
        ('void Loop() { for (int i = 0; i < 2; ++i) More(i); }\nvoid More(int i) { AddInput(std::to_string(i), ""); }', "Loop();"), ('void More() { if (true) return; AddInput("M", ""); }', 'More(); AddInput("Z", "");'),
        ('framework::Builder In() { return AddInput("X", ""); }', "In().AsDuplicable();"), ('framework::Builder In() { return AddInput("X", ""); }', "In();"), ('void Self(M* m) { m->AddInput("S", ""); }', "Self(this);"),
    ):  # fmt: skip
        yield Snippet(body, members=members)
        yield Snippet(f'AddOutput("First", ""); {body.replace("More(", "this->More(")}', members=members)
    for base, body in (
        ('void Make() override { AddInput("Base", ""); Hook(); }\nvirtual void Hook() {}', None), ('void More() { AddInput("M", ""); }', 'More();'), ('virtual std::string Name() { return "base"; }\nvoid More() { AddInput(Name(), ""); }', "More();"),
        ('std::string Name() { return "base"; }\nvoid More() { AddInput(Name(), ""); }', "More();"), ('static constexpr int kK = 1;\nvoid More() { AddAttr<int>("m", "").SetDefault(kK); }', 'More(); AddAttr<int>("k", "").SetDefault(kK);'),
        ('void Make() override { AddInput("Base", ""); }', 'Common::Make(); AddInput("D", "");'),
    ):  # fmt: skip
        members = {
            "Hook": 'void Hook() override { AddInput("Hooked", ""); }', "virtual std": 'std::string Name() override { return "derived"; }',
            "std::string Name() { return": 'std::string Name() { return "derived"; }', "kK": "static constexpr int kK = 2;",
        }  # fmt: skip
        extra = next((text for key, text in members.items() if key in base), "")
        make = "" if body is None else f"void Make() override {{ {body} }}"
        derived = f"struct D : public Common {{ {extra} {make} }};\n"
        yield Snippet(
            "",
            common.format(base)
            + derived
            + 'struct Other : public Common { void Make() override { AddInput("other", ""); } };\n',
            after="}\nREGISTER_OPERATOR({ns}_d, {ns}::FOp, {ns}::D);\nnamespace {ns} {",
        )


def _templates():
    for cls, use in (
        ('template <typename T> struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<T>("t", "").SetDefault(T(3)); } };', "D<int>"),
        ('template <typename T> struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<T>("t", "").SetDefault(static_cast<T>(2.5)); } };', "D<float>"),
        ('template <typename T> struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<std::vector<T>>("t", "").SetDefault({}); } };', "D<int64_t>"),
        ('template <typename T> struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<T>("t", "").SetDefault(T{}); } };', "D<std::string>"),
        ('template <typename C> struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddInput(C::Name(), ""); } };\nstruct N1 { static std::string Name() { return "one"; } };', "D<{ns}::N1>"),
        ('template <typename C> struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddInput(C::kName, ""); } };\nstruct N1 { static constexpr char kName[] = "one"; };\nstruct N2 { static constexpr char kName[] = "two"; };', "D<{ns}::N2>"),
        ('template <int N> struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<int>("t", "").SetDefault(N); } };', "D<5>"),
        ('template <typename T> struct B : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<T>("t", ""); } };\nstruct D : public B<int64_t> {};', "D"),
        ('template <typename T> int Size() { return sizeof(T); }\nstruct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<int>("t", "").SetDefault(Size<double>()); } };', "D"),
        ('template <typename T> T Twice(T x) { return x + x; }\nstruct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<int>("t", "").SetDefault(Twice(4)); } };', "D"),
        ('template <typename T> T Twice(T x) { return x + x; }\nstruct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<int>("t", "").SetDefault(Twice<uint8_t>(200)); } };', "D"),
        ('template <typename T> struct V { static constexpr int k = 1; };\ntemplate <> struct V<int> { static constexpr int k = 2; };\nstruct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<int>("t", "").SetDefault(V<int>::k); } };', "D"),
        ('template <typename T> struct V { static constexpr int k = sizeof(T); };\nstruct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<int>("t", "").SetDefault(V<double>::k); } };', "D"),
        ('template <typename T> constexpr T kOne = T(1);\nstruct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<int>("t", "").SetDefault(kOne<int>); } };', "D"),
        ('namespace a1 { struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddInput("one", ""); } }; }\nnamespace b1 { struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddInput("two", ""); } }; }', "b1::D"),
        ('struct D : public framework::OpProtoAndCheckerMaker { void Make() override; };\nvoid D::Make() { AddInput("out", ""); }', "D"),
        ('namespace in { struct D : public framework::OpProtoAndCheckerMaker { void Make() override; }; const int k = 4; }\nconst int k = 3;\nvoid in::D::Make() { AddAttr<int>("t", "").SetDefault(k); }', "in::D"),
        ('struct Mix { static constexpr int kM = 6; };\nconst int kM = 7;\nstruct D : public framework::OpProtoAndCheckerMaker, public Mix { void Make() override { AddAttr<int>("t", "").SetDefault(kM); } };', "D"),
        ('#define BODY void Make() override { AddInput("macro", ""); }\nstruct D : public framework::OpProtoAndCheckerMaker { BODY };', "D"),
        ('#define CLASS_D struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddInput("macro", ""); } }\nCLASS_D;', "D"),
        ('struct O { static constexpr int k = 8; struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddAttr<int>("t", "").SetDefault(k); } }; };\nconst int k = 9;', "O::D"),
    ):  # fmt: skip
        yield Snippet(
            'AddInput("plain", "");',
            cls,
            after=f"}}\nREGISTER_OPERATOR({{ns}}_d, {{ns}}::FOp, {{ns}}::{use});\nnamespace {{ns}} {{",
        )


def _declarations():
    for kind in ("int32_t", "framework_alias", "L", "const int", "std::vector<L>", "Flag", "S::T"):
        before = (
            "using framework_alias = float;\ntypedef int64_t L;\nusing Flag = bool;\nstruct S { using T = double; };\n"
        )
        yield Snippet(f'AddAttr<{kind}>("a", "");' if "const" not in kind else 'AddAttr<int>("a", "");', before)
        if "vector" not in kind and "const" not in kind:
            yield Snippet(f'AddAttr<{kind}>("a", "").SetDefault(static_cast<{kind}>(1.9));', before)
    for kind, value in (
        ("uint32_t", "-1"), ("Small", "300"), ("in::Small", "300"), ("Small", "40000"), ("Wide", "1 << 20"), ("Real", "0.1"),
    ):  # fmt: skip
        before = "using Small = uint8_t;\nnamespace in { typedef int16_t Small; }\nusing Wide = Small;\nusing Real = float;\n"
        yield attr("int64_t", "kC", f"{before}const {kind} kC = static_cast<{kind}>({value});")
        yield attr("double", "kC", f"{before}const {kind} kC = static_cast<{kind}>({value});")
        yield attr("double", "kC", f"{before}static const {kind} kC = ({kind})({value}) ;")


def _traps():  # noqa: PLR0915 - one kind a line
    yield attr(
        "int",
        "static_cast<int>(E::A | E::B)",
        "enum class E { A = 1, B = 2 };\ninline E operator|(E, E) { return static_cast<E>(40); }",
    )
    yield attr("bool", "E::A == E::A && E::A < E::B", "enum class E { A = 1, B = 2 };")
    yield attr(
        "int",
        "Size<double>()",
        "template <typename T> int Size() { return 1; }\ntemplate <> int Size<double>() { return 2; }",
    )
    yield attr("int", "n_", members="M() : n_(7) {}\nconst int n_ = 5;")
    yield attr("int", "n_", members="static constexpr int n_ = 5;")
    for change in ("int b = F(&a); (void)b;", "int b = G(a); (void)b;", "auto inc = [&a] { ++a; }; inc();", "int& b = a; b = 7;", "int* p = &a; *p = 7;", "G(a);", "if (G(a)) { }",
                   "for (int i = 0; i < G(a); ++i) { }", "switch (G(a)) { default: ; }", "const int& c = a; a = 4; AddAttr<int>(\"c\", \"\").SetDefault(c);", "auto c = a; a = 4;",
                   "std::swap(a, z);", "a = G(a) + a;", "int b[] = {G(a)};", "int b{G(a)};", "std::vector<int> v; v.push_back(G(a));", "bool t = true || G(a); (void)t;",
                   "bool t = false && G(a); (void)t;", "int t = true ? 1 : G(a); (void)t;", "int t = (G(a), 3); (void)t;", "auto t = std::max(a, G(a)); (void)t;"):  # fmt: skip
        yield Snippet(
            f'int a = 1, z = 3;\n{change}\nAddAttr<int>("a", "").SetDefault(a);',
            "inline int F(int* p) { *p = 9; return 1; }\ninline int G(int& p) { p = 9; return 1; }",
        )
    alias = "struct Base : public framework::OpProtoAndCheckerMaker { using T = float; typedef int64_t L; enum class K { kV = 4 }; static int N() { return 6; } };\nusing T = int;\nusing L = int;\nenum class K { kV = 5 };\ninline int N() { return 7; }\n"
    for body in ('AddAttr<T>("a", "").SetDefault(static_cast<T>(1.5));', 'AddAttr<L>("a", "").SetDefault(1LL << 40);', 'AddAttr<int>("a", "").SetDefault(static_cast<int>(K::kV));', 'AddAttr<int>("a", "").SetDefault(N());',
                 'AddAttr<int>("a", "").SetDefault({ns}::N());'):  # fmt: skip
        yield Snippet(
            "",
            f"{alias}struct D : public Base {{ void Make() override {{ {body} }} }};",
            after="}\nREGISTER_OPERATOR({ns}_d, {ns}::FOp, {ns}::D);\nnamespace {ns} {",
        )
    yield Snippet("", 'template <typename T> struct D : public framework::OpProtoAndCheckerMaker { void Make() override { AddInput("generic", ""); } };\ntemplate <> struct D<int> : public framework::OpProtoAndCheckerMaker { void Make() override { AddInput("special", ""); } };',
                  after="}\nREGISTER_OPERATOR({ns}_d, {ns}::FOp, {ns}::D<int>);\nnamespace {ns} {")  # fmt: skip
    for macro in (
        "#define AddInput AddOutput\n",
        "#define AsDispensable AsDuplicable\n",
        "#define true false\n",
        "#define SetDefault(x) SetDefault(x + 1)\n",
        "#define int int64_t\n",
    ):
        body = 'AddInput("X", "").AsDispensable(); AddAttr<int>("a", "").SetDefault(true);'
        yield Snippet(body, macro)
        yield Snippet(body, header=macro)
    yield Snippet("", '#define Make Made\nstruct D : public framework::OpProtoAndCheckerMaker { virtual void Made() { AddInput("made", ""); } };\n#undef Make\nstruct E : public D { void Make() override { Made(); } };',
                  after="}\nREGISTER_OPERATOR({ns}_d, {ns}::FOp, {ns}::E);\nnamespace {ns} {")  # fmt: skip
    yield attr("int", "Fact(5)", "inline int Fact(int n) { return n <= 1 ? 1 : n * Fact(n - 1); }")
    yield attr("int", "Fact(5)", "inline int Fact(int n) { if (n <= 1) return 1; return n * Fact(n - 1); }")
    yield attr("int", "Next() + Next()", "static int counter = 0;\ninline int Next() { counter++; return counter; }")
    yield attr(
        "int", "kV[1]", "struct S { static const int kV[]; };\nconst int S::kV[] = {3, 4};\nconst int kV[] = {5, 6};"
    )
    yield attr(
        "int", "S::kV[1]", "struct S { static const int kV[]; };\nconst int S::kV[] = {3, 4};\nconst int kV[] = {5, 6};"
    )
    yield Snippet('enum { kA = 4 }; AddAttr<int>("a", "").SetDefault(kA);', "const int kA = 1;")
    yield Snippet(
        'struct S { static int F() { return 2; } }; AddAttr<int>("a", "").SetDefault(S::F());',
        "struct S { static int F() { return 1; } };",
    )
    yield Snippet('{ using namespace q; AddAttr<int>("a", "").SetDefault(kA); }', "namespace q { const int kA = 1; }")
    yield Snippet(
        'using q::kA; AddAttr<int>("a", "").SetDefault(kA);', "namespace q { const int kA = 1; }\nconst int kA = 2;"
    )
    yield Snippet(
        'namespace w = q; AddAttr<int>("a", "").SetDefault(w::kA);',
        "namespace q { const int kA = 1; }\nnamespace w { const int kA = 2; }",
    )
    yield Snippet(
        'extern int F(int); AddAttr<int>("a", "").SetDefault(F(1));',
        "inline int F(long) { return 1; }\n",
        after="int F(int) { return 2; }",
    )
    yield Snippet(
        'const auto [a, b] = std::array<int, 2>{1, 2}; AddAttr<int>("a", "").SetDefault(a);', "const int a = 9;"
    )
    yield Snippet('if (int a = 3; a > 2) { AddAttr<int>("a", "").SetDefault(a); }', "const int a = 9;")
    yield Snippet(
        'for (int a : {1, 2}) { AddAttr<int>("a" + std::to_string(a), "").SetDefault(a); }\nAddAttr<int>("b", "").SetDefault(a);',
        "const int a = 9;",
    )
    yield Snippet('int a = 1; { int a = 2; a = 3; } AddAttr<int>("a", "").SetDefault(a);')
    yield Snippet('int a = 1; { a = 3; } AddAttr<int>("a", "").SetDefault(a);')
    yield Snippet('int x = 5, y = x; x = 6; AddAttr<int>("a", "").SetDefault(y);')
    yield Snippet('std::string s = "ab"; s[0] = \'z\'; AddInput(s, "");')
    yield Snippet(
        'std::vector<int> v = {1}; auto& w = v; w.push_back(2); AddAttr<std::vector<int>>("a", "").SetDefault(v);'
    )
    yield Snippet(
        'std::vector<int> v = {3, 1}; std::sort(v.begin(), v.end()); AddAttr<std::vector<int>>("a", "").SetDefault(v);'
    )
    yield Snippet(
        'std::vector<std::string> v(2); v[0] = "x"; AddAttr<std::vector<std::string>>("a", "").SetDefault(v);'
    )
    yield Snippet("char c = 'a'; c++; AddInput(std::string(1, c), \"\");")
    yield Snippet("for (char c = 'a'; c < 'c'; ++c) AddInput(std::string(1, c), \"\");")
    yield Snippet("for (int i = 0; i < 2; ++i) { AddInput(std::string(1, 'a' + i), \"\"); }")
    yield Snippet('for (unsigned i = 1; i >= 0 && i < 5; --i) AddInput(std::to_string(i), "");')
    yield Snippet('auto x = 3.0f; AddAttr<double>("a", "").SetDefault(x / 7);')
    yield Snippet('bool done = false; while (!done) { AddInput("A", ""); done = true; }')
    yield Snippet('do { AddInput("A", ""); if (true) break; AddInput("B", ""); } while (true);')
    yield Snippet('do { AddInput("A", ""); continue; } while (false);')
    yield Snippet(
        'switch (1) { case 0: { AddInput("A", ""); break; } case 1: { AddInput("B", ""); } case 2: AddInput("C", ""); }'
    )
    yield Snippet(
        'switch (\'b\') { case \'a\': AddInput("A", ""); break; case \'b\': if (true) break; AddInput("B", ""); }\nAddInput("C", "");'
    )
    yield Snippet('for (int i = 0; i < 3; ++i) { switch (i) { case 1: continue; } AddInput(std::to_string(i), ""); }')
    yield Snippet('if constexpr (sizeof(int) == 4) { AddInput("A", ""); } else { AddInput("B", ""); }')
    yield Snippet('if (true) if (false) AddInput("A", ""); else AddInput("B", "");')
    yield Snippet(
        'ADDV(std::vector<int>, "a", (std::vector<int>{1, 2}));',
        '#define ADDV(T, n, ...) AddAttr<T>(n, "").SetDefault(__VA_ARGS__)\n',
    )
    yield Snippet(
        'ADD2("a", {1, 2});', '#define ADD2(n, ...) AddAttr<std::vector<int>>(n, "").SetDefault(__VA_ARGS__)\n'
    )
    yield Snippet('STMT(AddInput("A", ""); AddInput("B", "");)', "#define STMT(...) __VA_ARGS__\n")
    yield Snippet('IF_YES AddInput("A", "");', "#define IF_YES if (false)\n")
    yield Snippet('BEGIN AddInput("A", ""); END AddInput("B", "");', "#define BEGIN if (false) {\n#define END }\n")
    yield Snippet(
        'BEGIN AddInput("A", ""); END AddInput("B", "");', header="#define BEGIN if (false) {\n#define END }\n"
    )
    yield Snippet('AddInput("A", ""); LEAVE AddInput("B", "");', "#define LEAVE return;\n")
    yield Snippet('AddInput("A", ""); LEAVE(true); AddInput("B", "");', header="#define LEAVE(c) if (c) return\n")
    yield Snippet('// AddInput("no", "");\n/* AddInput("no", ""); */ AddInput("A", "/* no */");')
    yield Snippet('AddInput("A" /* "B" */, "" // "C"\n);')
    yield Snippet('AddInput("A", "\\\n");')
    yield Snippet('AddIn\\\nput("A", ""); Add\\\n\\\nAt\\\ntr<i\\\nnt>("a", "")\\\n.SetDefault(1\\\n2);')
    yield Snippet('BO\\\nTH("A");', '#define BO\\\nTH(x) AddIn\\\nput(x, ""); \\\n  AddInput("B", "")\n')
    yield Snippet('AddInput("A", ""); // \\\nAddInput("B", "");\nAddInput("C", "");')
    yield Snippet('#if 0\nAddInput("no", "");\n#elif 1\nAddInput("A", "");\n#else\nAddInput("no", "");\n#endif')
    yield Snippet('#if defined(NOPE) || (1 + 1 == 2 && !0)\nAddInput("A", "");\n#endif')
    yield Snippet('#if VAL(2) == 4\nAddInput("A", "");\n#else\nAddInput("B", "");\n#endif', "#define VAL(x) x + x\n")
    yield Snippet('#if -1 > 0u\nAddInput("A", "");\n#else\nAddInput("B", "");\n#endif')
    yield Snippet(
        '#if 7 / 2 * 2 == 6 && (1 << 3) == 8 && (5 & 4) && 1 ? 1 : 0\nAddInput("A", "");\n#else\nAddInput("B", "");\n#endif'
    )
    yield Snippet('#if \'a\' == 97\nAddInput("A", "");\n#else\nAddInput("B", "");\n#endif')
    yield Snippet('#if __cplusplus >= 201103L\nAddInput("A", "");\n#else\nAddInput("B", "");\n#endif')
    yield Snippet('#if 0x10 == 16 && 010 == 8 && 10L == 10\nAddInput("A", "");\n#else\nAddInput("B", "");\n#endif')
