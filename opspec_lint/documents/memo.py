"""What was decoded of one text is used again in the next."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Memo:
    """What was decoded of one text, so that the same need not be decoded again in another.

    Two versions of a spec have most ops in common. An object of the second text that stands under the same key with the
    same text is not decoded, but is the very object of the first: who sees that two are one object knows enough. What
    is decoded with a memo is therefore never changed.

    `counts` is for the formats: how many keys an object has that was found to be well-formed, by its id. `sound` is a
    text in which no key stands twice.
    """

    def __init__(self) -> None:
        self.members: dict[tuple[str, ...], tuple[str, Any]] = {}
        self.whole: tuple[str, Any] = ("", None)
        self.counts: dict[int, int] = {}
        self.sound = ""
