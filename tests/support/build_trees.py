"""Trees of Bazel in which the source `p/a.cc` is compiled, lost, compiled under a condition, or in doubt."""

from __future__ import annotations

import re
from typing import NamedTuple

SOURCE = "p/a.cc"
MACRO = 'load("//:m.bzl", "m")\nm(name = "k", srcs = ["a.cc", "b.cc"])'
LISTS = 'load(":m.bzl", "S")\n'
BINARY = 'cc_binary(name = "x.so", deps = [{}])\n'
LIBRARY = 'cc_library(name = "k", srcs = ["a.cc"]{})\n'
PRIVATE = LIBRARY.format(', visibility = ["//visibility:private"]')
PUBLIC = LIBRARY.format(', visibility = ["//visibility:public"]')
GROUP = 'filegroup(name = "g", srcs = ["a.cc"])\n'
HIDDEN_GROUP = 'filegroup(name = "g", srcs = ["a.cc"], visibility = ["//visibility:private"])\n'
GROUP_USER = 'cc_library(name = "k", srcs = ["{}"])'
TESTING = "package(default_testonly = True)\n"
EXPORTED = 'exports_files(["a.cc"])\n'
GENERATED = 'genrule(name = "g", srcs = ["a.cc"], outs = ["c.cc"])\n'
SECOND = 'cc_library(name = "z", srcs = ["b.cc"])\n'


class Tree(NamedTuple):
    """Build files, and the verdict on the source.

    `verdict` is the condition as a phrase, with `doubt`, the place and a part of the remark on the source.
    """

    files: dict[str, str]
    verdict: str = "always"
    doubt: tuple[str, str] | None = None


def lost(files):
    return Tree(files, "never")


def doubted(files, place, reason):
    return Tree(files, "always", (place, reason))


def macro(body):
    return {"p/BUILD": MACRO, "m.bzl": f"def m(name, srcs, **kwargs):\n{body}"}


UNKNOWN = "an expression that cannot be evaluated"
UNFOLLOWED = "the macro `m` cannot be evaluated"
UNKNOWN_MACRO = 'load("//:m.bzl", "m")\nm({})'
COMPREHENSION = '[cc_library(name = x, srcs = [x + ".cc"]) for x in {}]'
KINDS: dict[str, tuple[Tree, ...]] = {
    "a group": (
        Tree({"p/BUILD": GROUP + 'cc_library(name = "k", srcs = [":g"])'}),
        Tree({"p/BUILD": GROUP + 'cc_library(name = "k", srcs = ["g"])'}),
        Tree({"p/BUILD": GROUP + 'alias(name = "h", actual = ":g")\ncc_library(name = "k", srcs = [":h"])'}),
        Tree(
            {"p/BUILD": GROUP + 'filegroup(name = "h", srcs = [":g", "b.cc"])\ncc_library(name = "k", srcs = [":h"])'}
        ),
        Tree({"p/BUILD": GROUP, "BUILD": 'cc_library(name = "k", srcs = ["//p:g"])'}),
        doubted({"p/BUILD": GROUP + SECOND}, "p/BUILD:1", "only the group `//p:g` names it"),
        doubted(
            {"p/BUILD": GROUP + 'filegroup(name = "h", srcs = [":g"])\n' + SECOND},
            "p/BUILD:1",
            "only the group `//p:g`",
        ),
        lost({"p/BUILD": HIDDEN_GROUP + SECOND}),
        lost({"p/BUILD": 'filegroup(name = "g", srcs = ["b.cc"])\ncc_library(name = "k", srcs = [":g"])'}),
        Tree(
            {"p/BUILD": GROUP + 'cc_library(name = "k", srcs = select({"//c:x": [":g"], "//conditions:default": []}))'},
            "//c:x",
        ),
        lost({"p/BUILD": HIDDEN_GROUP + 'cc_test(name = "t", srcs = [":g"])'}),
    ),
    "a library": (
        Tree({"p/BUILD": PRIVATE + BINARY.format('":k"')}),
        Tree({"p/BUILD": PRIVATE + BINARY.format('"k"')}),
        Tree({"p/BUILD": PRIVATE + 'alias(name = "l", actual = ":k")\n' + BINARY.format('":l"')}),
        Tree({"p/BUILD": PRIVATE + 'cc_library(name = "l", deps = [":k"])'}),
        Tree({"p/BUILD": PUBLIC}),
        Tree({"p/BUILD": LIBRARY.format("")}),
        Tree({"p/BUILD": PUBLIC + BINARY.format('":k"')}),
        Tree({"p/BUILD": PUBLIC + BINARY.format(""), "BUILD": BINARY.format('"//p:k"')}),
        Tree({"p/BUILD": PUBLIC + 'cc_test(name = "t", deps = [])'}),
        lost({"p/BUILD": PRIVATE}),
        lost({"p/BUILD": PRIVATE + BINARY.format("")}),
        lost({"p/BUILD": PRIVATE + 'cc_test(name = "t", deps = [":k"])'}),
        lost({"p/BUILD": 'package(default_visibility = ["//visibility:private"])\n' + LIBRARY.format("")}),
        lost({"p/BUILD": PRIVATE + 'cc_library(name = "l", deps = [":k"], visibility = ["//visibility:private"])'}),
        doubted({"p/BUILD": PUBLIC + BINARY.format("")}, "p/BUILD:1", "no rule around it depends on `//p:k`"),
        doubted({"p/BUILD": LIBRARY.format("") + BINARY.format("")}, "p/BUILD:1", "no rule around it depends on"),
        doubted({"p/BUILD": PRIVATE + BINARY.format("unknown()")}, "p/BUILD:2", f"{UNKNOWN} may depend on `//p:k`"),
        Tree(
            {
                "p/BUILD": PRIVATE
                + 'cc_binary(name = "x", deps = select({"//c:x": [":k"], "//conditions:default": []}))'
            },
            "//c:x",
        ),
    ),
    "a macro of the tree": (
        Tree(macro("  native.cc_library(name = name, srcs = srcs)")),
        Tree(macro("  for s in srcs:\n    native.cc_library(name = s, srcs = [s])")),
        Tree({"p/BUILD": 'load("@x//:m.bzl", "m")\nm(name = "k", srcs = ["a.cc"])'}),
        lost(macro("  native.cc_library(name = name, srcs = srcs[1:])")),
        lost(macro("  native.cc_library(name = name, srcs = [s for s in srcs if s != 'a.cc'])")),
        lost(macro("  native.cc_test(name = name, srcs = srcs)")),
        lost(macro("  pass")),
        lost(macro("  if False:\n    native.cc_library(name = name, srcs = srcs)")),
        doubted(
            macro("  if unknown():\n    native.cc_library(name = name, srcs = srcs)"),
            "p/BUILD:2",
            "the macro `m` cannot be evaluated",
        ),
        Tree(
            {
                "p/BUILD": 'load("//:m.bzl", "m")\nm(name = "a")',
                "m.bzl": 'def m(name):\n  native.cc_library(name = name, srcs = [name + ".cc"])',
            }
        ),
        lost(
            {
                "p/BUILD": 'load("//:m.bzl", "m")\nm(name = "a")',
                "m.bzl": 'def m(name):\n  native.cc_library(name = name, srcs = [name + "_.cc"])',
            }
        ),
        lost(
            {
                "p/BUILD": HIDDEN_GROUP + 'load("//:m.bzl", "m")\nm(name = "k", srcs = [":g"])',
                "m.bzl": "def m(**_):\n  pass",
            }
        ),
        doubted(
            {
                "p/BUILD": GROUP + 'load("//:m.bzl", "m")\nm(name = "k", srcs = [":g"])',
                "m.bzl": "def m(**_):\n  pass",
            },
            "p/BUILD:1",
            "only the group `//p:g` names it",
        ),
    ),
    "an unknown macro": (
        Tree({"p/BUILD": UNKNOWN_MACRO.format('name = "k", srcs = ["a.cc"]')}),
        doubted({"p/BUILD": UNKNOWN_MACRO.format('name = "a"')}, "p/BUILD:2", UNFOLLOWED),
        doubted({"p/BUILD": UNKNOWN_MACRO.format('libs = ["x", "a"], deps = ["//x"]')}, "p/BUILD:2", UNFOLLOWED),
        doubted({"p/BUILD": UNKNOWN_MACRO.format('"a.so"')}, "p/BUILD:2", UNFOLLOWED),
        doubted(
            {"p/BUILD": UNKNOWN_MACRO.format('libs = ["a"]').replace("//:m", "@x//:m") + f"\n{SECOND}"},
            "p/BUILD:2",
            UNFOLLOWED,
        ),
        doubted(
            {"p/BUILD": UNKNOWN_MACRO.format('libs = ["a"]') + '\ncc_test(name = "t", srcs = ["a.cc"])'},
            "p/BUILD:2",
            UNFOLLOWED,
        ),
        doubted(
            {
                "p/BUILD": UNKNOWN_MACRO.format('name = "a"'),
                "m.bzl": "def m(name):\n  if unknown():\n    native.cc_library(name = name, srcs = [name + END])",
            },
            "p/BUILD:2",
            UNFOLLOWED,
        ),
        doubted(
            {
                "p/BUILD": UNKNOWN_MACRO.format('name = "a"'),
                "m.bzl": 'load("@x//:n.bzl", "n")\ndef m(name):\n  n(name = name)',
            },
            "m.bzl:3",
            UNFOLLOWED.replace("`m`", "`n`"),
        ),
        lost({"p/BUILD": UNKNOWN_MACRO.format('name = "c"')}),
        lost({"p/BUILD": UNKNOWN_MACRO.format('name = "a", srcs = ["b.cc"]')}),
        lost({"p/BUILD": UNKNOWN_MACRO.format('name = "b", deps = [":a"], visibility = ["//a"]')}),
        lost({"p/BUILD": UNKNOWN_MACRO.format('name = "a", testonly = True')}),
        lost({"p/BUILD": UNKNOWN_MACRO.format('name = "a"').replace("m(", "m_test(").replace('"m"', '"m_test"')}),
        lost({"p/BUILD": 'cc_library(name = "a", srcs = ["b.cc"])\ncc_library(name = "z")'}),
        lost({"p/BUILD": 'load("@rules_cc//cc:defs.bzl", "cc_library")\ncc_library(name = "a")\n' + SECOND}),
        Tree(
            {
                "p/BUILD": UNKNOWN_MACRO.format('name = "a"')
                + '\ncc_library(name = "k", srcs = select({"//c:x": ["a.cc"]}))'
            },
            "//c:x",
        ),
    ),
    "a pattern": (
        Tree({"p/BUILD": 'cc_library(name = "k", srcs = glob(["*.cc"]))'}),
        Tree({"p/BUILD": 'cc_library(name = "k", srcs = glob(["*.cc"], exclude = ["b.cc"]))'}),
        Tree({"BUILD": 'cc_library(name = "k", srcs = glob(["**/*.cc"]))'}),
        lost({"p/BUILD": 'cc_library(name = "k", srcs = glob(["*.cc"], exclude = ["a.cc"]))'}),
        lost({"p/BUILD": 'cc_library(name = "k", srcs = glob(["*.cc"], exclude = ["a*"]))'}),
        lost({"p/BUILD": 'X = ["a.cc"]\ncc_library(name = "k", srcs = glob(["*.cc"], exclude = X))'}),
        lost({"BUILD": 'cc_library(name = "k", srcs = glob(["**/*.cc"]))', "p/BUILD": SECOND}),
        Tree({"BUILD": 'cc_library(name = "k", srcs = glob(["**/*.cc"], exclude = ["**/cc", "**/.cc", "*/*/*.cc"]))'}),
        lost({"BUILD": 'cc_library(name = "k", srcs = glob(["**/*.cc"], exclude = ["p/**"]))'}),
        lost({"BUILD": 'cc_library(name = "k", srcs = glob(["**/*.cc"], exclude = ["**/p/**/*.cc"]))'}),
    ),
    "a package for tests": (
        Tree({"p/BUILD": TESTING + LIBRARY.format(", testonly = False")}),
        lost({"p/BUILD": TESTING + LIBRARY.format("")}),
        lost({"p/BUILD": TESTING.replace("True", "1") + PUBLIC + BINARY.format('":k"')}),
        lost({"p/BUILD": TESTING + UNKNOWN_MACRO.format('name = "a"')}),
        lost({"p/BUILD": PRIVATE + "package(default_testonly = True)\n" + BINARY.format('":k"')}),
        Tree({"p/BUILD": "package(default_testonly = False)\n" + LIBRARY.format("")}),
        lost({"p/BUILD": LIBRARY.format(", testonly = True")}),
        lost({"p/BUILD": PRIVATE + 'cc_binary(name = "x", testonly = 1, deps = [":k"])'}),
    ),
    "an exported file": (
        Tree({"p/BUILD": EXPORTED + SECOND, "BUILD": 'cc_library(name = "k", srcs = ["//p:a.cc"])'}),
        Tree({"p/BUILD": EXPORTED + LIBRARY.format("")}),
        doubted({"p/BUILD": EXPORTED + SECOND}, "p/BUILD:1", "only `exports_files` names it"),
        doubted(
            {"p/BUILD": EXPORTED.replace("[", "srcs = [", 1) + SECOND}, "p/BUILD:1", "only `exports_files` names it"
        ),
        doubted(
            {"p/BUILD": 'package(default_visibility = ["//visibility:private"])\n' + EXPORTED + SECOND},
            "p/BUILD:2",
            "only `exports_files` names it",
        ),
        lost({"p/BUILD": 'exports_files(["a.cc"], visibility = ["//visibility:private"])\n' + SECOND}),
        lost({"p/BUILD": 'exports_files(["x.h"])\n' + SECOND}),
    ),
    "a rule that compiles nothing": (
        Tree({"p/BUILD": GENERATED + 'cc_library(name = "k", srcs = [":g"])'}),
        Tree({"p/BUILD": GENERATED + LIBRARY.format("")}),
        doubted({"p/BUILD": GENERATED}, "p/BUILD:1", "only the genrule `//p:g` names it"),
    ),
    "a label of the own repository": (
        Tree({"MODULE.bazel": 'module(name = "me")', "p/BUILD": PRIVATE + BINARY.format('"@me//p:k"')}),
        Tree({"WORKSPACE": 'workspace(name = "me")', "p/BUILD": PRIVATE + BINARY.format('"@me//p:k"')}),
        Tree(
            {
                "MODULE.bazel": 'module(\n    name = "m",\n    repo_name = "me.x",\n)',
                "p/BUILD": PRIVATE + BINARY.format('"@me.x//p:k"'),
            }
        ),
        Tree({"WORKSPACE": 'workspace(name = "me")', "p/BUILD": HIDDEN_GROUP + GROUP_USER.format("@me//p:g")}),
        Tree(
            {
                "WORKSPACE": 'workspace(name = "me")',
                "BUILD": 'cc_library(name = "k", srcs = ["@me//p:a.cc"])',
                "p/BUILD": SECOND,
            }
        ),
        Tree(
            {
                "MODULE.bazel": 'module(name = "me")',
                "BUILD": PRIVATE.replace('"k"', '"me"').replace("a.cc", "//p:a.cc") + BINARY.format('"@me"'),
                "p/BUILD": SECOND,
            }
        ),
        lost({"MODULE.bazel": 'module(name = "me")', "p/BUILD": PRIVATE + BINARY.format('"@other//p:k"')}),
        Tree({"BUILD": 'cc_library(name = "k", srcs = ["@//p:a.cc"])', "p/BUILD": SECOND}),
        Tree({"p/BUILD": PRIVATE + BINARY.format('"@@//p:k"')}),
    ),
    "arguments in a dictionary": (
        Tree({"p/BUILD": 'D = {"srcs": ["a.cc"]}\ncc_library(name = "k", **D)'}),
        lost({"p/BUILD": 'D = {"srcs": ["b.cc"]}\ncc_library(name = "k", **D)'}),
        doubted({"p/BUILD": 'cc_library(name = "k", **unknown())'}, "p/BUILD:1", f"{UNKNOWN} may list"),
        Tree({"p/BUILD": 'load("@x//:m.bzl", "m")\nm(name = "k", srcs = {"x": ["a.cc"]})'}),
        doubted(
            {"p/BUILD": PRIVATE + 'cc_binary(name = "x", **unknown())'},
            "p/BUILD:2",
            f"{UNKNOWN} may depend on `//p:k`",
        ),
    ),
    "a comprehension": (
        Tree({"p/BUILD": COMPREHENSION.format('["a", "b"]')}),
        Tree({"p/BUILD": 'cc_library(name = "k", srcs = ["%s.cc" % x for x in ["a"]])'}),
        lost({"p/BUILD": COMPREHENSION.format('["b"]')}),
        lost({"p/BUILD": COMPREHENSION.format('["a", "b"] if x != "a"')}),
        lost({"p/BUILD": 'cc_library(name = "k", srcs = [x for x in ["a.cc", "b.cc"] if not x.startswith("a")])'}),
        doubted(
            {"p/BUILD": 'load("@x//:y.bzl", "N")\n' + COMPREHENSION.format('["b"] + N')},
            "p/BUILD:2",
            f"{UNKNOWN} may list",
        ),
    ),
    "a select": (
        Tree({"p/BUILD": 'cc_library(name = "k", srcs = ["a.cc"] + select({"//c:x": ["b.cc"]}))'}),
        Tree({"p/BUILD": 'cc_library(name = "k", srcs = select({"//c:x": ["a.cc"]}))'}, "//c:x"),
        Tree(
            {"p/BUILD": 'cc_library(name = "k", srcs = select({"//c:x": [], "//conditions:default": ["a.cc"]}))'},
            "not //c:x",
        ),
        Tree({"p/BUILD": 'cc_library(name = "k", srcs = if_cuda(["a.cc"]))'}, "if_cuda"),
        Tree({"p/BUILD": 'D = {"//c:x": ["a.cc"]}\ncc_library(name = "k", srcs = select(D))'}, "//c:x"),
        Tree(
            {"p/BUILD": 'filegroup(name = "g", srcs = select({"//c:x": ["a.cc"]}))\n' + GROUP_USER.format(":g")},
            "//c:x",
        ),
    ),
    "a variable of another file": (
        Tree({"p/BUILD": LISTS + 'cc_library(name = "k", srcs = S)', "p/m.bzl": 'S = ["a.cc"]'}),
        lost({"p/BUILD": LISTS + 'cc_library(name = "k", srcs = S)', "p/m.bzl": 'S = ["b.cc"]'}),
        doubted({"p/BUILD": LISTS + 'cc_library(name = "k", srcs = S)'}, "p/BUILD:2", f"{UNKNOWN} may list"),
    ),
    "a missing BUILD file": (
        Tree({}),
        Tree({"README": ""}),
        Tree({"MODULE.bazel": ""}, "a build compiles `p/a.cc`"),
        Tree({"WORKSPACE": "", "p/b/BUILD": SECOND}, "a build compiles `p/a.cc`"),
        Tree({"BUILD": 'exports_files(["x"])'}, "a build compiles `p/a.cc`"),
        lost({"BUILD": 'cc_library(name = "k", deps = ["//p:k"])'}),
        Tree({"WORKSPACE": "", "CMakeLists.txt": "add_library(k p/a.cc)"}),
    ),
}
"""Trees by the kind of indirection: sound ones, and such that the source is lost, conditional or in doubt."""


def placed(tree, folder, name):
    """Return the files of a tree whose source is `NAME.cc` in a folder; labels and patterns of the package follow."""
    files = {}
    source = f"{folder}/{name}.cc"
    for path, text in tree.files.items():
        renamed = re.sub(r"""(?<=["':])a(?=["'.*])""", name, text.replace(SOURCE, source))
        renamed = re.sub(r"""(?<=["'/])p(?=[/:])""", folder, renamed)
        files[f"{folder}/{path[2:]}" if path.startswith("p/") else path] = renamed
    return files
