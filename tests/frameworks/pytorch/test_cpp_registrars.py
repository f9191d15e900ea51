"""Ops that C++ code defines on behalf of other code: macros, functions, lambdas, loops and constants."""

from __future__ import annotations

import os

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.frameworks.pytorch.formats.schemas import dumps
from opspec_lint.lint.remarks import drop_unevaluated, new_remarks
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from tests.support.limited import processor_time

SOURCE = SOURCES.load("pytorch-source")
BOTH = "n::a(int x) -> ()\nn::b(int x) -> ()\n"


def read(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("_DOT_", ".")
        path.write_text(text)
    return SOURCE.spec(str(folder), Reading(environment=os.environ))


REGISTRARS = {
    "a constant": 'static constexpr char kA[] = "a(int x) -> ()";\nconst std::string kB{"b(int x) " "-> ()"};\n'
    "TORCH_LIBRARY(n, m) { m.def(kA); m.def(kB.c_str()); }",
    "a macro with the text": '#define A "a(int x) -> ()"\n#define TAIL "(int x) -> ()"\n'
    'TORCH_LIBRARY(n, m) { m.def(A); m.def("b" TAIL); }',
    "a macro that makes a string": "#define S_(x) #x\n#define S(x) S_(x)\n#define X x\n"
    'TORCH_LIBRARY(n, m) { m.def("a(int " S(X) ") -> ()"); m.def(S(b) "(int x) -> ()"); }',
    "a macro": '#define DEF(name) \\\n  m.def(#name "(int x) -> ()")\nTORCH_LIBRARY(n, m) {DEF(a);DEF(b);}',
    "a macro that is a library": '#define LIB(ns, ...) TORCH_LIBRARY(ns, m) { m.def(__VA_ARGS__ "(int x) -> ()"); }\n'
    'LIB(n, "a")\nTORCH_LIBRARY_FRAGMENT(n, f) { f.def("b(int x) -> ()"); }',
    "a function": 'static void add(torch::Library& lib) { lib.def("a(int x) -> ()"); }\n'
    "void put(torch::Library& l, const char* schema) { l.def(schema); }\n"
    'TORCH_LIBRARY(n, m) { add(m); put(m, "b(int x) -> ()"); }',
    "a function of a function": 'void put(torch::Library& l, std::string name) { l.def(name + "(int x) -> ()"); }\n'
    'void both(torch::Library& k) { put(k, "a"); put(k, "b"); }\nTORCH_LIBRARY(n, m) { both(m); }',
    "a lambda": "TORCH_LIBRARY(n, m) { auto put = [&](const char* s) { m.def(s); };\n"
    'put("a(int x) -> ()"); put("b(int x) -> ()"); }',
    "a loop over a list": 'TORCH_LIBRARY(n, m) { for (auto s : {"a(int x) -> ()", "b(int x) -> ()"}) { m.def(s); } }',
    "a loop over a constant": 'static const char* const kAll[] = {"a(int x) -> ()", "b(int x) -> ()",};\n'
    "TORCH_LIBRARY(n, m) { for (auto s : kAll) m.def(s); }",
    "a loop over places": 'const char* kAll[2] = {"a(int x) -> ()", "b(int x) -> ()"};\n'
    "TORCH_LIBRARY(n, m) { for (int i = 0; i < 2; ++i) { m.def(kAll[i]); } }",
    "a reference": "TORCH_LIBRARY(n, m) { auto& k = m; auto* p = &k;\n"
    'k.def("a(int x) -> ()"); p->def("b(int x) -> ()"); }',
    "torch::schema": "TORCH_LIBRARY(n, m) {\n"
    'm.def(torch::schema("a(int x) -> ()", c10::AliasAnalysisKind::PURE_FUNCTION));'
    'm.def(torch::schema("b(int x) -> ()")); }',
    "methods of a class, beside ops": "TORCH_LIBRARY(n, m) {\n"
    'm.class_<K>("K").def(torch::init<int64_t>()).def("seek", [](K& k) { k.go(); }).def("next", &K::next);'
    'm.def("a(int x) -> ()").def("b(int x) -> ()"); }',
    "items of a list": 'const char* kAll[] = {"a(int x) -> ()", "b(int x) -> ()"};\n'
    "TORCH_LIBRARY(n, m) { m.def(kAll[0]); m.def(kAll[1]); }",
}


@pytest.mark.parametrize("kind", REGISTRARS)
def test_what_a_registrar_defines_is_an_op(tmp_path, kind):
    spec = read(tmp_path, ops_DOT_cpp=REGISTRARS[kind])
    assert (dumps(spec), spec.remarks) == (BOTH, ())


def test_registrars_of_headers_are_read(tmp_path):
    spec = read(
        tmp_path,
        macros_DOT_h='#include "more.h"\n#define DEF(x) m.def(#x TAIL)\n',
        more_DOT_h='#define TAIL "(int x) -> ()"\n',
        helper_DOT_cpp='const char* kB = "b(int x) -> ()";\nvoid put(torch::Library& l, const char* s) { l.def(s); }',
        ops_DOT_cpp='#include "macros.h"\nTORCH_LIBRARY(n, m) {\n  DEF(a);\n  put(m, kB);\n  unknown(m);\n}',
    )
    assert dumps(spec) == BOTH
    assert [op.origin.place for op in spec.ops.values()] == ["ops.cpp:3", "ops.cpp:4"]
    assert [(remark.origin.place, remark.name) for remark in spec.remarks] == [("ops.cpp:5", "unknown()")]


def test_an_include_finds_the_header_in_the_folder_of_its_file_first(tmp_path):
    for folder, macros in (("a", ""), ("b", '#include "../tail.h"\n')):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "common.h").write_text(macros)
    (tmp_path / "tail.h").write_text('#define TAIL "(int x) -> ()"\n')
    (tmp_path / "b/ops.cpp").write_text(
        '#include "common.h"\nTORCH_LIBRARY(n, m) { m.def("a" TAIL); m.def("b" TAIL); }'
    )
    assert dumps(read(tmp_path)) == BOTH


TEMPLATE = """TORCH_LIBRARY(n, m) {
  {%- set op_name = "lookup_{}_{}".format(kind, optimizer) %}
  {%- set name = op_name + "_cuda" %}
  m.def("%s("
    {%% if dense %%}
    "Tensor a) -> Tensor");
}
"""
UNKNOWN_SCHEMAS = {
    "a name": ('TORCH_LIBRARY(n, m) { m.def("f(" ARGS ") -> Tensor"); }', "n::f", "n::f"),
    "a sum": ('TORCH_LIBRARY(n, m) { m.def("f(Tensor x" + rest); }', "n::f", "n::f"),
    "a part of a name": ('TORCH_LIBRARY(n, m) { m.def("f" SUFFIX "() -> Tensor"); }', "f SUFFIX () -> Tensor", None),
    "a template": (
        TEMPLATE.replace("%s", "{{ op_name }}").replace("%%", "%"),
        "n::lookup_{{ kind }}_{{ optimizer }}",
        None,
    ),
    "a sum in a template": (
        TEMPLATE.replace("%s", "{{ name }}_{{ x }}").replace("%%", "%"),
        "n::lookup_{{ kind }}_{{ optimizer }}_cuda_{{ x }}",
        None,
    ),
    "a variable that is not known": (
        TEMPLATE.replace('op_name + "_cuda"', "f(op_name)").replace("%s", "{{ name }}").replace("%%", "%"),
        "n::{{ name }}",
        None,
    ),
}


@pytest.mark.parametrize(("text", "name", "op"), UNKNOWN_SCHEMAS.values(), ids=UNKNOWN_SCHEMAS)
def test_an_op_whose_schema_is_no_literal_has_its_name(tmp_path, text, name, op):
    spec = read(tmp_path, ops_DOT_cpp=f'{text}\nTORCH_LIBRARY(k, m) {{ m.def("b() -> ()"); }}')
    assert [(remark.name, remark.op) for remark in spec.remarks] == [(name, op)]


def test_types_of_the_tree_are_resolved(tmp_path):
    spec = read(
        tmp_path,
        types_DOT_h="using fptr_t = int64_t;\ntypedef std::tuple<std::string, fptr_t> pair_t;\n",
        ops_DOT_cpp="fptr_t f(const std::vector<fptr_t>& x, pair_t y, c10::Dict<std::string, pair_t> z) { return 0; }\n"
        'TORCH_LIBRARY(n, m) { m.def("f", &f); }',
    )
    assert dumps(spec) == "n::f(int[] _0, (str, int) _1, Dict(str, (str, int)) _2) -> int _0\n"


SIGNATURES = {
    "a type behind the parameters": "auto f(int64_t x, const std::vector<std::vector<std::string>>& y)\n"
    "    -> std::tuple<at::Tensor, int64_t>;",
    "names of types in namespaces": "namespace a::b { using Number = int64_t; }\n"
    "std::tuple<torch::Tensor, a::b::Number> f(::a::b::Number x, std::vector<std::vector<std::string>> y) {}",
}


@pytest.mark.parametrize("kind", SIGNATURES)
def test_the_type_of_a_function_is_its_schema(tmp_path, kind):
    spec = read(tmp_path, ops_DOT_cpp=f'{SIGNATURES[kind]}\nTORCH_LIBRARY(n, m) {{ m.def("f", &f); }}')
    assert (dumps(spec), spec.remarks) == ("n::f(int _0, str[][] _1) -> (Tensor _0, int _1)\n", ())


def test_an_unresolved_declaration_is_not_a_removal(tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    second = 'TORCH_LIBRARY_FRAGMENT(n, m) { m.def("c() -> ()"); }'
    text = 'TORCH_LIBRARY(n, m) {{ m.def({}); m.def("b() -> ()"); }}'
    base = read(tmp_path / "old", ops_DOT_cpp=text.format('"a() -> ()"'), other_DOT_cpp=second)
    head = read(tmp_path / "new", ops_DOT_cpp=text.format("schema_of(A)"), other_DOT_cpp="TORCH_LIBRARY(x, m) {}")
    assert [fact.op for fact in drop_unevaluated(diff(base, head), base, head) if fact.event == "op_removed"] == [
        "n::c"
    ]
    gone = read(tmp_path / "new", ops_DOT_cpp=text.format("schema_of(A)").replace('m.def("b() -> ()");', ""))
    assert [fact.op for fact in drop_unevaluated(diff(head, gone), head, gone) if fact.event == "op_removed"] == [
        "n::b"
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('struct R { torch::Library& l; };\nTORCH_LIBRARY(n, m) { R{m}.add("a(int x) -> ()"); }', "R{m}"),
        ('TORCH_LIBRARY(n, m) {}\ntorch::Library extra(torch::Library::FRAGMENT, "n", x);', "a torch::Library"),
        ('TORCH_LIBRARY(n, m) {\n#include "ops.inc"\n}', "ops.cpp:2"),
        ('void add(torch::Library& l) {\n#include "ops.inc"\n} TORCH_LIBRARY(n, m) { add(m); }', "ops.cpp:2"),
    ],
)
def test_ops_that_are_not_followed_are_remarks(tmp_path, text, name):
    spec = read(tmp_path, ops_DOT_cpp=text)
    assert [(remark.event, remark.name, remark.origin.line) for remark in spec.remarks] == [("op_unresolved", name, 2)]
    dead = read(tmp_path, ops_DOT_cpp=f'#if 0\n{text}\n#endif\nTORCH_LIBRARY(n, m) {{ m.def("b() -> ()"); }}')
    assert dead.remarks == ()


A = 'm.def("a(int x) -> ()");'
LIBRARY = f"TORCH_LIBRARY(n, m) {{ {A} }}"
DEAD = "never"
IN_TURN = """#define OP(x) m.impl(#x, &x);
TORCH_LIBRARY(n, m) {
#include "ops.def"
#undef OP
#define OP(x) m.def(#x "(int x) -> ()");
#include "ops.def"
}
"""
INCLUDED = {
    "statements": ('TORCH_LIBRARY(n, m) {\n#include "ops.inc"\n}', "ops.inc", A, None),
    "statements of a function": (
        'void add(torch::Library& m) {\n#include "ops.inc"\n} TORCH_LIBRARY(n, l) { add(l); }',
        "ops.inc",
        A,
        None,
    ),
    "statements of a header": ('TORCH_LIBRARY(n, m) {\n#include "ops.h"\n}', "ops.h", A, None),
    "a list": (
        '#define OP(x) m.def(#x "(int x) -> ()");\nTORCH_LIBRARY(n, m) {\n#include "ops.def"\n}',
        "ops.def",
        "OP(a)",
        None,
    ),
    "a list with two macros in turn": (
        IN_TURN,
        "ops.def",
        "OP(a)",
        None,
    ),
    "a block": ('#include "ops.h"\n', "ops.h", f"#pragma once\n{LIBRARY}", None),
    "a block with a guard": ('#include "ops.h"\n', "ops.h", f"#ifndef OPS_H\n#define OPS_H\n{LIBRARY}\n#endif\n", None),
    "a block on a condition": ('#ifdef ON\n#include "ops.h"\n#endif\n', "ops.h", LIBRARY, (("defined(ON)",),)),
    "a block in a dead branch": ('#if 0\n#include "ops.h"\n#endif\n', "ops.h", LIBRARY, DEAD),
    "another source": ('#include "more.cpp"\n', "more.cpp", LIBRARY, None),
}


@pytest.mark.parametrize("case", INCLUDED)
def test_ops_of_included_files_are_those_of_the_source(tmp_path, case):
    text, name, included, condition = INCLUDED[case]
    setup = 'setup(ext_modules=[CppExtension("n", ["ops.cpp"])], extra_compile_args=["-DON"])'
    text += 'TORCH_LIBRARY_FRAGMENT(n, other) { other.def("b() -> ()"); }'
    spec = read(tmp_path, ops_DOT_cpp=text, setup_DOT_py=setup, **{name.replace(".", "_DOT_"): included})
    line = next(number for number, text in enumerate(included.splitlines(), 1) if "def(" in text or "OP(" in text)
    ops = {op.name: (op.origin.place, op.declared_if) for op in spec.ops.values() if op.name != "n::b"}
    assert (ops, spec.remarks) == ({} if condition == DEAD else {"n::a": (f"{name}:{line}", condition)}, ())


def test_a_source_that_is_a_link_has_the_ops_of_its_target(tmp_path):
    (tmp_path / "f.cpp").symlink_to("real.txt")
    spec = read(tmp_path, real_DOT_txt=LIBRARY, setup_DOT_py='CppExtension("n", ["f.cpp"])')
    assert (spec.ops["n::a"].origin.place, spec.ops["n::a"].declared_if) == ("real.txt:1", None)


KEEPS = "struct Reg { torch::Library& lib; void add(const char* s) { lib.def(s); } };\n"
UNFOLLOWED = {
    "an object that keeps the library": (KEEPS + 'TORCH_LIBRARY(n, m) { Reg{m}.add("f(int x) -> ()"); }', "int x"),
    "a variable that keeps the library": (
        KEEPS + 'TORCH_LIBRARY(n, m) { Reg r{m}; m.def("g() -> ()"); r.add("f(int x) -> ()"); }',
        "int x",
    ),
    "the class that keeps the library": (
        'struct Reg { Reg(torch::Library& l) { l.def("f(int x) -> ()"); } };\nTORCH_LIBRARY(n, m) { Reg r{m}; }',
        "int x",
    ),
    "a torch::Library": (
        'torch::Library lib(torch::Library::FRAGMENT, "n", {}, "", 1);\nstatic auto& r = lib.def("f(int x) -> ()");',
        "int x",
    ),
    "a constant of a torch::Library": (
        (
            'torch::Library lib(torch::Library::FRAGMENT, "n", {}, "", 1);\n'
            'const char* kF = "f(int x) -> ()";\nstatic auto& r = lib.def(kF);'
        ),
        "int x",
    ),
    "a function of a torch::Library": (
        (
            'void f(int64_t x) {}\ntorch::Library lib(torch::Library::DEF, "n", {}, "", 1);\n'
            'static auto& r = lib.def("f", &f);'
        ),
        "int64_t x",
    ),
    "a function that takes a torch::Library": (
        (
            'static int add(torch::Library& l) { l.def("f(int x) -> ()"); return 0; }\n'
            'torch::Library lib(torch::Library::DEF, "n", {}, "", 1);\nstatic int done = add(lib);'
        ),
        "int x",
    ),
    "the arguments of an unknown function": ('TORCH_LIBRARY(n, m) { elsewhere(m, "f(int x) -> ()"); }', "int x"),
}


@pytest.mark.parametrize("kind", UNFOLLOWED)
def test_a_change_of_what_is_not_followed_is_new(tmp_path, kind):
    text, argument = UNFOLLOWED[kind]
    base = read(tmp_path, ops_DOT_cpp=f"void kernel() {{ old(); }}\n{text}")
    moved = read(tmp_path, ops_DOT_cpp=f"void kernel() {{ changed(); }}\n\n{text}")
    head = read(tmp_path, ops_DOT_cpp=text.replace(argument, f"{argument}, {argument.replace('x', 'y')}"))
    assert {fact.event for fact in new_remarks(base, moved)} == {"op_still_unresolved"}
    assert {fact.event for fact in new_remarks(base, head)} == {"op_unresolved"}


@pytest.mark.parametrize("loop", ["for()", "for() {", "for(x)", "for (auto s : ", "for (auto s : {)"])
def test_a_loop_without_an_end_keeps_the_ops_before_it(tmp_path, loop):
    spec = read(tmp_path, ops_DOT_cpp=f'TORCH_LIBRARY(n, m) {{\nm.def("a(int x) -> ()"); {loop}')

    assert list(spec.ops) == ["n::a"]


def test_overloads_that_call_overloads_are_followed_up_to_a_limit(tmp_path):
    functions = [
        f"void f{level}(torch::Library& m, T{kind} x) {{ f{level + 1}(m, x); }}\n"
        for level in range(5)
        for kind in range(20)
    ]

    with processor_time():
        spec = read(tmp_path, ops_DOT_cpp="".join(functions) + "TORCH_LIBRARY(n, m) { f0(m, y); }")

    assert "the function that defines ops is one of too many" in {remark.facts["reason"] for remark in spec.remarks}
