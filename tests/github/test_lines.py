from __future__ import annotations

import random

import pytest

from opspec_lint.git.repository import repository_at
from opspec_lint.github.lines import translate_lines

FILE = "a b/[c].txt"


def edited(lines, chance, seed):
    """Return lines without some of them, and with some that are new."""
    texts = []
    for line in lines:
        if chance.random() < 0.2:
            texts.append(f"new {seed} {len(texts)}")
        if chance.random() > 0.2:
            texts.append(line)
    return texts


@pytest.mark.parametrize("seed", range(12))
def test_a_line_of_the_merge_is_the_same_line_in_the_head(origin, seed):
    chance = random.Random(seed)  # noqa: S311 - not for cryptography
    base = [f"line {number}" for number in range(chance.choice([0, 1, 3, 40]))]
    merge, head = edited(base, chance, "merge"), edited(base, chance, "head")
    commits = [origin.commit("main", {FILE: "".join(f"{line}\n" for line in text)}) for text in (merge, head)]
    places = [(FILE, number) for number in range(1, len(merge) + 1)]
    result = translate_lines(repository_at(str(origin.folder), {}), *commits, places)
    assert set(result) <= set(places)
    for path, number in places:
        there, line = result.get((path, number), number), merge[number - 1]
        if line in head:
            assert head[there - 1] == line
        else:
            assert 1 <= there <= max(len(head), 1)


def test_a_file_or_a_commit_that_is_not_there_keeps_its_lines(origin):
    first, second = origin.commit("main", {FILE: "a\n"}), origin.commit("main", {"other": "b\n"})
    repository = repository_at(str(origin.folder), {})
    assert translate_lines(repository, first, second, [(FILE, 1)]) == {}
    assert translate_lines(repository, first, "f" * 40, [(FILE, 1)]) == {}
