"""`python -m opspec_lint` is `opspec-lint`."""

from opspec_lint.cli import entry

entry()
