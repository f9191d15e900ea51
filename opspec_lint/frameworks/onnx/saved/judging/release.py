"""The release that a model is checked for, as queries of its spec, whose results are recorded.

A check reads a spec only by these queries. So it finds the same faults for another spec with the same results, and runs
once for all releases that differ in nothing that concerns the model.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.onnx.identity import DEFAULT, versions_by_op
from opspec_lint.kit.per_object import PerObject
from opspec_lint.kit.record import Record
from opspec_lint.spec import op_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from typing import Any, TypeAlias, TypeVar

    from opspec_lint.frameworks.onnx.saved.files.reading import OnnxFile
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op, Spec

    _Argument = TypeVar("_Argument", bound=Hashable)
    _Result = TypeVar("_Result")
    Check: TypeAlias = Callable[[Model[OnnxFile], "Release"], Iterator[Fact]]

_OPSET_AHEAD = 5
"""The difference between the opset and the MINOR of an onnx 1.MINOR."""
_MOST_KEPT_FAULTS = 1000
"""The most faults that are kept for other releases: a damaged model may have a million."""


class Release:
    """The queries of a spec, with a record of their results.

    A number that a check compares with the spec is an argument of the query, and the comparison its result: releases on
    the same side of a limit have the same result.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._results: dict[tuple[Callable[[Spec, Any], object], Hashable], Any] = {}
        self._schemas: set[str] = set()

    def gives_equal_results(self, spec: Spec) -> bool:
        """Return whether another spec gives the same result for every recorded query."""
        ops = self._spec.ops
        return all(query(spec, argument) == result for (query, argument), result in self._results.items()) and all(
            op in spec.ops and op_table.certainly_equal(ops, spec.ops, op) for op in self._schemas
        )

    def schema(self, op: str) -> Op:
        """Return the schema with an identity."""
        self._schemas.add(op)
        return self._spec.ops[op]

    def versions(self, domain: str, op: str) -> tuple[int, ...]:
        """Return the versions of an op, oldest first."""
        return self._query(_versions, (domain, op))

    def version_under(self, domain: str, op: str, imported: int) -> int | None:
        """Return the newest version of an op that is not above an imported one, or None."""
        return self._query(_version_under, (domain, op, imported))

    def newest_opset(self, domain: str) -> int | None:
        """Return the newest version of a domain that the release takes, None if it states none."""
        return self._query(_newest_opset, domain)

    def newest_opset_below(self, domain: str, opset: int) -> int | None:
        """Return the newest version of a domain that the release takes if it is below a stated one, else None."""
        return self._query(_newest_opset_below, (domain, opset))

    def newest_ir_version_below(self, ir_version: int) -> int | None:
        """Return the newest IR version that the release takes if it is below a stated one, else None."""
        return self._query(_newest_ir_version_below, ir_version)

    def makes_checks_of(self, minor: int) -> bool:
        """Return whether a release makes the checks of onnx 1.MINOR; an unknown one is taken for the newest."""
        return self._query(_makes_checks_of, minor)

    def major_and_minor(self) -> tuple[int, int] | None:
        """Return the first two numbers of the version of the release, None if it is not known."""
        return self._query(_major_and_minor, None)

    def _query(self, query: Callable[[Spec, _Argument], _Result], argument: _Argument) -> _Result:
        key = query, argument
        if key not in self._results:
            self._results[key] = query(self._spec, argument)
        result: _Result = self._results[key]
        return result


class _Judged(Record):
    """The faults of a model by a check, and the release that it was checked for."""

    check: Check
    release: Release
    faults: tuple[Fact, ...]


_judged: PerObject[OnnxFile, list[_Judged]] = PerObject()
"""The faults of the models that are in use."""


def faults_by(check: Check, model: Model[OnnxFile], spec: Spec) -> Iterator[Fact]:
    """Yield the faults of a model by a check of a release; a release with the same query results has them already."""
    judged = _judged.get(model.content)
    if judged is None:
        judged = []
        _judged.set(model.content, judged)
    for known in judged:
        if known.check is check and known.release.gives_equal_results(spec):
            yield from known.faults
            return
    release = Release(spec)
    faults: list[Fact] = []
    for fault in check(model, release):
        # One more than are kept shows below that there are too many.
        if len(faults) <= _MOST_KEPT_FAULTS:
            faults.append(fault)
        yield fault
    if len(faults) <= _MOST_KEPT_FAULTS:
        judged.append(_Judged(check=check, release=release, faults=tuple(faults)))


_versions_of_spec: PerObject[Spec, dict[tuple[str, str], list[int]]] = PerObject()
"""The versions of each op of the releases that are in use."""


@lru_cache(maxsize=64)
def _versions_by_op(ops: tuple[str, ...]) -> dict[tuple[str, str], list[int]]:
    """Return the versions of each op of a release, cached as a library added to each audit makes another spec."""
    return versions_by_op(ops)


def _versions(spec: Spec, domain_and_op: tuple[str, str]) -> tuple[int, ...]:
    """Return the versions of an op in a release."""
    versions = _versions_of_spec.get(spec)
    if versions is None:
        versions = _versions_by_op(tuple(spec.ops))
        _versions_of_spec.set(spec, versions)
    return tuple(versions.get(domain_and_op, ()))


def _version_under(spec: Spec, argument: tuple[str, str, int]) -> int | None:
    domain, op, imported = argument
    return max((version for version in _versions(spec, (domain, op)) if version <= imported), default=None)


def _newest_opset(spec: Spec, domain: str) -> int | None:
    opsets = spec.loading.get("opsets")
    version = opsets.get(domain) if isinstance(opsets, dict) else None
    return version if type(version) is int else None


def _newest_opset_below(spec: Spec, argument: tuple[str, int]) -> int | None:
    domain, opset = argument
    newest = _newest_opset(spec, domain)
    return newest if newest is not None and opset > newest else None


def _newest_ir_version_below(spec: Spec, ir_version: int) -> int | None:
    newest = spec.loading.get("ir_version")
    return newest if type(newest) is int and ir_version > newest else None


def _makes_checks_of(spec: Spec, minor: int) -> bool:
    # Each onnx 1.MINOR since 1.5 published opset MINOR + `_OPSET_AHEAD`, and each ONNX Runtime takes the opset of the
    # onnx built into it.
    opset = _newest_opset(spec, DEFAULT)
    return opset is None or opset - _OPSET_AHEAD >= minor


def _major_and_minor(spec: Spec, _: None) -> tuple[int, int] | None:
    numbers = (spec.provenance.version or "").split(".")[:2]
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and all(map(str.isdecimal, numbers)) else None
