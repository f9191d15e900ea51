"""A schema is in no operator set.

Flags:
    A macro of a source tree that declares a schema which no registered operator set lists, if it is new in head or a
    set of base lists it. The sets are in onnx/defs/operator_sets.h, and in one such file for each other domain.

Why it breaks:
    No existing model breaks. A build registers the schemas of the sets only: no model can use this one, and what
    changes in it is not compared.

Instead:
    Add the schema to the operator set of its domain and opset.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the schema '{name}' is in no registered operator set, so that no build has it",
    witness="a model with a node of '{name}' is refused, as the schema is not registered",
    advice="add it to the operator set of its opset, in onnx/defs/operator_sets.h or in the file of its domain",
    facts={"op": "f@5", "name": "f@5"},
    flagged=(("", "defs.cc: ONNX_OPERATOR_SET_SCHEMA(f, 5, OpSchema())"),),
    passes=(
        (
            "",
            (
                "defs.cc: ONNX_OPERATOR_SET_SCHEMA(f, 5, OpSchema())\n"
                "operator_sets.h: fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 5, f)>());"
            ),
        ),
    ),
)
