"""What the command line says of how a source is to be read."""

from __future__ import annotations

from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def _silent(_: str) -> None:
    """Tell nobody."""


class Settings(Record):
    """How a source is to be read, for extractors that want to know (`WANTS_SETTINGS`).

    `environment` is what git inherits, and says where caches are; `build` names a build of the framework, None where
    nobody said; `caches` whether what was read may be kept and used again; `may_fetch` whether a revision that is not
    here may be fetched; `progress` is told, now and then, what is being done.
    """

    environment: Mapping[str, str] = {}
    build: str | None = None
    caches: bool = False
    may_fetch: bool = False
    progress: Callable[[str], None] = _silent
