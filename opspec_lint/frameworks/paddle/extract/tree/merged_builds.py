"""The merge of the declarations of all files and builds: an op that builds declare differently has several forms."""

from __future__ import annotations

from functools import cache

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.build.builds import BUILDS
from opspec_lint.frameworks.paddle.extract.declarations import unresolved
from opspec_lint.spec.identity import NO_BUILD, build_variant
from opspec_lint.spec.records import same_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle.extract.declarations import FileDeclarations, History
    from opspec_lint.spec.records import LocatedOp, RemarkRecord


def _build_order(build: str) -> int:
    """Return the rank of a build, which sorts the released builds first."""
    return list(BUILDS).index(build) if build in BUILDS else len(BUILDS)


def _form_order(form: tuple[LocatedOp, list[str]]) -> int:
    """Return the rank of the first build that declares a form; a form that no build compiles is the last."""
    _, builds = form
    return min(map(_build_order, builds), default=len(BUILDS) + 1)


@cache
def _sort_builds(builds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the builds in order, each once; cached, since most ops have the same builds."""
    return tuple(sorted(dict.fromkeys(builds), key=_build_order))


class MergedBuilds:
    """The ops of all files, each form of an op with the builds that declare it.

    `everywhere` are the names of all builds that are looked at: an op that every build has names no builds.
    """

    def __init__(self, everywhere: tuple[str, ...]) -> None:
        self.everywhere = everywhere
        self._ops: dict[str, list[tuple[LocatedOp, list[str]]]] = {}
        self._without: dict[str, None] = {}
        self._remarks: dict[tuple[Any, ...], RemarkRecord] = {}
        self._histories: dict[str, History] = {}

    def add(self, declared: FileDeclarations, builds: Sequence[str], *, is_special: bool = False) -> None:
        """Add the declarations of a file in some builds.

        `is_special`: only another option of CMake makes these builds. Then an op counts only if no regular build
        declares it alike, and remarks and op versions do not count.
        """
        for name, op in declared["ops"]:
            record, _ = op
            forms = self._ops.setdefault(name, [])
            known_builds = next((of_form for (known, _), of_form in forms if same_record(known, record)), None)
            if known_builds is None:
                forms.append((op, list(builds)))
            elif not is_special:
                known_builds.extend(builds)
        if is_special:
            return
        self._without |= dict.fromkeys(declared["without"])
        for remark_record in declared["remarks"]:
            self._add_remark(remark_record)
        for name, history in declared["histories"].items():
            self._histories.setdefault(name, history)

    def _add_remark(self, remark_record: RemarkRecord) -> None:
        """Add a remark, unless another build made the same one."""
        self._remarks.setdefault(
            (remark_record["name"], remark_record["place"], remark_record["digest"], *remark_record["facts"].values()),
            remark_record,
        )

    @property
    def declares_ops(self) -> bool:
        """True if a file declares an op, or something that cannot be evaluated."""
        return bool(self._ops or self._remarks)

    def names(self) -> set[str]:
        """Return the names of all ops, including ops without a proto and unresolved ones."""
        return {*self._ops, *self._without, *(remark_record["name"] for remark_record in self._remarks.values())}

    def without(self) -> tuple[str, ...]:
        """Return the names of the ops that only registrations without a maker have."""
        return tuple(sorted(self._without.keys() - self._ops.keys()))

    def remarks(self) -> Iterable[RemarkRecord]:
        """Return the remarks on unresolved declarations; `merge` adds the clashes."""
        return self._remarks.values()

    def histories(self) -> dict[str, History]:
        """Return the op versions of each op."""
        return dict(sorted(self._histories.items()))

    def merge(self) -> dict[str, LocatedOp]:
        """Return the ops by name; further forms of an op get the name `NAME [BUILD]`."""
        ops: dict[str, LocatedOp] = {}
        for name in sorted(self._ops):
            forms = self._ops[name]
            # The plain name goes to the form of the first released build, the CPU's if it has one.
            if len(forms) > 1:
                forms = sorted(forms, key=_form_order)
            first, names = forms[0]
            builds = _sort_builds(tuple(names))
            ops[name] = first if builds == self.everywhere else _with_builds(first, builds or (NO_BUILD,))
            known_builds = set(names)
            for form_op, names in forms[1:]:
                if known_builds.intersection(names):
                    self._add_clash(name, first, form_op)
                    continue
                known_builds |= set(names)
                for build in dict.fromkeys(names or (NO_BUILD,)):
                    ops[build_variant(name, build)] = _with_builds(form_op, (build,))
        return ops

    def _add_clash(self, name: str, first: LocatedOp, second: LocatedOp) -> None:
        """Add a remark on an op that one build declares twice, differently."""
        (_, first_places), (_, second_places) = first, second
        first_file, _, _ = first_places["op"]
        second_file, line, _ = second_places["op"]
        error = UnresolvedError(f"it is declared differently in {first_file} and {second_file}, for the same build")
        self._add_remark(unresolved(name, error, second_file, line or 1, ""))


def _with_builds(op: LocatedOp, builds: tuple[str, ...]) -> LocatedOp:
    """Return an op that only these builds have."""
    record, places = op
    return {**record, "builds": builds}, places
