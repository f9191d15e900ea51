"""The release of a tree, and the versions of graphs that it writes and reads: core/public/version.h."""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.model import GraphVersions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PATHS = (
    "tensorflow/core/public/release_version.h",
    "tensorflow/core/public/version.h",
    "tensorflow/tf_version.bzl",
)
"""In which a release states its version, and the versions of graphs; the first appeared in 2024."""
_DEFINED = pattern(r"^[ \t]*#[ \t]*define[ \t]+TF_(\w+)[ \t]+(\"[^\"\n]*\"|-?\d+)([^\n]*)", "m")
_NAMED = pattern(r'^TF_VERSION\s*=\s*"([\d.]+)"|^VERSION_SUFFIX\s*=\s*"([^"]*)"', "m")
_NUMBERS = ("GRAPH_DEF_VERSION", "GRAPH_DEF_VERSION_MIN_CONSUMER", "GRAPH_DEF_VERSION_MIN_PRODUCER")
_DAY = pattern(r"Updated:\s*(\d{4})/(\d{1,2})/(\d{1,2})")


def release(text_of: Callable[[str], str | None]) -> tuple[str | None, GraphVersions | None]:
    """Return the version of a release, and its versions of graphs; None for what the tree does not state.

    Args:
        text_of: returns the text of a file of the tree with its comments, None for a missing file.
    """
    texts = [text_of(path) or "" for path in PATHS]
    stated = {name: (value.strip('"'), behind) for text in texts for name, value, behind in _DEFINED.findall(text)}
    return _version(stated, texts[-1]), _versions(stated)


def _version(stated: dict[str, tuple[str, str]], bzl: str) -> str | None:
    parts = [stated.get(f"{part}_VERSION", ("", ""))[0] for part in ("MAJOR", "MINOR", "PATCH")]
    if all(parts):
        return ".".join(parts) + stated.get("VERSION_SUFFIX", ("", ""))[0]
    match = re.search(_NAMED.pattern, bzl, re.MULTILINE)
    return match[1] if match else None


def _versions(stated: dict[str, tuple[str, str]]) -> GraphVersions | None:
    numbers = [stated[name][0] for name in _NUMBERS if name in stated]
    if len(numbers) != len(_NUMBERS) or not all(number.isdigit() for number in numbers):
        return None
    day = _DAY.search(stated["GRAPH_DEF_VERSION"][1])
    since = f"{day[1]}-{day[2]:0>2}-{day[3]:0>2}" if day else None
    producer, min_consumer, min_producer = map(int, numbers)
    return GraphVersions(producer=producer, min_consumer=min_consumer, min_producer=min_producer, producer_since=since)
