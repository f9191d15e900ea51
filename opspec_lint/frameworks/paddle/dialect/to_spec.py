"""Makes the spec of the ops of PIR's dialects that a tree declares."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.dialect import records
from opspec_lint.spec.model import Origin, Provenance, Remark, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.paddle.dialect.extraction import Extraction

FRAMEWORK = "paddle-pir"
BY_POSITION = "position"


def spec_of(found: Extraction, file: str, commit: str | None, made_by: str) -> Spec:
    """Return the spec of a tree.

    Args:
        found: what the tree declares.
        file: what the user called it.
        commit: the id of its commit, None where it has none.
        made_by: the source.
    """
    return Spec(
        file=file,
        provenance=Provenance(framework=FRAMEWORK, commit=commit, made_by=made_by),
        ops=OpTable(found.ops, records.op, records.numbers, (made_by,), located=True),
        binding=BY_POSITION,
        remarks=tuple(_remarks(found)),
    )


def _remarks(found: Extraction) -> list[Remark]:
    remarks = [
        Remark(
            event="op_unresolved",
            name=op,
            op=None if op == "*" or "/" in op else op,
            digest=digest,
            facts={"reason": reason},
            origin=Origin(file=file, line=line),
        )
        for op, file, line, reason, digest in found.unresolved
    ]
    if found.strange_generator is not None:
        file, fingerprint = found.strange_generator
        remarks.append(
            Remark(
                event="yaml_generator_unknown", name=fingerprint, digest=fingerprint, origin=Origin(file=file, line=1)
            )
        )
    return remarks
