"""JSON that a model is written in, or that lies in its archive."""

from __future__ import annotations

import json

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 512 << 20
"""Bytes of JSON that are looked at at all."""
_MOST = 800 << 20
"""Bytes that decoded JSON may take in memory."""
_COSTS = {b"{": 232, b"[": 64, b",": 16, b'"': 32}
"""What a value takes that begins with a sign, or stands between two, on a machine of 64 bits."""


def decoded(data: bytes, file: str, what: str, *, part: str = "") -> Any:
    """Return the value of a JSON text; NaN and infinities are numbers, as the frameworks write them.

    Args:
        data: its bytes.
        file: what messages call the file.
        what: what it should be, such as "PIR program".
        part: the name of the part of the file that it is, "" for the whole file.

    Raises:
        InputError: the bytes are no JSON, are nested deeper than any such file, or too many.
    """
    name = f"'{part}' is" if part else "is"
    if len(data) + sum(data.count(sign) * cost for sign, cost in _COSTS.items()) > _MOST:
        problem = f"{name} not a readable {what}: it would take more than {_MOST >> 20} MiB of memory"
        raise InputError(file, problem, advice="is it the right file?")
    try:
        return json.loads(data)
    except RecursionError:
        problem = "its values are nested too deep"
    except MemoryError:
        problem = "it does not fit into memory"
    except ValueError as error:  # also of bytes that are no text, and of numbers with thousands of digits
        problem = str(error)
    raise InputError(file, f"{name} not a {what}: {problem}", advice="is it complete?")
