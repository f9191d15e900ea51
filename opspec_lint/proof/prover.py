"""What a prover is: a module of a framework's `provers/`, named for a loader, with a `PROVER`."""

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
"""The provers, by the name of their loader: two underscores of the file name stand for a dot."""


class Prover(Record):
    """What has a loader load models, in an interpreter that has the framework.

    `summary` is a line for people. `package` is the framework that it needs. `writer` is the name of the writer of its
    models. `probe` returns the text that is executed in the interpreter, before `_harness`: `start`, which imports the
    framework and returns its version, `load`, which takes the bytes of a model, and returns the attrs of its op as text
    or raises, and `run`, which returns results as text. `saved_under` returns the text for the release that saves a
    model, None where it is the same. `told` returns what of an error says what is wrong, on one line.

    `not_shown` is why no model shows a finding, by its event; `spec/event.py` has the reasons of all frameworks.
    `settled_by_run` are the kinds of findings that no check before a kernel settles: models are run as well where both
    releases take them, unless it is not `able_to_run` them. `settled_by_load` are the events of which
    loading a model settles all findings. `specs_of` is the framework whose specs say what it takes, "" for that of the
    models. `is_default` is whether it is asked by default.
    """

    framework: str = ""
    summary: str
    package: Package
    writer: str
    probe: Callable[[], str]
    told: Callable[[str], str]
    saved_under: Callable[[], str] | None = None
    not_shown: Mapping[EventId, str] = {}
    settled_by_run: frozenset[str] = frozenset()
    settled_by_load: frozenset[EventId] = frozenset()
    able_to_run: bool = True
    specs_of: str = ""
    is_default: bool = False

    def goes_by(self, framework: str) -> bool:
        """Tell whether the specs of a framework say what the loader takes."""
        return framework == (self.specs_of or self.framework)

    def fits(self, base: str, head: str) -> bool:
        """Tell whether it can be asked for models of a framework, and a spec of another or of the same."""
        return base == self.framework and head in (base, self.specs_of)


def choose(name: str | None, base: str, head: str) -> tuple[str, Prover]:
    """Return the prover of a loader and its name.

    Args:
        name: the loader; None is the one that is asked by default.
        base: the framework of the models.
        head: that of the spec of the release that loads them.

    Raises:
        UsageError: no such loader can be asked.
    """
    known = {each: PROVERS.load(each) for each in PROVERS.names()}
    fitting = {each: prover for each, prover in known.items() if prover.fits(base, head)}
    if name is not None:
        PROVERS.load(name)
        if name not in fitting:
            raise _unfit(name, known[name], (base, head), list(fitting))
        return name, known[name]
    if not fitting:
        frameworks = sorted({each.framework for each in known.values()})
        raise UsageError(
            f"no model of {base} can be written yet, so nothing can be proved",
            advice=f"name two specs of one of: {', '.join(frameworks)}",
        )
    least = min(fitting, key=lambda each: not (fitting[each].is_default and fitting[each].goes_by(head)))
    return least, fitting[least]


def framework_of(name: str | None, stored: Collection[str], head: str) -> str:
    """Return the framework of the stored models that a loader is asked for.

    Args:
        name: the loader; None is the one that is asked by default.
        stored: the frameworks that have models in the store.
        head: the framework of the spec of the release that loads them.

    Raises:
        UsageError: there is no such loader.
    """
    if name is not None:
        return PROVERS.load(name).framework
    others = (each for each in sorted(stored) if any(other.fits(each, head) for other in PROVERS.every()))
    return head if head in stored else next(others, head)


def _unfit(name: str, found: Prover, frameworks: tuple[str, str], fitting: list[str]) -> UsageError:
    """Return why a loader cannot be asked for models of one framework and a spec of another."""
    base, head = frameworks
    problem = f"{name} loads models of {found.framework}, and the specs are of {base}"
    if found.framework == base:
        problem = f"{name} goes by a spec of {base}, and that of head is of {head}"
    return UsageError(problem, advice=f"name one of: {', '.join(fitting)}" if fitting else "")
