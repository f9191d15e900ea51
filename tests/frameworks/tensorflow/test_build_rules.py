"""The builds that compile a file by BUILD files that are hard to evaluate."""

from __future__ import annotations

import random

import pytest

from opspec_lint.frameworks.tensorflow.extract.source.bazel import BuildRules
from opspec_lint.frameworks.tensorflow.extract.source.builds import EVERY
from tests.support import build_texts

A = "p/a.cc"
LOAD = 'load("//:m.bzl", "m")\n'
CHAIN = "".join(f"def f{n}(srcs):\n  f{n + 1}(srcs)\n  f{n + 1}(srcs)\n" for n in range(18))
NESTED = "".join(f"def f{n}(x):\n  return [s for _ in range(40) for s in f{n + 1}(x)]\n" for n in range(3))
READ = {
    "a value for two names": {"p/BUILD": 'S = ["z.cc"]\nS = T = ["a.cc"]\ncc_library(name = "a", srcs = S)'},
    "a list with two names": {"p/BUILD": 'S = T = ["z.cc"]\nT += ["a.cc"]\ncc_library(name = "a", srcs = S)'},
    "an added element": {"p/BUILD": 'S = ["z.cc"]\nS.append("a.cc")\ncc_library(name = "a", srcs = S)'},
    "rules in two loops": {"p/BUILD": '[[cc_library(name = x, srcs = [y]) for x in ["k"]] for y in ["a.cc"]]'},
    "several rules in a turn": {
        "p/BUILD": '[[cc_library(name = x), cc_library(name = x, srcs = [x])] for x in ["a.cc"]]'
    },
    "the package of a macro's caller": {
        "p/BUILD": 'load("//t:m.bzl", "m")\nm(name = "x", srcs = ["a.cc"])',
        "t/m.bzl": "def m(name, srcs):\n"
        '  cc_library(name = name, srcs = ["//" + native.package_name() + ":" + s for s in srcs])',
    },
    "a loop at the top": {"p/BUILD": "X = []\nfor x in ['a']:\n  X += [x + '.cc']\ncc_library(name = 'a', srcs = X)"},
    "a macro without a name": {"p/BUILD": 'checked_ops(sources = ["a.cc"])'},
    "files that load a name from each other": {
        "p/BUILD": LOAD + 'm(name = "x", srcs = ["a.cc"])',
        "m.bzl": 'load("//:n.bzl", "m")',
        "n.bzl": LOAD,
    },
    "a loop that is left": {
        "p/BUILD": LOAD + 'm(name = "x", srcs = ["a.cc", "z.cc"])',
        "m.bzl": "def m(name, srcs):\n  for s in srcs:\n    if s == 'b.cc':\n      break\n"
        "    cc_library(name = s, srcs = [s])",
    },
}
UNKNOWN = {
    "macros that double": (
        'load("//:m.bzl", "f0")\nf0(srcs = ["a.cc"])',
        2,
        {"m.bzl": CHAIN + "def f18(srcs):\n  native.cc_library(name = 'x', srcs = srcs)"},
    ),
    "a macro of a missing file": ('load("//:m.bzl", "m")\nm(libs = ["a"])', 2, {}),
    "a macro of a foreign repository": ('load("@x//:m.bzl", "m")\nm(name = "a")', 2, {}),
    "a macro of a missing file beside a test": (
        'load("//:m.bzl", "m")\nm(libs = ["a"])\ncc_test(name = "t", srcs = ["a.cc"])',
        2,
        {},
    ),
    "a macro that cannot be evaluated, and names no source": (
        'load("//:m.bzl", "m")\nm(name = "a")',
        2,
        {"m.bzl": "def m(name):\n  if unknown():\n    native.cc_library(name = name, srcs = [name + END])"},
    ),
    "a variable of files that load it from each other": (
        'load("//:m.bzl", "X")\ncc_library(name = "a", srcs = X)',
        2,
        {"m.bzl": 'load("//:n.bzl", "X")', "n.bzl": 'load("//:m.bzl", "X")'},
    ),
    "a doubled list": ("X = ['a.cc']\n" + "X = [X, X]\n" * 30 + "cc_library(name = 'a', srcs = X)", 32, {}),
    "a doubled sum": ("X = ['a.cc']\n" + "X = X + X\n" * 30 + "cc_library(name = 'a', srcs = X)", 17, {}),
    "a doubled text": ("X = 'a.cc'\n" + "X = X + X\n" * 30 + "cc_library(name = 'a', srcs = [X])", 13, {}),
    "a deep list": ("X = ['a.cc']\n" + "X = [X]\n" * 1500 + "cc_library(name = 'a', srcs = X)", 1502, {}),
    "a list in itself": ("X = ['z.cc']\nX.append(X)\ncc_library(name = 'a', srcs = X)", 3, {}),
    "a rule of many steps": (
        "\ncc_library(name = 'a', srcs = ['a.cc'], x = [y for y in range(9999) for z in range(9999)])",
        2,
        {},
    ),
    "functions that call each other": (
        'load("//:m.bzl", "f0")\ncc_library(name = "a", srcs = f0(["a.cc"]))',
        2,
        {"m.bzl": NESTED + "def f3(x):\n  return x"},
    ),
    "a loop over an unknown list": ("\n[cc_library(name = n, srcs = [n + '.cc']) for n in ['z'] + NAMES]", 2, {}),
}


@pytest.mark.parametrize("texts", READ.values(), ids=READ)
def test_rules_that_are_hard_to_follow_are_read(texts):
    rules = BuildRules([A], texts.get, ())
    assert (rules.builds(A), rules.undecided) == (EVERY, {})


@pytest.mark.parametrize(("build", "line", "more"), UNKNOWN.values(), ids=UNKNOWN)
def test_a_statement_that_cannot_be_followed_is_reported_and_compiles_the_file(build, line, more):
    rules = BuildRules([A], {"p/BUILD": build, **more}.get, ())
    assert rules.builds(A) == EVERY
    assert rules.undecided == {("p/BUILD", line): A}


def test_a_function_that_lists_files_depends_on_the_package():
    texts = {f"{folder}/BUILD": LOAD + 'm(name = "x", srcs = ["a.cc", "b.cc"])' for folder in "pq"}
    files = 'def mine():\n  return native.glob(["*.cc"])\ndef m(name, srcs):\n  cc_library(name = name, srcs = mine())'
    paths = ["p/a.cc", "q/b.cc"]
    rules = BuildRules(paths, {**texts, "m.bzl": files}.get, ())
    assert [rules.builds(path) for path in paths] == [EVERY, EVERY]


@pytest.mark.parametrize("seed", range(60))
def test_no_source_that_python_compiles_is_lost(seed):
    text = build_texts.random_rules(random.Random(seed))  # noqa: S311 - no secret
    expected = {f"p/{name}" for name in build_texts.compiled_by_python(text)}
    texts = {"p/BUILD": 'load("//:m.bzl", "macro")\n' + text, "m.bzl": build_texts.MACRO}
    rules = BuildRules([f"p/{letter}.cc" for letter in build_texts.LETTERS], texts.get, ())
    assert {path for path in expected if not rules.builds(path)} == set()
