"""Schemas that a source declares under unknown conditions."""

from __future__ import annotations

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.frameworks.pytorch.extract.cpp import Registrations
from opspec_lint.frameworks.pytorch.extract.cpp_source import Tree
from opspec_lint.frameworks.pytorch.framework import family
from opspec_lint.frameworks.pytorch.schemas.table import Line, spec_of
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.references import resolve
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.canonical import dumps
from opspec_lint.spec.condition import ALWAYS, negation, requirement, show
from opspec_lint.spec.model import Provenance
from tests.support.unreached import ALIVE, DEAD, EXPRESSIONS, KINDS, UNKNOWN, with_statement

IF_A = requirement("defined(A)")
IF_B = requirement("defined(B)")


def spec(*conditions, text="a::f(Tensor x) -> Tensor"):
    lines = [
        Line(text, "f.cc", 10 * n, condition=condition, condition_line=10 * n - 1)
        for n, condition in enumerate(conditions, 1)
    ]
    return spec_of(lines, "tree", Provenance(framework="pytorch", made_by="pytorch-source"))


@pytest.mark.parametrize(
    ("base", "head", "event"),
    [
        ([ALWAYS], [IF_A], "op_condition_added"),
        ([IF_A], [ALWAYS], "op_condition_dropped"),
        ([IF_A], [IF_B], "op_condition_added"),
        ([IF_A], [IF_A, IF_B], "op_condition_dropped"),
        ([ALWAYS], [IF_A, negation(IF_A)], None),
        ([ALWAYS], [IF_A, ALWAYS], None),
        ([IF_A, IF_B], [IF_B, IF_A], None),
        ([None], [IF_A], None),
    ],
)
def test_a_condition_is_compared(base, head, event):
    facts = [fact for fact in diff(spec(*base), spec(*head)) if fact.kind == "op"]
    assert [fact.event for fact in facts] == ([event] if event else [])
    if event:
        assert facts[0].origins[1].place == "f.cc:9"


FALSE_ASSERTION = "static_assert(false);\n"
DEF = 'm.def("f(Tensor x) -> Tensor");'
OF_FILES = {
    "a redefined macro": (
        "#define TORCH_LIBRARY(...) static void f(torch::Library& m)\nTORCH_LIBRARY(a, m) { {R} }",
        DEAD,
    ),
    "a macro without registration": ("#define TORCH_LIBRARY(...) void g()\nTORCH_LIBRARY(a, m) { {R} }", DEAD),
    "a macro of the same kind": (
        "#define MY_TORCH_LIBRARY(a, m) TORCH_LIBRARY(a, m)\nTORCH_LIBRARY(a, m) { {R} }",
        ALIVE,
    ),
    "a macro that is undefined": (
        "#define TORCH_LIBRARY(...)\n#undef TORCH_LIBRARY\nTORCH_LIBRARY(a, m) { {R} }",
        ALIVE,
    ),
    "a library in #if 0": ("#if 0\nTORCH_LIBRARY(a, m) { {R} }\n#endif", DEAD),
    "a library in a build": ("#ifdef SWITCH\nTORCH_LIBRARY(a, m) { {R} }\n#endif", UNKNOWN),
    "a variable in place of the library": ("TORCH_LIBRARY(a, m) { Fake m; {R} }", DEAD),
    "a variable in another block": ("TORCH_LIBRARY(a, m) { { Fake m; } {R} }", ALIVE),
    "a parameter in place of the library": ("TORCH_LIBRARY(a, m) { [](auto& m) { {R} }(fake); }", UNKNOWN),
    "a registry in #if 0": (
        '#if 0\nstatic auto r = torch::RegisterOperators("a::f(Tensor x) -> Tensor", &f);\n#endif',
        DEAD,
    ),
    "a registry": ('static auto r = torch::RegisterOperators("a::f(Tensor x) -> Tensor", &f);', ALIVE),
    "a registry in a function that nothing calls": (
        'static void g() { static auto r = torch::RegisterOperators("a::f(Tensor x) -> Tensor", &f); }',
        DEAD,
    ),
    "a registry in a called function": (
        'int g() { static auto r = torch::RegisterOperators("a::f(Tensor x) -> Tensor", &f); return 1; } int n = g();',
        ALIVE,
    ),
}
REGISTRY = 'static inline auto r = torch::RegisterOperators("a::f(Tensor x) -> Tensor", &f);'
OF_CLASSES = {
    "a member of a class": (f"struct S {{ {REGISTRY} }};", ALIVE),
    "a member of a template": (f"template <class T> struct S {{ {REGISTRY} }};", UNKNOWN),
    "a member of a class in a template": (f"template <int N> struct T {{ struct S {{ {REGISTRY} }}; }};", UNKNOWN),
    "a member of a specialization": (f"template <> struct S<int> {{ {REGISTRY} }};", ALIVE),
    "a failed assertion": (f"{FALSE_ASSERTION}{REGISTRY}", DEAD),
    "a failed assertion in #if 0": (f"#if 0\n{FALSE_ASSERTION}#endif\n{REGISTRY}", ALIVE),
    "a failed assertion in a build": (f"#ifdef SWITCH\n{FALSE_ASSERTION}#endif\n{REGISTRY}", UNKNOWN),
    "a failed assertion in a template": (f"template <class T> struct S {{ {FALSE_ASSERTION} }};\n{REGISTRY}", ALIVE),
}
OF_CALLS = {
    "a parameter that is true": ("void add(Library& m, bool on = false) {{ if (on) {R} }}", "add(m, true);", ALIVE),
    "a parameter that is false": ("void add(Library& m, bool on) {{ if (on) {R} }}", "add(m, false);", DEAD),
    "a parameter that is not given": ("void add(Library& m, bool on = false) {{ if (on) {R} }}", "add(m);", DEAD),
    "a negated parameter": ("void add(Library& m, bool off = false) {{ if (!off) {R} }}", "add(m);", ALIVE),
    "a number": ("void add(Library& m, int n) {{ if (n > 2) {R} }}", "add(m, 3);", ALIVE),
    "a number that is too small": ("void add(Library& m, int n) {{ if (n > 2) {R} }}", "add(m, 2);", DEAD),
    "a parameter that is not known": ("void add(Library& m, bool on) {{ if (on) {R} }}", "add(m, flag());", UNKNOWN),
    "a parameter that changes": ("void add(Library& m, bool on) {{ on = x(); if (on) {R} }}", "add(m, true);", UNKNOWN),
    "two calls": ("void add(Library& m, bool on) {{ if (on) {R} }}", "add(m, false); add(m, true);", ALIVE),
    "an overload for texts": (
        "void add(Library& m, const char* s) {{ {R} }} void add(Library& m, int n) {{}}",
        "add(m, 1);",
        DEAD,
    ),
    "an overload for numbers": (
        "void add(Library& m, const char* s) {{}} void add(Library& m, int n) {{ {R} }}",
        "add(m, 1);",
        ALIVE,
    ),
    "an overload that is not known": (
        "void add(Library& m, A) {{ {R} }} void add(Library& m, B) {{}}",
        "add(m, x);",
        UNKNOWN,
    ),
    "an overload with more parameters": (
        "void add(Library& m, int n) {{ {R} }} void add(Library& m) {{}}",
        "add(m);",
        DEAD,
    ),
    "functions of two builds": (
        "#ifdef SWITCH\nvoid add(Library& m) {{ {R} }}\n#else\nvoid add(Library& m) {{ {R} }}\n#endif\n",
        "add(m);",
        ALIVE,
    ),
    "a constraint": (
        "template <class L> requires (sizeof(L) == 1) void add(L& m) {{ {R} }}\ntemplate <class L> void add(L& m) {{}}",
        "add(m);",
        UNKNOWN,
    ),
    "a weak function": ("__attribute__((weak)) void add(Library& m) {{ {R} }}", "add(m);", UNKNOWN),
}

LIBRARY_KINDS = {**KINDS, **EXPRESSIONS}


def check_lines(text, expected):
    lines = list(Registrations(with_statement(text, DEF), "f.cpp", Tree({}, lambda name: name == "SWITCH")).read())
    if expected == DEAD:
        assert lines == []
        return
    op = spec_of(lines, "tree", Provenance(framework="pytorch")).ops["a::f"]
    assert (op.declared_if is None) is (expected == ALIVE), op.declared_if and show(op.declared_if)


@pytest.mark.parametrize(("text", "expected"), LIBRARY_KINDS.values(), ids=LIBRARY_KINDS)
def test_a_definition_in_a_library(text, expected):
    check_lines(f"TORCH_LIBRARY(a, m) {{\n{text}\n}}\n", expected)


@pytest.mark.parametrize(("text", "expected"), OF_FILES.values(), ids=OF_FILES)
def test_a_definition_in_a_file(text, expected):
    check_lines(text, expected)


@pytest.mark.parametrize(("text", "expected"), OF_CLASSES.values(), ids=OF_CLASSES)
def test_a_definition_in_a_class(text, expected):
    check_lines(text, expected)


@pytest.mark.parametrize(("functions", "calls", "expected"), OF_CALLS.values(), ids=OF_CALLS)
def test_a_definition_in_a_called_function(functions, calls, expected):
    check_lines(f"{functions.replace('{{', '{').replace('}}', '}')}\nTORCH_LIBRARY(a, m) {{ {calls} }}\n", expected)


FILE = f"TORCH_LIBRARY(a, m) {{ {DEF} }}\n"


@pytest.mark.parametrize(
    ("files", "condition"),
    [
        ({"csrc/f.cpp": FILE}, None),
        ({"csrc/f.cpp": FILE, "setup.py": "CUDAExtension('a', ['csrc/f.cpp'])"}, None),
        ({"csrc/f.cpp": FILE, "setup.py": "CUDAExtension('a', glob.glob('csrc/*.cpp'))"}, None),
        ({"csrc/f.cpp": FILE, "setup.py": "CUDAExtension('a', ['csrc/g.cpp'])"}, "a build compiles `csrc/f.cpp`"),
        (
            {
                "csrc/f.cpp": FILE,
                "setup.py": "CUDAExtension('a', ['csrc/g.cpp'])",
                "csrc/CMakeLists.txt": "add_library(a f.cpp)",
            },
            "`setup.py` compiles `csrc/f.cpp`",
        ),
        ({"docs/f.cpp": FILE}, "a build compiles `docs/f.cpp`"),
        (
            {"csrc/f.cpp": FILE.replace(DEF, f"\n#ifndef SMALL\n{DEF}\n#endif\n"), "csrc/f.h": "#define SMALL"},
            "not defined(SMALL)",
        ),
        ({"csrc/f.cpp": FILE.replace(DEF, f"\n#ifndef SMALL\n{DEF}\n#endif\n")}, None),
        ({"csrc/f.cpp": FILE.replace(DEF, f'\n#if __has_include("../g.h")\n{DEF}\n#endif\n'), "g.h": ""}, None),
        (
            {"csrc/f.cpp": FILE.replace(DEF, f'\n#if __has_include("g.h")\n{DEF}\n#endif\n'), "g.h": ""},
            '__has_include("g.h")',
        ),
        ({"csrc/f.cpp": FILE.replace(DEF, f"\n#ifdef USE_ROCM\n{DEF}\n#endif\n")}, "defined(USE_ROCM)"),
    ],
)
def test_a_file_of_a_tree(files, condition, tmp_path):
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    op = SOURCES.load("pytorch-source").spec(str(tmp_path), Reading(caches=False)).ops["a::f"]
    assert (op.declared_if and show(op.declared_if)) == condition


SETUP = {"setup.py": "CUDAExtension('a', ['f.cpp', 'g.cpp'])"}
FRAGMENT = FILE.replace("TORCH_LIBRARY", "TORCH_LIBRARY_FRAGMENT")


@pytest.mark.parametrize(
    ("files", "places"),
    [
        ({"f.cpp": FILE, "g.cpp": FRAGMENT, **SETUP}, ["g.cpp:1"]),
        ({"f.cpp": FILE.replace(DEF, ""), "g.cpp": FILE, **SETUP}, ["g.cpp:1"]),
        ({"f.cpp": FILE.replace(DEF, f"{DEF}\n{DEF}"), **SETUP}, ["f.cpp:2"]),
        ({"f.cpp": FILE.replace(DEF, f"\n#if A\n{DEF}\n#else\n{DEF}\n#endif\n"), **SETUP}, []),
        ({"f.cpp": FILE, "g.cpp": FRAGMENT}, []),
        ({"f.cpp": FILE, "g.cpp": FRAGMENT, "setup.py": "CUDAExtension('a', ['f.cpp']); C('b', ['g.cpp'])"}, []),
        ({"f.cpp": FILE, "g.cpp": FILE.replace("(a,", "(b,"), **SETUP}, []),
    ],
)
def test_what_pytorch_refuses_to_load_twice_is_a_remark(files, places, tmp_path):
    for path, text in files.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    remarks = SOURCES.load("pytorch-source").spec(str(tmp_path), Reading(caches=False)).remarks
    assert [(remark.event, remark.origin.place) for remark in remarks] == [("op_unresolved", place) for place in places]


def test_a_build_file_that_cannot_be_parsed_is_reported_with_its_line(tmp_path):
    for path, text in {"f.cpp": FILE, "g.cpp": "", "setup.py": "x = ['f.cpp', 'g.cpp']\nprint 'x'\n"}.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    spec = SOURCES.load("pytorch-source").spec(str(tmp_path), Reading(caches=False))
    assert [(remark.name, remark.origin.place) for remark in spec.remarks] == [("setup.py", "setup.py:2")]
    assert spec.ops["a::f"].declared_if is None


PLAIN, WITH_N, WITH_Z = (f"a::f(Tensor x{more}) -> Tensor" for more in ("", ", int n", ", int z"))
NOT_A = negation(IF_A)
VARIANT = "a::f [defined(A)]"


def by_build(*declared):
    lines = [
        Line(text, "f.cc", n, condition=condition, condition_line=n) for n, (condition, text) in enumerate(declared)
    ]
    return spec_of(lines, "tree", Provenance(framework="pytorch", made_by="pytorch-source"))


@pytest.mark.parametrize(
    ("base", "head", "events"),
    [
        ([(IF_A, PLAIN), (NOT_A, WITH_N)], [(NOT_A, WITH_N), (IF_A, PLAIN)], set()),
        ([(IF_A, PLAIN), (NOT_A, WITH_N)], [(IF_A, WITH_Z), (NOT_A, WITH_N)], {(VARIANT, "schema_argument_added")}),
        ([(IF_A, PLAIN), (NOT_A, PLAIN)], [(IF_A, WITH_N), (NOT_A, PLAIN)], {(VARIANT, "schema_argument_added")}),
        ([(IF_A, PLAIN), (NOT_A, WITH_N)], [(ALWAYS, WITH_N)], {(VARIANT, "schema_argument_added")}),
        (
            [(IF_A, PLAIN), (NOT_A, PLAIN)],
            [(NOT_A, PLAIN)],
            {("a::f", "op_condition_added")},
        ),
        (
            [(IF_A, PLAIN), (NOT_A, WITH_N)],
            [(IF_A, PLAIN)],
            {("a::f", "op_condition_added"), ("a::f", "schema_argument_removed")},
        ),
        ([(IF_A, PLAIN), (IF_B, WITH_N)], [(IF_A, PLAIN), (IF_B, WITH_N)], {("a::f", "op_still_unresolved")}),
        ([(IF_A, PLAIN), (IF_B, WITH_N)], [(IF_A, PLAIN), (IF_B, WITH_Z)], {("a::f", "op_unresolved")}),
        ([(ALWAYS, PLAIN), (ALWAYS, WITH_N)], [(ALWAYS, PLAIN), (ALWAYS, WITH_Z)], {("a::f", "op_unresolved")}),
        ([(ALWAYS, PLAIN), (ALWAYS, WITH_N), (ALWAYS, WITH_Z)],) * 2 + ({("a::f", "op_still_unresolved")},),
    ],
    ids=[
        "in another order",
        "changed in one build",
        "different since head",
        "equal since head",
        "lost in a build",
        "lost in the other build",
        "both in one build",
        "one of both changed",
        "without a condition",
        "three in one build",
    ],
)
def test_different_declarations_are_compared_build_by_build(base, head, events):
    findings = check(by_build(*base), by_build(*head), PROFILES.load("pytorch")).findings
    assert {(finding.op, finding.rule) for finding in findings} == events
    assert {finding.level for finding in findings} <= {"note" if "still" in str(events) else "error"}


TWO = "setup(ext_modules=[CppExtension('a', ['cpu.cpp']), CUDAExtension('a_cuda', ['cuda.cpp'])])"
CHOSEN = "CUDAExtension('a', ['cuda.cpp']) if torch.cuda.is_available() else CppExtension('a', ['cpu.cpp'])"
BY_BRANCH = """
if CUDA:
    sources = [here / 'cuda.cpp']
else:
    sources = [os.path.join(here, 'cpu.cpp')]
CppExtension('a', sources)
"""
LISTED = "CppExtension('a', [f'{here}/cpu.cpp', join(here, 'cuda.cpp')])"
OF_CUDA = "a::f [cuda.cpp]"


def tree_spec(folder, setup, **schemas):
    """Return the spec of an extension whose files declare an op, each with the schema that is given for it."""
    folder.mkdir()
    (folder / "setup.py").write_text(setup, encoding="utf-8")
    for name, schema in schemas.items():
        text = FRAGMENT.replace("f(Tensor x) -> Tensor", schema.removeprefix("a::"))
        (folder / f"{name}.cpp").write_text(text, encoding="utf-8")
    return SOURCES.load("pytorch-source").spec(str(folder), Reading(caches=False))


BUILDS = {
    "two extensions": (TWO, OF_CUDA),
    "one of two": (CHOSEN, "a::f [torch.cuda.is_available()]"),
    "lists of one": (BY_BRANCH, "a::f [CUDA]"),
}


@pytest.mark.parametrize(("setup", "of_cuda"), BUILDS.values(), ids=BUILDS)
@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ({"cpu": PLAIN, "cuda": WITH_N}, set()),
        ({"cpu": PLAIN, "cuda": WITH_Z}, {(OF_CUDA, "schema_argument_renamed", "error")}),
        ({"cpu": WITH_Z, "cuda": WITH_N}, {("a::f", "schema_argument_added", "error")}),
        ({"cpu": WITH_N, "cuda": WITH_N}, {("a::f", "schema_argument_added", "error")}),
    ],
    ids=["unchanged", "changed for CUDA", "changed for the CPU", "equal since head"],
)
def test_extensions_of_a_script_are_builds(setup, of_cuda, head, expected, tmp_path):
    base = tree_spec(tmp_path / "base", setup, cpu=PLAIN, cuda=WITH_N)
    assert [*base.ops] == ["a::f", of_cuda]
    expected = {(op.replace(OF_CUDA, of_cuda), rule, level) for op, rule, level in expected}
    findings = check(base, tree_spec(tmp_path / "head", setup, **head), PROFILES.load("pytorch")).findings
    assert {(finding.op, finding.rule, finding.level) for finding in findings} == expected


@pytest.mark.parametrize(
    ("setup", "of_cuda", "rules"),
    [
        (TWO, OF_CUDA, {(OF_CUDA, "schema_argument_removed")}),
        *(
            (
                setup,
                of_cuda,
                {
                    (of_cuda, "schema_argument_removed"),
                    (of_cuda, "op_condition_added"),
                    ("a::f", "op_condition_added"),
                },
            )
            for setup, of_cuda in (BUILDS["one of two"], BUILDS["lists of one"])
        ),
    ],
    ids=BUILDS,
)
def test_a_declaration_that_a_build_loses_is_an_error(setup, of_cuda, rules, tmp_path):
    base = tree_spec(tmp_path / "base", setup, cpu=PLAIN, cuda=WITH_N)
    assert of_cuda in base.ops
    findings = check(base, tree_spec(tmp_path / "head", setup, cpu=PLAIN), PROFILES.load("pytorch")).findings
    assert {(finding.op, finding.rule) for finding in findings} == rules
    assert {finding.level for finding in findings} == {"error"}


SUMS = (
    "CppExtension('a', glob.glob('cp*.cpp') + glob.glob('cu*.cpp'))",
    "CppExtension('a', ['cpu.cpp'] + glob.glob('cu*.cpp'))",
    "sources = glob.glob('cp*.cpp')\nsources += ['cuda.cpp']\nCppExtension('a', sources)",
)


RENAMED = {
    "the same declaration": (WITH_N, set()),
    "another one": (WITH_Z, {(OF_CUDA, "schema_argument_renamed", "error")}),
}


@pytest.mark.parametrize(("schema", "expected"), RENAMED.values(), ids=RENAMED)
def test_a_renamed_file_is_the_same_build(schema, expected, tmp_path):
    base = tree_spec(tmp_path / "base", TWO, cpu=PLAIN, cuda=WITH_N)
    head = tree_spec(tmp_path / "head", TWO.replace("'cuda.cpp'", "'gpu.cpp'"), cpu=PLAIN, gpu=schema)
    findings = check(base, head, PROFILES.load("pytorch")).findings
    assert {(finding.op, finding.rule, finding.level) for finding in findings} == expected


@pytest.mark.parametrize("setup", [LISTED, "CppExtension('a', glob.glob('*.cpp'))", *SUMS])
def test_files_in_a_list_are_no_builds(setup, tmp_path):
    spec = tree_spec(tmp_path / "base", setup, cpu=PLAIN, cuda=WITH_N)
    assert [*spec.ops] == ["a::f"]
    assert [(remark.op, remark.origin.file) for remark in spec.remarks] == [("a::f", "cuda.cpp")]


def test_a_spec_file_keeps_the_builds_of_an_op(tmp_path):
    declared = by_build((IF_A, PLAIN), (NOT_A, WITH_N))
    path = tmp_path / "spec.json"
    path.write_text(dumps(declared), encoding="utf-8")
    read = resolve(str(path), Reading(caches=False)).spec
    assert [*read.ops] == [*declared.ops] == ["a::f", VARIANT]
    assert family(VARIANT) == "a::f"


PYTHON = 'import torch\ntorch.library.define("a::f", "(Tensor x) -> Tensor")\n'
C_EXTENSION = {"csrc/f.cpp": FILE, "setup.py": "CUDAExtension('a', ['csrc/f.cpp'])"}
PACKAGE = {"a/__init__.py": "import a.ops", "a/ops.py": PYTHON, "setup.py": "setup(packages=['a'])"}
LOST = [("op_unresolved", "error", "setup.py")]
CONDITION = [("op_condition_added", "error", None)]
OF_LOST_BUILDS = {
    "setup.py is deleted": (C_EXTENSION, {"setup.py": None}, LOST),
    "setup.py lists no sources any more": (C_EXTENSION, {"setup.py": "setup(name='a')"}, LOST),
    "setup.py lists other sources": (C_EXTENSION, {"setup.py": "CUDAExtension('a', ['g.cpp'])"}, CONDITION),
    "setup.py is replaced by CMake": (
        C_EXTENSION,
        {"setup.py": None, "CMakeLists.txt": "project(a)\nadd_library(a SHARED csrc/f.cpp)"},
        [],
    ),
    "setup.py is deleted, and the sources are moved": (
        C_EXTENSION,
        {"setup.py": None, "csrc/f.cpp": None, "a/f.cpp": FILE},
        LOST,
    ),
    "a setup.py that cannot be evaluated is deleted": (
        {**C_EXTENSION, "setup.py": "CUDAExtension('a', find_sources('cpp') + ['.cpp'])"},
        {"setup.py": None},
        LOST,
    ),
    "CMake is deleted": (
        {"csrc/f.cpp": FILE, "csrc/CMakeLists.txt": "add_library(a SHARED f.cpp)"},
        {"csrc/CMakeLists.txt": None},
        [("op_unresolved", "error", "csrc/CMakeLists.txt")],
    ),
    "BUILD is deleted": (
        {"csrc/f.cpp": FILE, "csrc/BUILD": 'cc_library(name = "a", srcs = ["f.cpp"])'},
        {"csrc/BUILD": None},
        [("op_unresolved", "error", "csrc/BUILD")],
    ),
    "one of two build files is deleted": (
        {**C_EXTENSION, "CMakeLists.txt": "add_library(a SHARED csrc/f.cpp)"},
        {"setup.py": None},
        [],
    ),
    "there never was one": ({"csrc/f.cpp": FILE}, {"README": "", "csrc/g.cpp": FILE.replace("f(", "g(")}, []),
    "the sources are moved, and there never was one": ({"f.cpp": FILE}, {"f.cpp": None, "csrc/f.cpp": FILE}, []),
    "setup.py of a package is deleted": (PACKAGE, {"setup.py": None}, LOST),
    "setup.py of a package is replaced": (
        PACKAGE,
        {"setup.py": None, "pyproject.toml": "[build-system]\nbuild-backend = 'hatchling.build'"},
        [],
    ),
    "a package never had one": ({"a/__init__.py": "import a.ops", "a/ops.py": PYTHON}, {"README": ""}, []),
}


@pytest.mark.parametrize(("files", "changes", "expected"), OF_LOST_BUILDS.values(), ids=OF_LOST_BUILDS)
def test_a_build_file_that_is_lost_is_a_finding(files, changes, expected, tmp_path):
    specs = []
    for name, tree in (("base", files), ("head", {**files, **changes})):
        for path, text in tree.items():
            if text is not None:
                (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / name / path).write_text(text, encoding="utf-8")
        specs.append(SOURCES.load("pytorch-source").spec(str(tmp_path / name), Reading(caches=False)))
    findings = [finding for finding in check(*specs).findings if finding.level in ("error", "warning")]
    shown = [(finding.rule, finding.level, None if finding.op else finding.name) for finding in findings]
    assert shown == expected
    assert check(specs[0], specs[0]).findings == ()
