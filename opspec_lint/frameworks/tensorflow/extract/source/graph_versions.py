"""The version of a source tree, and the graph versions that it writes and reads, from core/public/version.h."""

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
"""Files that state the version of the release and the graph versions; the first one exists since 2024."""
_DEFINED = pattern(r"^[ \t]*#[ \t]*define[ \t]+TF_(\w+)[ \t]+(\"[^\"\n]*\"|-?\d+)([^\n]*)", "m")
_BZL_VERSION = pattern(r'^TF_VERSION\s*=\s*"([\d.]+)"|^VERSION_SUFFIX\s*=\s*"([^"]*)"', "m")
_NUMBERS = ("GRAPH_DEF_VERSION", "GRAPH_DEF_VERSION_MIN_CONSUMER", "GRAPH_DEF_VERSION_MIN_PRODUCER")
_DAY = pattern(r"Updated:\s*(\d{4})/(\d{1,2})/(\d{1,2})")


def read_release(text_of: Callable[[str], str | None]) -> tuple[str | None, GraphVersions | None]:
    """Return the version of the release and its graph versions, None for each that the tree does not state.

    `text_of` returns the raw text of a file of the tree, None for a missing file.
    """
    texts = [text_of(path) or "" for path in PATHS]
    definitions = {
        name: (value.strip('"'), comment) for text in texts for name, value, comment in _DEFINED.findall(text)
    }
    return _version(definitions, texts[-1]), _versions(definitions)


def _version(definitions: dict[str, tuple[str, str]], bzl: str) -> str | None:
    """Return the version of the release, from macros or from tf_version.bzl."""
    parts = [definitions.get(f"{part}_VERSION", ("", ""))[0] for part in ("MAJOR", "MINOR", "PATCH")]
    if all(parts):
        return ".".join(parts) + definitions.get("VERSION_SUFFIX", ("", ""))[0]
    match = re.search(_BZL_VERSION.pattern, bzl, re.MULTILINE)
    return match[1] if match else None


def _versions(definitions: dict[str, tuple[str, str]]) -> GraphVersions | None:
    """Return the graph versions, None unless all three numbers are defined."""
    numbers = [definitions[name][0] for name in _NUMBERS if name in definitions]
    if len(numbers) != len(_NUMBERS) or not all(number.isdigit() for number in numbers):
        return None
    day = _DAY.search(definitions["GRAPH_DEF_VERSION"][1])
    since = f"{day[1]}-{day[2]:0>2}-{day[3]:0>2}" if day else None
    producer, min_consumer, min_producer = map(int, numbers)
    return GraphVersions(producer=producer, min_consumer=min_consumer, min_producer=min_producer, producer_since=since)
