"""What a profile is: a named policy, from rule to level."""

from __future__ import annotations

from opspec_lint import catalogue
from opspec_lint.errors import unknown_name
from opspec_lint.findings import mildest, worst
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.findings import Level

FALLBACK = "strict"


class Profile(Record):
    """A policy.

    A rule that `levels` does not name has its own level, but never above `ceiling` nor below `floor`. Where
    `exempt_extra` is set, what concerns arguments that are extra on both sides, or are added or deleted as extra, is a
    note at most. `reviewers` names the team that has to approve an addition to an op's native definition ("def") or to
    its quantized part ("quant"). `default_for` are the frameworks whose specs it judges unless told otherwise.
    """

    name: str
    summary: str
    levels: Mapping[str, Level]
    floor: Level = "off"
    ceiling: Level = "error"
    exempt_extra: bool = False
    exempt_ops: str = ""
    reviewers: Mapping[str, str] = {}
    default_for: tuple[str, ...] = ()

    def level(self, rule: str, own: Level) -> Level:
        """Return the level of a rule whose own level is `own`."""
        return self.levels.get(rule) or worst(self.floor, mildest(self.ceiling, own))

    def exempts(self, op: str) -> bool:
        """Tell whether what concerns an op is a note at most."""
        if not self.exempt_ops:
            return False
        import re

        return re.search(self.exempt_ops, op) is not None


def names() -> list[str]:
    """Return the names of all profiles."""
    return sorted(module.replace("_", "-") for module in catalogue.names("profiles"))


def load(name: str) -> Profile:
    """Return a profile by name.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in names():
        raise unknown_name("profile", name, names())
    profile: Profile = catalogue.module("profiles", name.replace("-", "_")).PROFILE
    return profile


def default_for(framework: str) -> Profile:
    """Return the profile that judges a framework's specs where none is named; `strict` where the framework has none."""
    for name in names():
        profile = load(name)
        if framework in profile.default_for:
            return profile
    return load(FALLBACK)
