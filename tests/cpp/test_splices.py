"""The text of a file with its included declarations is, to a compiler, the file itself; `g++ -E` is the oracle."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from opspec_lint.cpp import splices as module
from opspec_lint.cpp.splices import Splices, declares, has_lists
from opspec_lint.git.folder_tree import FolderTree
from tests.support.trees.onnx_trees import write

REGISTERS = re.compile(r"\bREG\s*\(")
HELPER = "int helper;\n"
CASES = {
    "in a namespace": {"a.cc": 'namespace n {\n#include "x.inc"\n}\nREG(last)\n', "x.inc": "REG(x)\nREG(y)"},
    "in a block": {"a.cc": 'void f() { g();\n  #  include "x.inc" // why\n}', "x.inc": "REG(x);\n"},
    "behind a comment": {"a.cc": '/* one\n # two */ #include "x.inc" /* three\n */\nREG(b)\n', "x.inc": "REG(x)\n"},
    "in a comment": {"a.cc": '/*\n#include "x.inc"\n*/\n#include "y.inc"\n', "x.inc": "REG(x)\n", "y.inc": "REG(y)\n"},
    "behind a raw string": {"a.cc": 'auto s = R"(\n#include "x.inc"\n)";\n#include "x.inc"\n', "x.inc": "REG(x)\n"},
    "under a condition": {"a.cc": '#ifdef ON\n#include "x.inc"\n#endif\n', "x.inc": "REG(x)\n"},
    "with the macros before it": {"a.cc": '#define N one\n#include "x.inc"\n#undef N\nN\n', "x.inc": "REG(N)\n"},
    "twice, with other macros": {
        "a.cc": '#define OP(x) REG(x)\n#include "x.inc"\n#undef OP\n#define OP(x) x,\nint a[]{\n#include "x.inc"\n};',
        "x.inc": "OP(one)\nOP(two)\n",
    },
    "once by a guard": {
        "a.cc": '#include "x.h"\n#include "x.h"\n',
        "x.h": "#ifndef X\n#define X\nREG(x)\n#endif\n",
    },
    "by a guard in another header": {
        "a.cc": '#include "y.h"\n#include "x.h"\n#ifdef X\nREG(a)\n#endif\n',
        "x.h": "// x\n#ifndef X  // why\n#define X 1\n#ifdef Y\nREG(y)\n#else\nREG(x)\n#endif\n#endif  // X\n",
        "y.h": '#ifndef Y_\n#define Y_\n#include "x.h"\n#endif\n',
    },
    "a guard that holds": {
        "a.cc": '#define X\n#include "x.h"\nREG(a)\n',
        "x.h": "#ifndef X\n#define X\nREG(x)\n#endif\n",
    },
    "no guard": {"a.cc": '#include "x.h"\n#include "x.h"\n', "x.h": "#ifndef X\n#define X\n#endif\nREG(x)\n"},
    "a header in a block": {"a.cc": 'REG(a) {\n#include "x.h"\n}\n', "x.h": "one, two\nREG(x)\n"},
    "once by a pragma": {"a.cc": '#include "x.h"\n#include "x.h"\n', "x.h": "#pragma once\nREG(x)\n"},
    "in each other": {
        "a.cc": '#include "x.h"\n',
        "x.h": '#pragma once\n#include "y.h"\nREG(x)\n',
        "y.h": '#pragma once\n#include "x.h"\nREG(y)\n',
    },
    "through a header": {"a.cc": '#include "s/y.h"\nREG(a)\n', "s/y.h": '#include "x.inc"\n', "s/x.inc": "REG(x)\n"},
    "from the root": {"s/a.cc": '#include "t/x.h"\n', "t/x.h": "REG(x)\n"},
    "with a header of its own": {
        "s/a.cc": '#include "../t/x.inc"\n',
        "t/x.inc": '#include "u/h.h"\nREG(x)\n',
        "t/u/h.h": HELPER,
    },
    "another source": {"a.cc": '#include "b.cc"\nREG(a)\n', "b.cc": "REG(b)\n"},
    "with a backslash at its end": {"a.cc": '#include "x.inc"\nREG(a)\n', "x.inc": "REG(x) // c \\"},
    "with other line ends": {"a.cc": '#include "x.inc"\r\nREG(a)\r\n', "x.inc": "\ufeffREG(x)\r\n"},
}


def splices(folder, files):
    tree = FolderTree("tree", str(write(folder, files)), ("",))
    contents = {path: data for path, data in tree.read(tree.blobs(("",))).items() if data is not None}
    declaring = [path for path, data in contents.items() if path != "a.cc" and declares(path, data, REGISTERS)]
    listing = [path for path, data in contents.items() if b"REG" in data and path.endswith(".cc") and has_lists(data)]
    return Splices(tree, tree.blobs(("",)), declaring, listing)


def preprocessed(folder, path, text):
    """Return the tokens that a compiler makes of a text in the place of a file."""
    (folder / path).write_bytes(text)
    command = ["g++", "-E", "-P", "-I", folder, folder / path]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ on the path")
@pytest.mark.parametrize("case", CASES)
def test_a_compiler_reads_the_same(tmp_path, case):
    made = splices(tmp_path, CASES[case])
    (unit,) = [path for path in CASES[case] if path.endswith("a.cc")]
    expected = preprocessed(tmp_path, unit, (tmp_path / unit).read_bytes())
    assert preprocessed(tmp_path, unit, made.files[unit].data) == expected


@pytest.mark.parametrize("case", CASES)
def test_lines_keep_their_places(tmp_path, case):
    made = splices(tmp_path, CASES[case])
    (unit,) = made.files.keys() - {"b.cc"}
    lines = made.files[unit].data.decode().splitlines()
    places = [(made.files[unit].place(number), line) for number, line in enumerate(lines, 1) if "REG(" in line]
    sources = {path: text.replace("\r\n", "\n").split("\n") for path, text in CASES[case].items()}
    assert [line.replace('#include "x.inc"', "").strip() for _, line in places]
    assert {file for (file, _), _ in places} - {"a.cc"} <= made.included
    assert all(line.strip() in sources[file][number - 1] for (file, number), line in places)


def test_a_place_in_plain_data_is_moved(tmp_path):
    made = splices(tmp_path, {"a.cc": 'REG(a)\n#include "x.h"\n', "x.h": "int i;\nREG(x)\n"})
    record = {"op": ("a.cc", 3, 7), "more": [("a.cc", 1), "a.cc", ("b.cc", 2, 1)]}
    assert made.located("a.cc", record) == {"op": ("x.h", 1, 7), "more": [("a.cc", 1), "a.cc", ("b.cc", 2, 1)]}
    assert made.located("b.cc", record) is record


def test_a_tree_has_the_texts_and_their_ids(tmp_path):
    files = {"a.cc": '#include "x.h"\n', "x.h": "REG(x)\n", "y.h": HELPER}
    tree = splices(tmp_path, files).tree()
    before = tree.identify(["a.cc"])
    assert b"REG(x)" in tree.read(["a.cc", "y.h"])["a.cc"]
    assert tree.blobs(("",)).keys() == tree.direct_files(("",)).keys() == files.keys()
    assert tree.blobs(("",))["a.cc"] == tree.direct_files(("",))["a.cc"] == before["a.cc"]
    assert splices(tmp_path, files | {"x.h": "REG(y)\n"}).tree().identify(["a.cc"]) != before


def test_a_link_has_the_text_of_its_target(tmp_path):
    folder = write(tmp_path, {"s/real.txt": "REG(x)\n"})
    (folder / "a.cc").symlink_to("s/real.txt")
    (folder / "b.cc").symlink_to("../away.cc")
    tree = FolderTree("tree", str(folder), (".cc",))
    tree.blobs(("",))
    made = Splices(tree, {}, (), links=[*tree.links])
    assert made.tree().read(["a.cc", "b.cc"]) == {"a.cc": b"REG(x)\n", "b.cc": None}
    assert (made.files["a.cc"].place(1), [*made.tree().links]) == (("s/real.txt", 1), ["b.cc"])


def test_what_cannot_be_followed_is_reported_with_its_line(tmp_path, monkeypatch):
    made = splices(tmp_path / "a", {"a.cc": 'REG(a)\n#include LIST\n#include "gone.def"\n#include "gone.h"\n'})
    assert made.unread == [
        ("a.cc", 2, "it includes LIST, which is not in the tree"),
        ("a.cc", 3, 'it includes "gone.def", which is not in the tree'),
    ]
    monkeypatch.setattr(module, "MAX_INCLUDE_DEPTH", 1)
    made = splices(tmp_path / "b", {"a.cc": '\n#include "x.h"\n', "x.h": 'int i;\n#include "y.h"\n', "y.h": "REG(y)\n"})
    assert (made.files, made.unread) == ({}, [("x.h", 2, "declarations are included too often, or too deep")])
    monkeypatch.setattr(module, "MAX_SOURCE", 10)
    made = splices(tmp_path / "c", {"a.cc": '\n#include "x.inc"\n// 345\n', "x.inc": "REG(x)\n"})
    assert (made.files, made.unread) == ({}, [("a.cc", 2, "it has more than 0 MiB with the files that it includes")])


def test_a_tree_without_such_files_is_not_read_again(tmp_path):
    made = splices(tmp_path, {"a.cc": '#include "x.h"\nREG(a)\n', "x.h": "// REG(x)\n#define ALL \\\n  REG(x)\n"})
    assert (made.files, made.included, type(made.tree())) == ({}, set(), FolderTree)
