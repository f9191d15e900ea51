"""The behavior of OpDefBuilder that differs between releases, read from the C++ of a tree."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source.data_types import DataTypes, read_types
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    PlainBehavior = tuple[dict[str, tuple[int, ...]], dict[str, int], bool, bool]
    """The fields of a behavior, and of its data types, as plain data for the cache."""

_BUILDER = "tensorflow/core/framework/op_def_builder.cc"
_REGISTRY = "tensorflow/core/framework/op.cc"
_MARKS_RESOURCES = "DT_RESOURCE"
_IGNORED_STATUS = pattern(r"^\s*wrapper\.builder\(\)\.Finalize\(", "m")


class BuilderBehavior(Record):
    """The behavior of OpDefBuilder in a release.

    - `types`: the data types, and the named groups of types such as `realnumbertype`
    - `marks_resources`: an op with an argument of type `resource` becomes stateful (since 1.1)
    - `refuses_faults`: an op with a faulty string is not registered (since 0.10)
    """

    types: DataTypes
    marks_resources: bool = True
    refuses_faults: bool = True


def read_behavior(raw_text_of: Callable[[str], str | None], code_of: Callable[[str], str | None]) -> PlainBehavior:
    """Return the behavior of the OpDefBuilder of a tree; an extension is read as a new release.

    Args:
        raw_text_of: returns the text of a file of the tree, None for a missing file.
        code_of: returns the preprocessed text of a file of the tree, None for a missing file.
    """
    builder = raw_text_of(_BUILDER)
    registry = raw_text_of(_REGISTRY) or ""
    types = read_types(code_of, raw_text_of)
    marks_resources = builder is None or _MARKS_RESOURCES in builder
    return dict(types.groups), dict(types.own), marks_resources, _IGNORED_STATUS.search(registry) is None


def behavior_from_plain(plain: PlainBehavior) -> BuilderBehavior:
    """Return the behavior that `read_behavior` returned as plain data."""
    groups, own, marks_resources, refuses_faults = plain
    types = DataTypes(groups=groups, own=own)
    return BuilderBehavior(types=types, marks_resources=marks_resources, refuses_faults=refuses_faults)
