"""The framework PIR, with the fields of ops and arguments that only PIR has, and the settings of its loader."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir.patches import DATA, DEFAULT, READS_PATCHES, is_retyping
from opspec_lint.frameworks.paddle.saved.pir.patches import SCHEMA as PATCHES
from opspec_lint.spec.fields import Field, Framework, LoadingValue

WHEEL = "paddle-pir-wheel"
"""The source that reads only the headers of a wheel, and so lacks some fields."""

FRAMEWORK = Framework(
    title="Paddle PIR",
    bindings=("position", "name"),
    loading=(
        *(
            # `type() is`, since `true` is an int in Python, but no version.
            LoadingValue(name=name, is_valid=lambda value: type(value) is int, expected="a version, an integer")
            for name in ("develop_version", "release_version")
        ),
        LoadingValue(
            name="patch_value",
            is_valid=lambda value: value in (DATA, DEFAULT),
            expected=f"the key of a patch's value: {DATA} or {DEFAULT}",
        ),
        LoadingValue(
            name=READS_PATCHES,
            is_valid=lambda value: isinstance(value, bool),
            expected="whether the loader reads patches: true or false",
        ),
        LoadingValue(
            name="retyped",
            is_valid=lambda value: isinstance(value, list) and all(map(is_retyping, value)),
            expected="lists of [version, kind, name, new name]",
        ),
    ),
    fields=(
        Field(
            name="variadic",
            sections=("ops",),
            form="flag",
            default=False,
            is_shown=False,
            events=("variadic_set", "variadic_cleared"),
            about="Whether the op takes inputs and gives outputs besides those that it declares.",
        ),
        Field(
            name="legacy_names",
            sections=("ops",),
            form="names",
            default=(),
            is_shown=False,
            events=("legacy_names_gained", "legacy_names_lost"),
            absent_in=(WHEEL,),
            about="The ops of a ProgramDesc that are translated to it, besides the one of its own name.",
        ),
        Field(
            name="other_legacy_names",
            sections=("ops",),
            form="values",
            default=(),
            schema={"items": {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3}},
            is_shown=False,
            events=("legacy_form_changed",),
            absent_in=(WHEEL,),
            about="What the ops of a ProgramDesc besides the first of its legacy names call its arguments: lists of "
            "the op, the name here, and the name there, where the two differ.",
        ),
        Field(
            name="kernel_of",
            sections=("ops",),
            form="name",
            is_shown=False,
            events=("legacy_form_changed",),
            absent_in=(WHEEL,),
            about="The op that it is one kernel of, null where that op has one kernel. A ProgramDesc names the op, and "
            "the kinds of its inputs choose the kernel.",
        ),
        Field(
            name="patches",
            sections=("ops",),
            form="values",
            default=(),
            schema=PATCHES,
            is_shown=False,
            events=("patches_changed",),
            about="What the release changes of the op in files of older versions of PIR, null where it has patches "
            "of which nobody knows whether they are applied.",
        ),
        Field(
            name="mutable_attr",
            sections=("inputs",),
            form="flag",
            default=False,
            is_shown=False,
            events=("legacy_form_changed",),
            after="dispensable",
            about="Whether the input holds the value of an attr of the op's entry in YAML.",
        ),
        Field(
            name="default",
            sections=("inputs",),
            form="value",
            is_shown=False,
            events=("legacy_form_changed",),
            absent_in=(WHEEL,),
            about="Of a mutable attr, what it is where the code that builds the op does not say.",
        ),
        Field(
            name="legacy_tensors",
            sections=("inputs",),
            form="names",
            default=(),
            is_shown=False,
            events=("legacy_form_changed",),
            absent_in=(WHEEL,),
            about="Of a mutable attr, the inputs of a ProgramDesc's op that may hold its value.",
        ),
        Field(
            name="legacy_name",
            sections=("inputs", "outputs", "attrs"),
            form="name",
            is_shown=False,
            events=("legacy_name_changed",),
            absent_in=(WHEEL,),
            about="What a ProgramDesc calls it, null where that is its own name.",
        ),
        Field(
            name="legacy_extra",
            sections=("attrs",),
            form="flag",
            default=False,
            is_shown=False,
            events=("legacy_form_changed",),
            absent_in=(WHEEL,),
            about="Whether a ProgramDesc leaves it out, so that reading one fills it in.",
        ),
        Field(
            name="intermediate",
            sections=("outputs",),
            form="flag",
            default=False,
            events=("intermediate_set", "intermediate_cleared"),
            absent_in=(WHEEL,),
            after="dispensable",
            mark="~",
            about="Whether the API keeps the output to itself.",
        ),
    ),
)
