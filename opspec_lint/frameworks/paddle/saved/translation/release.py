"""The release that translates a program."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.saver import Saver
from opspec_lint.frameworks.paddle.saved.translation import attr_types, names
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.paddle.saved.translation.names import PirNames
    from opspec_lint.spec.model import Spec


class Release(Record):
    """The release that translates: the names of its PIR ops, and the version of PIR that it writes.

    `legacy` is the spec of its legacy ops, which says what it rewrites when it reads a program, and `saver` the release
    that saved the program, both as far as they are known.
    """

    names: PirNames
    version: int
    legacy: Spec | None = None
    saver: Saver = Saver()


def of(spec: Spec) -> Release:
    """Return the release of a spec of PIR ops."""
    return Release(names=names.of(spec), version=attr_types.version_of(spec))
