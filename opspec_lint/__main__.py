"""`python -m opspec_lint` is `opspec-lint`."""

from opspec_lint.cli.main import entry

entry()
