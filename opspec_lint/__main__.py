"""`python -m opspec_lint` is `opspec-lint`."""

from opspec_lint.cli.start import opspec_lint

opspec_lint()
