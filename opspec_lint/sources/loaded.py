"""A spec with the text of its file."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Spec


class Loaded(Record):
    """A spec, how it was named, and the text of its file, None if it is neither JSON nor YAML.

    A file at a revision is named by its path from the top of the repository. `is_file` is whether `path` is that of a
    file which is read as it is now, relative to the current folder.
    """

    spec: Spec
    path: str
    text: str | None = None
    is_file: bool = False
