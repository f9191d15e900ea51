"""It is not known to which programs the patches of a library are applied.

Flags:
    A library with patches whose numbers could not be determined: it is not for x86-64, or its code has another form.

Why it breaks:
    The number decides to which programs a patch is applied. For the ops of such patches it is not known whether older
    programs still run.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the numbers of the patches in {file} are not known",
    witness="it is unknown whether the patches repair existing programs",
    advice="extract the spec from the wheel for Linux on x86-64, or from the source tree",
    facts={"name": "base/libpaddle.so:65", "file": "base/libpaddle.so:65"},
    flagged=(("libpaddle.so: for x86-64", "libpaddle.so: for AArch64"),),
    passes=(("libpaddle.so: for x86-64", "libpaddle.so: for x86-64"),),
)
