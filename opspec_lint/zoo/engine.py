"""What an engine is: a module of `zoo/engines/`, with an `ENGINE`, that audits batches of models somewhere else."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.errors import UsageError, unknown_name
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from opspec_lint.zoo.work import Batch, Row, Setup

    class Workers(Protocol):
        """Those who audit batches."""

        def run(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, list[Row] | None]]:
            """Audit batches, in any order; a batch whose worker died, or that is lost, has None for its rows."""

        def close(self) -> None:
            """End what was started."""


class Engine(Record):
    """An engine.

    `start` makes its workers of what is the same for all models, the number of workers, and the address that the user
    gives, None for none. `takes_address` tells whether it takes one.
    """

    name: str = ""
    summary: str
    start: Callable[[Setup, int, str | None], Workers]
    takes_address: bool = False


ENGINES: Catalogue[Engine] = Catalogue("zoo/engines", offers="ENGINE")


def chosen(word: str) -> tuple[Engine, str | None]:
    """Return the engine that a user names, NAME or NAME:ADDRESS, and the address.

    Raises:
        UsageError: there is no such engine, or it takes no address.
    """
    name, _, address = word.partition(":")
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES.names())
    engine = ENGINES.load(name)
    if address and not engine.takes_address:
        raise UsageError(f"the engine {name} takes no address", advice=f"--engine {name}")
    return engine, address or None
