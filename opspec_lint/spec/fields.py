"""The fields of ops and their arguments, each declared once.

The spec file, its JSON Schema, the comparison, the reports and the notation follow from these declarations, and from
those that a framework adds in its folder. A field belongs here if several frameworks know it, or if a comparison works
with it; any other is declared by the framework that knows it (`FRAMEWORK` in its `framework.py`).
"""

from __future__ import annotations

from functools import cache

from opspec_lint.kit.catalogue import Catalogue, framework_of
from opspec_lint.kit.record import Record
from opspec_lint.spec.identity import without_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Literal, TypeAlias

    from opspec_lint.spec.ids import EventId

    Section: TypeAlias = Literal["ops", "inputs", "outputs", "attrs"]
    Form: TypeAlias = Literal["flag", "text", "name", "names", "integer", "number", "value", "values", "condition"]

ALWAYS_WRITTEN = object()
"""The default of a field that a file never omits if it is known."""


class Field(Record):
    """A property of ops or arguments, such as `dispensable`, and how it is validated, compared and written.

    `form` is the type of its values: "flag" (bool), "text" (str), "name" (str or None), "names" (tuple of str),
    "integer" and "number" (or None), "value" (any value of an attr), "values" (a tuple or mapping of values, or None),
    or "condition" (`spec.condition`, or None). `schema` adds JSON Schema keywords where `form` does not say enough, of
    those that `documents.conformity` knows. `default` is the value of a known field that a spec file leaves out;
    `ALWAYS_WRITTEN`: a file never leaves it out. `about` describes the field in the JSON Schema.

    `events` are the events of a change: one; or for a flag two, for setting and for clearing it; or for names two, for
    a set without losses and one with losses. Empty if the event depends on more (`diff.changes.field`).

    `is_shown`: reports that show a whole argument contain it, and so does the notation, for a flag. `blocks_rename`:
    two arguments that differ in it are never one renamed argument. `absent_in` are the kinds of sources (`made_by`)
    that never state it, so that its absence there is no loss of knowledge. `only_in_source_text`: only a source tree
    states it, so that its absence in any other kind of source is no loss either. `after` is the field that it follows,
    None for the end of its section. `mark` is its sign in the notation: behind the name for a flag, before the value
    for a value.
    """

    name: str
    sections: tuple[Section, ...]
    form: Form
    default: object = None
    events: tuple[EventId, ...] = ()
    about: str = ""
    schema: Mapping[str, object] = {}
    is_shown: bool = True
    blocks_rename: bool = False
    absent_in: tuple[str, ...] = ()
    only_in_source_text: bool = False
    after: str | None = None
    mark: str = ""

    def __hash__(self) -> int:
        return hash((self.name, self.sections))  # a schema is a mapping


class LoadingValue(Record):
    """A value of `loading`, which decides whether the loader of a framework reads a model.

    `is_valid` takes the decoded JSON value; `expected` completes "expected ..." in the message about an invalid one.
    """

    name: str
    is_valid: Callable[[object], bool]
    expected: str


class Framework(Record):
    """The properties of a framework.

    `title` is its usual name. `fields` are the fields that only it has. `shared` are the common fields that its specs
    may have, by section, None for all; a section without fields does not exist in its ops. `bindings` are the bindings
    of its specs. `released_builds` are its released builds;
    `releases_any_build` means that each build may be one. `family` returns the usual name of an op: its identity
    without the parts that distinguish it from others of this name. `loading` are the values of `loading` in its specs.
    `abbreviation` is the name under which Python code imports it, if that differs.
    """

    name: str = ""
    title: str
    fields: tuple[Field, ...] = ()
    shared: Mapping[Section, tuple[str, ...]] | None = None
    bindings: tuple[str, ...] = ("name", "signature")
    released_builds: tuple[str, ...] = ()
    releases_any_build: bool = False
    family: Callable[[str], str] = without_build
    loading: tuple[LoadingValue, ...] = ()
    abbreviation: str = ""


FRAMEWORKS: Catalogue[Framework] = Catalogue(
    "frameworks/*", only="framework", offers="FRAMEWORK", is_open=True, spell=framework_of
)
"""The frameworks, by name."""

ANY = "any"
"""The framework of ops that are written for no framework, such as those in the examples of general rules."""

SECTIONS: tuple[Section, ...] = ("ops", "inputs", "outputs", "attrs")
_ARGUMENTS: tuple[Section, ...] = ("inputs", "outputs")
_ATTRS: tuple[Section, ...] = ("attrs",)
_OPS: tuple[Section, ...] = ("ops",)

TYPE_FIELDS = ("type", "type_attr", "number_attr", "type_list_attr")
"""The fields that together form the type of an input or output."""

OP_VERSION: Mapping[str, object] = {"type": ["integer", "null"], "minimum": 0, "maximum": 9999}
"""The JSON Schema of a version of an op; bounded, as code iterates over all versions in a range."""

SHARED_FIELDS = (
    Field(
        name="deprecation",
        sections=_OPS,
        form="name",
        events=("deprecation_changed",),
        about="The deprecation message, or null if the op is not deprecated.",
    ),
    Field(
        name="deprecation_version",
        sections=_OPS,
        form="integer",
        events=("deprecation_changed",),
        about="The first version of the graph format whose graphs may not use the op.",
    ),
    Field(
        name="invalid",
        sections=_OPS,
        form="name",
        about="Why the framework refuses the declaration, or null if it accepts it.",
    ),
    Field(
        name="min_version",
        sections=_OPS,
        form="integer",
        schema=OP_VERSION,
        about="The lowest version of the op that models may name, or null if the framework runs none.",
    ),
    Field(
        name="max_version",
        sections=_OPS,
        form="integer",
        schema=OP_VERSION,
        about="The highest version of the op that models may name, or null if the framework runs none.",
    ),
    Field(
        name="declared_if",
        sections=_OPS,
        form="condition",
        only_in_source_text=True,
        about="The condition under which the source declares the op, if nobody knows whether it holds: alternatives, "
        "each of them the requirements that hold together. Null if there is none.",
    ),
    Field(name="type", sections=_ARGUMENTS, form="name", events=("argument_type_changed",)),
    Field(
        name="type_attr",
        sections=_ARGUMENTS,
        form="name",
        events=("argument_type_changed",),
        about="The attr that holds the type.",
    ),
    Field(
        name="number_attr",
        sections=_ARGUMENTS,
        form="name",
        events=("argument_type_changed",),
        about="The attr that holds the number of tensors.",
    ),
    Field(
        name="type_list_attr",
        sections=_ARGUMENTS,
        form="name",
        events=("argument_type_changed",),
        about="The attr that lists the types.",
    ),
    Field(
        name="is_ref", sections=("inputs",), form="flag", default=False, events=("input_ref_set", "input_ref_cleared")
    ),
    Field(
        name="is_ref",
        sections=("outputs",),
        form="flag",
        default=False,
        events=("output_ref_set", "output_ref_cleared"),
    ),
    Field(
        name="duplicable",
        sections=_ARGUMENTS,
        form="flag",
        default=False,
        events=("duplicable_set", "duplicable_cleared"),
        mark="*",
    ),
    Field(
        name="dispensable",
        sections=_ARGUMENTS,
        form="flag",
        default=False,
        events=("dispensable_set", "dispensable_cleared"),
        mark="?",
    ),
    Field(name="type", sections=_ATTRS, form="text", default=ALWAYS_WRITTEN, events=("attr_type_changed",)),
    Field(name="default_value", sections=_ATTRS, form="value"),
    Field(
        name="allowed_values",
        sections=_ATTRS,
        form="values",
        about="Null if any value is allowed; an object for a constraint that is not a list of values.",
    ),
    Field(
        name="minimum",
        sections=_ATTRS,
        form="number",
        about="The lowest value, or the lowest length of a list or string.",
    ),
    Field(
        name="maximum",
        sections=_ATTRS,
        form="number",
        about="The highest value, or the highest length of a list or string.",
    ),
    Field(name="extra", sections=(*_ARGUMENTS, *_ATTRS), form="flag", default=False, blocks_rename=True),
)
"""The fields that several frameworks have, in the order in which they are compared and written."""

DOCUMENTATION: Mapping[Section, tuple[str, ...]] = {
    "ops": ("summary", "description"),
    "inputs": ("description",),
    "outputs": ("description",),
    "attrs": ("description",),
}
"""The fields that are stored and never compared, "" if there is no documentation."""


class FieldTable(Record):
    """The fields that the specs of a framework may have: by section and name, in their order."""

    sections: Mapping[Section, Mapping[str, Field]]

    def fields_of(self, section: Section) -> Mapping[str, Field]:
        """Return the fields of a section."""
        return self.sections[section]

    def defaults(self, section: Section) -> dict[str, object]:
        """Return the values that the known fields of a section have if a file omits them."""
        return {
            name: field.default for name, field in self.sections[section].items() if field.default is not ALWAYS_WRITTEN
        }


def is_framework(name: str) -> bool:
    """Return whether a framework is built in or has a plug-in; `ANY` is neither, so no plug-in is looked up for it."""
    return name != ANY and name in FRAMEWORKS


@cache
def field_table(framework: str) -> FieldTable:
    """Return the fields of a framework's specs: common ones and its own.

    The specs of an unknown framework may have the fields of all frameworks.
    """
    if not is_framework(framework):
        return field_table_of_all_frameworks()
    definition = FRAMEWORKS.load(framework)
    return _table(definition.fields, definition.shared)


@cache
def field_table_of_all_frameworks() -> FieldTable:
    """Return the fields of all frameworks."""
    fields = dict.fromkeys(field for framework in FRAMEWORKS.every() for field in framework.fields)
    return _table(fields)  # two frameworks may have one in common (`spec.slots`)


def _table(own: Iterable[Field], shared: Mapping[Section, tuple[str, ...]] | None = None) -> FieldTable:
    """Return the common fields and the fields of a framework, in order; `shared` restricts the common ones."""
    ordered = list(SHARED_FIELDS)
    for field in own:
        # A field whose predecessor is missing comes last.
        place = next((place for place, known in enumerate(ordered) if known.name == field.after), len(ordered) - 1)
        ordered.insert(place + 1, field)
    kept = {section: {field.name: field for field in ordered if section in field.sections} for section in SECTIONS}
    names = {field.name for field in own}
    if shared is not None:
        kept = {
            section: {name: field for name, field in fields.items() if name in names or name in shared.get(section, ())}
            for section, fields in kept.items()
        }
    return FieldTable(sections=kept)
