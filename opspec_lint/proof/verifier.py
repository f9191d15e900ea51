"""Verifiers: modules of a framework's `verifiers/`, each named for a loader, with a `VERIFIER`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, with_dots
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.interpreters.messages import Package

VERIFIERS: Catalogue[Verifier] = Catalogue("frameworks/*/verifiers", offers="VERIFIER", spell=with_dots)
"""The verifiers by loader; two underscores in the file name are a dot: `torch__jit__load`."""


class Verifier(Record):
    """The call of a framework that a loader models, in an interpreter that has the framework.

    `package` is the framework that the call needs. `probe` returns the text that is executed in the interpreter, before
    `_harness`: `start`, which imports the framework and returns its version, and `load_path`, which loads the model of
    a path or raises. An exception of the class `NotTriedError` says that the model cannot be tried as it is.
    `covers_run` is whether the call refuses what fails before a kernel runs. `runs` is whether the probe has `run_path`
    too, which runs the model of a path: it is called where an audit says of a model that loads that it fails then.
    """

    package: Package
    probe: Callable[[], str]
    covers_run: bool = False
    runs: bool = False
