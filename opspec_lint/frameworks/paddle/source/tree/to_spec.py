"""Makes the spec of what a tree declares."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.records import Unpacker, checkpoints, numbers, places
from opspec_lint.spec.model import UNKNOWN, Origin, Provenance, Remark, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.frameworks.paddle.source.tree.found import Extraction
    from opspec_lint.frameworks.paddle.source.yaml.names import Alias


def spec_of(found: Extraction, file: str, provenance: Provenance) -> Spec:
    """Return the spec of a tree.

    Args:
        found: what the tree declares.
        file: what the user called it.
        provenance: where it comes from.
    """
    unpacker = Unpacker(found.fields, found.boilerplate, found.builds)
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(
            found.ops, unpacker.op, numbers, ("paddle-source", found.fields, repr(found.boilerplate)), located=True
        ),
        op_versions={op: checkpoints(history) for op, history in found.histories.items()}
        if found.histories or found.has_versions
        else UNKNOWN,
        history_origins={op: places(history) for op, history in found.histories.items()},
        name_origins={op: _aliases(each) for op, each in found.aliases.items()},
        remarks=tuple(_remarks(found)),
    )


def _aliases(names: Mapping[str, Alias]) -> dict[str, tuple[str, Origin]]:
    return {
        name: (given, Origin(file=path, line=line, column=column))
        for name, (given, path, line, column) in names.items()
    }


def _remarks(found: Extraction) -> list[Remark]:
    remarks = [
        Remark(
            event="op_unresolved",
            name=op,
            op=None if op == "*" or "/" in op else op.partition(" ")[0],
            digest=digest,
            facts={"reason": reason},
            origin=Origin(file=file, line=line),
        )
        for op, file, line, reason, digest in found.unresolved
    ]
    remarks += (
        Remark(event="op_version_dropped", name=name, op=name, origin=Origin(file=file, line=line))
        for name, file, line in found.dropped
    )
    remarks += (
        Remark(event="compat_key_unread", name=key, op=op.split("(")[0].strip(), origin=Origin(file=file, line=line))
        for op, key, file, line in found.misspelt
    )
    remarks += (
        Remark(
            event="yaml_entry_wrong",
            name=name,
            op=op,
            facts={"problem": problem, "file": file},
            origin=Origin(file=file, line=line),
        )
        for op, name, problem, file, line, _ in found.faults
    )
    if found.strange_generator is not None:
        file, fingerprint = found.strange_generator
        remarks.append(
            Remark(
                event="yaml_generator_unknown", name=fingerprint, digest=fingerprint, origin=Origin(file=file, line=1)
            )
        )
    return remarks
