"""Only a registration that the shipped resolver executes counts, and an unknown condition is a finding."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.tflite.extract import resolvers
from opspec_lint.frameworks.tflite.sources import source
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.condition import show
from tests.support import build_trees
from tests.support.trees import tflite_trees as trees
from tests.support.unreached import ALIVE, DEAD, KINDS, UNKNOWN

ADD = "AddBuiltin(BuiltinOperator_ADD, Register_ADD(), 1, 2);"
AROUND = "namespace tflite {{ namespace ops {{ namespace builtin {{\n{}\n}} }} }}\n"
CONSTRUCTOR = "BuiltinOpResolver::BuiltinOpResolver() {{\n{}\n}}"
OF_FILES = {
    "another namespace": ("namespace mine {{ " + CONSTRUCTOR + " }}", DEAD),
    "a qualified constructor": ("tflite::ops::builtin::" + CONSTRUCTOR, ALIVE),
    "another class": ("namespace tflite::ops::builtin {{ Other::Other() {{ {} }} }}", UNKNOWN),
    "a static function that is not called": ("static void f(BuiltinOpResolver* r) {{ r->{} }}", DEAD),
    "a static function that is called": ("static void f() {{ {} }}\n" + CONSTRUCTOR.replace("{}", "f();"), ALIVE),
    "a function called after return": (
        "static void f() {{ {} }}\n" + CONSTRUCTOR.replace("{}", "return; f();"),
        DEAD,
    ),
    "a function that another file may call": ("void f() {{ {} }}", UNKNOWN),
    "a function of a namespace without name": ("namespace {{ void f() {{ {} }} }}", DEAD),
    "a function that calls itself": ("static void f() {{ f(); {} }}", DEAD),
    "a macro in place of the function": ("#define AddBuiltin(...)\n" + CONSTRUCTOR, DEAD),
    "a macro that is undefined again": ("#define AddBuiltin(...)\n#undef AddBuiltin\n" + CONSTRUCTOR, ALIVE),
    "a macro that is defined behind": (CONSTRUCTOR + "\n#define AddBuiltin(...)\n", ALIVE),
    "a macro in place of the op": ("#define BuiltinOperator_ADD BuiltinOperator_SUB\n" + CONSTRUCTOR, DEAD),
    "a macro in a build": ("#ifdef SWITCH\n#define AddBuiltin(...)\n#endif\n" + CONSTRUCTOR, UNKNOWN),
    "a variable in place of the function": (CONSTRUCTOR.replace("{}", "auto AddBuiltin = [](...) {{}}; {}"), DEAD),
    "a variable in another block": (CONSTRUCTOR.replace("{}", "{{ auto AddBuiltin = [](...) {{}}; }} {}"), ALIVE),
}


@pytest.fixture(autouse=True)
def _nothing_was_read_before():
    source._READ_FILES.clear()


def read(text):
    ranges, odd = resolvers.read(text, "register.cc", lambda name: name == "SWITCH")
    assert odd == []
    return ranges


def check_range(ranges, expected):
    if expected == DEAD:
        assert ranges == {}
        return
    least, greatest, _, condition, line = ranges["ADD"]
    assert (least, greatest) == (1, 2)
    assert (condition is None) is (line is None) is (expected == ALIVE), condition and show(condition)


@pytest.mark.parametrize(("text", "expected"), KINDS.values(), ids=KINDS)
def test_a_statement_of_the_constructor(text, expected):
    body = text.replace("{R}", ADD)
    check_range(read(AROUND.format(CONSTRUCTOR.format(body))), expected)


@pytest.mark.parametrize(("text", "expected"), OF_FILES.values(), ids=OF_FILES)
def test_a_function_of_the_file(text, expected):
    check_range(read(text.format(ADD)), expected)


@pytest.mark.parametrize(
    ("first", "second", "condition"),
    [
        ("#ifdef SWITCH\n{0}\n#else\n{0}\n#endif", "", None),
        ("#ifdef SWITCH\n{0}\n#endif", "{0}", None),
        ("#ifdef SWITCH\n{0}\n#endif", "{1}", None),
        ("{0}", "#ifdef SWITCH\n{1}\n#endif", "defined(SWITCH)"),
        ("#ifdef SWITCH\n{1}\n#endif", "#ifndef SWITCH\n{0}\n#endif", "defined(SWITCH)"),
    ],
)
def test_the_range_of_several_statements_is_taken_where_both_ends_are(first, second, condition):
    statements = (ADD, ADD.replace("1, 2", "1, 3"))
    body = f"{first}\n{second}".format(*statements)
    actual = read(CONSTRUCTOR.format(body))["ADD"][3]
    assert (actual and show(actual)) == condition


BUILD = 'cc_library(name = "k", srcs = [{}])\n'
CMAKE = "add_library(k {})\n"
OF_BUILDS = {
    "no build file": ({}, None),
    "a file that is built": ({"BUILD": BUILD.format('"register.cc"')}, None),
    "a pattern": ({"BUILD": BUILD.format('glob(["*.cc"])')}, None),
    "a file that is not built": ({"BUILD": BUILD.format('"other.cc"')}, "kernel_removed"),
    "a file in a comment": ({"BUILD": BUILD.format('"other.cc",\n# "register.cc"\n')}, "kernel_removed"),
    "a file that is left out": ({"BUILD": BUILD.format('glob(["*.cc"], exclude = ["register.cc"])')}, "kernel_removed"),
    "one of two builds": (
        {"BUILD": BUILD.format('"other.cc"'), "CMakeLists.txt": CMAKE.format("register.cc")},
        "op_condition_added",
    ),
    "both builds": ({"BUILD": BUILD.format('"register.cc"'), "CMakeLists.txt": CMAKE.format("register.cc")}, None),
    "a build file about other languages": ({"setup.py": "setup(name='x')"}, None),
}
FOLDER = trees.KERNELS.rpartition("/")[0]


def spec(folder, changes):
    source._READ_FILES.clear()
    tree = {**trees.TREE, **{f"{FOLDER}/{name}": text for name, text in changes.items()}}
    return SOURCES.load("tflite-source").spec(str(trees.write(folder, tree)), Reading(caches=False))


@pytest.mark.parametrize(("files", "event"), OF_BUILDS.values(), ids=OF_BUILDS)
def test_a_file_that_no_build_compiles_registers_nothing(files, event, tmp_path):
    base, head = spec(tmp_path / "base", {}), spec(tmp_path / "head", files)
    rules = {finding.rule for finding in check(base, head, PROFILES.load("tflite")).findings if finding.op == "ADD"}
    assert event in rules if event else not rules


KINDS_OF_TREES = [
    pytest.param(trees_of_kind[0], tree, id=f"{kind} {number}")
    for kind, trees_of_kind in build_trees.KINDS.items()
    for number, tree in enumerate(trees_of_kind)
]


@pytest.mark.parametrize(("base", "head"), KINDS_OF_TREES)
def test_a_change_of_build_files_is_a_finding_unless_the_source_stays_compiled(base, head, tmp_path):
    sides = []
    tree = {path: text for path, text in trees.TREE.items() if path != trees.REFERENCE}
    for side, name in ((base, "base"), (head, "head")):
        source._READ_FILES.clear()
        files = {**tree, **build_trees.placed(side, FOLDER, "register")}
        sides.append(
            SOURCES.load("tflite-source").spec(str(trees.write(tmp_path / name, files)), Reading(caches=False))
        )
    findings = {(finding.rule, finding.level) for finding in check(*sides, PROFILES.load("tflite")).findings}
    if head.doubt is not None:
        assert ("op_unresolved", "error") in findings
    elif head.verdict == "always":
        assert not findings
    else:
        assert ("kernel_removed" if head.verdict == "never" else "op_condition_added", "error") in findings


@pytest.mark.parametrize(
    "tree", [pytest.param(trees_of_kind[0], id=kind) for kind, trees_of_kind in build_trees.KINDS.items()]
)
def test_the_loss_of_all_build_files_is_a_finding(tree, tmp_path):
    sides = []
    files = {path: text for path, text in trees.TREE.items() if path != trees.REFERENCE}
    for name, more in (("base", build_trees.placed(tree, FOLDER, "register")), ("head", {})):
        source._READ_FILES.clear()
        folder = trees.write(tmp_path / name, {**files, **more})
        sides.append(SOURCES.load("tflite-source").spec(str(folder), Reading(caches=False)))
    findings = [(finding.rule, finding.level) for finding in check(*sides, PROFILES.load("tflite")).findings]
    assert findings == ([("op_unresolved", "error")] if tree.files else [])


def test_a_build_file_that_cannot_be_parsed_is_an_error_with_its_line(tmp_path):
    base, head = (
        spec(tmp_path / name, {"BUILD": BUILD.format('"register.cc"') + more})
        for name, more in (("base", ""), ("head", "cc_library("))
    )
    (finding,) = check(base, head, PROFILES.load("tflite")).findings
    assert (finding.rule, finding.level) == ("op_unresolved", "error")
    assert finding.head_origin.place == f"{FOLDER}/BUILD:2"


REGISTER = trees.TREE[trees.KERNELS]
CONV = "AddBuiltin(BuiltinOperator_CONV_2D, Register_CONV_2D(), 1, 2);"


@pytest.mark.parametrize(
    ("around", "more", "rule"),
    [
        ("#if 0\n{}\n#endif", {}, "kernel_removed"),
        ("#ifdef NEVER\n{}\n#endif", {}, "op_condition_added"),
        ("#ifndef NEVER\n{}\n#endif", {}, None),
        (
            "#ifndef SMALL\n{}\n#endif",
            {"BUILD": BUILD.format('"register.cc"') + 'copts = ["-DSMALL"]'},
            "op_condition_added",
        ),
        ("#ifndef SMALL\n{}\n#endif", {"config.h": "#define SMALL 1\n"}, "op_condition_added"),
    ],
)
def test_a_condition_that_is_new_is_an_error_with_its_line(around, more, rule, tmp_path):
    base = spec(tmp_path / "base", more)
    head = spec(tmp_path / "head", {**more, "register.cc": REGISTER.replace(CONV, around.format(CONV))})
    findings = check(base, head, PROFILES.load("tflite")).findings
    errors = {(finding.rule, finding.op) for finding in findings if finding.level == "error"}
    assert (rule, "CONV_2D") in errors if rule else not findings
    if rule == "op_condition_added":
        assert findings[0].head_origin.place == f"{trees.KERNELS}:5"
        assert around.split()[1] in findings[0].message
    assert all(finding.level != "error" for finding in check(head, base, PROFILES.load("tflite")).findings)
