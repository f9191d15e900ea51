"""The range of releases that load a model, derived from its audits under all included specs."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.models.loader import LOADERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.loader import Loader
    from opspec_lint.models.model import Model
    from opspec_lint.report.answers import Verdict


class ReleaseRefusal(Record):
    """A release that does not load a model, or loads it with another meaning, and the first reason."""

    release: str
    verdict: Verdict
    reason: str


class ReleaseDoubt(Record):
    """A release that may or may not load a model: the missing knowledge, and how to supply it."""

    release: str
    reason: str
    remedy: str


class ReleaseReach(Record):
    """The known releases that load one model through one loader.

    `families` are the families of the loader's releases, such as `tensorflow`; `known` are all their releases, older
    ones first, and `loading`, `refusals` and `unknown` divide them. `oldest` is the first release that loads the model,
    or None. With `is_claimed`, it is not a known release but the one that the versions of the model's ops require.
    """

    model: str
    loader: str
    families: tuple[str, ...]
    known: tuple[str, ...] = ()
    loading: tuple[str, ...] = ()
    oldest: str | None = None
    is_claimed: bool = False
    refusals: tuple[ReleaseRefusal, ...] = ()
    unknown: tuple[ReleaseDoubt, ...] = ()

    @property
    def newest(self) -> str | None:
        """The last release that loads the model, or None."""
        return self.loading[-1] if self.loading else None


def compute_reaches(model: Model, audits: Sequence[Audit]) -> Iterator[ReleaseReach]:
    """Yield the releases that load a model, per loader.

    `audits` are the audits of the model under known releases, older ones first; `against` names the release, such as
    `tensorflow@2.15.1`. A release that changes the meaning of the model does not count as loading it.
    """
    by_loader: dict[str, list[Audit]] = {}
    for audit in audits:
        if audit.loader is not None:
            by_loader.setdefault(audit.loader, []).append(audit)
    for name, own in by_loader.items():
        loader = LOADERS.load(name)
        # The sort is stable: within a family, older releases stay first.
        yield _reach(model, sorted(own, key=lambda audit: _family_rank(loader, audit.against)), loader)


def _family_rank(loader: Loader, release: str) -> int:
    """Return the position of a release's family in the families of a loader, which are ordered by age."""
    family = _family(release)
    return loader.families.index(family) if family in loader.families else len(loader.families)


def _reach(model: Model, audits: Sequence[Audit], loader: Loader) -> ReleaseReach:
    """Return the releases that load a model through one loader, given its audits with older releases first.

    A loader may claim the oldest release from the versions of the model's ops, where no spec of that release is known.
    """
    names = [audit.against for audit in audits]
    loading = [audit.against for audit in audits if audit.answer == "yes"]
    # Newest first: a newer spec states in which release more of the op versions came.
    claim = None if loader.claim is None else loader.claim(model, [audit.spec for audit in reversed(audits)])
    claimed = claim and _confirmed_claim(f"{loader.families[0]}@{claim}", loading, names)
    return ReleaseReach(
        model=model.file,
        loader=loader.name,
        families=loader.families,
        known=tuple(names),
        loading=tuple(loading),
        oldest=claimed or next(iter(loading), None),
        is_claimed=bool(claimed),
        refusals=tuple(_refusal(audit) for audit in audits if audit.answer == "no"),
        unknown=tuple(_doubt(audit) for audit in audits if audit.answer == "unknown"),
    )


def _confirmed_claim(name: str, loading: Sequence[str], names: Sequence[str]) -> str | None:
    """Return `name`, which specs claim to be the oldest release of its family that loads the model, or None.

    `loading` are the known releases that load it, `names` all known releases, oldest first. The claim holds if some
    later release of the family loads the model, no release up to `name` does, and every release from `name` on does.
    """
    family = [release for release in names if _family(release) == _family(name)]
    first = next((release for release in family if release in loading), None)
    claimed = _version_numbers(name)
    refuting = (release for release in family if release not in loading and _version_numbers(release) >= claimed)
    if first is None or _version_numbers(first) <= claimed or any(refuting):
        return None
    return name


def _family(name: str) -> str:
    """Return the family of a release: `onnx` for `onnx@1.15.0`."""
    return name.partition("@")[0]


def _version_numbers(name: str) -> list[int]:
    """Return the version of a release as numbers, for comparisons: [1, 15, 0] for `onnx@1.15.0`."""
    return [int(part) for part in name.partition("@")[2].split(".") if part.isdecimal()]


def _refusal(audit: Audit) -> ReleaseRefusal:
    """Return the refusal that a failed audit shows."""
    reason = audit.verdict if audit.cause is None else audit.cause.message
    return ReleaseRefusal(release=audit.against, verdict=audit.verdict, reason=reason)


def _doubt(audit: Audit) -> ReleaseDoubt:
    """Return the doubt that an undecided audit shows."""
    cause = audit.cause or next(iter(audit.findings), None)
    if cause is None:
        return ReleaseDoubt(release=audit.against, reason=audit.verdict, remedy="")
    return ReleaseDoubt(release=audit.against, reason=cause.message, remedy=cause.advice)
