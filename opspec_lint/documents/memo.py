"""A memo of decoded parts of one text, for the decoding of a similar text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Memo:
    """Decoded parts of one text, which are reused for a similar text.

    Two versions of a spec have most ops in common. If an object in the second text has the same key and the same text
    as in the first, it is not decoded again; the result contains the identical object, so that comparisons can see at
    once that it is unchanged. So objects that were decoded with a memo must not be changed.

    `members` maps the path of an object to its text, its value, and the number of keys in the text; `whole` is the last
    text with its value, `written_keys` the last text with the number of its keys, which may be too great. `counts` is
    for formats: the number of keys in a valid object, by its id. `sound` is the last text without duplicate keys.
    """

    def __init__(self) -> None:
        self.members: dict[tuple[str, ...], tuple[str, Any, int]] = {}
        self.whole: tuple[str, Any] = ("", None)
        self.written_keys: tuple[str, int] = ("", 0)
        self.counts: dict[int, int] = {}
        self.sound = ""
