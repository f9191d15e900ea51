"""The memory of the server: it keeps nothing of closed files, however often they are opened, edited and saved."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from itertools import pairwise

import pytest

from tests.support.projects import FILE, text
from tests.support.repositories import Repository

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
from tests.support import counted_server
from tests.support.editing import editing

FIRST = text("f(X) -> (Out) [axis: INT = 1]", "g(X, Y) -> (Out)")
CHANGED = text("f(X) -> (Out) [axis: INT = 2]", "g(X, Y) -> (Out)")
SERVER = (sys.executable, counted_server.__file__)
CYCLES = 3
ROUNDS = 5
"""A leak grows in every round; what a check that is being cancelled holds does not."""


def test_files_that_were_closed_leave_no_objects(tmp_path):
    repository = Repository.make(tmp_path / "top", {FILE: FIRST})
    target = tmp_path / "counts.json"
    environment = repository.environment | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "COUNTS": str(target)}

    async def session():
        async with editing(repository.top, environment, program=SERVER) as editor:
            return [await after_cycles(editor, target) for _ in range(ROUNDS)]

    rounds = asyncio.run(session())
    grown = {
        name: min(later.get(name, 0) - earlier.get(name, 0) for earlier, later in pairwise(rounds))
        for name in rounds[-1]
    }
    assert {name: number for name, number in grown.items() if number >= CYCLES} == {}


async def after_cycles(editor, target):
    """Return what the server holds after some cycles."""
    for _ in range(CYCLES):
        await cycle(editor)
    return await counts(editor, target)


async def cycle(editor):
    """Open, edit, save and close a file, ask for what it declares and for its base, and cancel a check."""
    await editor.open(FILE)
    await editor.change(FILE, CHANGED)
    await editor.hover(FILE, 0)
    base = await editor.base(FILE, editor.shown_findings()[0][4])
    await editor.text_at_base(base.uri)
    await editor.actions(FILE, editor.shown_findings()[0][4])
    await editor.save(FILE, CHANGED + "\n")
    editor.send(FILE, FIRST)
    editor.files_changed([FILE])
    await editor.save(FILE, FIRST)
    editor.close(FILE)
    await editor.hover(FILE, 0)


async def counts(editor, target):
    """Ask the server how many objects it holds, when the last check has ended."""
    await asyncio.sleep(1)
    target.unlink(missing_ok=True)
    os.kill(editor.client._server.pid, signal.SIGUSR1)
    while not target.exists():
        await asyncio.sleep(0.05)
    return json.loads(target.read_text())
