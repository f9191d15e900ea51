"""The exit code of an audit: what is unknown is neither a yes nor a no."""

from collections import Counter

import pytest

from opspec_lint.models.decision import Requirement, VerdictRow, decide
from opspec_lint.report.answers import VERDICTS, answer, counts, describe_verdicts


def rows(model, **verdicts):
    return [
        VerdictRow(model=model, release=release, loader="L", verdict=verdict) for release, verdict in verdicts.items()
    ]


ANY, BOTH, NEW = None, frozenset({"old", "new"}), frozenset({"new"})
"""Requirements: any release, both, the newer one."""


@pytest.mark.parametrize(
    ("old", "new", "required", "codes"),
    [
        ("refused", "loads", ANY, (0, 0, 0)),
        ("refused", "changed", ANY, (1, 1, 1)),
        ("fails_at_run", "refused", ANY, (1, 1, 1)),
        ("refused", "cannot_tell", ANY, (1, 0, 0)),
        ("cannot_tell", "cannot_tell", ANY, (1, 0, 0)),
        ("cannot_tell", "loads", ANY, (0, 0, 0)),
        ("refused", "loads", BOTH, (1, 1, 1)),
        ("refused", "loads", NEW, (0, 0, 0)),
        ("cannot_tell", "refused", BOTH, (1, 1, 1)),
        ("cannot_tell", "loads", BOTH, (1, 0, 0)),
        ("cannot_tell", "loads", NEW, (0, 0, 0)),
        ("loads", "changed", NEW, (1, 1, 1)),
        ("unreadable", "unreadable", ANY, (3, 3, 3)),
    ],
)
def test_exit_codes(old, new, required, codes):
    for unknown, code in zip(("error", "warning", "ignore"), codes, strict=True):
        assert decide(rows("m", old=old, new=new), Requirement(releases=required, unknown=unknown)).code == code


def test_a_remark_names_what_is_unknown_once_a_model_unless_it_is_ignored():
    every = [*rows("a", old="cannot_tell", new="refused"), *rows("b", old="loads", new="cannot_tell")]
    for unknown in ("warning", "error"):
        decision = decide(every, Requirement(unknown=unknown))
        assert decision.remarks == (f"{unknown}: a: it is unknown whether it loads in old",)
    assert decide(every, Requirement(unknown="ignore")).remarks == ()
    required = decide(every, Requirement(releases=BOTH, is_explained=True))
    assert required.remarks == (
        "error: a has to load in new, and does not",
        "warning: b: it is unknown whether it loads in new",
    )


def test_a_release_counts_for_its_model_only():
    assert decide([*rows("a", new="loads"), *rows("b", new="refused")], Requirement()).code == 1


def test_a_waived_verdict_counts_as_a_yes():
    (row,) = rows("m", new="refused")
    assert decide([row._replace(is_waived=True)], Requirement(releases=NEW)).code == 0


def test_many_models_are_counted_on_standard_error():
    every = [row for number in range(30) for row in rows(f"m{number}", new="cannot_tell")]
    remarks = decide(every, Requirement()).remarks
    assert (len(remarks), remarks[-1]) == (21, "and 10 more models")


def test_counts():
    every = Counter({"loads": 12, "changed": 1, "refused": 2, "cannot_tell": 3, "unreadable": 4})
    assert counts(every) == {"yes": 12, "no": 3, "unknown": 3}
    assert describe_verdicts(every) == "12 load, 3 do not load (1 changed, 2 refused), 3 unknown, 4 unreadable"
    assert {verdict: answer(verdict) for verdict in VERDICTS} == {
        "loads": "yes",
        "changed": "no",
        "cannot_tell": "unknown",
        "fails_at_run": "no",
        "refused": "no",
        "unreadable": "no",
    }
    assert answer("unreadable", "unknown_kind") == "unknown"
