"""The framework PyTorch: the fields that only its schemas have, and the limits of loading that its specs state."""

from __future__ import annotations

from opspec_lint.spec.fields import Field, Framework, LoadingValue
from opspec_lint.spec.identity import without_build

UPGRADERS, OPERATOR_VERSION = "upgraders", "operator_version"
"""Values of `loading`: the upgraders of old archives, and the newest version of archives that a release reads."""
EXPORT_SCHEMA, EXPORT_LAYOUTS = "export_schema_version", "export_layouts"
"""Values of `loading`: the version of torch.export's format, and the layouts of its archives that a release reads."""
BINDING = "schema"
"""The binding by position, and behind `*` by keyword."""


def family(op: str) -> str:
    """Return the name that all overloads of an op share: `aten::add` for `aten::add.Tensor`."""
    namespace, colons, name = without_build(op).rpartition("::")
    return f"{namespace}{colons}{name.partition('.')[0]}"


def _are_upgraders(value: object) -> bool:
    """Return whether a value has, for each op, a list of [name, schema, bumped_at] of its upgraders."""
    return isinstance(value, dict) and all(
        isinstance(entries, list)
        and all(isinstance(entry, list) and [type(part) for part in entry] == [str, str, int] for entry in entries)
        for entries in value.values()
    )


FRAMEWORK = Framework(
    title="PyTorch",
    abbreviation="torch",
    bindings=(BINDING,),
    family=family,
    # Who publishes an extension decides which of its builds are in wheels: no source states it.
    releases_any_build=True,
    shared={"ops": ("deprecation", "declared_if"), "inputs": ("type",), "outputs": ("type",), "attrs": ()},
    loading=(
        LoadingValue(
            name=UPGRADERS, is_valid=_are_upgraders, expected="lists of [name, schema, version of archives], by op"
        ),
        LoadingValue(
            name=OPERATOR_VERSION,
            is_valid=lambda value: value is None or type(value) is int,
            expected="the newest version of archives, an integer",
        ),
        LoadingValue(
            name=EXPORT_SCHEMA,
            is_valid=lambda value: isinstance(value, list) and [type(part) for part in value] == [int, int],
            expected="the version of torch.export's format, [major, minor]",
        ),
        LoadingValue(
            name=EXPORT_LAYOUTS,
            is_valid=lambda value: isinstance(value, list) and all(isinstance(part, str) for part in value),
            expected="the names of layouts of archives of torch.export",
        ),
    ),
    fields=(
        Field(
            name="vararg",
            sections=("ops",),
            form="flag",
            default=False,
            is_shown=False,
            events=("schema_varargs_changed",),
            about="Whether it takes any number of further arguments.",
        ),
        Field(
            name="varret",
            sections=("ops",),
            form="flag",
            default=False,
            is_shown=False,
            events=("schema_varargs_changed",),
            about="Whether it gives any number of further returns.",
        ),
        Field(
            name="op_tags",
            sections=("ops",),
            form="names",
            default=(),
            is_shown=False,
            absent_in=("schemas", "pytorch-runtime"),
            events=("op_tags_gained", "op_tags_lost"),
            about='The tags of the op: "core" is a promise that it stays.',
        ),
        Field(
            name="default",
            sections=("inputs",),
            form="name",
            events=("schema_default_changed",),
            about="The default value of the argument, as Python writes it, or null for a required argument.",
        ),
        Field(
            name="keyword_only",
            sections=("inputs",),
            form="flag",
            default=False,
            is_shown=False,
            events=("schema_made_keyword", "schema_made_positional"),
            about="Whether the argument is passed by name only.",
        ),
        Field(
            name="alias",
            sections=("inputs", "outputs"),
            form="name",
            events=("schema_alias_changed",),
            about="Which memory it shares, as the schema writes it: `(a!)` is written to; null for none.",
        ),
    ),
)
