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
    parts = (part for each in objects for part in gc.get_referents(each) if isinstance(part, (str, bytes)))
    counts["texts"] = len({id(part) for part in parts if len(part) >= LONG})
    target = os.environ["COUNTS"]
    with open(f"{target}.new", "w", encoding="utf-8") as stream:
        json.dump(counts, stream)
    os.replace(f"{target}.new", target)


if __name__ == "__main__":
    from opspec_lint.cli.main import main

    signal.signal(signal.SIGUSR1, count)
    sys.exit(main(["lsp"]))
