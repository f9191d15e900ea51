"""A profile: a named policy that maps rules to levels."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, with_hyphens
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.record import Record
from opspec_lint.report.findings import mildest, worst

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from opspec_lint.report.findings import Direction, Finding, Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import RuleId
    from opspec_lint.spec.model import Declared, Spec

PROFILES: Catalogue[Profile] = Catalogue("lint/profiles", "frameworks/*/profiles", offers="PROFILE", spell=with_hyphens)
FALLBACK = "strict"


class Profile(Record):
    """A policy.

    A rule that `levels` does not name has its own level, but never above `ceiling` nor below `floor`; a rule whose own
    level is off stays off, and `floor` is none for those in `not_raised`. With `exempt_extra`, findings about arguments
    that are extra in base, or are added as extra, are notes at most, except for the rules in `not_exempt`. Those about
    ops whose name matches the regular expression `exempt_ops` are `exempt_ops_at_most` at most. `reviewers` maps a flag
    of an added argument ("quant"), or "def" for any other, to the team that has to approve it. `default_for` are the
    frameworks whose specs it judges by default. `members` are the profiles of a `union`, which has no levels, limits or
    exemptions of its own.

    `is_shared` means that the name stands for a profile of each framework, named `FRAMEWORK-NAME`. `limit` returns
    `at_most` for the specs of base and head: the worst level of a fact, according to the loader of head. `forward`
    returns `breaks_forward` for the spec of base: whether its loader breaks on what a fact brings to new models.
    `breaks` returns the directions in which models break by a fact that knows them itself, and None for any other.
    """

    name: str = ""
    framework: str = ""
    summary: str
    levels: Mapping[RuleId, Level]
    floor: Level = "off"
    not_raised: frozenset[RuleId] = frozenset()
    ceiling: Level = "error"
    exempt_extra: bool = False
    not_exempt: frozenset[RuleId] = frozenset()
    exempt_ops: str = ""
    exempt_ops_at_most: Level = "note"
    reviewers: Mapping[str, str] = {}
    default_for: tuple[str, ...] = ()
    members: tuple[Profile, ...] = ()
    is_shared: bool = False
    limit: Callable[[Spec, Spec], Callable[[Fact], Level]] | None = None
    at_most: Callable[[Fact], Level] | None = None
    forward: Callable[[Spec], Callable[[Fact], bool]] | None = None
    breaks_forward: Callable[[Fact], bool] | None = None
    breaks: Callable[[Fact], tuple[Direction, ...] | None] | None = None

    def with_levels(self, levels: Mapping[RuleId, Level]) -> Profile:
        """Return the profile with other levels for some rules."""
        if self.members:
            return self.replace(members=tuple(each.with_levels(levels) for each in self.members))
        return self.replace(levels={**self.levels, **levels})

    def level(self, rule: RuleId, own: Level, least: Level = "off") -> Level:
        """Return the level of a rule whose own level is `own`; at least `least`, unless `levels` names the rule."""
        if self.members:
            return worst(*(each.level(rule, own, least) for each in self.members))
        named = self.levels.get(rule)
        if named is not None:
            return named
        floor = "off" if own == "off" or rule in self.not_raised else self.floor
        return worst(least, "off" if own == "off" else worst(floor, mildest(self.ceiling, own)))

    def directions(self, fact: Fact, own: tuple[Direction, ...]) -> tuple[Direction, ...]:
        """Return the directions in which models break by a fact, of those of its rule."""
        if self.members:
            every = {each for member in self.members for each in member.directions(fact, own)}
            return tuple(each for each in own if each in every)
        found = None if self.breaks is None else self.breaks(fact)
        if found is not None:
            return tuple(each for each in own if each in found)
        if "forward" not in own or self.breaks_forward is None or self.breaks_forward(fact):
            return own
        return tuple(each for each in own if each != "forward")

    def team(self, thing: Declared) -> str | None:
        """Return the team that has to approve an addition to the contract, None if no team has to."""
        flagged = (team for flag, team in self.reviewers.items() if thing.get(flag) is True)
        return next(flagged, self.reviewers.get("def"))

    def exempts_extra(self, rule: RuleId) -> bool:
        """Tell whether a rule's findings about extra arguments are notes at most."""
        return self.exempt_extra and rule not in self.not_exempt

    def exempts(self, op: str) -> bool:
        """Tell whether findings about an op are limited to `exempt_ops_at_most`."""
        if not self.exempt_ops:
            return False
        import re

        return re.search(self.exempt_ops, op) is not None


def union(summary: str, *members: Profile) -> Profile:
    """Return the profile that has all findings of several profiles, each at the worst of their levels.

    If two of them name a team for the same addition, the first one's team counts.
    """
    reviewers = {flag: team for each in reversed(members) for flag, team in each.reviewers.items()}
    return Profile(summary=summary, levels={}, reviewers=reviewers, members=members)


NO_POLICY = Profile(summary="", levels={})
"""Every rule has its own level."""


def standing_for(policy: Profile) -> dict[str, str]:
    """Return the profiles that a shared profile stands for, by framework; empty if it is not shared."""
    if not policy.is_shared:
        return {}
    suffix = f"-{policy.name}"
    return {name.removesuffix(suffix): name for name in PROFILES.names() if name.endswith(suffix)}


def require_framework(policy: Profile, head: Spec, *names: str) -> None:
    """Make sure that a profile is for specs of a framework.

    Args:
        policy: the profile.
        head: a spec of the framework.
        names: further profiles that may judge it.

    Raises:
        UsageError: the profile is for specs of another framework.
    """
    own, framework = policy.framework, head.provenance.framework
    if own in ("", framework) or policy.name in names:
        return
    fit = [*PROFILES.of(framework), *names, FALLBACK]
    raise UsageError(
        f"the profile {policy.name!r} is for specs of {own}, and {head.file} is one of {framework}",
        advice=f"profiles for it: {', '.join(fit)}; a profile for one source is named `SOURCE=PROFILE`",
    )


def between(policy: Profile, base: Spec, head: Spec) -> Profile:
    """Return the profile that judges two specs: for a shared profile, that of their framework.

    Raises:
        UsageError: the profile is for another framework, or a shared profile has none for the framework.
    """
    require_framework(policy, head)
    if policy.is_shared:
        framework, own = head.provenance.framework, standing_for(policy)
        if framework not in own:
            raise UsageError(
                f"the profile {policy.name!r} has no levels for specs of {framework}",
                advice=f"it judges specs of: {', '.join(sorted(own))}; name another profile",
            )
        policy = PROFILES.load(own[framework]).with_levels(policy.levels)
    if policy.limit is not None:
        policy = policy.replace(at_most=policy.limit(base, head))
    return policy if policy.forward is None else policy.replace(breaks_forward=policy.forward(base))


def exempt_under(policy: Profile, findings: Iterable[Finding]) -> str | None:
    """Return the public variant of a profile if it exempts every op that breaks existing models, None otherwise.

    The public variant is the profile of that name with `-public` at the end.
    """
    breaks = [each.op for each in findings if each.level == "error" and not each.is_relaxation]
    name = f"{policy.name}-public"
    if not breaks or name not in PROFILES:
        return None
    public = PROFILES.load(name)
    return name if all(op is not None and public.exempts(op) for op in breaks) else None


def teams() -> list[str]:
    """Return the teams that any profile names."""
    return sorted({team for profile in PROFILES.every() for team in profile.reviewers.values()})


def default_for(framework: str) -> Profile:
    """Return the default profile of a framework, its own or a general one; `strict` if it has none."""
    for owner in (framework, ""):
        for profile in map(PROFILES.load, PROFILES.of(owner)):
            if framework in profile.default_for:
                return profile
    return PROFILES.load(FALLBACK)
