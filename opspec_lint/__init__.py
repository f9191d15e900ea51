"""opspec-lint: the contract of a framework's operators, extracted, compared and judged."""

__version__ = "0.1.0"
