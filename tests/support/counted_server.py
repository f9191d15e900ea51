"""The language server; at the signal USR1 it writes how many objects it holds, by type, to the file $COUNTS."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections import Counter

LONG = 200
"""Characters of a text that counts: shorter than what the tests open, longer than most names."""


def count(*_):
    """Write the number of objects of each type that the garbage collector knows, and of long texts, as JSON."""
    gc.collect()
    objects = gc.get_objects()
    counts = Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in objects)
    counts["texts"] = len({id(each) for each in held(objects) if isinstance(each, (str, bytes)) and len(each) >= LONG})
    target = os.environ["COUNTS"]
    with open(f"{target}.new", "w", encoding="utf-8") as stream:
        json.dump(counts, stream)
    os.replace(f"{target}.new", target)


def held(objects):
    """Yield what objects refer to, and what containers refer to that the garbage collector does not know."""
    left = list(objects)
    while left:
        for each in gc.get_referents(left.pop()):
            yield each
            if isinstance(each, (dict, tuple)) and not gc.is_tracked(each):
                left.append(each)


if __name__ == "__main__":
    from opspec_lint.cli.main import main

    signal.signal(signal.SIGUSR1, count)
    sys.exit(main(["lsp"]))
