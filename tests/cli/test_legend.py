"""The legend is shown once to a user, and only on a terminal."""

from __future__ import annotations

import pytest

from opspec_lint.cli import legend
from opspec_lint.kit.command_line import Options
from opspec_lint.kit.terminal import Terminal


def shown(folder, *, width=80, no_legend=False):
    terminal = Terminal(width=width)
    return legend.terminal(
        Options(environment={"XDG_CACHE_HOME": str(folder)}, terminal=terminal, no_legend=no_legend)
    ).has_legend


def test_the_first_report_has_it_and_no_later_one(tmp_path):
    assert [shown(tmp_path) for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize("how", [{"width": None}, {"no_legend": True}])
def test_a_report_without_it_is_not_the_first(tmp_path, how):
    assert not shown(tmp_path, **how)
    assert shown(tmp_path)


def test_where_nothing_can_be_kept_there_is_none(tmp_path):
    (tmp_path / "file").write_text("")
    assert not shown(tmp_path / "file")
    assert not legend.terminal(Options(environment={}, terminal=Terminal(width=80), no_legend=False)).has_legend
