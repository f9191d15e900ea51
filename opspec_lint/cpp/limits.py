"""Limits of the evaluation, as a text may come from anybody: several times the largest real values."""

from __future__ import annotations

MAX_EXPANSION = 1 << 18
"""Characters that the macros of one invocation may grow to; the largest real one makes 60,000."""

MAX_STEPS = 20_000
"""Macros that one invocation may expand."""

MAX_SCANNED = 1_000_000
"""Pieces that are scanned for the arguments of the macros of one invocation."""

MAX_EXPANDED = 500_000
"""Characters of all invocations of a file that are expanded; a real file has up to 966."""

MAX_DIRECTIVES = 10_000_000
"""Directives that are processed for the macros of one file, each as often as it is visited."""

MAX_DEPTH = 60
"""Nesting of an expression, of macros in one another, of base classes and of calls."""

MAX_OPERATORS = 200
"""Operators `&&`, `||` and `?:` of one expression."""

MAX_LEAVING_CALLS = 50
"""Calls of one expression that may throw or end the process."""

MAX_LIST = 200_000
"""Characters between two parentheses; the longest real argument list has 6,000."""

MAX_TOKENS = 100_000
"""Tokens of one function body."""

MAX_INCLUDES = 2_000
"""Files of one include closure."""

MAX_INCLUDE_DEPTH = 15
"""Nesting of includes whose text is read in their place."""

MAX_PIECES = 5_000
"""Parts of a file and of the files that it includes, which are read as one text."""

MAX_STATEMENTS = 20_000
"""Statements that one function executes, including those of its callees; the longest real one has 60."""

MAX_CALLS = 12
"""Nesting of calls; real functions have 3."""
