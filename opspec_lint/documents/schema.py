"""JSON Schemas: they decide whether a document conforms, and find every violation in one that does not.

Files of thousands of records are checked fast, as the type of a value nearly always decides (`Schema.sufficient`).
`documents.file_fault` describes violations.
"""

from __future__ import annotations

import json
import os
from functools import cache

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.documents.file_fault import FileFault, Violation

    Path: TypeAlias = tuple[str | int, ...]
    Test: TypeAlias = Callable[[Any], bool]
    TestAll: TypeAlias = Callable[[Iterable[Any]], bool]
    Parts: TypeAlias = Callable[[Any], Iterable[tuple[Path, Any, "Schema"]]]

_FOLDER = os.path.join(os.path.dirname(__file__), "schemas")
_SILENT = frozenset({"$schema", "$id", "$defs", "title", "description", "then", "else"})
"""Keywords that judge nothing; `then` and `else` belong to `if`."""
_REFERENCES = _SILENT | {"$ref"}
_TYPES: dict[str, frozenset[type]] = {
    "array": frozenset({list}),
    "boolean": frozenset({bool}),
    "integer": frozenset({int}),
    "null": frozenset({type(None)}),
    "number": frozenset({int, float}),
    "object": frozenset({dict}),
    "string": frozenset({str}),
}
_NUMBERS = _TYPES["number"]
_EVERY_TYPE: frozenset[type] = frozenset().union(*_TYPES.values())
_FORMATS: dict[str, tuple[Test, frozenset[type]]] = {
    "attr-value": (values.in_range, frozenset({type(None), bool, float, str})),
}
"""The test of each format, and the types whose values all pass it."""


class Schema:
    """A JSON Schema of draft 2020-12, or a part of one.

    An integer has no fraction part in its text, so 1.0 is none, and no number is NaN or infinite. As in ECMA 262, `$`
    ends a text and not its last line.

    Args:
        document: the schema. It refers only to its own `$defs`, and uses no keywords but those of this module.
        definitions: the `$defs` that a part of a schema refers to, None for a whole schema.

    Raises:
        KeyError: the schema uses another keyword, type or format.
    """

    __slots__ = ("_definitions", "all_conform", "conforms", "document", "sufficient")

    conforms: Test
    """Tells whether a decoded document conforms."""
    all_conform: TestAll
    """Tells whether several do, faster than one after the other."""
    sufficient: frozenset[type]
    """Types of which every value conforms."""

    def __init__(self, document: Mapping[str, Any], definitions: _Schemas | None = None) -> None:
        self.document = document
        self._definitions = _Schemas(document.get("$defs", {})) if definitions is None else definitions
        self.sufficient = _sufficient(document, self)
        self.conforms, self.all_conform = _tests(self)

    def definition(self, name: str) -> Schema:
        """Return a schema of `$defs`."""
        return self._definitions[name]

    def part(self, document: Mapping[str, Any]) -> Schema:
        """Return a schema that is nested in this one."""
        return _part(document, self._definitions)

    def parts(self, documents: Mapping[str, Mapping[str, Any]]) -> _Schemas:
        """Return schemas that are nested in this one, by name."""
        return _Schemas(documents, self._definitions)

    def violations(self, value: Any, path: Path = ()) -> Iterator[Violation]:
        """Yield the violations in a decoded document, within one part in the order of the keywords."""
        from opspec_lint.documents.file_fault import Violation

        for keyword, rule in self.document.items():
            if _has_parts(keyword, rule):
                for way, part, schema in _PARTS[keyword](rule, self)(value):
                    yield from schema.violations(part, path + way)
            elif keyword not in _SILENT and not _TESTS[keyword](rule, self)(value):
                yield Violation(path, value, keyword, self.document)

    def faults(self, value: Any, *, at: str = "") -> list[FileFault]:
        """Return a description of each violation, in the order of the document; the last one says if there are more.

        Args:
            value: the decoded document, or a part of it.
            at: the path of the part inside its document.
        """
        if self.conforms(value):
            return []
        from opspec_lint.documents.file_fault import explain

        return explain(self.violations(value), value, at)


class _Schemas(dict[str, Schema]):
    """Parts of a schema by name; each is compiled when it is first needed."""

    __slots__ = ("_definitions", "_documents")

    def __init__(self, documents: Mapping[str, Mapping[str, Any]], definitions: _Schemas | None = None) -> None:
        super().__init__()
        self._documents = documents
        self._definitions = self if definitions is None else definitions

    def __missing__(self, name: str) -> Schema:
        self[name] = part = _part(self._documents[name], self._definitions)
        return part


def _part(document: Mapping[str, Any], definitions: _Schemas) -> Schema:
    """Return a part of a schema; one that only refers to a definition is the definition itself."""
    if "$ref" in document and document.keys() <= _REFERENCES:
        return definitions[_name(document["$ref"])]
    return Schema(document, definitions)


def _tests(schema: Schema) -> tuple[Test, TestAll]:
    """Return the test of one value, and the test of several.

    The keywords of an object whose members are all known, of a map, a list and an integer are tested together, which is
    faster and means the same as one after the other.
    """
    document = schema.document
    keywords = {keyword: rule for keyword, rule in document.items() if keyword not in _SILENT}
    tests: list[Test] = []
    match document:
        case {"type": "object", "properties": _, "additionalProperties": False}:
            all_conform = _closed_objects(schema)
            together = {"type", "properties", "required", "additionalProperties"}
            tests.append(lambda value: all_conform((value,)))
            if keywords.keys() <= together:
                return tests[0], all_conform
        case {"type": "object", "additionalProperties": dict(items)} if "properties" not in document:
            together = {"type", "additionalProperties"}
            tests.append(_map_of(schema.part(items)))
        case {"type": "array", "items": items}:
            together = {"type", "items"}
            tests.append(_list_of(schema.part(items)))
        case {"type": "integer", "minimum": least, "maximum": most}:
            together = {"type", "minimum", "maximum"}
            tests.append(_integer_between(least, most))
        case _:
            together = set()
    for keyword, rule in keywords.items():
        if keyword in together:
            continue
        is_of_parts = _has_parts(keyword, rule)
        tests.append(_parts_conform(_PARTS[keyword](rule, schema)) if is_of_parts else _TESTS[keyword](rule, schema))
    test = tests[0] if len(tests) == 1 else _all_of(tests)
    return test, lambda values: all(map(test, values))


def _has_parts(keyword: str, rule: Any) -> bool:
    return keyword in _PARTS and rule is not False


def _all_of(tests: Iterable[Test]) -> Test:
    return lambda value: all(test(value) for test in tests)


def _parts_conform(parts: Parts) -> Test:
    return lambda value: all(schema.conforms(part) for _, part, schema in parts(value))


def _integer_between(least: int, most: int) -> Test:
    return lambda value: type(value) is int and least <= value <= most


def _map_of(items: Schema) -> Test:
    all_conform = items.all_conform
    return lambda value: type(value) is dict and all_conform(value.values())


def _list_of(items: Schema) -> Test:
    all_conform = items.all_conform
    return lambda value: type(value) is list and all_conform(value)


def _closed_objects(schema: Schema) -> TestAll:
    properties, required = schema.document["properties"], schema.document.get("required", ())
    members = schema.parts(properties)
    sufficient = {key: _sufficient(member, schema) for key, member in properties.items()}

    def all_conform(values: Iterable[Any]) -> bool:
        for value in values:
            if type(value) is not dict:
                return False
            try:
                for key, member in value.items():
                    if type(member) not in sufficient[key] and not members[key].conforms(member):
                        return False
            except KeyError:  # a key that is not known
                return False
            for key in required:
                if key not in value:
                    return False
        return True

    return all_conform


@cache
def document(name: str, folder: str = _FOLDER) -> dict[str, Any]:
    """Return the decoded text of a schema, such as "waivers"; without a folder, one of this room."""
    with open(os.path.join(folder, f"{name}.schema.json"), encoding="utf-8") as stream:
        decoded: dict[str, Any] = json.load(stream)
    return decoded


@cache
def load(name: str, folder: str = _FOLDER) -> Schema:
    """Return a compiled schema, such as "waivers"; without a folder, one of this room."""
    return Schema(document(name, folder))


def _sufficient(document: Mapping[str, Any], schema: Schema) -> frozenset[type]:
    keywords = document.keys() - _SILENT
    if keywords == {"$ref"}:
        return schema.definition(_name(document["$ref"])).sufficient
    if not keywords <= {"type", "format"}:
        return frozenset()
    types = _types(document["type"]) if "type" in keywords else _EVERY_TYPE
    if "type" in keywords and float in types:
        types -= {float}  # NaN is no number
    return types & _FORMATS[document["format"]][1] if "format" in keywords else types


def _types(rule: str | Sequence[str]) -> frozenset[type]:
    return _TYPES[rule] if isinstance(rule, str) else frozenset().union(*map(_TYPES.__getitem__, rule))


def _name(reference: str) -> str:
    return reference.removeprefix("#/$defs/")


def _type(rule: str | Sequence[str], _: Schema) -> Test:
    types = _types(rule)
    if float in types:
        return lambda value: type(value) in types and (type(value) is not float or value - value == 0)
    return lambda value: type(value) in types


def _enum(rule: Sequence[Any], _: Schema) -> Test:
    texts = frozenset(option for option in rule if type(option) is str)
    rest = [option for option in rule if type(option) is not str]
    return lambda value: value in texts if type(value) is str else any(_is_same(value, option) for option in rest)


def _is_same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and a == b


def _pattern(rule: str, _: Schema) -> Test:
    search = pattern(f"{rule.removesuffix('$')}\\Z" if rule.endswith("$") else rule)
    return lambda value: type(value) is not str or search.search(value) is not None


def _unique(rule: bool, _: Schema) -> Test:
    """Return a test whether no string of a list occurs twice; `items` has to refuse what is no string."""
    if not rule:
        return lambda _: True
    return lambda value: type(value) is not list or {*map(type, value)} != {str} or len({*value}) == len(value)


def _required(rule: Sequence[str], _: Schema) -> Test:
    return lambda value: type(value) is not dict or all(key in value for key in rule)


def _any_of(rule: Sequence[Mapping[str, Any]], schema: Schema) -> Test:
    ways = list(map(schema.part, rule))
    return lambda value: any(way.conforms(value) for way in ways)


def _not(rule: Mapping[str, Any], schema: Schema) -> Test:
    refused = schema.part(rule)
    return lambda value: not refused.conforms(value)


def _no_others(_: bool, schema: Schema) -> Test:
    known = schema.document.get("properties", {}).keys()
    return lambda value: type(value) is not dict or value.keys() <= known


_TESTS: dict[str, Callable[[Any, Schema], Test]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda rule, _: lambda value: _is_same(value, rule),
    "format": lambda rule, _: _FORMATS[rule][0],
    "pattern": _pattern,
    "minLength": lambda rule, _: lambda value: type(value) is not str or len(value) >= rule,
    "maxLength": lambda rule, _: lambda value: type(value) is not str or len(value) <= rule,
    "minimum": lambda rule, _: lambda value: type(value) not in _NUMBERS or not value < rule,
    "maximum": lambda rule, _: lambda value: type(value) not in _NUMBERS or not value > rule,
    "minItems": lambda rule, _: lambda value: type(value) is not list or len(value) >= rule,
    "maxItems": lambda rule, _: lambda value: type(value) is not list or len(value) <= rule,
    "uniqueItems": _unique,
    "required": _required,
    "additionalProperties": _no_others,
    "anyOf": _any_of,
    "not": _not,
}
"""Keywords that judge a value as a whole: the rule becomes a test of the value."""


def _reference(rule: str, schema: Schema) -> Parts:
    definition = schema.definition(_name(rule))
    return lambda value: [((), value, definition)]


def _if(rule: Mapping[str, Any], schema: Schema) -> Parts:
    condition = schema.part(rule)
    met, unmet = (schema.part(schema.document.get(branch, {})) for branch in ("then", "else"))
    return lambda value: [((), value, met if condition.conforms(value) else unmet)]


def _properties(rule: Mapping[str, Mapping[str, Any]], schema: Schema) -> Parts:
    members = schema.parts(rule)
    return lambda value: [((key,), value[key], members[key]) for key in _keys(value) if key in rule]


def _additional(rule: Mapping[str, Any], schema: Schema) -> Parts:
    known, member = schema.document.get("properties", {}), schema.part(rule)
    return lambda value: [((key,), value[key], member) for key in _keys(value) if key not in known]


def _property_names(rule: Mapping[str, Any], schema: Schema) -> Parts:
    names = schema.part(rule)
    return lambda value: [((), key, names) for key in _keys(value)]


def _items(rule: Mapping[str, Any], schema: Schema) -> Parts:
    items = schema.part(rule)
    return lambda value: [((index,), item, items) for index, item in enumerate(value if type(value) is list else ())]


def _keys(value: Any) -> Iterable[str]:
    return value if type(value) is dict else ()


_PARTS: dict[str, Callable[[Any, Schema], Parts]] = {
    "$ref": _reference,
    "if": _if,
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _property_names,
    "items": _items,
}
"""Keywords that judge parts of a value: the way to each part, the part, and the schema to which it has to conform."""
