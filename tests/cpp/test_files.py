"""The includes of a file, and the files of a tree that are read for them."""

from __future__ import annotations

import pytest

from opspec_lint.cpp import files as module
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.paddle_files import paddle_cpp_files
from opspec_lint.sources.parts import OUTLINE
from tests.support.trees.paddle_trees import Memory

TREE = {
    "paddle/a.cc": '#include "paddle/b.h"\n#include "paddle/c.h"\n#include <map>\n#include "other/no.h"\n'
    '#include "paddle/gone.h"\n#include "paddle/no.txt"\n',
    "paddle/b.h": '  #  include "paddle/x/../d.hpp"\n#define B 1\n# define C(x) x\n',
    "paddle/c.h": '#include "paddle/a.cc"\n',
    "paddle/d.hpp": "",
}


def test_nearest_includes_come_first_and_none_twice():
    files = paddle_cpp_files(Memory(TREE))
    assert files.closure("paddle/a.cc") == ("paddle/a.cc", "paddle/b.h", "paddle/c.h", "paddle/d.hpp")
    assert files.looked_at >= {f"{OUTLINE}paddle/gone.h", f"{OUTLINE}paddle/d.hpp"}
    assert "paddle/no.txt" not in files.looked_at


def test_every_file_is_read_once():
    tree = Memory(TREE)
    files = paddle_cpp_files(tree)
    for _ in range(2):
        files.closure("paddle/a.cc")
        files.closure("paddle/c.h")
        assert files.raw("paddle/gone.h") is None
    assert sorted(tree.was_read) == sorted([*TREE, "paddle/gone.h"])
    assert files.source("paddle/b.h") is files.source("paddle/b.h")
    assert files.source("paddle/gone.h") is None
    assert files.code("paddle/gone.h", {}) is None


def test_what_an_answer_depends_on_is_reported_again_where_it_is_known():
    files = paddle_cpp_files(Memory(TREE))
    files.closure("paddle/a.cc")
    files.looked_at.clear()
    files.closure("paddle/a.cc")
    assert files.looked_at == {f"{OUTLINE}{path}" for path in (*TREE, "paddle/gone.h")}


def test_the_macros_that_a_file_may_define():
    files = paddle_cpp_files(Memory(TREE))
    assert [files.defines(path) for path in ("paddle/b.h", "paddle/d.hpp", "paddle/gone.h")] == [
        {"B", "C"},
        set(),
        set(),
    ]


def test_there_is_a_limit_to_includes(monkeypatch):
    monkeypatch.setattr(module, "MAX_INCLUDES", 4)
    with pytest.raises(UnresolvedError, match="it includes more than 4 files"):
        paddle_cpp_files(Memory(TREE)).closure("paddle/a.cc")
    monkeypatch.setattr(module, "MAX_INCLUDES", 5)
    assert len(paddle_cpp_files(Memory(TREE)).closure("paddle/a.cc")) == 4


def test_files_next_to_the_one_that_includes_them():
    tree = {
        "paddle/f/a.cc": '#include "b.h"\n#include "./c.h"\n#include "../d.h"\n#include "sub/e.h"\n#include <g.h>\n',
        "paddle/f/b.h": "",
        "paddle/f/c.h": "",
        "paddle/d.h": "",
        "paddle/f/sub/e.h": "",
    }
    files = paddle_cpp_files(Memory(tree))
    assert files.closure("paddle/f/a.cc") == ("paddle/f/a.cc", "paddle/f/b.h", "paddle/f/c.h", "paddle/d.h")
