"""A spec at base and at head, to be compared, and the selection of such pairs."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural
from opspec_lint.lint import crossing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.kit.errors import OpspecError
    from opspec_lint.project.config import Config
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.spec.model import Spec


class Pair(Record):
    """A spec at base and at head, None where it does not exist. `path` is its path at head, or else at base.

    For an unchanged file neither side is loaded. If `is_source`, `path` is a source and not a file. `from_elsewhere`
    are the other base files from which ops moved to this one, with the names of these ops. `moved` are the base ops
    that other head files declare now. `further_bases` are the versions at further merge bases.
    """

    path: str
    base: Loaded | None = None
    head: Loaded | None = None
    is_source: bool = False
    from_elsewhere: tuple[tuple[Loaded, tuple[str, ...]], ...] = ()
    moved: frozenset[str] = frozenset()
    further_bases: tuple[Loaded, ...] = ()
    fault: OpspecError | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The paths at base and at head: settings for the old path of a renamed file stay valid."""
        return tuple(dict.fromkeys([*([] if self.base is None else [self.base.path]), self.path]))

    @property
    def is_added(self) -> bool:
        """True if the spec exists at head only."""
        return self.base is None and self.head is not None and self.fault is None

    @property
    def is_removed(self) -> bool:
        """True if the spec exists at base only."""
        return self.head is None and not self.is_unchanged

    @property
    def is_unchanged(self) -> bool:
        """True if the spec is the same at base and head."""
        return self.base is None and self.head is None and self.fault is None

    @property
    def is_target(self) -> bool:
        """True if models of another framework are loaded with its ops."""
        return self.head is not None and crossing.is_target(self.head.spec.provenance.framework)

    def specs(self) -> list[Spec]:
        """Return the loaded specs, the one of base first."""
        return [loaded.spec for loaded in (self.base, self.head) if loaded is not None]

    @property
    def bases(self) -> list[Loaded]:
        """All specs at base that head is compared with."""
        elsewhere = (loaded for loaded, _ in self.from_elsewhere)
        return [*([] if self.base is None else [self.base]), *self.further_bases, *elsewhere]

    @property
    def lost(self) -> list[str]:
        """The base ops that no file of head declares, if the file was removed."""
        return sorted(self.base.spec.ops.keys() - self.moved) if self.base is not None and self.head is None else []

    def size(self) -> str:
        """Return the number of ops as text, such as "3 ops"."""
        return plural(len(self.specs()[-1].ops), "op")


class Selection(Record):
    """The selection of what is compared.

    `base_config` is the configuration at the tip of base's branch, `head_config` the one of head. `tip` has the files
    at that tip, which take the place of files that cannot be read at base. `sources` are named on the command line, and
    replace those of the configurations. If there is neither, and `recognises`, the source trees that `init` would find
    are compared.
    """

    base_config: Config | None = None
    head_config: Config | None = None
    tip: Snapshot | None = None
    sources: tuple[str, ...] = ()
    recognises: bool = False

    @property
    def in_force(self) -> Config | None:
        """The configuration that names sources, None if there is none."""
        return self.base_config or self.head_config
