"""The format of schemas as text, one a line: `torch._C._jit_get_all_schemas` prints it, and PyTorch's check reads it.

A comment behind a schema may have its tags: `# tags: core, pointwise`.
"""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.sources.format import Format, Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Op, Spec

NAME = "schemas"
_BEGIN = rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:\w+::[\w:.]+\(|\w+\(__torch__)"
"""How the text begins: comments, then the name of an op and a bracket."""
_TAGS = pattern(r"(?<!\s)\s*# tags:([\w, ]*)$")


def claims(data: bytes) -> bool:
    """Return whether bytes begin with a schema."""
    return re.match(_BEGIN, data) is not None


def load(value: Any, file: str) -> Spec:
    """Return the spec of a text.

    Raises:
        InputError: the document is no text.
    """
    from opspec_lint.documents.decode import text_of
    from opspec_lint.frameworks.pytorch.schemas.table import Line, spec_of
    from opspec_lint.spec.model import Provenance

    raw: Raw = value
    text = text_of(raw.data, file)
    place = raw.around.placed(raw.around.path) or file
    lines = ((number, line.strip()) for number, line in enumerate(text.split("\n"), 1))
    schemas = (Line(file=place, line=number, **_split_tags(line)) for number, line in lines if line and line[0] != "#")
    return spec_of(schemas, file, Provenance(framework="pytorch", made_by=NAME))


def dumps(spec: Spec) -> str:
    """Return the schemas of a spec, in order of name, each with its tags where they are known."""
    return "".join(f"{_schema_line(spec.ops[name])}\n" for name in sorted(spec.ops))


def _schema_line(op: Op) -> str:
    """Return the line of an op: its schema, and a comment with its tags where they are known."""
    from opspec_lint.frameworks.pytorch.schemas.text import show
    from opspec_lint.spec.model import UNKNOWN

    tags = op.get("op_tags")
    return show(op) if tags is UNKNOWN else f"{show(op)}  # tags: {', '.join(tags)}".rstrip()


def _split_tags(line: str) -> dict[str, Any]:
    """Return the keyword arguments of `Line` for a line: the schema, and the tags of a comment behind it."""
    match = _TAGS.search(line) if "# tags:" in line else None
    if match is None:
        return {"text": line}
    tags = tuple(sorted(match[1].replace(",", " ").split()))
    return {"text": line[: match.start()], "more": {"own": {"op_tags": tags}}}


FORMAT = Format(
    summary="PyTorch's schemas of ops, one a line",
    claims=claims,
    load=load,
    dumps=dumps,
    is_notation=True,
)
