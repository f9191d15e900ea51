"""An editor in the repository of somebody else: nothing of it is run, and nothing is written."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.invariants.rigged import Rigged
from tests.support.projects import FILE, text

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
from tests.support.editing import editing

MODULES = ("multiprocessing", "selectors", "signal", "socket", "yaml", "json", "opspec_lint", "pygls")


@pytest.fixture
def rigged(tmp_path):
    """A repository whose settings name programs, and whose top has modules with the names of those that we import."""
    mark = f"open({str(tmp_path / 'imported')!r}, 'a').write(__name__)\n"
    modules = {f"{name}.py": mark for name in MODULES}
    made = Rigged.make(tmp_path / "top", {FILE: text("f(X) -> (Out) [axis: INT = 1]"), **modules})
    return made.rig()


def test_a_session_runs_and_writes_nothing(rigged, tmp_path):
    before = rigged.files()

    async def steps():
        command = Path(sys.executable).with_name("opspec-lint")
        async with editing(rigged.top, rigged.environment, program=[str(command), "lsp"]) as editor:
            await editor.open(FILE)
            (result,) = await editor.change(FILE, text("f(X) -> (Out) [axis: INT = 2]"))
            base = await editor.base(FILE, result.range.start.line)
            return result.code, await editor.text_at_base(base.uri)

    assert asyncio.run(steps()) == ("attr_default_changed", text("f(X) -> (Out) [axis: INT = 1]"))
    assert rigged.marked() == []
    assert not (tmp_path / "imported").exists()
    assert rigged.files() == before
