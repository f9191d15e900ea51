"""The check of the version text in a meta graph, which `import_meta_graph` compares with "1.9".

`import_scoped_meta_graph_with_return_elements` of python/framework/meta_graph.py does so after it has imported the
graph. It takes `distutils.version.LooseVersion` up to TensorFlow 2.8, and `packaging.version` since 2.9, which refuses
what PEP 440 does not allow (packaging 22 and later).
"""

from __future__ import annotations

import re

from opspec_lint.models.fault import model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.release import TargetRelease
    from opspec_lint.spec.fact import Fact

_LAST_LOOSE = 987
"""The graph version of 2.8, the last release that compares loosely (python/framework/meta_graph.py of 2.8.4, 2.9.3)."""
_COMPARED_WITH: list[int | str] = [1, 9]
_LOOSE_PART = r"\d+|[a-z]+|[^a-z\d.]+"
_SEPARATOR = r"[-_.]?"
_PEP_440 = re.compile(
    r"\s*v?(?:\d+!)?\d+(?:\.\d+)*"
    rf"(?:{_SEPARATOR}(?:alpha|a|beta|b|preview|pre|c|rc){_SEPARATOR}\d*)?"
    rf"(?:-\d+|{_SEPARATOR}(?:post|rev|r){_SEPARATOR}\d*)?"
    rf"(?:{_SEPARATOR}dev{_SEPARATOR}\d*)?"
    r"(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?\s*",
    re.ASCII | re.IGNORECASE,
)


def version_faults(meta: Any, release: TargetRelease) -> Iterator[Fact]:
    """Yield the fault that a release cannot compare the version text of a meta graph."""
    text = meta.meta_info_def.tensorflow_version
    if not text or release.version is None:
        return
    is_read = _is_comparable(text) if release.version <= _LAST_LOOSE else _PEP_440.fullmatch(text) is not None
    if not is_read:
        problem = f"was written by TensorFlow {text!r}, and the release cannot read that as a version"
        remedy = (
            "save the model again with a released TensorFlow, or set `tensorflow_version` of its meta graph to that of "
            "one, such as 1.15.0"
        )
        yield model_fault(
            "model_graph_version", "tensorflow_version", "refused", "producer_version", problem=problem, remedy=remedy
        )


def _is_comparable(text: str) -> bool:
    """Return whether LooseVersion can compare a text with 1.9.

    It compares the first parts that differ. Python cannot order a word and a number, so the part must be a number.
    """
    parts = [int(part) if part.isdigit() else part for part in re.findall(_LOOSE_PART, text)]
    for part, expected in zip(parts, _COMPARED_WITH, strict=False):
        if part != expected:
            return isinstance(part, int)
    return True
