"""The release that translates programs to PIR."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.saver import Saver
from opspec_lint.frameworks.paddle.saved.translation import attr_types, names
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.paddle.saved.translation.names import PirNames
    from opspec_lint.spec.model import Spec


class TranslatingRelease(Record):
    """A release that translates: the names of its PIR ops, and the version of PIR that it writes.

    `legacy` is the spec of its legacy ops, which decides what it rewrites while reading, and `saver` the release that
    saved the program; both if known.
    """

    names: PirNames
    version: int
    legacy: Spec | None = None
    saver: Saver = Saver()


def release_of(spec: Spec) -> TranslatingRelease:
    """Return the release of a PIR spec."""
    return TranslatingRelease(names=names.names_of(spec), version=attr_types.pir_version(spec))
