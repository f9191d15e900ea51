"""The folders of a source tree that Bazel takes for repositories of their own."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_OWN_REPOSITORY = "org_tensorflow"
_FILES = ("WORKSPACE", "MODULE.bazel", "tensorflow/workspace3.bzl")
"""Files that may declare a folder of the tree to be a repository of its own, as TensorFlow does with XLA."""
_LOCAL = pattern(
    r'\b(?:tf_vendored|local_repository|local_path_override)\s*\(\s*(?:module_)?name\s*=\s*"([^"]+)",'
    r'\s*(?:rel)?path\s*=\s*"([^"]+)"'
)


def folders(text_of: Callable[[str], str | None]) -> dict[str, str]:
    """Return the folders that are repositories, by the name of the repository."""
    texts = [text_of(path) or "" for path in _FILES]
    declared = {name: folder for text in texts for name, folder in _LOCAL.findall(text)}
    return {"": "", _OWN_REPOSITORY: "", **declared}
