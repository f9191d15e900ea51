"""The default value of a field changed.

Flags:
    A field whose value in a file that does not hold it is another one in head; null stands for an optional scalar.

Why it breaks:
    A value that equals the default is not written. A file without the field meant the old value, and is read as the
    new one, without an error; new files are misread by old readers in the same way.

Instead:
    Keep the default value, and set the new one where tables are built.

Fix:
    Writes the default value of base in a schema again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    fix="safe",
    message="the default value of the field '{name}' changed from {old} to {new}",
    witness="'{op}' in a file of base without slot {slot} meant '{name}' = {old}, and head reads {new}",
    advice="keep the default value {old}, and set {new} where the table is built",
    flagged=(
        (
            "table T { a:int = 1; }",
            "table T { a:int = 2; }",
        ),
        (
            "table T { a:int; }",
            "table T { a:int = null; }",
        ),
        (
            "table T { a:bool = true; }",
            "table T { a:bool; }",
        ),
    ),
    passes=(
        (
            "enum E:int { Z, A }\ntable T { a:E = A; }",
            "enum E:int { Z, A }\ntable T { a:E = 1; }",
        ),
        (
            "table T { a:int; }",
            "table T { a:int = 0; }",
        ),
    ),
)
