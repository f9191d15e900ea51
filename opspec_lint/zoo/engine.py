"""Engines, which audit batches of models in other processes: each is a module of `zoo/engines/` with an `ENGINE`."""

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
        """The running workers of an engine."""

        def run(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, list[Row] | None]]:
            """Yield each batch with its rows, in any order; its rows are None if its worker died or it was lost."""

        def close(self) -> None:
            """End all worker processes and connections."""


class Engine(Record):
    """An engine of `audit --engine`.

    `start(setup, jobs, address)` starts the workers; `address` is None if the user gave none. `takes_address`: the user
    may write NAME:ADDRESS.
    """

    name: str = ""
    summary: str
    start: Callable[[Setup, int, str | None], Workers]
    takes_address: bool = False


ENGINES: Catalogue[Engine] = Catalogue("zoo/engines", offers="ENGINE")


def parse_engine(text: str) -> tuple[Engine, str | None]:
    """Parse NAME or NAME:ADDRESS, and return the engine and the address.

    Raises UsageError for an unknown engine, or an address that it does not take.
    """
    name, _, address = text.partition(":")
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES.names())
    engine = ENGINES.load(name)
    if address and not engine.takes_address:
        raise UsageError(f"the engine {name} takes no address", advice=f"--engine {name}")
    return engine, address or None
