"""What the YAML files of a tree come to."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.declared import Unit
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.frameworks.paddle.source.declared import Aliases
    from opspec_lint.spec.model import Remark


class EntryFault(Record):
    """A fault of an entry: the remark on it, and the names of which none may be registered by C++ if it is one."""

    remark: Remark
    registered: tuple[str, ...] = ()


class YamlFound(Record):
    """What the YAML files of a tree declare.

    `dropped` are the entries of op_version.yaml that match no op, `misspelt` the keys of op_compat.yaml that nothing
    reads. `aliases` are by op. `cmake` is the file that calls the generator, and `fingerprint` tells which one it is,
    None for a tree without any.
    """

    unit: Unit = Unit()
    has_versions: bool = False
    dropped: tuple[Remark, ...] = ()
    misspelt: tuple[Remark, ...] = ()
    faults: tuple[EntryFault, ...] = ()
    aliases: Mapping[str, Aliases] = {}
    fingerprint: str | None = None
    cmake: str = ""
