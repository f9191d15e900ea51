"""The sources that a build file compiles, by its text."""

from __future__ import annotations

import os
import random
from fnmatch import fnmatchcase
from types import SimpleNamespace

import pytest

from opspec_lint.spec.condition import ALWAYS, NEVER, negation, requirement, show
from tests.support import build_texts
from tests.support.built_trees import builds_of

PATH = "csrc/ops.cpp"
SETUP = (
    "from setuptools import setup\n{}\nsetup(ext_modules=[CppExtension('a', sources)], package_data={{'': ['*']}})\n"
)
LEFT = "sources = list(set(glob.glob('csrc/*.cpp')){})"
IN_SETUP = {
    "a list": ("sources = ['csrc/ops.cpp']", True),
    "joined with a folder": ("sources = [os.path.join(here, 'csrc', 'ops.cpp')]", True),
    "a text with a variable": ("sources = [f'{here}/ops.cpp']", True),
    "a text with an unknown name": ("sources = [f'{here}/{name}.cpp' for name in names]", True),
    "a format with an unknown folder": ("sources = ['{}/csrc/{}'.format(here, f) for f in ['ops.cpp']]", True),
    "a format with a named field": ("sources = ['csrc/{n}.cpp'.format(n=n) for n in ['ops']]", True),
    "a format with an attribute": ("sources = ['csrc/{0.stem}.cpp'.format('a') for _ in [0]]", True),
    "a number that is no character": ("sources = ['csrc/%c.cpp' % 9999999 for _ in [0]]", True),
    "a number of a certain width": ("sources = ['csrc/%02d.cpp' % n for n in numbers]", True),
    "a name of a dict": ("sources = ['csrc/%(name)s.cpp' % names]", True),
    "counted from one": ("sources = [f'csrc/{n}.cpp' for _, n in enumerate(['ops'], 1)]", True),
    "a name and an end": ("sources = [name + '.cpp' for name in names]", True),
    "a pattern": ("sources = glob.glob('csrc/*.cpp')", True),
    "a pattern below": ("sources = glob.glob('csrc/**/*.cpp', recursive=True)", True),
    "a listed folder": ("sources = [name for name in os.listdir('csrc') if name.endswith('.cpp')]", True),
    "in a function": ("def f():\n    return ['csrc/ops.cpp']\nsources = f()", True),
    "in a method that a base class calls": (
        "class build(B):\n    def run(self):\n        self.sources('csrc/ops.cpp')",
        True,
    ),
    "in another module": ("from tools.extensions import sources\nx = ['other.cpp']", True),
    "added again": ("sources = ['csrc/ops.cpp']\nsources.remove('csrc/ops.cpp')\nsources += ['csrc/ops.cpp']", True),
    "Python 2": ("print 'x'\nsources = ['csrc/ops.cpp']", True),
    "behind a loop that never runs": (
        "sources = ['a.cpp']\nwhile False:\n    pass\nelse:\n    sources += ['csrc/ops.cpp']",
        True,
    ),
    "another file": ("sources = ['csrc/other.cpp']", False),
    "a file of another folder": ("sources = ['lib/ops.cpp']", False),
    "a longer name": ("sources = ['csrc/my_ops.cpp', 'csrc/ops.cpp.in.cpp']", False),
    "a pattern of another folder": ("sources = glob.glob('lib/*.cpp')", False),
    "a comment": ("sources = ['a.cpp']  # 'csrc/ops.cpp'", False),
    "a text that is no list": ("'''csrc/ops.cpp'''\nsources = ['a.cpp']", False),
    "a variable that nobody reads": ("old = ['csrc/ops.cpp']\nsources = ['a.cpp']", False),
    "a function that nobody calls": ("def f():\n    return ['csrc/ops.cpp']\nsources = ['a.cpp']", False),
    "a branch that never runs": ("sources = ['a.cpp']\nif False and x:\n    sources += ['csrc/ops.cpp']", False),
    "the other branch": ("sources = ['a.cpp']\nif not 0:\n    pass\nelse:\n    sources += ['csrc/ops.cpp']", False),
    "a choice": ("sources = ['csrc/ops.cpp'] if False else ['a.cpp']", False),
    "behind an exit": ("sources = ['a.cpp']\nsys.exit()\nsources += ['csrc/ops.cpp']", False),
    "removed": ("sources = ['csrc/ops.cpp', 'a.cpp']\nsources.remove('csrc/ops.cpp')", False),
    "removed from a set": ("sources = set(glob.glob('csrc/*.cpp')) - {'csrc/ops.cpp'}", False),
    "left out by a condition": ("sources = [n for n in os.listdir('csrc') if n not in ('ops.cpp',)]", False),
    "a name that a filter drops": ("sources = [f'csrc/{n}.cpp' for n in ['a', 'ops'] if n != 'ops']", False),
    "a name that a filter keeps": ("sources = ['csrc/%s.cpp' % n for n in ['a', 'ops'] if n != 'a']", True),
    "filtered by its end": ("sources = [p for p in glob.glob('csrc/*.cpp') if not p.endswith('ops.cpp')]", False),
    "filtered by a part": ("sources = [p for p in glob.glob('csrc/*.cpp') if 'other' not in p]", True),
    "filtered by its name": (
        "sources = [p for p in glob.glob('csrc/*.cpp') if os.path.basename(p) != 'ops.cpp']",
        False,
    ),
    "filtered by a function": (
        "sources = list(filter(lambda p: not p.endswith('ops.cpp'), glob.glob('csrc/*.cpp')))",
        False,
    ),
    "not in the part of a list": ("sources = ['a.cpp', 'csrc/ops.cpp'][:1]", False),
    "in the part of a list": ("sources = ['a.cpp', 'csrc/ops.cpp'][1:]", True),
    "replaced": ("sources = ['csrc/ops.cpp']\nsources = ['a.cpp']", False),
    "replaced by a longer list": ("sources = ['csrc/ops.cpp']\nsources = sources + ['a.cpp']", True),
    "replaced under a test": ("sources = ['csrc/ops.cpp']\nif x:\n    sources = ['a.cpp']", True),
    "replaced after its use": (
        "sources = ['csrc/ops.cpp']\nsetup(ext_modules=[CppExtension('b', sources)])\nsources = ['a.cpp']",
        True,
    ),
    "removed by its index": ("sources = ['a.cpp', 'csrc/ops.cpp']\ndel sources[1]", False),
    "another one removed by its index": ("sources = ['a.cpp', 'csrc/ops.cpp']\ndel sources[0]", True),
    "removed with others": ("sources = ['a.cpp', 'csrc/ops.cpp']\ndel sources[0:]", False),
    "removed from the end": ("sources = ['a.cpp', 'csrc/ops.cpp']\nsources.pop()", False),
    "removed from the front": ("sources = ['a.cpp', 'csrc/ops.cpp']\nsources.pop(0)", True),
    "removed after a change": ("sources = ['csrc/ops.cpp']\nsources.append('a.cpp')\nsources.pop()", True),
    "removed with a list": (f"old = ['csrc/ops.cpp']\n{LEFT.format('- set(old)')}", False),
    "removed with a pattern": (f"old = glob.glob('csrc/o*.cpp')\n{LEFT.format('- set(old)')}", False),
    "removed with a pattern of a folder": (
        f"d = os.path.join('csrc')\nold = sorted(glob.glob(os.path.join(d, 'o*.cpp')))\n{LEFT.format('- set(old)')}",
        False,
    ),
    "removed by a method": (f"old = ['csrc/ops.cpp']\n{LEFT.format('.difference(old)')}", False),
    "removed with another list": (f"old = ['csrc/a.cpp']\n{LEFT.format('- set(old)')}", True),
    "removed with a pattern of another folder": (f"old = glob.glob('lib/*.cpp')\n{LEFT.format('- set(old)')}", True),
    "removed with a list that is changed": (f"old = ['csrc/ops.cpp']\nold.pop()\n{LEFT.format('- set(old)')}", True),
    "removed with a list that has another name": (
        f"old = ['csrc/ops.cpp']\nmore = old\nmore.clear()\n{LEFT.format('- set(old)')}",
        True,
    ),
    "removed with a list that is set twice": (
        f"old = ['csrc/ops.cpp']\nif not x:\n    old = ['csrc/a.cpp']\n{LEFT.format('- set(old)')}",
        True,
    ),
    "removed with a pattern for one level": (f"old = glob.glob('**/**/ops.cpp')\n{LEFT.format('- set(old)')}", True),
    "removed with a pattern of a folder that is not known": (
        f"for d in ['lib']:\n    old = glob.glob(os.path.join(d, '*.cpp'))\n{LEFT.format('- set(old)')}",
        True,
    ),
    "removed and added": (f"old = ['csrc/ops.cpp']\n{LEFT.format('- set(old)')}\nsources += old", True),
    "removed by clear": ("sources = ['csrc/ops.cpp', 'csrc/a.cpp']\nsources.clear()", False),
    "removed with all": ("sources = glob.glob('csrc/*.cpp')\ndel sources[:]", False),
    "removed before it is added": ("sources = ['csrc/a.cpp']\nsources.clear()\nsources += ['csrc/ops.cpp']", True),
    "removed with the list of extensions": (
        "ops = ['csrc/ops.cpp']\nlists = [ops]\nlists.clear()\nsources = ['a.cpp', *lists]",
        False,
    ),
    "filtered again": (
        "sources = ['csrc/a.cpp', 'csrc/ops.cpp']\nsources = [s for s in sources if 'ops' not in s]",
        False,
    ),
    "filtered again, and kept": (
        "sources = ['csrc/a.cpp', 'csrc/ops.cpp']\nsources = [s for s in sources if 'a.cpp' not in s]",
        True,
    ),
    "filtered by another list": (
        "old = ['csrc/a.cpp']\nsources = glob.glob('csrc/*.cpp')\nsources = [s for s in sources if s not in old]",
        True,
    ),
    "filtered by a list of another folder": (
        (
            "old = glob.glob(os.path.join('old', '*.cpp'))\nsources = glob.glob('csrc/*.cpp')\n"
            "sources = [s for s in sources if s not in old]"
        ),
        True,
    ),
    "filtered as a part of a sum": (
        "a = ['csrc/ops.cpp']\nsources = a + ['a.cpp']\nsources = list(filter(lambda s: 'ops' not in s, sources))",
        False,
    ),
    "behind a function that raises": ("def f():\n    raise ValueError\nf()\nsources = ['csrc/ops.cpp']", False),
    "behind a function that calls one that exits": (
        "def f():\n    x = 1 + g()\ndef g():\n    sys.exit()\nf()\nsources = ['csrc/ops.cpp']",
        False,
    ),
    "behind a function that returns before it raises": (
        "def f():\n    return 1\n    raise ValueError\nf()\nsources = ['csrc/ops.cpp']",
        True,
    ),
    "behind an operand that may raise": (
        "def f():\n    raise ValueError\nx = y and f()\nsources = ['csrc/ops.cpp']",
        True,
    ),
    "behind a failed assertion": ("assert False\nsources = ['csrc/ops.cpp']", False),
    "printed": ("print('csrc/ops.cpp')\nsources = ['a.cpp']", False),
}
BUILD = 'cc_library(name = "ops.cpp", srcs = {})\n'
IN_BAZEL = {
    "a list": (BUILD.format('["ops.cpp"]'), True),
    "a label": (BUILD.format('["//csrc:ops.cpp"]'), True),
    "a list of another file": ('load(":files.bzl", "SOURCES")\n' + BUILD.format("SOURCES"), True),
    "two rules": (BUILD.format('glob(["*.cpp"], exclude = ["ops.cpp"])') + BUILD.format('["ops.cpp"]'), True),
    "a rule of another file": ('load("//tools:rules.bzl", "cc_library")\n' + BUILD.format('["a.cpp"]'), False),
    "a pattern without it": (BUILD.format('glob(["*.cpp"], exclude = ["ops.cpp"])'), False),
    "a file that is exported to no other package": (
        'exports_files(["ops.cpp"], visibility = ["//visibility:private"])\n' + BUILD.format('["a.cpp"]'),
        False,
    ),
    "a test": ('cc_test(name = "t", srcs = ["ops.cpp"])\n' + BUILD.format('["a.cpp"]'), False),
    "a rule for tests": ('cc_library(name = "t", testonly = True, srcs = ["ops.cpp"])\n', False),
    "a rule for no platform": (
        'cc_library(name = "t", srcs = ["ops.cpp"], target_compatible_with = ["@platforms//:incompatible"])\n',
        False,
    ),
    "a variable that no rule uses": ('OLD = ["ops.cpp"]\n' + BUILD.format('["a.cpp"]'), False),
}
IN_CMAKE = {
    "a target": ("add_library(a ops.cpp)", True),
    "a folder in a variable": ("add_library(a ${CMAKE_CURRENT_SOURCE_DIR}/csrc/ops.cpp)", True),
    "a name in a variable": ("foreach(f ops)\nadd_library(${f} ${f}.cpp)\nendforeach()", True),
    "a list": ("set(S ops.cpp)\nadd_library(a ${S})", True),
    "a list for other files": ("set(S ops.cpp PARENT_SCOPE)", True),
    "a pattern": ('file(GLOB S "*.cpp")\nadd_library(a ${S})', True),
    "a folder": ("aux_source_directory(. S)\nadd_library(a ${S} b.cpp)", True),
    "another file may list it": ("include(more.cmake)\nadd_library(a b.cpp)", True),
    "another source": ("add_library(a b.cpp)", False),
    "a pattern of another folder": ('file(GLOB S "lib/*.cpp")\nadd_library(a ${S})', False),
    "a comment": ("add_library(a b.cpp) # ops.cpp", False),
    "a comment in brackets": ("add_library(a b.cpp)\n#[[ target_sources(a PRIVATE\nops.cpp) ]]", False),
    "a branch that never runs": ("add_library(a b.cpp)\nif(FALSE)\ntarget_sources(a PRIVATE ops.cpp)\nendif()", False),
    "the other branch": ("if(1)\nadd_library(a b.cpp)\nelse()\nadd_library(a ops.cpp)\nendif()", False),
    "behind a constant": ("if(NOT ON)\nadd_library(a ops.cpp)\nelseif(X)\nadd_library(a b.cpp)\nendif()", False),
    "behind a return": ("add_library(a b.cpp)\nreturn()\ntarget_sources(a PRIVATE ops.cpp)", False),
    "removed": ("set(S b.cpp ops.cpp)\nlist(REMOVE_ITEM S ops.cpp)\nadd_library(a ${S})", False),
    "removed by a pattern": (
        'file(GLOB S *.cpp)\nlist(FILTER S EXCLUDE REGEX ".*ops\\\\.cpp$")\nadd_library(a ${S})',
        False,
    ),
    "a list that nobody uses": ("set(OLD ops.cpp)\nadd_library(a b.cpp)", False),
    "a message": ('message("ops.cpp")\nadd_library(a b.cpp)', False),
}


def compiled(texts):
    return builds_of(texts).compiles(PATH)


CONDITIONAL = {
    "a branch": ("sources = ['a.cpp']\nif CUDA_HOME:\n    sources += ['csrc/ops.cpp']", "CUDA_HOME"),
    "an addition": ("sources = ['a.cpp']\nif f(x):\n    sources.append('csrc/ops.cpp')", "f(x)"),
    "a choice": ("sources = ['a.cpp'] + (['csrc/ops.cpp'] if f('X') else [])", "f('X')"),
    "the other branch": (
        "if x == 'win32':\n    sources = ['a.cpp']\nelse:\n    sources = ['csrc/ops.cpp']",
        "not x == 'win32'",
    ),
    "a removal": ("sources = ['csrc/ops.cpp']\nif SMALL:\n    sources.remove('csrc/ops.cpp')", "not SMALL"),
    "a list that is removed and added": (
        f"old = ['csrc/ops.cpp']\n{LEFT.format('- set(old)')}\nif X:\n    sources += old",
        "X",
    ),
    "a list that is removed and of which copies are added": (
        f"old = ['csrc/ops.cpp']\n{LEFT.format('- set(old)')}\nif X:\n    for f in old:\n        add(f + '.cu')",
        "X",
    ),
    "a removal of a list": (
        "old = ['csrc/ops.cpp']\nsources = glob.glob('csrc/*.cpp')\nif X:\n    sources = list(set(sources) - set(old))",
        "not X",
    ),
    "a variable": ("more = ['csrc/ops.cpp']\nsources = ['a.cpp']\nif X:\n    sources += more", "X"),
    "a function": ("def f():\n    return ['csrc/ops.cpp']\nsources = f() if X else []", "X"),
    "an early return": ("def f():\n    if not X:\n        return []\n    return ['csrc/ops.cpp']\nsources = f()", "X"),
    "a part of the variable": (
        "sources = ['csrc/ops.cpp']\nsources = sources[N:]",
        "`sources = sources[N:]` leaves it in `sources`",
    ),
    "a list that is left out": (
        "old = ['csrc/ops.cpp']\nsources = glob.glob('csrc/*.cpp')\nsources = [s for s in sources if s not in old]",
        "s not in old",
    ),
    "a list that is left out, with an unknown part": (
        (
            "old = ['csrc/a.cpp']\nold += read()\nsources = glob.glob('csrc/*.cpp')\n"
            "sources = [s for s in sources if s not in old]"
        ),
        "s not in old",
    ),
    "a list that is left out, with the items of a loop": (
        (
            "old = ['csrc/a.cpp']\nfor f in read():\n    old.append(f)\nsources = glob.glob('csrc/*.cpp')\n"
            "sources = [s for s in sources if s not in old]"
        ),
        "s not in old",
    ),
    "a deletion in a branch": ("sources = ['csrc/ops.cpp']\nif X:\n    sources.clear()", "not X"),
    "an item that is not known": (
        "sources = glob.glob('csrc/*.cpp')\nsources.pop()",
        "`sources.pop()` leaves it in `sources`",
    ),
    "a test with a constant": ("ON = True\nsources = []\nif ON and X:\n    sources = ['csrc/ops.cpp']", "X"),
}
UNCONDITIONAL = {
    "both branches": ("if X:\n    sources = ['csrc/ops.cpp']\nelse:\n    sources = ['a.cpp', 'csrc/ops.cpp']", True),
    "a constant": ("ON = True\nsources = ['a.cpp']\nif ON:\n    sources += ['csrc/ops.cpp']", True),
    "a file that exists": ("sources = []\nif os.path.exists('csrc/ops.cpp'):\n    sources = ['csrc/ops.cpp']", True),
    "a parameter": ("def add(l):\n    l.append('csrc/ops.cpp')\nsources = ['a.cpp']\nadd(sources)", True),
    "another name of the list": ("sources = ['a.cpp']\nmore = sources\nmore.append('csrc/ops.cpp')", True),
    "any name": ("more = ['csrc/ops.cpp']\nsources = globals()['mo' + 're']\nx(more)", True),
    "two tests": (
        (
            "sources = glob.glob('csrc/*.cpp')\nsources = [s for s in sources if 'ops' not in s]\n"
            "sources = [s for s in sources if 'test' not in s]"
        ),
        False,
    ),
    "a method with the name of a function that raises": (
        "def fail():\n    raise ValueError\nsources = ['a.cpp']\nlog.fail()\nsources += ['csrc/ops.cpp']",
        True,
    ),
    "a method with the name of a function that ends the program": (
        "sources = ['a.cpp']\nserver.abort()\nsources += ['csrc/ops.cpp']",
        True,
    ),
    "a function that no longer raises": (
        (
            "def fail():\n    raise ValueError\ndef fail():\n    pass\nsources = ['a.cpp']\nfail()\n"
            "sources += ['csrc/ops.cpp']"
        ),
        True,
    ),
    "a generator that raises": (
        "def fail():\n    raise ValueError\n    yield\nsources = ['a.cpp']\nfail()\nsources += ['csrc/ops.cpp']",
        True,
    ),
    "a constant that is false": ("ON = False\nsources = ['a.cpp']\nif ON:\n    sources += ['csrc/ops.cpp']", False),
    "a variable that is only printed": (
        "more = ['csrc/ops.cpp']\nsources = ['a.cpp']\nprint(more)\nassert more",
        False,
    ),
    "a variable of such a variable": ("a = ['csrc/ops.cpp']\nb = a\nb = b + a\nsources = ['a.cpp']", False),
    "another argument": ("sources = ['a.cpp']\nE('x', sources, depends=['csrc/ops.cpp'])", False),
    "not the main program": ("sources = ['a.cpp']\nif __name__ == '__mian__':\n    sources = ['csrc/ops.cpp']", False),
}


@pytest.mark.parametrize(("text", "test"), CONDITIONAL.values(), ids=CONDITIONAL)
def test_a_branch_that_may_run_is_a_condition_of_what_it_lists(text, test):
    assert show(compiled({"setup.py": SETUP.format(text)})) == test


@pytest.mark.parametrize(("text", "expected"), UNCONDITIONAL.values(), ids=UNCONDITIONAL)
def test_what_a_script_certainly_builds_or_leaves_out_has_no_condition(text, expected):
    assert compiled({"setup.py": SETUP.format(text)}) == (ALWAYS if expected else NEVER)


@pytest.mark.parametrize(
    ("choices", "condition"),
    [
        ('{":gpu": ["ops.cpp"], "//conditions:default": []}', ":gpu"),
        ('{":gpu": [], "//conditions:default": ["ops.cpp"]}', "not :gpu"),
        ('{":gpu": ["ops.cpp"], "//conditions:default": ["ops.cpp"]}', "always"),
    ],
)
def test_the_label_of_a_select_is_a_condition(choices, condition):
    assert show(compiled({"csrc/BUILD": BUILD.format(f"select({choices})")})) == condition


@pytest.mark.parametrize(("text", "expected"), IN_SETUP.values(), ids=IN_SETUP)
def test_a_script_of_setuptools(text, expected):
    assert compiled({"setup.py": SETUP.format(text)}) == (ALWAYS if expected else NEVER)


SETUP_CALLS = {
    "no call": ("from setuptools import setup", False),
    "no import": ("", True),
    "a call by another name": ("from setuptools import setup as s\ns(ext_modules=[e])", True),
    "other code": ("exec(open('build.py').read())", True),
    "another module": ("from tools import build\nbuild(e)", True),
    "a method": ("import setuptools\nsetuptools.setup(ext_modules=[e])", True),
}


@pytest.mark.parametrize(("text", "expected"), SETUP_CALLS.values(), ids=SETUP_CALLS)
def test_a_script_without_a_call_of_setup_builds_nothing(text, expected):
    script = f"e = CppExtension('a', ['csrc/ops.cpp'])\n{text}\nprint(e, [e])\nf(e)"
    assert compiled({"setup.py": script}) == (ALWAYS if expected else NEVER)


_EVALUATED = ("filtered", "removed", "replaced", "a name that", "in the", "not in")
RUN = [kind for kind in IN_SETUP if kind.startswith(_EVALUATED)]


@pytest.mark.parametrize("kind", RUN)
def test_a_script_lists_what_python_gives_setup(kind):
    """Execute the script with a `setup` that keeps its sources."""
    text, expected = IN_SETUP[kind]
    given = []
    files = ["csrc/a.cpp", "csrc/ops.cpp"]
    names = {
        "glob": SimpleNamespace(glob=lambda pattern: [file for file in files if fnmatchcase(file, pattern)]),
        "os": os,
        "x": False,
        "CppExtension": lambda _, sources: given.extend(sources),
        "setup": lambda **_: None,
    }
    exec(SETUP.format(text).replace("from setuptools import setup", ""), names)  # noqa: S102 - a script of this file
    assert ("csrc/ops.cpp" in given) == expected


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("sources = [p for p in glob.glob('csrc/*.cpp') if is_wanted(p)]", "is_wanted(p)"),
        ("sources = list(filter(lambda p: is_wanted(p), glob.glob('csrc/*.cpp')))", "is_wanted(p)"),
        ("sources = glob.glob('csrc/*.cpp')[:1]", "`glob.glob('csrc/*.cpp')[:1]` has it"),
    ],
)
def test_a_part_of_a_list_that_is_not_known_is_a_condition(text, condition):
    assert compiled({"setup.py": SETUP.format(text)}) == requirement(condition)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ('[tool.setuptools]\next-modules = [{name = "a", sources = ["csrc/ops.cpp"]}]', ALWAYS),
        ('[[tool.setuptools.ext-modules]]\nname = "a"\nsources = ["csrc/other.cpp"]', NEVER),
        ('[[tool.setuptools.ext-modules]]\nname = "a"\nsources = ["b.cpp"]\ndepends = ["csrc/ops.cpp"]', NEVER),
        ('[tool.other]\nsources = ["csrc/other.cpp"]', ALWAYS),
        ("not TOML: csrc/other.cpp", ALWAYS),
    ],
)
def test_the_extensions_of_a_pyproject(text, condition):
    assert compiled({"pyproject.toml": text}) == condition


@pytest.mark.parametrize(("text", "expected"), IN_BAZEL.values(), ids=IN_BAZEL)
def test_a_build_file_of_bazel(text, expected):
    assert compiled({"csrc/BUILD": text}) == (ALWAYS if expected else NEVER)


@pytest.mark.parametrize(("text", "expected"), IN_CMAKE.values(), ids=IN_CMAKE)
def test_a_file_of_cmake(text, expected):
    assert compiled({"csrc/CMakeLists.txt": text}) == (ALWAYS if expected else NEVER)


@pytest.mark.parametrize(
    ("listed", "counts"),
    [("csrc/other.cpp", True), ("other.cpp", False), ("lib/other.cpp", False), ("lib/csrc/other.cpp", False)],
)
def test_a_second_build_counts_if_it_lists_the_folder_of_a_compiled_source(listed, counts):
    texts = {"csrc/CMakeLists.txt": "add_library(a ops.cpp)", "setup.py": SETUP.format(f"sources = ['{listed}']")}
    assert compiled(texts) == (requirement(f"`setup.py` compiles `{PATH}`") if counts else ALWAYS)


@pytest.mark.parametrize(
    ("texts", "condition"),
    [
        (
            {
                "csrc/CMakeLists.txt": "add_library(a b.cpp)",
                "CMakeLists.txt": "file(GLOB_RECURSE S *.cpp)\nadd_library(c ${S})",
            },
            ALWAYS,
        ),
        ({"csrc/CMakeLists.txt": "add_library(a b.cpp)", "CMakeLists.txt": "add_library(a lib/b.cpp)"}, NEVER),
        ({"csrc/BUILD": BUILD.format("['b.cpp']"), "BUILD": BUILD.format("['csrc/ops.cpp']")}, NEVER),
    ],
)
def test_a_file_of_cmake_above_may_list_a_source_and_a_package_of_bazel_above_may_not(texts, condition):
    assert compiled(texts) == condition


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        ('[project]\nname = "a"', False),
        ('[build-system]\nbuild-backend = "setuptools.build_meta"', False),
        ('[build-system]\nbuild-backend = "mesonpy"', True),
        ('[tool.setuptools.cmdclass]\nbuild_ext = "a.Build"', True),
        ('[[tool.setuptools.ext-modules]]\nname = "a"\nsources = ["csrc/ops.cpp"]', True),
    ],
)
def test_a_package_whose_only_build_file_lists_no_source_compiles_none_for_certain(text, is_known):
    expected = ALWAYS if is_known else requirement(f"a build compiles `{PATH}`")
    assert compiled({"pyproject.toml": text}) == expected


def test_a_makefile_may_list_what_it_does_not_name():
    assert compiled({"Makefile": "SRCS = a.cpp\n"}) == ALWAYS


@pytest.mark.parametrize(
    "text", ["sources = " + "[" * 500, "sources = " + "-" * 100_000 + "1 # .cpp", "\0.cpp", "x = '" + "\\" * 9]
)
def test_a_script_that_cannot_be_parsed_compiles_what_it_names(text):
    assert compiled({"setup.py": f"{text}\n# .cpp\nsources = ['csrc/ops.cpp']"}) == ALWAYS


NAMED = "each source that its text names"
UNREAD = {
    "Python 2": ("setup.py", "x = ['ops.cpp']\nprint 'x'", 2, "it is not valid Python", NAMED),
    "too deep": ("setup.py", "x = " + "-" * 100_000 + "1 # .cpp", 1, "it is not valid Python", NAMED),
    "a broken rule": ("csrc/BUILD", '\ncc_library(srcs = ["ops.cpp"]', 2, "it is not valid Python", NAMED),
    "a command without end": (
        "CMakeLists.txt",
        "#[[ a\ncomment ]]\nadd_library(a ops.cpp",
        3,
        "`add_library(` has no end",
        NAMED,
    ),
    "if without endif": ("CMakeLists.txt", "add_library(a b.cpp)\nif(X)\n", 2, "`if()` has no `endif()`", NAMED),
    "endif without if": ("CMakeLists.txt", "add_library(a b.cpp)\nendif()", 2, "`endif()` ends no `if()`", NAMED),
    "a list that doubles": (
        "CMakeLists.txt",
        "add_library(a b.cpp)\nset(S x)\n" + "set(S ${S} ${S})\n" * 20,
        16,
        "the list `S` has more than 10,000 items",
        NAMED,
    ),
    "another file of CMake": (
        "CMakeLists.txt",
        "add_library(a b.cpp)\ninclude(c.cmake)\nadd_subdirectory(d)",
        2,
        "`include()` may list sources",
        f"`{PATH}`",
    ),
    "another module": (
        "setup.py",
        "import os\nfrom tools.x import sources\ny = ['b.cpp']",
        2,
        "the import of `tools` may list sources",
        f"`{PATH}`",
    ),
    "a listed folder": (
        "setup.py",
        "setup(f('b.cpp', os.listdir('csrc')))",
        1,
        "`listdir()` may list sources",
        f"`{PATH}`",
    ),
    "a list of another file": (
        "csrc/BUILD",
        'load(":f.bzl", "SOURCES")\ncc_library(srcs = SOURCES)',
        2,
        "an expression that cannot be evaluated may list sources",
        f"`{PATH}`",
    ),
}


@pytest.mark.parametrize(("build", "text", "line", "reason", "taken"), UNREAD.values(), ids=UNREAD)
def test_a_build_file_that_was_not_understood_is_reported_once_with_its_line(build, text, line, reason, taken):
    builds = builds_of({build: text})
    assert builds.compiles(PATH) == builds.compiles(PATH) == ALWAYS
    (remark,) = builds.remarks()
    assert (remark.event, remark.name, remark.origin.place) == ("op_unresolved", build, f"{build}:{line}")
    assert remark.facts["reason"] == f"{reason}, so {taken} is taken for compiled"


@pytest.mark.parametrize(
    "texts",
    [
        {"setup.py": SETUP.format("from tools import more\nsources = ['csrc/ops.cpp']")},
        {"CMakeLists.txt": "include(c.cmake)", "csrc/BUILD": BUILD.format("['ops.cpp']")},
        {"setup.py": "print 'a script without sources of C++'"},
        {"Makefile": "SRCS = a.cpp"},
    ],
    ids=["named", "named by another build", "about other languages", "no statement"],
)
def test_a_statement_on_which_no_source_depends_is_not_reported(texts):
    builds = builds_of(texts)
    builds.compiles(PATH)
    assert [*builds.remarks()] == []


M = requirement("M of CMake")
FOLDERS = {
    "added": ("add_subdirectory(csrc)", ALWAYS),
    "added by a variable in front": ("add_subdirectory(${CMAKE_CURRENT_SOURCE_DIR}/csrc)", ALWAYS),
    "added by a loop": ("foreach(d csrc lib)\nadd_subdirectory(${d})\nendforeach()", ALWAYS),
    "added by a macro of another file": ("include(m.cmake)\nadd_component(csrc)", ALWAYS),
    "possibly added by another file": ("include(m.cmake)", ALWAYS),
    "removed": ("add_subdirectory(lib)", NEVER),
    "the name of a target": ("add_library(csrc lib/x.cpp)", NEVER),
    "commented out": ("# add_subdirectory(csrc)", NEVER),
    "in a branch that never runs": ("if(OFF)\nadd_subdirectory(csrc)\nendif()", NEVER),
    "under an option": ("option(M OFF)\nif(M)\nadd_subdirectory(csrc)\nendif()", M),
    "unless an option": ("if(M)\nelse()\nadd_subdirectory(csrc)\nendif()", negation(M)),
    "under an option or its opposite": (
        "if(M)\nadd_subdirectory(csrc)\nelse()\nadd_subdirectory(csrc)\nendif()",
        ALWAYS,
    ),
}


@pytest.mark.parametrize(("text", "condition"), FOLDERS.values(), ids=FOLDERS)
def test_a_file_of_cmake_counts_if_another_adds_its_folder(text, condition):
    assert compiled({"CMakeLists.txt": text, "csrc/CMakeLists.txt": "add_library(a ops.cpp)"}) == condition


@pytest.mark.parametrize(("condition", "expected"), [("OFF", NEVER), ("M", M)])
def test_a_file_of_cmake_that_adds_a_folder_under_a_condition_may_list_sources_itself(condition, expected):
    above = f"add_library(a x.cpp)\nif({condition})\nadd_subdirectory(csrc)\nendif()"
    assert compiled({"CMakeLists.txt": above, "csrc/CMakeLists.txt": "target_sources(a PRIVATE ops.cpp)"}) == expected


@pytest.mark.parametrize(("adds", "expected"), [("add_subdirectory(csrc)", ALWAYS), (FOLDERS["under an option"][0], M)])
def test_an_include_has_no_effect_on_a_folder_that_another_file_adds(adds, expected):
    texts = {"": "include(m.cmake)\nadd_subdirectory(lib)", "lib/": adds, "lib/csrc/": "add_library(a ops.cpp)"}
    builds = builds_of({f"{folder}CMakeLists.txt": text for folder, text in texts.items()})
    assert (builds.compiles(f"lib/{PATH}"), [*builds.remarks()]) == (expected, [])


@pytest.mark.parametrize(("default", "condition"), [("ON", ALWAYS), ("OFF", M)])
def test_the_default_of_an_option_counts_in_the_folders_below(default, condition):
    below = "add_library(a x.cpp)\nif(M)\ntarget_sources(a PRIVATE ops.cpp)\nendif()"
    above = f'option(M "" {default})\nadd_subdirectory(csrc)'
    assert compiled({"CMakeLists.txt": above, "csrc/CMakeLists.txt": below}) == condition


def test_a_project_of_cmake_counts_also_if_no_file_above_adds_its_folder():
    texts = {"CMakeLists.txt": "add_subdirectory(lib)", "csrc/CMakeLists.txt": "project(a)\nadd_library(a ops.cpp)"}
    assert compiled(texts) == ALWAYS


@pytest.mark.parametrize(
    ("text", "reason"),
    [("# a\ninclude(m.cmake)", "`include()` may list sources, so"), ("\nif(X)", "`if()` has no `endif()`, so")],
)
def test_a_file_of_cmake_that_may_add_a_folder_is_reported(text, reason):
    builds = builds_of({"CMakeLists.txt": text, "csrc/CMakeLists.txt": "add_library(a ops.cpp)"})
    assert builds.compiles(PATH) == ALWAYS
    (remark,) = builds.remarks()
    assert (remark.origin.place, remark.facts["reason"].startswith(reason)) == ("CMakeLists.txt:2", True)


@pytest.mark.parametrize("seed", range(60))
def test_a_random_script_loses_no_source_that_python_compiles(seed):
    text = build_texts.random_script(random.Random(seed))  # noqa: S311 - no secret
    lost = {
        name
        for name in build_texts.compiled_by_python(text)
        if builds_of({"setup.py": text}).compiles(f"csrc/{name}") == NEVER
    }
    assert lost == set()
