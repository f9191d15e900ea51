"""What the command line says of how a spec is to be read."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opspec_lint.documents.json_text import Memo


def _silent(_: str) -> None:
    """Tell nobody."""


class Reading(Record):
    """How a spec is to be read.

    `environment` is what git and interpreters inherit, and says where caches are; `build` names a build of the
    framework, None where nobody said; `caches` whether what was read may be kept and used again; `may_fetch` whether a
    revision that is not here may be fetched; `progress` is told, now and then, what is being done.
    `standard_input` returns what standard input holds, the same each time.
    `memo` is what was decoded of a spec that may have much in common with it, to be decoded once.
    """

    environment: Mapping[str, str] = {}
    build: str | None = None
    caches: bool = True
    may_fetch: bool = False
    progress: Callable[[str], None] = _silent
    memo: Memo | None = None
    standard_input: Callable[[], bytes] = bytes
