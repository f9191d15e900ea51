"""The types of the arguments of public functions. A parameter means the same in each function that has it."""

from __future__ import annotations

import os
from collections.abc import Iterable

from opspec_lint.api.results import Audit, Report
from opspec_lint.api.spec import Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_PATH = (str, os.PathLike)
_SPEC = (Spec, *_PATH)
_TYPES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("reference", "base_dir", "waivers", "config", "producer_ops"), _PATH),
    **dict.fromkeys(("base", "head", "saved_by"), _SPEC),
    **dict.fromkeys(("model", "specs", "include", "libraries", "ops", "tags"), (Iterable, *_SPEC)),
    **dict.fromkeys(("build", "profile", "released", "next_version", "today", "loader", "signature"), (str,)),
    **dict.fromkeys(("framework", "format", "unknown"), (str,)),
    **dict.fromkeys(("checksums", "skip_others"), (bool,)),
    "result": (Report, Audit),
}
_ITEMS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("model", "include", "libraries"), _PATH),
    **dict.fromkeys(("ops", "tags"), (str,)),
    "specs": _SPEC,
}
"""The types of the items of the arguments that take several values."""
_NAMES = {"PathLike": "os.PathLike"}


def check_types(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Raise an error if an argument of a call has a wrong type.

    Raises:
        TypeError: an argument has a wrong type; the message names it.
    """
    code, defaults = function.__code__, function.__kwdefaults__ or {}
    positional = code.co_varnames[: code.co_argcount]
    optional = positional[code.co_argcount - len(function.__defaults__ or ()) :]
    defaults = {**dict(zip(optional, function.__defaults__ or (), strict=True)), **defaults}
    may_be_none = {name for name, default in defaults.items() if default is None}
    for name, value in (*zip(positional, args, strict=False), *kwargs.items()):
        if name in _TYPES and not (value is None and name in may_be_none):
            _require(value, _TYPES[name], f"{function.__name__}() argument {name!r}")


def checked_items(values: Iterable[Any], argument: str) -> list[Any]:
    """Return the values of an argument that takes several.

    Raises:
        TypeError: a value has a wrong type; the message names the argument.
    """
    items = list(values)
    for item in items:
        _require(item, _ITEMS[argument], f"an item of {argument!r}")
    return items


def _require(value: object, types: tuple[type, ...], subject: str) -> None:
    # The items of bytes are numbers, so bytes are never several values.
    if not isinstance(value, types) or isinstance(value, bytes):
        expected = " or ".join(_NAMES.get(kind.__name__, kind.__name__) for kind in types)
        raise TypeError(f"{subject} must be {expected}, not {type(value).__name__}")
