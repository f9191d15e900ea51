"""`python -m opspec_lint` is `opspec-lint`."""

from opspec_lint.cli.start import opspec_lint

if __name__ == "__main__":  # a process of a pool imports this module as well
    opspec_lint()
