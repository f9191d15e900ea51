"""The spec of a release made of schemas; a schema is parsed when its op is used."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, product

from opspec_lint.frameworks.pytorch.framework import BINDING
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, declared_if_value, disjunction, show
from opspec_lint.spec.identity import build_variant
from opspec_lint.spec.model import Origin, Remark, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.spec.condition import Condition
    from opspec_lint.spec.model import Op, Provenance

    CompiledTogether: TypeAlias = Callable[[str, str], bool]

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
"""The form of most schemas: a match is a schema, and takes a tenth of the time of parsing."""
_CUSTOM_CLASS = pattern(r"\w+\((__torch__(?:\.\w+)+) \w+")
"""A method of a custom class. A dump names it without its class, which is the type of the first argument."""
_LONGEST_TEXT = 60
_NO_FIELDS: Mapping[str, Any] = {}


class Line:
    """A schema in a source: its text, its place, and further fields of the op that a schema does not contain.

    `condition` is the unknown condition under which source code declares it, and `condition_line` the line of the
    condition; None for a source other than code. It is no `Record`, as a release has thousands of schemas.
    """

    __slots__ = ("condition", "condition_line", "file", "line", "more", "text")

    def __init__(  # noqa: PLR0913, PLR0917 - all that a source says of a schema
        self,
        text: str,
        file: str | None = None,
        line: int | None = None,
        more: Mapping[str, Any] = _NO_FIELDS,
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
        """The place of the schema, None where its source has no files."""
        return None if self.file is None else Origin(file=self.file, line=self.line)

    def under(self, condition: Condition, line: int) -> Line:
        """Return the same schema under a condition, which is stated in a line of the file."""
        return Line(self.text, self.file, self.line, self.more, condition, None if condition == ALWAYS else line)

    def is_compiled_with(self, line: Line, compiled_together: CompiledTogether) -> bool:
        """Return whether a build of C++ certainly has another line too, with the statements of both executed."""
        if self.condition != ALWAYS or line.condition != ALWAYS or (self.file, self.line) == (line.file, line.line):
            return False
        from opspec_lint.cpp.splices import UNITS

        first, second = str(self.file), str(line.file)
        is_source = first.endswith(UNITS) and second.endswith(UNITS)
        return is_source and (first == second or compiled_together(first, second))

    def or_under(self, condition: Condition | None) -> Line:
        """Return the schema under either its own condition or another one, under which it is declared again."""
        if self.condition in (None, ALWAYS):
            return self
        condition = disjunction((self.condition, ALWAYS if condition is None else condition))
        return Line(self.text, self.file, self.line, self.more, condition, self.condition_line)


def spec_of(
    lines: Iterable[Line],
    file: str,
    provenance: Provenance,
    compiled_together: CompiledTogether = lambda *_: True,
    **more: Any,
) -> Spec:
    """Return the spec of schemas; a text that is no schema becomes a remark.

    So does a second schema of an op, unless no build has both: then the op has a variant (`NAME [BUILD]`).

    Args:
        lines: the schemas of the source.
        file: the name of the source on the command line.
        provenance: how the source was read.
        compiled_together: returns whether a build certainly compiles two files into one extension.
        more: further fields of the spec.
    """
    remarks: list[Remark] = list(more.pop("remarks", ()))
    records, conflicting = _schemas_by_op(lines, remarks, compiled_together)
    for name, further_lines in conflicting.items():
        first = records[name]
        builds = _declarations_by_build([first, *further_lines], compiled_together)
        if builds is not None:
            del records[name]
            records |= {build_variant(name, build) if build else name: line for build, line in builds}
            continue
        place = first.origin.place if first.origin else "it"
        reason = f"{place} declares '{name}' as well, in another way"
        remarks += [_unresolved_remark(line, reason) for line in further_lines]
    is_located = any(line.file is not None for line in records.values())
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(records, _build, _numbers, __name__, located=is_located, declared=_declared),
        binding=BINDING,
        remarks=tuple(remarks),
        **more,
    )


def _schemas_by_op(
    lines: Iterable[Line], remarks: list[Remark], compiled_together: CompiledTogether
) -> tuple[dict[str, Line], dict[str, list[Line]]]:
    """Return the first schema of each op, and its further schemas with another text.

    A schema that occurs again has the conditions of all its lines. A text that is no schema is added to `remarks`, and
    so is a schema that a build certainly declares twice.
    """
    from opspec_lint.frameworks.pytorch.schemas.text import SchemaError

    schemas: dict[str, Line] = {}
    conflicting: dict[str, list[Line]] = {}
    for line in lines:
        try:
            name = _op_identity(line.text)
        except SchemaError as error:
            remarks.append(_unresolved_remark(line, str(error)))
            continue
        first = schemas.setdefault(name, line)
        if first.text == line.text:
            if first is not line and first.is_compiled_with(line, compiled_together):
                place = first.origin.place if first.origin else "it"
                reason = f"{place} defines '{name}' as well, and PyTorch refuses to load a second definition"
                remarks.append(_unresolved_remark(line, reason))
            schemas[name] = first.or_under(line.condition)
        else:
            conflicting.setdefault(name, []).append(line)
    return schemas, conflicting


def _declarations_by_build(lines: list[Line], compiled_together: CompiledTogether) -> list[tuple[str, Line]] | None:
    """Return the different schemas of an op, each with the name of its build; None if a build may have two schemas.

    A build is named for the condition that only it fulfils. Otherwise it is named for the file that only it compiles:
    PyTorch refuses a second definition of an op in a process, so a process never loads two extensions that define it.

    The schema of the builds that set the fewest macros comes first and has no build, as it is the op by default. It is
    declared if any schema is.
    """
    lines_by_text: dict[str, list[Line]] = {}
    for line in lines:
        lines_by_text.setdefault(line.text, []).append(line)
    # Of each schema, the condition under which any of its lines declares it, and its first line.
    declared = [
        (disjunction(line.condition or ALWAYS for line in same_schema), same_schema[0])
        for same_schema in lines_by_text.values()
    ]
    conditions = [condition for condition, _ in declared]
    are_conditions_exclusive = all(conjunction(first, second) == NEVER for first, second in combinations(conditions, 2))
    files = [{line.file for line in same_schema} for same_schema in lines_by_text.values()]
    if not are_conditions_exclusive and not _are_apart(files, compiled_together):
        return None
    declared.sort(key=_build_order)
    (_, default), *others = declared
    default = default.under(disjunction(conditions), default.condition_line or default.line or 1)
    if are_conditions_exclusive:
        return [("", default), *((show(condition), line.under(ALWAYS, 1)) for condition, line in others)]
    return [("", default), *((str(line.file), line) for _, line in others)]


def _build_order(declared: tuple[Condition, Line]) -> tuple[int, Condition, str]:
    """Return the sort key for the schemas of an op: the fewest macros that have to be set come first."""
    condition, line = declared
    return min(map(_set_macros, condition)), condition, line.file or ""


def _are_apart(groups: list[set[str | None]], compiled_together: CompiledTogether) -> bool:
    """Return whether no build may compile files from two groups; a group has the files that declare one schema."""
    pairs = (pair for first, second in combinations(groups, 2) for pair in product(first, second))
    return all(
        first is not None and second is not None and first != second and not compiled_together(first, second)
        for first, second in pairs
    )


def _set_macros(alternative: tuple[str, ...]) -> int:
    """Return the number of requirements that must hold, without those that must not."""
    return sum(not requirement.startswith("not ") for requirement in alternative)


@lru_cache(1 << 16)
def _op_identity(text: str) -> str:
    """Return the name of the op that a schema declares, with its overload; raise SchemaError if it is no schema.

    The result is cached, as two releases have most schemas in common.
    """
    plain = _PLAIN.fullmatch(text)
    if plain is not None and "::" in plain[1]:
        return plain[1]
    from opspec_lint.frameworks.pytorch.schemas.text import parse

    name = parse(text).name
    method = _CUSTOM_CLASS.match(text)
    return name if method is None else f"{method[1]}::{name}"


def _build(name: str, line: Line) -> Op:
    """Return the op that a schema declares, with its place and condition."""
    from opspec_lint.frameworks.pytorch.schemas.text import parse

    if line.condition is None:
        return parse(line.text, name, line.origin, **line.more)
    places = {"declared_if": Origin(file=str(line.file), line=line.condition_line)} if line.condition_line else {}
    return parse(
        line.text, name, line.origin, **line.more, declared_if=declared_if_value(line.condition), places=places
    )


def _declared(line: Line) -> Any:
    """Return the parts of a schema that decide its op: ops are equal if they are."""
    return line.text, line.more, line.condition


def _numbers(_: Line) -> list[Any]:
    """Return no op versions: PyTorch has none."""
    return []


def _unresolved_remark(line: Line, reason: str) -> Remark:
    """Return the remark about a text that declares no op of the spec."""
    name = line.text.partition("(")[0].strip()[:_LONGEST_TEXT]
    return Remark(
        event="op_unresolved",
        name=name,
        op=name if re.fullmatch(_NAME, name) else None,
        digest=line.text,
        facts={"reason": reason},
        origin=line.origin,
    )
