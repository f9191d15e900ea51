"""Under which of the releases that are known by name a model loads, as its audits under all of them say."""

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


class Refusal(Record):
    """A known release under which a model does not load, or means something else, with the first reason."""

    release: str
    verdict: Verdict
    reason: str


class Doubt(Record):
    """A known release that may or may not load a model: the missing fact, and how to supply it."""

    release: str
    reason: str
    remedy: str


class Reach(Record):
    """The known releases under which a model loads by a loader: their names, older ones first.

    `families` are the names of the releases that the loader is of, such as `tensorflow`. `oldest` is the first that
    loads the model, None if there is none. If `is_claimed`, no spec of it is known: it is what the specs say of the
    versions that the model needs, and no known release contradicts it. `refusals` are the known releases under which
    the model does not load, older ones first: also those between others that do. `unknown` are the rest.
    """

    model: str
    loader: str
    families: tuple[str, ...]
    known: tuple[str, ...] = ()
    loading: tuple[str, ...] = ()
    oldest: str | None = None
    is_claimed: bool = False
    refusals: tuple[Refusal, ...] = ()
    unknown: tuple[Doubt, ...] = ()

    @property
    def newest(self) -> str | None:
        """The last release that loads the model, None if there is none."""
        return self.loading[-1] if self.loading else None


def reaches(model: Model, audits: Sequence[Audit]) -> Iterator[Reach]:
    """Yield for each loader under which releases a model loads; one that means something else does not load.

    Args:
        model: the model.
        audits: its audits under known releases, which `against` names, such as `tensorflow@2.15.1`, older ones first.
    """
    by_loader: dict[str, list[Audit]] = {}
    for each in audits:
        if each.loader is not None:
            by_loader.setdefault(each.loader, []).append(each)
    for name, own in by_loader.items():
        loader = LOADERS.load(name)
        yield _reach(model, sorted(own, key=lambda each: _place(loader, each.against)), loader)


def _place(loader: Loader, release: str) -> int:
    """Return the place of the family of a release among those of a loader."""
    family = _family(release)
    return loader.families.index(family) if family in loader.families else len(loader.families)


def _reach(model: Model, audits: Sequence[Audit], loader: Loader) -> Reach:
    names = [each.against for each in audits]
    loading = [audit.against for audit in audits if audit.answer == "yes"]
    claim = None if loader.claim is None else loader.claim(model, [each.spec for each in reversed(audits)])
    claimed = claim and _claimed(f"{loader.families[0]}@{claim}", loading, names)
    return Reach(
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


def _claimed(name: str, loading: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the release that specs name as the oldest, None where a known one says otherwise, or is older."""
    family = [each for each in names if _family(each) == _family(name)]
    first = next((each for each in family if each in loading), None)
    refuting = (each for each in family if each not in loading and _numbers(each) >= _numbers(name))
    if first is None or _numbers(first) <= _numbers(name) or any(refuting):
        return None
    return name


def _family(name: str) -> str:
    return name.partition("@")[0]


def _numbers(name: str) -> list[int]:
    return [int(part) for part in name.partition("@")[2].split(".") if part.isdecimal()]


def _refusal(audit: Audit) -> Refusal:
    reason = audit.verdict if audit.cause is None else audit.cause.message
    return Refusal(release=audit.against, verdict=audit.verdict, reason=reason)


def _doubt(audit: Audit) -> Doubt:
    cause = audit.cause or next(iter(audit.findings), None)
    if cause is None:
        return Doubt(release=audit.against, reason=audit.verdict, remedy="")
    return Doubt(release=audit.against, reason=cause.message, remedy=cause.advice)
