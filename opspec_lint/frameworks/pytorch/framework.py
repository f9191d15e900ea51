"""What only schemas of PyTorch say: default values and keywords of arguments, what aliases what, tags."""

from __future__ import annotations

from opspec_lint.spec.fields import Field, Framework

BINDING = "schema"
"""Positions, and behind `*` keywords, say which argument is meant."""


def family(op: str) -> str:
    """Return what all overloads of an op are called: `aten::add` for `aten::add.Tensor`."""
    namespace, colons, name = op.rpartition("::")
    return f"{namespace}{colons}{name.partition('.')[0]}"


FRAMEWORK = Framework(
    title="PyTorch",
    bindings=(BINDING,),
    family=family,
    shared={"ops": ("deprecation",), "inputs": ("type",), "outputs": ("type",), "attrs": ()},
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
            unsaid_by=("schemas", "pytorch-runtime"),
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
