"""Makes the spec of the ops of PIR's dialects that a tree declares."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.dialect import records
from opspec_lint.spec.model import Origin, Provenance, Remark, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.frameworks.paddle.dialect.extraction import Extraction
    from opspec_lint.frameworks.paddle.dialect.records import OpRecord
    from opspec_lint.frameworks.paddle.dialect.wheel import WheelFound
    from opspec_lint.frameworks.paddle.records import Unresolved

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
    remarks = list(_unresolved(found.unresolved))
    if found.strange_generator is not None:
        script, fingerprint = found.strange_generator
        origin = Origin(file=script, line=1)
        remarks.append(Remark(event="yaml_generator_unknown", name=fingerprint, digest=fingerprint, origin=origin))
    provenance = Provenance(framework=FRAMEWORK, commit=commit, made_by=made_by)
    return _spec(found.ops, tuple(remarks), file, provenance, located=True)


def of_wheel(found: WheelFound, file: str, version: str | None, commit: str | None, made_by: str) -> Spec:
    """Return the spec of a package.

    Args:
        found: what the package declares.
        file: what the user called it.
        version: its version, None where it does not say.
        commit: the id of the commit that it was built of, None where it does not say.
        made_by: the source.
    """
    provenance = Provenance(framework=FRAMEWORK, version=version, commit=commit, made_by=made_by)
    return _spec(found.ops, tuple(_unresolved(found.unresolved)), file, provenance, located=False)


def _spec(
    ops: Mapping[str, OpRecord], remarks: tuple[Remark, ...], file: str, provenance: Provenance, *, located: bool
) -> Spec:
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(ops, records.op, records.numbers, (str(provenance.made_by),), located=located),
        binding=BY_POSITION,
        remarks=remarks,
    )


def _unresolved(found: Iterable[Unresolved]) -> Iterator[Remark]:
    for op, file, line, reason, digest in found:
        yield Remark(
            event="op_unresolved",
            name=op,
            op=None if op == "*" or "/" in op else op,
            digest=digest,
            facts={"reason": reason},
            origin=Origin(file=file, line=line),
        )
