"""Many schemas as the spec of a release: each is parsed when somebody looks at it."""

from __future__ import annotations

import re
from functools import lru_cache

from opspec_lint.frameworks.pytorch.framework import BINDING
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, declared_if_value, disjunction
from opspec_lint.spec.model import Origin, Remark, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from opspec_lint.spec.condition import Condition
    from opspec_lint.spec.model import Op, Provenance

_NAME = r"(?:\w+::)*\w+(?:\.\w+)?"
_TYPE = r"(?!(?:Dict|Future|RRef|Await|Union)\b)[A-Za-z_][\w.]{0,90}(?:\((?:\w!?|\w -> \*)\))?\??(?:\[\d?\]){0,2}\??"
_NUMBER = r"-?\d{1,9}(?:\.\d{0,20})?(?:e-?\d\d)?"
_DEFAULT = rf'(?:None|True|False|{_NUMBER}|\[(?:{_NUMBER}(?:, {_NUMBER})*)?\]|"\w*")'
_ARGUMENT = rf"{_TYPE} [A-Za-z_]\w*(?:={_DEFAULT})?"
_RETURN = rf"{_TYPE}(?: [A-Za-z_]\w*)?"
_PLAIN = pattern(
    rf"({_NAME})\((?:(?:\*|{_ARGUMENT})(?:, (?:\*, )?{_ARGUMENT})*)?\) -> "
    rf"(?:\(\)|{_RETURN}|\({_RETURN}(?:, {_RETURN})*\))"
)
"""Most schemas. What matches is one, which is told in a tenth of the time that parsing takes."""
_CUSTOM_CLASS = pattern(r"\w+\((__torch__(?:\.\w+)+) \w+")
"""The methods of custom classes, which a dump names without their class; it is the type of the first argument."""
_LONGEST_TEXT = 60
_NOTHING: Mapping[str, Any] = {}


class Line:
    """A schema as its source has it: its text, its place, and the fields of the op that it does not say itself.

    `condition` is the unknown condition under which source text declares it, and `condition_line` the line of that;
    both are None where the source has no such text. A release has thousands of schemas, so this is no `Record`.
    """

    __slots__ = ("condition", "condition_line", "file", "line", "more", "text")

    def __init__(  # noqa: PLR0913, PLR0917 - all that a source says of a schema
        self,
        text: str,
        file: str | None = None,
        line: int | None = None,
        more: Mapping[str, Any] = _NOTHING,
        condition: Condition | None = None,
        condition_line: int | None = None,
    ) -> None:
        self.text = text
        self.file = file
        self.line = line
        self.more = more
        self.condition = condition
        self.condition_line = condition_line

    @property
    def origin(self) -> Origin | None:
        """Where it stands, None where its source has no files."""
        return None if self.file is None else Origin(file=self.file, line=self.line)

    def under(self, condition: Condition, line: int) -> Line:
        """Return the line of the same schema under a condition, which a line of the file causes."""
        return Line(self.text, self.file, self.line, self.more, condition, None if condition == ALWAYS else line)

    def repeated(self, condition: Condition | None) -> Line:
        """Return the line of a schema that is declared once more, under a condition."""
        if self.condition in (None, ALWAYS) or condition is None:
            return self
        condition = disjunction((self.condition, condition))
        return Line(self.text, self.file, self.line, self.more, condition, self.condition_line)


def spec_of(lines: Iterable[Line], file: str, provenance: Provenance, **more: Any) -> Spec:
    """Return the spec of some schemas. What is none becomes a remark, and so does a second schema of an op.

    Args:
        lines: the schemas.
        file: what the user called their source.
        provenance: where they come from.
        more: further fields of the spec.
    """
    from opspec_lint.frameworks.pytorch.schemas.text import SchemaError

    records: dict[str, Line] = {}
    remarks: list[Remark] = list(more.pop("remarks", ()))
    for line in lines:
        try:
            name = _identity(line.text)
        except SchemaError as error:
            remarks.append(_unread(line, str(error)))
            continue
        first = records.setdefault(name, line)
        if first.text == line.text:
            records[name] = first.repeated(line.condition)
        else:
            remarks.append(
                _unread(
                    line, f"{first.origin.place if first.origin else 'it'} declares '{name}' as well, in another way"
                )
            )
    is_located = any(line.file is not None for line in records.values())
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(records, _build, _numbers, __name__, located=is_located, declared=_declared),
        binding=BINDING,
        remarks=tuple(remarks),
        **more,
    )


@lru_cache(1 << 16)
def _identity(text: str) -> str:
    """Return the identity of the op that a schema declares; a schema that is not plain is parsed.

    Most schemas of two releases are the same.

    Raises:
        SchemaError: the text is no schema.
    """
    plain = _PLAIN.fullmatch(text)
    if plain is not None and "::" in plain[1]:
        return plain[1]
    from opspec_lint.frameworks.pytorch.schemas.text import parse

    name = parse(text).name
    method = _CUSTOM_CLASS.match(text)
    return name if method is None else f"{method[1]}::{name}"


def _build(name: str, line: Line) -> Op:
    from opspec_lint.frameworks.pytorch.schemas.text import parse

    if line.condition is None:
        return parse(line.text, name, line.origin, **line.more)
    places = {"declared_if": Origin(file=str(line.file), line=line.condition_line)} if line.condition_line else {}
    return parse(
        line.text, name, line.origin, **line.more, declared_if=declared_if_value(line.condition), places=places
    )


def _declared(line: Line) -> Any:
    return line.text, line.more, line.condition


def _numbers(_: Line) -> list[Any]:
    return []


def _unread(line: Line, reason: str) -> Remark:
    name = line.text.partition("(")[0].strip()[:_LONGEST_TEXT]
    return Remark(
        event="op_unresolved",
        name=name,
        op=name if re.fullmatch(_NAME, name) else None,
        digest=line.text,
        facts={"reason": reason},
        origin=line.origin,
    )
