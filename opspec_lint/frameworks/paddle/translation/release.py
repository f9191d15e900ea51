"""The release that translates a program."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.programs.saver import Saver
from opspec_lint.frameworks.paddle.translation import attr_types, names
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.paddle.translation.names import PirNames
    from opspec_lint.spec.model import Spec


class Release(Record):
    """The release that translates: the names of its PIR ops, and the version of PIR that it writes.

    `saver` is the release that saved the program, as far as it is known.
    """

    names: PirNames
    version: int
    saver: Saver = Saver()


def of(spec: Spec) -> Release:
    """Return the release of a spec of PIR ops."""
    return Release(names=names.of(spec), version=attr_types.version_of(spec))
