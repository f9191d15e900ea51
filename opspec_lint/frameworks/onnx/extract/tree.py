"""The extraction of schemas from a source tree of ONNX, and of remarks on schemas that cannot be evaluated.

Each file is evaluated on its own and its result reused while the files that it depends on are unchanged. Steps: find
the operator sets and their conditions; evaluate the schemas of each file; keep those that a set lists and a build
compiles.
"""

from __future__ import annotations

from opspec_lint.builds.build_files import BuildFiles
from opspec_lint.cpp.files import CppFiles
from opspec_lint.cpp.liveness import Liveness
from opspec_lint.cpp.replaced_macros import ReplacedMacros
from opspec_lint.cpp.splices import Splices, declares, has_lists
from opspec_lint.cpp.steps import StepLimit
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.cpp.values import std_string
from opspec_lint.cpp.variables import Variables
from opspec_lint.frameworks.onnx.extract import adapters, protos
from opspec_lint.frameworks.onnx.extract.filling import FillContext, Filler
from opspec_lint.frameworks.onnx.extract.names import OnnxNames, OnnxWorkspace
from opspec_lint.frameworks.onnx.extract.operator_sets import (
    DECLARED,
    FOLDER,
    SCHEMA,
    SETS,
    SchemaMacros,
    declarations,
)
from opspec_lint.frameworks.onnx.extract.protos import OnnxEnums
from opspec_lint.frameworks.onnx.extract.records import SchemaBuilder
from opspec_lint.frameworks.onnx.extract.set_conditions import SetConditions, declaration_condition
from opspec_lint.frameworks.onnx.identity import DEFAULT, identity
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.sources.parts import OUTLINE
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, declared_if_value
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.frameworks.onnx.extract.operator_sets import Listed, SchemaDeclaration
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.condition import Condition

    UnresolvedSchema = tuple[str, str, str, tuple[str, int]]
    """A schema that cannot be evaluated: identity, digest of its text, reason, and place."""
    Declarations = tuple[dict[str, str], list[tuple[Listed, dict[str, Any]]], list[tuple[Listed, UnresolvedSchema]]]
    """The result for a file: the ids of the files that it depends on, the records, and the unresolved schemas."""

VERSION = "VERSION_NUMBER"
_DEFINED = {"ONNX_ML": "1"}
"""The macros that every wheel is built with."""
_SOURCE, _INCLUDED = ".cc", (".h", ".inc", ".def")
"""The suffixes of sources, and of the files whose declarations belong to the sources that include them."""
_MARK = "OPERATOR_SET_SCHEMA"
"""A part of the name of every macro that declares a schema."""
_REPLACED = ReplacedMacros(_MARK, r"ONNX_\w*OPERATOR_SET_SCHEMA\w*", (SCHEMA,))
_CONDITIONAL = pattern(r"#[ \t]*(?:error|if|define(?:[ \t]|\\\r?\n)+ONNX_)|\?\?/")
"""The text of a file whose schemas may depend on the preprocessor; `??/` is a trigraph for a line continuation."""
_CALLERS = (f"{FOLDER}/schema.cc", SCHEMA)
"""The files that register all sets when the registry is first used; before onnx 1.3 the header does."""
_NOT_REUSABLE = {"any file": "read it again"}
"""A key that never matches, for a file whose schemas may depend on any other file."""
_OPSET = pattern(r"\bmap_\s*\[\s*ONNX_DOMAIN\s*\]\s*=\s*std\s*::\s*make_pair\s*\(\s*\d+\s*,\s*(\d+)\s*\)")

_RELEASED = pattern(r"\blast_release_version_map_\s*\[\s*(\w+)\s*\]\s*=\s*(\d+)\s*;")
_DOMAIN = pattern(r'\b(\w+_DOMAIN)\s*=\s*"([^"\\]*)"')
_CONSTANTS = "onnx/common/constants.h"
"""The names of the domains; before onnx 1.2 schema.h has them."""


class RegisteredSchemas(Record):
    """The schemas that a tree registers.

    `remarks` are about schemas that cannot be evaluated. `opset` is the highest version of the default domain, None if
    not stated, and `ir_version` the version of the file format. `released` is the opset of each domain in the last
    release, as the tree states it. `build_files` maps a file to the build file that compiles it, "" for none.
    """

    records: list[dict[str, Any]]
    remarks: list[Remark]
    opset: int | None
    ir_version: int | None
    version: str | None
    released: dict[str, int]
    build_files: Mapping[str, str]


class OnnxTree:
    """A source tree of ONNX. `parts` are the results for the files of an earlier tree.

    After `read`, `parts` are the results for this tree, and `has_changed` is True if any result is new.
    """

    def __init__(self, tree: SourceTree, parts: Mapping[str, Declarations]) -> None:
        self._splices = _splices(tree)
        self._tree = tree = self._splices.tree()
        self.parts = parts
        self._located: dict[str, Declarations] = {}
        self._paths = sorted(path for path in tree.blobs((FOLDER,)) if path.endswith((_SOURCE, *_INCLUDED)))
        self._files = CppFiles(tree, "onnx/", ())
        self._builds = BuildFiles(tree, ("onnx", "cmake"), sources=self._paths)
        self._live: Liveness | None = None
        self.has_changed = False

    def read(self) -> RegisteredSchemas | None:
        """Return the schemas that the tree registers, None if it is not a tree of ONNX."""
        header = self._files.raw(SCHEMA)
        if header is None:
            return None
        proto, version = self._files.raw(protos.PATH), self._files.raw(VERSION)
        self._enums = OnnxEnums(proto or "")
        self._macros = SchemaMacros(header)
        sources = [path for path in self._paths if path.endswith(_SOURCE)]
        self._workspace = OnnxWorkspace(self._files, _DEFINED, sources, self._enums)
        sets = self._set_conditions()
        self.parts = {path: self._declarations(path) for path in sources}
        # The stored results have the lines of the texts that were read.
        self._located = {path: self._splices.located(path, part) for path, part in self.parts.items()}
        compiled = {path: self._builds.compiles(path) for path, (_, records, _) in self.parts.items() if records}
        opset = _OPSET.search(header)
        return RegisteredSchemas(
            records=adapters.add_adapters(self._tree, list(self._registered_records(sets, compiled))),
            remarks=[
                *self._unresolved_remarks(sets),
                *(_unread_remark(*function) for function in sets.unread),
                *(
                    _link_remark(path, target)
                    for path, target in sorted(self._tree.links.items())
                    if _may_declare(path)
                ),
                *(_unread_include_remark(*include) for include in self._splices.unread),
                *self._unlisted_remarks(sets, compiled),
                *self._builds.remarks(),
            ],
            opset=int(opset[1]) if opset else None,
            ir_version=self._enums.ir_version(),
            version=version.strip() if version else None,
            released=self._released(header),
            build_files=self._builds.compiling,
        )

    def _registered_records(self, sets: SetConditions, compiled: Mapping[str, Condition]) -> Iterator[dict[str, Any]]:
        """Yield the records of the schemas that a set lists and a build compiles, with their conditions.

        `compiled` has, by file, the condition under which a build compiles it.
        """
        for path, (_, records, _) in self._located.items():
            for key, record in records:
                if key in sets.listed and compiled[path] != NEVER:
                    yield _with_conditions(record, sets.listed[key], compiled[path])

    def _unresolved_remarks(self, sets: SetConditions) -> Iterator[Remark]:
        """Yield a remark for each schema that a set lists and that cannot be evaluated."""
        for _, _, unresolved_schemas in self._located.values():
            for key, unresolved in unresolved_schemas:
                if key in sets.listed:
                    yield _unresolved_remark(unresolved)

    def _unlisted_remarks(self, sets: SetConditions, compiled: Mapping[str, Condition]) -> Iterator[Remark]:
        """Yield a remark for each schema that a build compiles and no set lists; none for a tree without sets."""
        if not sets.listed:
            return
        for path, (_, records, _) in self._located.items():
            for key, record in records:
                if key not in sets.listed and compiled[path] != NEVER:
                    op = identity(record["domain"], record["name"], record["since_version"])
                    file, line = record["origin"]
                    # No digest: until a set lists the schema, its text concerns nobody.
                    yield Remark(event="schema_unlisted", name=op, op=op, origin=Origin(file=file, line=line))

    def _released(self, header: str) -> dict[str, int]:
        """Return the opset of each domain in the last release (`LastReleaseVersionMap` of schema.h)."""
        domains = dict(_DOMAIN.findall(self._files.raw(_CONSTANTS) or header))
        return {
            domains[constant] or DEFAULT: int(opset)
            for constant, opset in _RELEASED.findall(header)
            if constant in domains
        }

    def contents(self) -> list[str]:
        """Return the ids of all files that the result depends on."""
        return sorted({content for deciding, *_ in self.parts.values() for content in deciding.values()})

    def _set_conditions(self) -> SetConditions:
        """Return the schemas in operator sets with their conditions."""
        files = (self._files.source(path) for path in self._paths if SETS.fullmatch(path))
        callers = (self._files.source(path) for path in _CALLERS)
        return SetConditions(
            [file for file in files if file is not None],
            [file for file in callers if file is not None],
            self._macros,
            _DEFINED,
            self._builds.may_define,
        )

    def _declarations(self, path: str) -> Declarations:
        """Return the schemas that a file declares, from the earlier tree if all files that it depends on are equal."""
        known = self.parts.get(path)
        if known is not None:
            deciding_ids, _, _ = known
            if self._tree.identify(deciding_ids) == deciding_ids:
                return known
        # Records which files the evaluation of this one reads: the result is valid until one of them changes.
        self._files.looked_at = {path, SCHEMA, protos.PATH}
        self._builds.was_asked = False
        tried: list[tuple[SchemaDeclaration, dict[str, Any] | UnresolvedError]] = []
        for declaration in self._schema_declarations(path):
            condition, _ = self._condition(declaration)
            if condition != NEVER:
                tried.append((declaration, self._evaluate(declaration)))
        deciding = {file.removeprefix(OUTLINE) for file in self._files.looked_at}
        self.has_changed = True
        return (
            _NOT_REUSABLE if self._builds.was_asked else self._tree.identify(sorted(deciding)),
            [(declaration.listed, record) for declaration, record in tried if not isinstance(record, UnresolvedError)],
            [
                (declaration.listed, _unresolved_schema(declaration, self._domain(declaration), error))
                for declaration, error in tried
                if isinstance(error, UnresolvedError)
            ],
        )

    def _schema_declarations(self, path: str) -> Iterator[SchemaDeclaration]:
        """Yield the declarations of schemas in a file."""
        raw = self._files.raw(path) or ""
        code = self._workspace.code(path) if _MARK in raw else None
        if code is None:
            return
        # Most files have no relevant directive: then the costly analysis of conditions is skipped.
        self._live = None
        source = self._files.source(path) if _CONDITIONAL.search(raw) else None
        if source is not None:
            self._live = Liveness(source, _DEFINED, self._builds.may_define)
            if self._live.is_conditional:
                code = self._live.code
        yield from declarations(code, self._macros)

    def _condition(self, declaration: SchemaDeclaration) -> tuple[Condition, int | None]:
        """Return the condition of a declaration, and the line that causes it."""
        if self._live is None:
            return ALWAYS, None
        return declaration_condition(self._live, declaration.macro, declaration.offset)

    def _names(self, declaration: SchemaDeclaration, steps: StepLimit) -> OnnxNames:
        """Return the meaning of names at a declaration."""
        return OnnxNames(self._workspace, declaration.code, declaration.code.scope_at(declaration.offset), steps)

    def _domain(self, declaration: SchemaDeclaration) -> str:
        """Return the domain of a schema for messages, or the name of its constant if that cannot be evaluated."""
        try:
            return str(self._names(declaration, StepLimit()).constant((), declaration.domain))
        except UnresolvedError:
            return declaration.domain

    def _evaluate(self, declaration: SchemaDeclaration) -> dict[str, Any] | UnresolvedError:
        """Return the record of a schema with its origin, or the error if it cannot be evaluated."""
        try:
            return attempt(lambda: self._evaluate_schema(declaration))
        except UnresolvedError as error:
            return error

    def _evaluate_schema(self, declaration: SchemaDeclaration) -> dict[str, Any]:
        """Return the record of a schema with its origin. Raises UnresolvedError if it cannot be evaluated."""
        steps = StepLimit()
        names = self._names(declaration, steps)
        schema = SchemaBuilder(self._enums)
        start, end = declaration.span
        if [text for _, text, _ in declaration.tokens[start : start + 3]] != ["OpSchema", "(", ")"]:
            raise UnresolvedError("it does not begin with OpSchema()")
        frame = FillContext(code=declaration.code, here=Variables(names), names=names)
        Filler(schema, steps).chain(declaration.tokens, start + 3, end, frame)
        record = schema.record(std_string(names.constant((), declaration.domain)), declaration.name, declaration.since)
        condition, cause = self._condition(declaration)
        place = {} if cause is None else {"condition_place": (declaration.code.path, cause)}
        line, _ = declaration.code.place(declaration.offset)
        return {**record, **place, "declared_if": condition, "origin": (declaration.code.path, line)}


def _with_conditions(
    record: dict[str, Any], listed: tuple[Condition, tuple[str, int] | None], compiled: Condition
) -> dict[str, Any]:
    """Return a record with its origin and the combined conditions of declaration, operator set and file.

    `listed` is the condition of the operator set with the place of its cause, `compiled` the one of the file.
    """
    listed_if, listed_place = listed
    file, line = record["origin"]
    attributes = {name: _with_origin(attribute) for name, attribute in record["attributes"].items()}
    arguments = {section: list(map(_with_origin, record[section])) for section in ("inputs", "outputs")}
    condition = conjunction(conjunction(record["declared_if"], listed_if), compiled)
    places = dict(record["places"])
    place = record.get("condition_place") or listed_place
    if condition != ALWAYS and place is not None:
        places["declared_if"] = place
    return {
        **record,
        **arguments,
        "attributes": attributes,
        "declared_if": declared_if_value(condition),
        "origin": Origin(file=file, line=line),
        "places": {field: Origin(file=file, line=line) for field, (file, line) in places.items()},
    }


def _with_origin(argument: dict[str, Any]) -> dict[str, Any]:
    """Return an argument or attribute with its place as an `Origin`."""
    file, line = argument["origin"]
    return {**argument, "origin": Origin(file=file, line=line)}


def _unread_remark(file: str, line: int, reason: str) -> Remark:
    """Return a remark about a function whose schemas have unknown conditions."""
    place = f"{file}:{line}"
    facts = {"reason": f"the conditions of its schemas are not known: {reason}"}
    return Remark(event="op_unresolved", name=place, digest=reason, facts=facts, origin=Origin(file=file, line=line))


def _splices(tree: SourceTree) -> Splices:
    """Return the sources with the schemas that they include, and the files that links lead to."""
    blobs = {path: blob for path, blob in tree.blobs((FOLDER,)).items() if path.endswith((_SOURCE, *_INCLUDED))}
    contents = {path: data for path, data in tree.read(blobs).items() if data is not None and path != SCHEMA}
    declaring = [path for path, data in contents.items() if not path.endswith(_SOURCE) and _declares(path, data)]
    listing = [path for path, data in contents.items() if path.endswith(_SOURCE) and has_lists(data)]
    return Splices(tree, blobs, declaring, listing, [path for path in tree.links if _may_declare(path)])


def _declares(path: str, data: bytes) -> bool:
    """Return whether a header declares schemas, or replaces macros that do, and does not only define further ones."""
    return _MARK.encode() in data and (declares(path, data, DECLARED) or _REPLACED.replaces(path, data))


def _may_declare(path: str) -> bool:
    """Return whether a file may declare schemas by its path."""
    return path.startswith(f"{FOLDER}/") and path.endswith((_SOURCE, *_INCLUDED))


def _unread_include_remark(file: str, line: int, reason: str) -> Remark:
    """Return a remark about an `#include` whose schemas are not known."""
    return Remark(event="op_unresolved", name=file, facts={"reason": reason}, origin=Origin(file=file, line=line))


def _link_remark(path: str, target: str) -> Remark:
    """Return a remark about a symbolic link in the place of a source, whose schemas are not known."""
    facts = {"reason": "it is a symbolic link, and leads to no file of the tree"}
    return Remark(event="op_unresolved", name=path, digest=target, facts=facts, origin=Origin(file=path, line=1))


def _unresolved_schema(declaration: SchemaDeclaration, domain: str, error: UnresolvedError) -> UnresolvedSchema:
    """Return the entry of a schema that cannot be evaluated: identity, digest, reason and place."""
    from opspec_lint.sources.cache import digest

    _, _, offset_of_last_token = declaration.tokens[-1]
    text = declaration.code.text[declaration.offset : offset_of_last_token]
    line, _ = declaration.code.place(declaration.offset)
    place = (error.file or declaration.code.path, error.line or line)
    content = digest(text.encode("utf-8", "surrogatepass"))
    return identity(domain, declaration.name, declaration.since), content, error.reason, place


def _unresolved_remark(unresolved: UnresolvedSchema) -> Remark:
    """Return a remark about a schema that cannot be evaluated."""
    op, content, reason, (file, line) = unresolved
    facts = {"reason": reason}
    return Remark(
        event="op_unresolved", name=op, op=op, digest=content, facts=facts, origin=Origin(file=file, line=line)
    )
