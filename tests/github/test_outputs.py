"""The files that a step of a workflow writes to."""

from __future__ import annotations

from opspec_lint.github import outputs


def test_the_room_that_a_summary_leaves(tmp_path):
    path = tmp_path / "summary"
    environment = {"GITHUB_STEP_SUMMARY": str(path)}
    assert outputs.SUMMARY_LIMIT == 1024 * 1024 - 1
    assert outputs.summary_room({}) == 0
    assert outputs.summary_room(environment) == outputs.SUMMARY_LIMIT
    path.write_bytes(b"x" * 24)
    assert outputs.summary_room(environment) == outputs.SUMMARY_LIMIT - 24
    path.write_bytes(b"x" * (outputs.SUMMARY_LIMIT + 1))
    assert outputs.summary_room(environment) == 0
