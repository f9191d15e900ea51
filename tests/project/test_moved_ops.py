"""Spec files as one contract: ops that move from one file to another."""

from __future__ import annotations

import pytest

from opspec_lint.kit.errors import UsageError
from tests.support.projects import check, config, facts
from tests.support.repositories import Repository

SCALE, MASK, NORM = (
    "ext::scale(Tensor x, float s=1.0) -> Tensor\n",
    "ext::mask(Tensor x, Tensor m) -> Tensor\n",
    "ext::norm(Tensor x) -> Tensor\n",
)
BROKEN = MASK.replace("Tensor m", "Tensor m, int n")
ALL = "specs/ext.txt"
CONFIG = {"opspec-lint.yaml": config(specs=["specs/*.txt"])}
TWO = {"specs/a.txt": SCALE, "specs/b.txt": MASK}
ERROR = ("error", "slot_added_required", "ext::mask")


def problems(tmp_path, base, head):
    """Return what a check finds that is no note."""
    made = Repository.make(tmp_path / "top", CONFIG | base)
    made.stage(dict.fromkeys(base) | head)
    return [fact for fact in facts(check(made)) if fact[0] != "note"]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({ALL: SCALE + MASK}, TWO),
        (TWO, {ALL: SCALE + MASK}),
        ({ALL: SCALE + MASK}, {"specs/new.txt": SCALE + MASK}),
        ({ALL: SCALE + MASK}, {ALL: SCALE, "specs/b.txt": MASK}),
        (TWO, {"specs/a.txt": SCALE + MASK}),
        ({**TWO, "specs/c.txt": NORM}, {"specs/a.txt": NORM + MASK, "specs/c.txt": SCALE}),
        ({ALL: SCALE + MASK}, {"specs/new.txt": "# another file\n" * 30 + MASK + NORM + SCALE}),
    ],
    ids=["split", "merged", "moved", "one op moved", "merged into one", "swapped", "moved and edited"],
)
def test_ops_that_only_move_break_nothing(tmp_path, base, head):
    assert problems(tmp_path, base, head) == []


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({ALL: SCALE + MASK}, {"specs/a.txt": SCALE, "specs/b.txt": BROKEN}),
        (TWO, {ALL: SCALE + BROKEN}),
        ({ALL: MASK}, {"specs/new.txt": "# another file\n" * 30 + BROKEN + NORM}),
    ],
    ids=["split", "merged", "moved"],
)
def test_an_op_that_moves_and_breaks_is_reported_once(tmp_path, base, head):
    assert [fact[2] for fact in problems(tmp_path, base, head)] == ["ext::mask"]


def test_an_op_that_no_file_declares_any_more_is_reported(tmp_path):
    assert problems(tmp_path, {ALL: SCALE + MASK}, {"specs/a.txt": SCALE}) == [("error", "op_removed", "ext::mask")]


def test_a_deleted_file_of_which_some_ops_have_moved(tmp_path):
    base = {"specs/a.txt": SCALE, "specs/b.txt": MASK + NORM}
    made = Repository.make(tmp_path / "top", CONFIG | base)
    made.stage({"specs/a.txt": SCALE + MASK, "specs/b.txt": None})
    (removed,) = [finding for finding in check(made).findings if finding.rule == "spec_removed"]
    assert removed.message == "the spec file 'specs/b.txt' was deleted; no other file declares ext::norm"


def test_a_file_that_declared_the_same_op_before_is_no_new_home(tmp_path):
    base = {"specs/a.txt": SCALE, "specs/b.txt": SCALE + MASK}
    assert problems(tmp_path, base, {"specs/b.txt": SCALE + MASK}) == [("error", "spec_removed", "specs/a.txt")]


def test_where_every_file_of_a_pattern_was_deleted_they_are_named(tmp_path):
    with pytest.raises(UsageError, match=r"base has specs/a\.txt, specs/b\.txt") as caught:
        problems(tmp_path, TWO, {"README": "x"})
    assert "remove the entry" in caught.value.advice
