"""The schemas of a tree, found by text: the lists of operator sets, and the macros that declare schemas."""

from __future__ import annotations

from opspec_lint.cpp.tokens import closing_parenthesis, split_arguments, tokenize
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Tokens

    Listed = tuple[str, int, str]
    """The key of a schema in operator sets: the domain as the macros spell it, the version, the name."""

FOLDER = "onnx/defs"
SCHEMA = f"{FOLDER}/schema.h"
SETS = pattern(rf"{FOLDER}/operator_sets[\w-]*\.h")
_LISTED = pattern(r"\bGetOpSchema\s*<\s*(?:class\s+)?(?:ONNX_NAMESPACE\s*::\s*)?(\w+)\s*\(([^()]*)\)")
_MACRO = pattern(
    r"#\s*define\s+(\w+)\s*\(\s*name\s*,\s*ver\s*,\s*impl\s*\)[\s\\]*"
    r"ONNX_OPERATOR_SET_SCHEMA_EX\s*\([\s\\]*name\s*,[\s\\]*(\w+)\s*,[\s\\]*(\w+)\s*,"
)
_CLASS = pattern(
    r"#\s*define\s+(\w+)\s*\(\s*ver\s*,\s*name\s*\)[\s\\]*ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME\s*\([\s\\]*(\w+)\s*,"
)
# The macros that declare a schema: ONNX_ML_OPERATOR_SET_SCHEMA(name, ver, impl).
DECLARED = pattern(r"\b(ONNX_\w*OPERATOR_SET_SCHEMA)\s*\(")


class SchemaDeclaration(Record):
    """The declaration of a schema by a macro.

    `listed` is its key in operator sets, `domain` the C++ constant of its domain. `span` is the range of `tokens` that
    builds the schema, and `offset` the position of the declaration in the file.
    """

    listed: Listed
    macro: str
    name: str
    since: int
    domain: str
    code: Code
    offset: int
    tokens: Tokens
    span: tuple[int, int]


class SchemaMacros:
    """The macros of schema.h that declare schemas and name their classes."""

    def __init__(self, text: str) -> None:
        self.domains = {name: (domain, constant) for name, domain, constant in _MACRO.findall(text)}
        """The domain of each macro that declares schemas: its spelling in operator sets, and its C++ constant."""
        self._classes = dict(_CLASS.findall(text))

    def listed(self, text: str) -> Iterator[tuple[int, Listed]]:
        """Yield the schemas that a file of operator sets lists, with their offsets; `text` has no comments."""
        for match in _LISTED.finditer(text):
            macro = match[1]
            given = [argument.strip() for argument in match[2].split(",")]
            if macro in self._classes:
                # The macro of a domain passes its name on: ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, ver, name).
                given = [self._classes[macro], *given]
            if len(given) == 3 and given[1].isdecimal():
                yield match.start(), (given[0], int(given[1]), given[2])


def declarations(code: Code, macros: SchemaMacros) -> Iterator[SchemaDeclaration]:
    """Yield the schemas that a file declares. Raises UnresolvedError if the text is not readable C++."""
    for match in DECLARED.finditer(code.bare):
        if match[1] not in macros.domains:
            continue
        # The arguments: the name, the version, and the expression that builds the schema, which may have commas.
        tokens = tokenize(code.text, match.end(), closing_parenthesis(code.bare, match.end() - 1))
        spans = split_arguments(tokens, 0, len(tokens))
        if len(spans) < 3:
            continue
        (name_at, _), (version_at, _), (schema_at, _) = spans[:3]
        name, version = tokens[name_at][1], tokens[version_at][1]
        if not version.isdecimal():
            continue
        set_domain, domain = macros.domains[match[1]]
        since = int(version)
        yield SchemaDeclaration(
            listed=(set_domain, since, name),
            macro=match[1],
            name=name,
            since=since,
            domain=domain,
            code=code,
            offset=match.start(),
            tokens=tokens,
            span=(schema_at, len(tokens)),
        )
