"""Provers: modules of a framework's `provers/`, each named for a loader, with a `PROVER`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, with_dots
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from opspec_lint.interpreters.messages import Package
    from opspec_lint.spec.ids import EventId

PROVERS: Catalogue[Prover] = Catalogue("frameworks/*/provers", offers="PROVER", noun="loader", spell=with_dots)
"""The provers by loader; two underscores in the file name are a dot: `torch__jit__load`."""


class Prover(Record):
    """The description of a loader that an interpreter with the framework calls on generated models.

    - `package`: the framework to install; `writer`: the name of the writer of its models; `summary`: a line for people
    - `probe()`: Python text that runs before `_harness` and defines `start` (returns the version), `load` (takes the
      bytes of a model, returns the attrs of its op as text, or raises) and `run` (returns results as text)
    - `saved_under()`: the text for the release that saves the models, None if it is the same
    - `error_summary(error)`: the part of an error that states the problem, on one line
    - `not_shown`: by event, the reason why no model can show a finding (`spec/event.py` has the general reasons)
    - `settled_by_run`: kinds of findings that only a kernel checks: models that both releases load are run as well
    - `settled_by_load`: events of such kinds that a load decides nevertheless
    - `able_to_run`: `probe` defines `run`
    - `specs_of`: the framework whose specs state what the loader accepts, "" for the framework of the models
    - `is_default`: used if the user names no loader
    """

    framework: str = ""
    summary: str
    package: Package
    writer: str
    probe: Callable[[], str]
    error_summary: Callable[[str], str]
    saved_under: Callable[[], str] | None = None
    not_shown: Mapping[EventId, str] = {}
    settled_by_run: frozenset[str] = frozenset()
    settled_by_load: frozenset[EventId] = frozenset()
    able_to_run: bool = True
    specs_of: str = ""
    is_default: bool = False

    def uses_specs_of(self, framework: str) -> bool:
        """Return whether the specs of a framework state what the loader accepts."""
        return framework == (self.specs_of or self.framework)

    def supports(self, models_of: str, spec_of: str) -> bool:
        """Return whether the loader takes models of a framework, and whether specs of another one describe it."""
        return models_of == self.framework and spec_of in (models_of, self.specs_of)


def choose(name: str | None, base: str, head: str) -> tuple[str, Prover]:
    """Return the name of a loader and its prover; raise UsageError if none is suitable.

    Args:
        name: the loader, None for the default one.
        base: the framework of the models.
        head: the framework of the spec of the loading release.
    """
    known = {loader: PROVERS.load(loader) for loader in PROVERS.names()}
    fitting = {loader: prover for loader, prover in known.items() if prover.supports(base, head)}
    if name is not None:
        PROVERS.load(name)
        if name not in fitting:
            raise _mismatch(name, known[name], (base, head), list(fitting))
        return name, known[name]
    if not fitting:
        frameworks = sorted({prover.framework for prover in known.values()})
        raise UsageError(
            f"no model of {base} can be written yet, so nothing can be proved",
            advice=f"name two specs of one of: {', '.join(frameworks)}",
        )
    # False sorts before True: the default loader of the framework of head, or else the first by name.
    chosen = min(fitting, key=lambda loader: not (fitting[loader].is_default and fitting[loader].uses_specs_of(head)))
    return chosen, fitting[chosen]


def framework_of(name: str | None, stored: Collection[str], head: str) -> str:
    """Return the framework whose stored models are to be loaded.

    Args:
        name: the loader, None for the default one.
        stored: the frameworks of the models in the store.
        head: the framework of the spec of the loading release.
    """
    if name is not None:
        return PROVERS.load(name).framework
    others = (
        framework for framework in sorted(stored) if any(prover.supports(framework, head) for prover in PROVERS.every())
    )
    return head if head in stored else next(others, head)


def _mismatch(name: str, prover: Prover, frameworks: tuple[str, str], fitting: list[str]) -> UsageError:
    """Return the error for a loader that does not support the frameworks of the models and the spec."""
    base, head = frameworks
    problem = f"{name} loads models of {prover.framework}, and the specs are of {base}"
    if prover.framework == base:
        problem = f"{name} needs specs of {base}, and head is a spec of {head}"
    return UsageError(problem, advice=f"name one of: {', '.join(fitting)}" if fitting else "")
