"""The generated code differs from the schema.

Flags:
    A slot of a table, or a number of an enum or union, that differs between schema_generated.h and schema.fbs.

Why it breaks:
    The converter and the runtime are built from the generated code: models are read by other slots and numbers
    than the schema says.

Instead:
    Run flatc on the schema again, and commit the file that it writes.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the generated code differs from the schema: {reason}",
    witness="the converter and the runtime use the generated code, and not the schema, for {name}",
    advice="run `flatc --cpp` on schema.fbs again",
    flagged=(("schema_generated.h: VT_STRIDE_W = 6", "schema_generated.h: VT_STRIDE_W = 10"),),
    passes=(("schema_generated.h: VT_STRIDE_W = 10", "schema_generated.h: VT_STRIDE_W = 6"),),
    facts={
        "name": "Conv2DOptions.STRIDE_W",
        "reason": "'STRIDE_W' of 'Conv2DOptions' has the slot 3 there, and the slot 1 in the schema",
    },
)
