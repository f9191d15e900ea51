"""Remarks on the reading of a source tree: registrations and BUILD files that cannot be evaluated, and repeated ops."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source.op_records import OPDEF, PLACE
from opspec_lint.sources.cache import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.cpp.unresolved import UnresolvedError
    from opspec_lint.frameworks.tensorflow.extract.source.op_records import OpRecord
    from opspec_lint.frameworks.tensorflow.extract.source.registrations import Registration
    from opspec_lint.spec.records import RemarkRecord

_MAX_DIGEST = 32


def distinct(remarks: Iterable[RemarkRecord]) -> list[RemarkRecord]:
    """Return remarks without repetitions from other builds."""
    return list({(remark["name"], remark["place"], remark["digest"]): remark for remark in remarks}.values())


def unread_file(path: str, reason: str, line: int = 1) -> RemarkRecord:
    """Return the remark that a BUILD file, or an include in a source, cannot be evaluated."""
    return {
        "event": "op_unresolved",
        "name": path,
        "op": None,
        "digest": "",
        "facts": {"reason": reason},
        "place": (path, line, None),
    }


def unread_link(path: str, target: str) -> RemarkRecord:
    """Return the remark that a source is a symbolic link, so that its registrations are not known."""
    return {
        "event": "op_unresolved",
        "name": path,
        "op": None,
        "digest": target[:_MAX_DIGEST],
        "facts": {"reason": "it is a symbolic link, and leads to no file of the tree"},
        "place": (path, 1, None),
    }


def registered_twice(name: str, op: OpRecord, kept: OpRecord) -> RemarkRecord:
    """Return the remark that another declaration of an op counts."""
    file, line, _ = kept[PLACE]
    return {
        "event": "op_registered_twice",
        "name": name,
        "op": name,
        "digest": digest(op[OPDEF] + kept[OPDEF])[:_MAX_DIGEST],
        "facts": {"kept": f"{file}:{line}"},
        "place": op[PLACE],
    }


def unresolved(registration: Registration, error: UnresolvedError) -> RemarkRecord:
    """Return the remark that a registration cannot be evaluated."""
    file, line, _ = registration.place
    return {
        "event": "op_unresolved",
        "name": registration.name or file,
        "op": registration.name or None,
        "digest": digest(registration.text.encode("utf-8", "surrogatepass"))[:_MAX_DIGEST],
        "facts": {"reason": error.reason},
        "place": (error.file or file, error.line or line, None),
    }
