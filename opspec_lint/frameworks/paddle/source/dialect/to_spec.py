"""Makes the spec of the ops of PIR's dialects that a tree declares."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.dialect import records
from opspec_lint.frameworks.paddle.source.dialect.completion import completed, told_of
from opspec_lint.frameworks.paddle.source.dialect.legacy import Legacy
from opspec_lint.spec.model import GraphVersions, Origin, Provenance, Remark, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle.source.dialect.found import Extraction
    from opspec_lint.frameworks.paddle.source.dialect.records import OpRecord
    from opspec_lint.frameworks.paddle.source.dialect.wheel import WheelFound
    from opspec_lint.frameworks.paddle.source.records import Unresolved
    from opspec_lint.spec.model import Op

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
    remarks += _of_patches(found.patches)
    known = _Known(found.ops, found.patches, Legacy(found.legacy), found.kernels)
    return _spec(known, tuple(remarks), file, provenance, located=True)


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
    patches = found.patches.plain()
    remarks = (*_unresolved(found.unresolved), *_of_patches(patches))
    return _spec(_Known(found.ops, patches), remarks, file, provenance, located=False)


class _Known:
    """What is known of the ops of a tree or package: their records, the patches of them, and their legacy names.

    `kernels` are the ops that are one kernel of another, with that.
    """

    def __init__(
        self,
        ops: Mapping[str, OpRecord],
        patches: Mapping[str, Any],
        legacy: Legacy | None = None,
        kernels: Mapping[str, str] = {},
    ) -> None:
        of_ops: Mapping[str, Sequence[str] | None] = patches["of_ops"]
        self.records = {
            name: (ops[name], _tuple(of_ops.get(name, ())), of, told_of(name, legacy, of))
            for name, of in zip(ops, map(kernels.get, ops), strict=True)
        }
        self.version: int | None = patches["version"]
        self.loading: Mapping[str, Any] = patches["loading"]
        self.places = {name: Origin(file=file, line=line) for name, (file, line) in patches["places"].items()}
        self._legacy = legacy
        self.has_names = legacy is not None

    def op(self, name: str, record: tuple[OpRecord, tuple[str, ...] | None, str | None, Any]) -> Op:
        """Return the op of a record, its patches, and the op that it is a kernel of."""
        declared, patches, kernel_of, _ = record
        return completed(records.op(name, declared), self._legacy, kernel_of, patches)


_FIELDS = {"kernel_of": lambda record: record[2], "legacy_names": lambda record: record[3][0]}
"""The fields that a record of `_Known` states, where legacy names are known."""


def _tuple(actions: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if actions is None else tuple(actions)


def _spec(known: _Known, remarks: tuple[Remark, ...], file: str, provenance: Provenance, *, located: bool) -> Spec:
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(
            known.records,
            known.op,
            lambda record: records.numbers(record[0]),
            (str(provenance.made_by), known.has_names),
            located=located,
            declared=lambda record: (records.declared(record[0]), *record[1:]),
            fields=_FIELDS if known.has_names else {},
        ),
        binding=BY_POSITION,
        graph_versions=None if known.version is None else GraphVersions(producer=known.version, min_producer=1),
        loading=known.loading,
        field_origins=known.places,
        remarks=remarks,
    )


def _of_patches(found: Mapping[str, Any]) -> Iterator[Remark]:
    for event, op, name, problem, actions, file, line in found["complaints"]:
        yield Remark(
            event=event,
            name=name,
            op=op,
            digest=f"{file} {problem} {actions}",
            facts={"problem": problem, "actions": actions, "file": file},
            origin=Origin(file=file, line=line),
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
