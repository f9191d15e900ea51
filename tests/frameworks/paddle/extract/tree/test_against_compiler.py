"""C++ is read as a compiler evaluates the code, or it is unresolved."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.frameworks.paddle.extract.tree.cpp_compiled import prepare, reading, run
from tests.frameworks.paddle.extract.tree.cpp_snippets import snippets

SHARE = 0.75
GROUP = 125

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ on the path"),
]


def compiled_of(folder, group):
    """Return the values that the compiler computes for some snippets, each half separately if they conflict."""
    compiled, problem = run(folder, group)
    if compiled is not None:
        return compiled
    assert len(group) > 1, problem[:3000]
    half = len(group) // 2
    return compiled_of(folder, group[:half]) | compiled_of(folder, group[half:])


def test_no_kind_of_snippet_is_read_wrong(tmp_path):
    prepare(tmp_path)
    numbered = [(f"s{index}", snippet) for index, snippet in enumerate(snippets())]
    groups = [numbered[start : start + GROUP] for start in range(0, len(numbered), GROUP)]
    with ThreadPoolExecutor(os.cpu_count()) as compilers:
        results = list(compilers.map(lambda group: compiled_of(tmp_path, group), groups))
    wrong, refused, resolved = [], [], 0
    for group, compiled in zip(groups, results, strict=True):
        for ns, snippet in group:
            result, unresolved = reading(ns, snippet)
            for op in (ns, f"{ns}_d"):
                if op not in compiled:
                    continue
                if op in unresolved and op not in result:
                    refused.append((op, unresolved[op]))
                elif result.get(op) != compiled[op]:
                    wrong.append((snippet.files(ns), compiled[op], result.get(op), unresolved))
                else:
                    resolved += 1
    assert wrong == []
    assert len(numbered) >= 300
    assert resolved / (resolved + len(refused)) >= SHARE
