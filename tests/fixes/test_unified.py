"""The result of edits of a file, and their diff: `git apply` yields the same file."""

from __future__ import annotations

import random

import pytest

from opspec_lint.fixes.fix import Fix
from opspec_lint.fixes.plan import plan
from opspec_lint.fixes.text_file import TextFile
from opspec_lint.fixes.unified import fix_diff, unified_diff
from tests.support.repositories import Repository

TEXTS = ["", "a", "a\n", "a\nb\nc", "a\r\nb\r\nc\r\n", "\ufeffa\nb\n", "ä\n\n\nb\u2028c\n" * 9, "x\n" * 40]


def random_edits(file, chance):
    """Edits that do not overlap, of whole lines and of parts."""
    places = sorted(chance.sample(range(len(file.text) + 1), min(len(file.text) + 1, 2 * chance.randint(1, 4))))
    spans = zip(places[::2], places[1::2], strict=False) if len(places) > 1 else [(places[0], places[0])]
    return tuple(file.edit(start, end, chance.choice(["", "new\n", "new", "1\n2\n", "é"])) for start, end in spans)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
@pytest.mark.parametrize("name", ["f.txt", "a folder/b c.txt", 'q"t\\.txt', "tab\there", "ümläut"])
def test_git_applies_the_diff(tmp_path, text, name):
    chance = random.Random(text + name)  # noqa: S311 - no secret
    repository = Repository.make(tmp_path / "r", {name: text.encode()})
    for _ in range(6):
        file = TextFile(name, text.encode())
        edits = random_edits(file, chance)
        diff = unified_diff(file, edits)
        repository.git("checkout", "-q", "-f", ".")
        if diff:
            (tmp_path / "diff").write_bytes(diff.encode())
            repository.git("apply", "--whitespace=nowarn", tmp_path / "diff")
        assert (repository.top / name).read_bytes() == file.with_edits(edits)


def test_git_applies_the_diff_of_a_new_file(tmp_path):
    repository = Repository.make(tmp_path / "r", {"other": ""})
    file = TextFile("folder/new.yaml", None)
    repository.git("apply", "-", input=unified_diff(file, [file.edit(0, 0, "a: 1\nb: 2\n")]))
    assert (repository.top / "folder/new.yaml").read_bytes() == b"a: 1\nb: 2\n"


def test_a_diff_shows_what_is_around_it():
    file = TextFile("f", "".join(f"{number}\n" for number in range(1, 20)).encode())
    first, second = (fix(file, (start, start + 2, "new\n")) for start in (0, 16))
    assert fix_diff(first).split("\n")[3:] == ["@@ -1,4 +1,4 @@", "-1", "+new", " 2", " 3", " 4", ""]
    context = [" 6", " 7", " 8", "-9", "+new", " 10", " 11", " 12", ""]
    assert fix_diff(second).split("\n") == ["diff --git a/f b/f", "--- a/f", "+++ b/f", "@@ -6,7 +6,7 @@", *context]


def test_line_breaks_are_those_of_the_file():
    file = TextFile("f", b"a\r\nb\r\n")
    assert file.with_edits([file.edit(3, 3, "new\n")]) == b"a\r\nnew\r\nb\r\n"


def fix(file, *spans):
    return Fix(description=str(spans), safety="safe", edits=tuple(file.edit(*span) for span in spans))


def test_a_fix_that_touches_an_earlier_one_is_left():
    file = TextFile("f", b"0123456789")
    first, second, third = fix(file, (2, 5, "x")), fix(file, (4, 6, "y")), fix(file, (5, 6, "z"))
    result = plan([first, second, third, first])
    assert (result.taken, result.left) == ((first, third), (second,))
    assert file.with_edits(result.edits[file]) == b"01xz6789"


def test_insertions_at_a_single_place_keep_their_order_and_what_is_shared_is_done_once():
    file = TextFile("f", b"ab")
    result = plan([fix(file, (1, 1, "1")), fix(file, (1, 1, "1"), (1, 1, "2"))])
    assert (len(result.taken), file.with_edits(result.edits[file])) == (2, b"a12b")


def test_edits_of_two_states_of_a_file_are_never_mixed():
    first, second = TextFile("f", b"ab"), TextFile("f", b"abc")
    assert plan([fix(first, (0, 0, "x")), fix(second, (2, 2, "x"))]).left == (fix(second, (2, 2, "x")),)
