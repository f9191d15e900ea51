"""What a prover is: a module of a framework's `provers/`, named for a loader, with a `PROVER`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, with_dots
from opspec_lint.kit.errors import UsageError, unknown_name
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opspec_lint.interpreters.wording import Package

PROVERS = Catalogue("frameworks/*/provers", spell=with_dots)
"""The provers, by the name of their loader: two underscores of the file name stand for a dot."""


class Prover(Record):
    """What has a loader load models, in an interpreter that has the framework.

    `summary` is a line for people. `package` is the framework that it needs. `writer` is the name of the writer of its
    models. `probe` returns the text that runs in
    the interpreter, behind `_harness`: `start`, which imports the framework and returns its version, and `load`, which
    takes the bytes of a model, and returns the attrs of its op as text or raises. `saved_under` returns the text for
    the release that saves a model, None where it is the same. `told` returns what of an error says what is wrong, on
    one line. `not_shown` is why no model shows a finding of some of the framework's rules, by how their names begin.
    `is_default` is whether it is asked where nobody names a loader; the only one of a framework is.
    """

    summary: str
    framework: str
    package: Package
    writer: str
    probe: Callable[[], str]
    told: Callable[[str], str]
    saved_under: Callable[[], str] | None = None
    not_shown: Mapping[str, str] = {}
    is_default: bool = False


def names() -> list[str]:
    """Return the names of all provers."""
    return PROVERS.names()


def load(name: str) -> Prover:
    """Return a prover by the name of its loader.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in PROVERS:
        raise unknown_name("loader", name, names())
    prover: Prover = PROVERS.load(name).PROVER
    return prover


def choose(name: str | None, framework: str) -> tuple[str, Prover]:
    """Return the prover of a loader and its name; None is the loader that is asked by default.

    Raises:
        UsageError: the framework has no such loader that can be asked.
    """
    known = {each: load(each) for each in names()}
    of_framework = {each: prover for each, prover in known.items() if prover.framework == framework}
    if name is not None:
        found = load(name)
        if found.framework != framework:
            raise UsageError(
                f"{name} loads models of {found.framework}, and the specs are of {framework}",
                advice=f"name one of: {', '.join(of_framework)}" if of_framework else "",
            )
        return name, found
    if not of_framework:
        frameworks = sorted({each.framework for each in known.values()})
        raise UsageError(
            f"no model of {framework} can be written yet, so nothing can be proved",
            advice=f"name two specs of one of: {', '.join(frameworks)}",
        )
    least = min(of_framework, key=lambda each: not of_framework[each].is_default)
    return least, of_framework[least]
