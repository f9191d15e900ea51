"""Progress messages in the editor while files are read for a while."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

_PATIENCE = 1.0
"""Seconds of reading after which progress is shown."""


async def show_progress(server: LanguageServer, folder: str) -> None:
    """Show the client that a folder is being read, after `_PATIENCE` and until this is cancelled.

    A client that does not support or accept progress messages gets none.

    Args:
        server: the server that is connected to the client.
        folder: the folder.
    """
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        return
    await asyncio.sleep(_PATIENCE)
    token = str(uuid4())
    created = server.window_work_done_progress_create_async(types.WorkDoneProgressCreateParams(token))
    try:
        await asyncio.shield(created)  # cancelling it would not stop the answer
    except JsonRpcException:
        return
    begin = types.WorkDoneProgressBegin(title="opspec-lint", message=f"reading {folder}")
    server.progress(types.ProgressParams(token, begin))
    try:
        await asyncio.Event().wait()
    finally:
        server.progress(types.ProgressParams(token, types.WorkDoneProgressEnd()))
