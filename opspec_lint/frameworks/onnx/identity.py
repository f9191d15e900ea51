"""What tells the schemas of ONNX apart: the domain, the name and the opset version since which a schema is the one.

A schema is called `Conv@11`, or `ai.onnx.ml::Scaler@1` outside of the default domain. A node of a model names domain
and op; the version of the domain that the model imports selects the schema with the highest version not above it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT = "ai.onnx"
"""What the default domain, which files write as "", is called."""


def identity(domain: str, name: str, since: int) -> str:
    """Return the identity of a schema."""
    return f"{domain}::{name}@{since}" if domain else f"{name}@{since}"


def split_identity(op: str) -> tuple[str, str, int]:
    """Return domain, name and version of a schema; 0 for what states no version."""
    qualified, _, since = op.rpartition("@")
    if not (qualified and since.isascii() and since.isdecimal() and len(since) < _DIGITS):
        qualified, since = op, "0"
    domain, _, name = qualified.rpartition("::")
    return domain, name, int(since)


def family(op: str) -> str:
    """Return what all versions of a schema are called."""
    domain, name, _ = split_identity(op)
    return f"{domain}::{name}" if domain else name


_DIGITS = 10
"""A version with as many digits is none."""


def domain_title(domain: str) -> str:
    """Return how a domain is called."""
    return domain or DEFAULT


def versions_by_op(ops: Iterable[str]) -> dict[tuple[str, str], list[int]]:
    """Return the versions of each op, by domain and name, oldest first."""
    versions_of: dict[tuple[str, str], list[int]] = {}
    for op in ops:
        domain, name, since = split_identity(op)
        versions_of.setdefault((domain, name), []).append(since)
    return {key: sorted(numbers) for key, numbers in versions_of.items()}


def previous_version(op: str, ops: Iterable[str]) -> str | None:
    """Return the newest version of a schema before one, of those that there are; None if there is none.

    A release that lacks the version of a node means this one.
    """
    domain, name, since = split_identity(op)
    stem = f"{family(op)}@"
    known = (split_identity(known_op) for known_op in ops if known_op.startswith(stem))
    older = (number for *own, number in known if own == [domain, name] and number < since)
    newest = max(older, default=None)
    return None if newest is None else identity(domain, name, newest)


def highest_versions(ops: Iterable[str]) -> dict[str, int]:
    """Return the highest version that any schema of a domain has, by domain."""
    highest_of: dict[str, int] = {}
    for op in ops:
        domain, _, since = split_identity(op)
        highest_of[domain] = max(since, highest_of.get(domain, 0))
    return highest_of
