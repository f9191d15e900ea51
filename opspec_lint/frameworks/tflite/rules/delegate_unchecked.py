"""A delegate takes an op without a greatest version.

Flags:
    A delegate that takes the op and refuses no version above a greatest one, where the op has several versions. Only an
    op whose greatest version was raised is flagged.

Why it breaks:
    The delegate takes a model with the new version and runs it as if it were an old one. It took every version before
    as well, and it may check what is new in another way, as XNNPACK does by the types of tensors: so this is a note.

Instead:
    Compare registration->version with the greatest that the delegate knows, before it takes the node.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the delegate {delegate} takes '{op}' without a greatest version; the kernels take {kernels}",
    witness="the delegate {delegate} runs a model with {versions} of '{op}' as if it were an old one",
    advice="let the delegate {delegate} check the version of '{op}'",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "delegates": {"gpu": null}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "delegates": {"gpu": null}}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "delegates": {"gpu": 1}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "delegates": {"gpu": 1}}',
        ),
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "delegates": {"gpu": null}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "delegates": {"gpu": null}}',
        ),
    ),
)
