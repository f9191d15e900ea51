"""The adapters of the version converter in a source tree: the steps between versions of ops that it can convert.

`registerAdapter` takes an adapter that is constructed with an op name and two versions, or one whose class passes the
versions, and perhaps the op name, to its base class in a header.
"""

from __future__ import annotations

from itertools import pairwise

from opspec_lint.frameworks.onnx.framework import DOWN, UP
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.git.source_tree import SourceTree

    Step = tuple[str, int, int]
    """An op, the version that it is converted from, and the one that it is converted to."""

FOLDER = "onnx/version_converter"
_CONVERTER = (f"{FOLDER}/convert.h", f"{FOLDER}/convert.cc")
_VERSION = r"(?:OpSetID\s*\(\s*)?(\d+)\s*\)?"
_STEP = rf"\s*,\s*{_VERSION}\s*,\s*{_VERSION}"
_STATED = pattern(rf'\(\s*"(\w+)"{_STEP}')
# The class, the op if it is a literal, and both versions.
_CONSTRUCTOR = pattern(rf'\b(\w+)\s*\([^()]*\)\s*:\s*\w+\s*\(\s*(?:"(\w+)"|\w+){_STEP}')
_REGISTERED = pattern(r"\bregisterAdapter\s*\(")
# The class, and the op if it is an argument.
_CLASS = pattern(r'\b(?:make_unique\s*<\s*|new\s+)(\w+)\s*>?\s*\(\s*(?:"(\w+)"\s*)?\)')
_MAX_CALL = 400
"""Characters of a call of `registerAdapter` that are searched for its arguments."""
_COMMENT = pattern(r"//[^\n]*|/\*.*?\*/", "s")


def add_adapters(tree: SourceTree, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add the field `adapters` to the records of schemas that succeed another version; return the records.

    Only the default domain is converted. In a tree without a version converter the records stay as they are.
    """
    known = _adapters_of_tree(tree)
    if known is None:
        return records
    default_domain = [record for record in records if not record["domain"]]
    first: dict[str, int] = {}
    for record in default_domain:
        first[record["name"]] = min(record["since_version"], first.get(record["name"], record["since_version"]))
    for record in default_domain:
        name, since = record["name"], record["since_version"]
        if since > first[name]:
            # The converter goes opset by opset, so an adapter joins a version with the opset right before it.
            steps = ((UP, (name, since - 1, since)), (DOWN, (name, since, since - 1)))
            record["adapters"] = [way for way, step in steps if step in known]
    return records


def _adapters_of_tree(tree: SourceTree) -> set[Step] | None:
    """Return the steps that a tree has adapters for; None if it has no version converter."""
    texts = [_text(data) for data in tree.read(_CONVERTER).values() if data is not None]
    if not texts:
        return None
    headers = [path for path in sorted(tree.blobs((FOLDER,))) if path.endswith(".h") and path not in _CONVERTER]
    texts_of_classes = [_text(data or b"") for data in tree.read(headers).values()]
    classes = {match[1]: match for text in texts_of_classes for match in _CONSTRUCTOR.finditer(text)}
    return {step for text in texts for step in _registered_steps(text, classes)}


def _text(data: bytes) -> str:
    """Return the text of a file without comments."""
    return _COMMENT.sub("", data.decode("utf-8", "replace"))


def _registered_steps(text: str, classes: dict[str, re.Match[str]]) -> Iterator[Step]:
    """Yield the steps for which a text registers adapters.

    `classes` are the constructors of adapter classes, by class name.
    """
    starts = [match.end() for match in _REGISTERED.finditer(text)]
    for start, following in pairwise((*starts, len(text))):
        end = min(following, start + _MAX_CALL)
        # `start - 1` is the opening parenthesis of the call, which `_STATED` begins with.
        stated, made = _STATED.search(text, start - 1, end), _CLASS.search(text, start, end)
        # Only the call in front counts: a later literal in the window belongs to the next statement.
        if made is not None and made[1] in classes and (stated is None or made.start() < stated.start()):
            class_name, stated_op = made.groups()
            _, own_op, start_version, target_version = classes[class_name].groups()
            op = stated_op or own_op
            if op is not None:
                yield op, int(start_version), int(target_version)
        elif stated is not None:
            yield _step(stated)


def _step(stated: re.Match[str]) -> Step:
    """Return the step that a call states with literals."""
    return stated[1], int(stated[2]), int(stated[3])
