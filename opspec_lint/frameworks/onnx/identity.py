"""The identity of an ONNX schema: domain, name, and the opset version that introduced it (`since_version`).

An identity is `Conv@11`, or `ai.onnx.ml::Scaler@1` outside of the default domain. A node of a model names domain and
op; its schema is the one with the highest version up to the version of the domain that the model imports.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT = "ai.onnx"
"""The name of the default domain, which files write as ""."""


def identity(domain: str, name: str, since: int) -> str:
    """Return the identity of a schema: `Conv@11`."""
    return f"{domain}::{name}@{since}" if domain else f"{name}@{since}"


def split_identity(op: str) -> tuple[str, str, int]:
    """Return domain, name and version of a schema identity; the version is 0 if it states none."""
    qualified, _, since = op.rpartition("@")
    # `isdecimal` alone also accepts the digits of other scripts.
    if not (qualified and since.isascii() and since.isdecimal() and len(since) < _DIGITS):
        qualified, since = op, "0"
    domain, _, name = qualified.rpartition("::")
    return domain, name, int(since)


def family(op: str) -> str:
    """Return the name that all versions of a schema share: `Conv` for `Conv@11`."""
    domain, name, _ = split_identity(op)
    return f"{domain}::{name}" if domain else name


_DIGITS = 10
"""From this number of digits on, a number is not a version."""


def domain_title(domain: str) -> str:
    """Return the name of a domain for messages."""
    return domain or DEFAULT


def versions_by_op(ops: Iterable[str]) -> dict[tuple[str, str], list[int]]:
    """Return the versions of each op, oldest first, by (domain, name)."""
    versions_of: dict[tuple[str, str], list[int]] = {}
    for op in ops:
        domain, name, since = split_identity(op)
        versions_of.setdefault((domain, name), []).append(since)
    return {key: sorted(numbers) for key, numbers in versions_of.items()}


def previous_version(op: str, ops: Iterable[str]) -> str | None:
    """Return the newest of `ops` that is an older version of the schema `op`, None if there is none.

    A release that lacks the version of a node uses this one instead.
    """
    domain, name, since = split_identity(op)
    stem = f"{family(op)}@"
    known = (split_identity(known_op) for known_op in ops if known_op.startswith(stem))
    older = (number for *own, number in known if own == [domain, name] and number < since)
    newest = max(older, default=None)
    return None if newest is None else identity(domain, name, newest)


def highest_versions(ops: Iterable[str]) -> dict[str, int]:
    """Return the highest version among the schemas of each domain."""
    highest_of: dict[str, int] = {}
    for op in ops:
        domain, _, since = split_identity(op)
        highest_of[domain] = max(since, highest_of.get(domain, 0))
    return highest_of
