"""JSON that a model is written in, or that lies in its archive."""

from __future__ import annotations

import json

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 128 << 20
"""Bytes of JSON that is decoded: it takes up to ten times as much once it is."""


def decoded(data: bytes, file: str, what: str) -> Any:
    """Return what JSON says; NaN and infinities are numbers, as the frameworks write them.

    Args:
        data: its bytes.
        file: what messages call the file.
        what: what it should be, such as "PIR program".

    Raises:
        InputError: it is no JSON, is nested deeper than any such file, or larger.
    """
    if len(data) > MAX_BYTES:
        raise InputError(file, f"is larger than {MAX_BYTES >> 20} MiB, which no {what} is", advice="is it complete?")
    try:
        return json.loads(data)
    except RecursionError:
        problem = "its values are nested too deep"
    except MemoryError:
        problem = "it does not fit into memory"
    except ValueError as error:  # also of bytes that are no text, and of numbers with thousands of digits
        problem = str(error)
    raise InputError(file, f"is no {what}: {problem}", advice="is it complete?")
