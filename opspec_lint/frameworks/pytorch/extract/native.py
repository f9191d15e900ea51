"""Reads native_functions.yaml: an entry a schema, with its tags, and the variants that torchgen generates of it.

The file is YAML of one shape, which is read line by line: a full YAML parser takes twenty times as long, and has no
lines to show.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.extract.generated import variants
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

PATH = "aten/src/ATen/native/native_functions.yaml"
NAMESPACE = "aten"
_ENTRY = pattern(r"^- func:[ \t]*(.*)$", "m")
_KEY = pattern(r"^  (\w+):[ \t]*(.*)$", "m")
_CONTINUED = pattern(r"\n {4,}(?=\S)")
_COMMENT = pattern(r"(?:^|(?<![ \t])[ \t])[ \t]*#.*$", "m")


def read(text: str, file: str) -> Iterator[Line]:
    """Yield the schemas of the file, those that torchgen generates behind the entry that names them.

    Args:
        text: the file.
        file: what reports call it.
    """
    starts = list(_ENTRY.finditer(text))
    ends = [*(each.start() for each in starts[1:]), len(text)]
    number, at = 1, 0
    for start, end in zip(starts, ends, strict=True):
        number += text.count("\n", at, start.start())
        at = start.start()
        body = _COMMENT.sub("", text[start.start(1) : end])
        keys = dict(_KEY.findall(_CONTINUED.sub(" ", body)))
        schema = _CONTINUED.sub(" ", body).partition("\n")[0]
        line = Line(
            text=_qualified(_unquoted(schema.strip())),
            file=file,
            line=number,
            more=_more(keys),
        )
        yield line
        if "autogen" in keys and not _is_composite(keys, body):
            yield from variants(line, [f"{NAMESPACE}::{each}" for each in _words(keys["autogen"])])


def _is_composite(keys: Mapping[str, str], body: str) -> bool:
    """Tell whether an op consists of calls of other ones; torchgen generates no variants of it."""
    return not keys.keys() & {"dispatch", "structured_delegate"} or "CompositeImplicitAutograd:" in body


def _more(keys: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of an entry besides the schema."""
    more: dict[str, Any] = {"own": {"op_tags": tuple(sorted(_words(keys.get("tags", ""))))}}
    deprecated = keys.get("deprecated", "")
    if deprecated and deprecated.lower() != "false":
        more["deprecation"] = "deprecated" if deprecated.lower() == "true" else _unquoted(deprecated)
    return more


def _qualified(schema: str) -> str:
    return schema if "::" in schema.partition("(")[0] else f"{NAMESPACE}::{schema}"


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _words(text: str) -> list[str]:
    return text.strip(" []").replace(",", " ").split()
