"""The schemas that a source tree of ONNX registers, and those that cannot be evaluated, file by file."""

from __future__ import annotations

from opspec_lint.cpp.files import CppFiles
from opspec_lint.cpp.steps import StepLimit
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.cpp.values import std_string
from opspec_lint.cpp.variables import Variables
from opspec_lint.frameworks.onnx.extract import adapters, protos
from opspec_lint.frameworks.onnx.extract.filling import Filler, Frame
from opspec_lint.frameworks.onnx.extract.names import Names, Workspace
from opspec_lint.frameworks.onnx.extract.operator_sets import FOLDER, SCHEMA, SETS, Macros, registrations
from opspec_lint.frameworks.onnx.extract.protos import Protos
from opspec_lint.frameworks.onnx.extract.records import Schema
from opspec_lint.frameworks.onnx.identity import identity
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.sources.parts import OUTLINE
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.frameworks.onnx.extract.operator_sets import Listed, Registration
    from opspec_lint.git.source_tree import SourceTree

    Said = tuple[str, str, str, tuple[str, int]]
    """A schema that cannot be evaluated, the digest of its text, why not, and where."""
    Part = tuple[dict[str, str], list[tuple[Listed, dict[str, Any]]], list[tuple[Listed, Said]]]
    """What a file declares: the ids of the files that decide it, the records, and what is said of those without one."""

VERSION = "VERSION_NUMBER"
_DEFINED = {"ONNX_ML": "1"}
"""What every wheel is built with."""
_MARK = "OPERATOR_SET_SCHEMA"
_OPSET = pattern(r"\bmap_\s*\[\s*ONNX_DOMAIN\s*\]\s*=\s*std\s*::\s*make_pair\s*\(\s*\d+\s*,\s*(\d+)\s*\)")


class RegisteredSchemas(Record):
    """What a tree registers.

    `remarks` are about the schemas that cannot be evaluated, `opset` is the highest version of the default domain, None
    if it is not stated, `ir_version` that of the file format.
    """

    records: list[dict[str, Any]]
    remarks: list[Remark]
    opset: int | None
    ir_version: int | None
    version: str | None


class Tree:
    """A source tree of ONNX.

    Args:
        tree: its files.
        parts: what the files of an earlier tree declare.

    `parts` is what its files declare once it is read, and `has_changed` whether any is another than before.
    """

    def __init__(self, tree: SourceTree, parts: Mapping[str, Part]) -> None:
        self._tree = tree
        self.parts = parts
        self._paths = sorted(path for path in tree.blobs((FOLDER,)) if path.endswith((".cc", ".h")))
        self._files = CppFiles(tree, "onnx/", ())
        self.has_changed = False

    def read(self) -> RegisteredSchemas | None:
        """Return the schemas that the tree registers, None if it is not a tree of ONNX."""
        header = self._files.raw(SCHEMA)
        if header is None:
            return None
        proto, version = self._files.raw(protos.PATH), self._files.raw(VERSION)
        self._enums = Protos(proto or "")
        self._macros = Macros(header)
        self._workspace = Workspace(
            self._files, _DEFINED, [each for each in self._paths if each.endswith(".cc")], self._enums
        )
        wanted = set(self._listed())
        self.parts = {path: self._part(path) for path in self._paths if path.endswith(".cc")}
        parts = self.parts.values()
        opset = _OPSET.search(header)
        return RegisteredSchemas(
            records=adapters.told(
                self._tree, [_placed(one) for part in parts for key, one in part[1] if key in wanted]
            ),
            remarks=[_remark(said) for part in parts for key, said in part[2] if key in wanted],
            opset=int(opset[1]) if opset else None,
            ir_version=self._enums.ir_version(),
            version=version.strip() if version else None,
        )

    def contents(self) -> list[str]:
        """Return the ids of all files that decide what the tree registers."""
        return sorted({content for deciding, *_ in self.parts.values() for content in deciding.values()})

    def _listed(self) -> Iterator[Listed]:
        for path in self._paths:
            if SETS.fullmatch(path):
                code = self._workspace.code(path)
                yield from self._macros.listed(code.bare if code else "")

    def _part(self, path: str) -> Part:
        known = self.parts.get(path)
        if known is not None and self._tree.identify(known[0]) == known[0]:
            return known
        self._files.looked_at = {path, SCHEMA, protos.PATH}
        tried = [(each, self._attempt(each)) for each in self._registrations(path)]
        deciding = {file.removeprefix(OUTLINE) for file in self._files.looked_at}
        self.has_changed = True
        return (
            self._tree.identify(sorted(deciding)),
            [(each.listed, record) for each, record in tried if not isinstance(record, UnresolvedError)],
            [
                (each.listed, _said(each, self._domain(each), error))
                for each, error in tried
                if isinstance(error, UnresolvedError)
            ],
        )

    def _registrations(self, path: str) -> Iterator[Registration]:
        code = self._workspace.code(path) if _MARK in (self._files.raw(path) or "") else None
        return iter(()) if code is None else registrations(code, self._macros)

    def _names(self, each: Registration, steps: StepLimit) -> Names:
        return Names(self._workspace, each.code, each.code.scope_at(each.offset), steps)

    def _domain(self, each: Registration) -> str:
        """Return the domain of a schema for people: the name of its constant where that cannot be evaluated."""
        try:
            return str(self._names(each, StepLimit()).constant((), each.domain))
        except UnresolvedError:
            return each.domain

    def _attempt(self, each: Registration) -> dict[str, Any] | UnresolvedError:
        """Return the record of a schema, with its place; the error where it cannot be evaluated."""
        steps = StepLimit()
        names = self._names(each, steps)
        schema = Schema(self._enums)

        def make() -> dict[str, Any]:
            start, end = each.span
            if [text for _, text, _ in each.words[start : start + 3]] != ["OpSchema", "(", ")"]:
                raise UnresolvedError("it does not begin with OpSchema()")
            frame = Frame(code=each.code, here=Variables(names), names=names)
            Filler(schema, steps).chain(each.words, start + 3, end, frame)
            record = schema.record(std_string(names.constant((), each.domain)), each.name, each.since)
            return {**record, "origin": (each.code.path, each.code.place(each.offset)[0])}

        try:
            return attempt(make)
        except UnresolvedError as error:
            return error


def _placed(record: dict[str, Any]) -> dict[str, Any]:
    file, line = record["origin"]
    return {**record, "origin": Origin(file=file, line=line)}


def _said(each: Registration, domain: str, error: UnresolvedError) -> Said:
    """Return the record of a schema that cannot be evaluated."""
    from opspec_lint.sources.cache import digest

    text = each.code.text[each.offset : each.words[-1][2]]
    place = (error.file or each.code.path, error.line or each.code.place(each.offset)[0])
    content = digest(text.encode("utf-8", "surrogatepass"))
    return identity(domain, each.name, each.since), content, error.reason, place


def _remark(said: Said) -> Remark:
    op, content, reason, (file, line) = said
    facts = {"reason": reason}
    return Remark(
        event="op_unresolved", name=op, op=op, digest=content, facts=facts, origin=Origin(file=file, line=line)
    )
