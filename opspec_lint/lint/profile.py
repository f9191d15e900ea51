"""A profile: a named policy that maps rules to levels.

A `Profile` gives each rule a level, and limits it by floor, ceiling and exemptions. A shared profile has a variant for
each framework, in the framework's folder.
"""

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
    """A policy: the level of each rule, limits, exemptions and required approvals.

    - `levels`: level by rule. A rule that is not named has its default level, raised to `floor` (not the rules in
      `not_raised`) and lowered to `ceiling`; a rule that is off by default stays off
    - `exempt_extra`: findings about extra arguments are notes at most, except for the rules in `not_exempt`
    - `exempt_ops`: a regular expression; findings about ops whose name matches are `exempt_ops_at_most` at most
    - `reviewers`: the team that has to approve an added argument, by its flag ("quant"), or "def" for any other
    - `default_for`: the frameworks that it judges by default
    - `members`: the profiles of a `union`; the union itself has no levels, limits or exemptions
    - `is_shared`: the name is an alias for one profile per framework, named `FRAMEWORK-NAME`

    Functions that read specs, for policies that follow a loader:
    - `limit(base, head)` returns `at_most(fact)`: the worst level of a fact under the loader of head
    - `forward(base)` returns `breaks_forward(fact)`: the loader of base fails on new models because of the fact
    - `breaks(fact)`: the directions in which models break, if the fact itself knows them, else None
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
        """Return the profile with `levels` in place of its levels for these rules."""
        if self.members:
            return self.replace(members=tuple(member.with_levels(levels) for member in self.members))
        return self.replace(levels={**self.levels, **levels})

    def named_level(self, rule: RuleId) -> Level | None:
        """Return the level that the profile gives a rule by its name, None if it does not name the rule."""
        if not self.members:
            return self.levels.get(rule)
        named = [level for member in self.members if (level := member.named_level(rule)) is not None]
        return worst(*named) if named else None

    def named_rules(self) -> frozenset[RuleId]:
        """Return the rules that the profile names."""
        return frozenset(self.levels).union(*(member.named_rules() for member in self.members))

    def level(self, rule: RuleId, own: Level, least: Level = "off") -> Level:
        """Return the level of a rule with the default level `own`: at least `least`, unless `levels` names the rule."""
        if self.members:
            return worst(*(member.level(rule, own, least) for member in self.members))
        # A level that a policy names is deliberate: neither floor nor ceiling nor `least` changes it.
        named = self.levels.get(rule)
        if named is not None:
            return named
        floor = "off" if own == "off" or rule in self.not_raised else self.floor
        return worst(least, "off" if own == "off" else worst(floor, mildest(self.ceiling, own)))

    def directions(self, fact: Fact, own: tuple[Direction, ...]) -> tuple[Direction, ...]:
        """Return the directions of a rule, `own`, in which models break because of a fact."""
        if self.members:
            every = {direction for member in self.members for direction in member.directions(fact, own)}
            return tuple(direction for direction in own if direction in every)
        known = None if self.breaks is None else self.breaks(fact)
        if known is not None:
            return tuple(direction for direction in own if direction in known)
        if "forward" not in own or self.breaks_forward is None or self.breaks_forward(fact):
            return own
        return tuple(direction for direction in own if direction != "forward")

    def team(self, thing: Declared) -> str | None:
        """Return the team that has to approve an addition to the contract, None if no team has to."""
        flagged = (team for flag, team in self.reviewers.items() if thing.get(flag) is True)
        return next(flagged, self.reviewers.get("def"))

    def exempts_extra(self, rule: RuleId) -> bool:
        """Return whether findings of a rule about extra arguments are notes at most."""
        return self.exempt_extra and rule not in self.not_exempt

    def exempts(self, op: str) -> bool:
        """Return whether findings about an op are limited to `exempt_ops_at_most`."""
        if not self.exempt_ops:
            return False
        import re

        return re.search(self.exempt_ops, op) is not None


def union(summary: str, *members: Profile) -> Profile:
    """Return a profile that gives each rule the worst of the levels that the members give it.

    If two members name a team for the same addition, the team of the first member counts.
    """
    # Reversed, since the last entry of a key wins in a dict, and the team of the first member has to.
    reviewers = {flag: team for member in reversed(members) for flag, team in member.reviewers.items()}
    return Profile(summary=summary, levels={}, reviewers=reviewers, members=members)


NO_POLICY = Profile(summary="", levels={})
"""A profile under which every rule has its default level."""


def framework_variants(policy: Profile) -> dict[str, str]:
    """Return the names of the profiles behind a shared profile, by framework; empty if it is not shared."""
    if not policy.is_shared:
        return {}
    suffix = f"-{policy.name}"
    return {name.removesuffix(suffix): name for name in PROFILES.names() if name.endswith(suffix)}


def require_framework(policy: Profile, head: Spec, *names: str) -> None:
    """Raise UsageError if a profile is for another framework than head; profiles in `names` may judge it as well."""
    own, framework = policy.framework, head.provenance.framework
    if own in ("", framework) or policy.name in names:
        return
    fit = [*PROFILES.of(framework), *names, FALLBACK]
    raise UsageError(
        f"the profile {policy.name!r} is for specs of {own}, and {head.file} is one of {framework}",
        advice=f"profiles for it: {', '.join(fit)}; a profile for one source is named `SOURCE=PROFILE`",
    )


def profile_for(policy: Profile, base: Spec, head: Spec) -> Profile:
    """Return the profile that judges two specs: a shared profile is resolved, and its loader functions are bound.

    Raises UsageError if the profile is for another framework, or if a shared profile has none for the framework.
    """
    require_framework(policy, head)
    if policy.is_shared:
        framework, variants = head.provenance.framework, framework_variants(policy)
        if framework not in variants:
            raise UsageError(
                f"the profile {policy.name!r} has no levels for specs of {framework}",
                advice=f"it judges specs of: {', '.join(sorted(variants))}; name another profile",
            )
        # Levels that the configuration sets are on the shared profile, as it is the name in the configuration.
        policy = PROFILES.load(variants[framework]).with_levels(policy.levels)
    if policy.limit is not None:
        policy = policy.replace(at_most=policy.limit(base, head))
    return policy if policy.forward is None else policy.replace(breaks_forward=policy.forward(base))


def exempt_under(policy: Profile, findings: Iterable[Finding]) -> str | None:
    """Return the name of the profile `NAME-public` if it exempts every op with an error, else None."""
    breaks = [finding.op for finding in findings if finding.level == "error" and not finding.is_relaxation]
    name = f"{policy.name}-public"
    if not breaks or name not in PROFILES:
        return None
    public = PROFILES.load(name)
    return name if all(op is not None and public.exempts(op) for op in breaks) else None


def teams() -> list[str]:
    """Return the teams that any profile names."""
    return sorted({team for profile in PROFILES.every() for team in profile.reviewers.values()})


def default_for(framework: str) -> Profile:
    """Return the default profile of a framework: of its folder, else a general one, else `strict`."""
    for owner in (framework, ""):
        for profile in map(PROFILES.load, PROFILES.of(owner)):
            if framework in profile.default_for:
                return profile
    return PROFILES.load(FALLBACK)
