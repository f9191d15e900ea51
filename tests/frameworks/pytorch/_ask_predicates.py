"""Asks PyTorch's predicates: pairs of schemas come in as lines of JSON, and verdicts go out.

A predicate that looks behind the last argument of a schema raises an IndexError: it refuses out arguments then.
"""

import json
import sys

from torch._C import parse_schema


def query(old, new):
    """Return the answers of the predicates, None where PyTorch does not parse a schema."""
    try:
        before, after = parse_schema(old), parse_schema(new)
    except Exception:  # what it raises depends on the text
        return None
    try:
        fits, why = after.check_forward_compatible_with(before)
    except IndexError:
        fits, why = False, ""
    try:
        return [after.is_backward_compatible_with(before), fits, why]
    except IndexError:
        return [False, fits, why]


for line in sys.stdin:
    sys.stdout.write(json.dumps(query(*json.loads(line))) + "\n")
