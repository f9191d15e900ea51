"""The schemas in native_functions.yaml: one for each entry, with its tags, and its generated variants.

The file is YAML of one shape and is read by regular expressions: a YAML parser takes twenty times as long, and has no
line numbers.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.extract.generated import generated_variants
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
    """Yield the schemas of the file; the variants that torchgen generates follow the entry that names them."""
    starts = list(_ENTRY.finditer(text))
    ends = [*(start.start() for start in starts[1:]), len(text)]
    number, at = 1, 0
    for start, end in zip(starts, ends, strict=True):
        # Counted from the last entry on: counting from the start for each entry would be quadratic.
        number += text.count("\n", at, start.start())
        at = start.start()
        body = _COMMENT.sub("", text[start.start(1) : end])
        keys = dict(_KEY.findall(_CONTINUED.sub(" ", body)))
        schema = _CONTINUED.sub(" ", body).partition("\n")[0]
        line = Line(
            text=_qualify(_unquote(schema.strip())),
            file=file,
            line=number,
            more=_extra_fields(keys),
        )
        yield line
        if "autogen" in keys and not _is_composite(keys, body):
            yield from generated_variants(line, [f"{NAMESPACE}::{variant}" for variant in _split_list(keys["autogen"])])


def _is_composite(keys: Mapping[str, str], body: str) -> bool:
    """Return whether an op is implemented by calls of other ops only: torchgen generates no variants of such an op."""
    return not keys.keys() & {"dispatch", "structured_delegate"} or "CompositeImplicitAutograd:" in body


def _extra_fields(keys: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of an op that its entry states besides the schema: tags and deprecation."""
    more: dict[str, Any] = {"own": {"op_tags": tuple(sorted(_split_list(keys.get("tags", ""))))}}
    deprecated = keys.get("deprecated", "")
    if deprecated and deprecated.lower() != "false":
        more["deprecation"] = "deprecated" if deprecated.lower() == "true" else _unquote(deprecated)
    return more


def _qualify(schema: str) -> str:
    """Return a schema with its namespace, which most entries leave out."""
    return schema if "::" in schema.partition("(")[0] else f"{NAMESPACE}::{schema}"


def _unquote(text: str) -> str:
    """Return a scalar of YAML without its quotes."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _split_list(text: str) -> list[str]:
    """Return the items of a list such as `[core, pointwise]`, or of one without brackets."""
    return text.strip(" []").replace(",", " ").split()
