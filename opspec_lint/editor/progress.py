"""Tells the editor that files are being read, where that takes a while."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

_PATIENCE = 1.0
"""Seconds of reading, after which it is told."""


async def tell_progress(server: LanguageServer, folder: str) -> None:
    """Tell the client after a while that a folder is read, until it is no more, which is when this is cancelled.

    A client that does not show progress, or that does not want to, is not told.

    Args:
        server: what speaks with the client.
        folder: the folder.
    """
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        return
    await asyncio.sleep(_PATIENCE)
    token = str(uuid4())
    created = server.window_work_done_progress_create_async(types.WorkDoneProgressCreateParams(token))
    try:
        await asyncio.shield(created)  # its answer comes, whether it is waited for or not
    except JsonRpcException:
        return
    begin = types.WorkDoneProgressBegin(title="opspec-lint", message=f"reading {folder}")
    server.progress(types.ProgressParams(token, begin))
    try:
        await asyncio.Event().wait()
    finally:
        server.progress(types.ProgressParams(token, types.WorkDoneProgressEnd()))
