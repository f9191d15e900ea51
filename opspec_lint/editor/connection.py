"""The protocol of pygls, without its leak of handled messages."""

from __future__ import annotations

from pygls.protocol import LanguageServerProtocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from typing import Any


class Connection(LanguageServerProtocol):  # type: ignore[misc, unused-ignore]  # Any without pygls
    """The protocol without handled notifications: pygls 2.1 keeps a future for each document opened or changed."""

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Execute a handler, and forget its future when it is done, before the answer is sent."""

        def done(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)
