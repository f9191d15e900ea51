"""The language server, which at the signal USR1 writes the number of its objects, by type, to the file $COUNTS."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections import Counter
from types import ModuleType

LONG = 200
"""Characters of a text that counts: shorter than what the tests open, longer than most names."""


def count(*_):
    """Write the number of objects of each type that the garbage collector knows, and of long texts, as JSON."""
    gc.collect()
    objects = gc.get_objects()
    counts = Counter(f"{type(value).__module__}.{type(value).__qualname__}" for value in objects)
    counts["texts"] = len(
        {id(value) for value in held(objects) if isinstance(value, (str, bytes)) and len(value) >= LONG}
    )
    target = os.environ["COUNTS"]
    with open(f"{target}.new", "w", encoding="utf-8") as stream:
        json.dump(counts, stream)
    os.replace(f"{target}.new", target)


def held(objects):
    """Yield what objects refer to, and what containers refer to that the garbage collector does not know."""
    # The module `_asyncio` of Python 3.12 refers to its list of dead iterators. To hold one, even for a moment, adds it
    # to that list a second time, and the garbage collector then never comes to its end.
    left = [vars(value) if isinstance(value, ModuleType) else value for value in objects]
    while left:
        for value in gc.get_referents(left.pop()):
            yield value
            if isinstance(value, (dict, tuple)) and not gc.is_tracked(value):
                left.append(value)


if __name__ == "__main__":
    from opspec_lint.cli.main import main

    signal.signal(signal.SIGUSR1, count)
    sys.exit(main(["lsp"]))
