"""JSON files of models, decoded within a limit on memory."""

from __future__ import annotations

import json

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 512 << 20
"""The largest size of a JSON text that is decoded."""
_MAX_MEMORY = 800 << 20
"""Bytes that the decoded value may take in memory."""
_COSTS = {b"{": 232, b"[": 64, b",": 16, b'"': 32}
"""Estimated bytes of memory per character that begins or separates values, in CPython on a 64-bit machine."""


def decode_json(data: bytes, file: str, what: str, *, part: str = "") -> Any:
    """Return the value of a JSON text; NaN and infinities are numbers, because the frameworks write them.

    Args:
        data: the bytes of the text.
        file: the name of the file for messages.
        what: the expected content, such as "PIR program".
        part: the name of the part of the file that holds the text, "" for the whole file.

    Raises:
        InputError: the bytes are no JSON, are nested too deep, or need too much memory.
    """
    name = f"'{part}' is" if part else "is"
    # Estimated before the text is decoded: a file of `[[[...` would take 60 times its size.
    if len(data) + sum(data.count(sign) * cost for sign, cost in _COSTS.items()) > _MAX_MEMORY:
        problem = f"{name} not a readable {what}: it would take more than {_MAX_MEMORY >> 20} MiB of memory"
        raise InputError(file, problem, advice="check that it is the right file")
    try:
        return json.loads(data)
    except RecursionError:
        problem = "its values are nested too deep"
    except MemoryError:
        problem = "it does not fit into memory"
    except ValueError as error:  # also of bytes that are no text, and of numbers with thousands of digits
        problem = str(error)
    raise InputError(file, f"{name} not a {what}: {problem}", advice="it may be truncated: copy it again")
