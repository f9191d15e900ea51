"""Semantic versions (semver.org, 2.0.0): parsing, order, and the least version after a release."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Part: TypeAlias = Literal["major", "minor", "patch"]

PARTS: tuple[Part, ...] = ("major", "minor", "patch")
"""The parts of a version in order."""

_LONGEST = 300
_CORE = r"(0|[1-9][0-9]*)"
_IDENTIFIER = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = pattern(
    rf"{_CORE}\.{_CORE}\.{_CORE}(?:-({_IDENTIFIER}(?:\.{_IDENTIFIER})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)


class Version(Record):
    """A semantic version: text, three numbers, and the identifiers of a pre-release, empty for a release."""

    text: str
    core: tuple[int, ...]
    prerelease: tuple[str, ...] = ()

    @property
    def precedence(self) -> tuple[object, ...]:
        """The sort key of versions (item 11 of the specification)."""
        # Numeric identifiers are lower than others (11.4.3), and a pre-release is lower than its release (11.3).
        parts = tuple(
            (0, int(identifier), "") if identifier.isdigit() else (1, 0, identifier) for identifier in self.prerelease
        )
        return (*self.core, not parts, parts)


class Versions(Record):
    """The released version and the planned next one, None if unknown."""

    released: Version
    next: Version | None = None


def parse(text: str, what: str) -> Version:
    """Return a parsed version; raise UsageError, which names the option `what`, if it is no semantic version."""
    # The limit comes first: int() of a text with very many digits is slow, and refused by Python 3.11.
    match = _VERSION.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise UsageError(
            f"{what}: {shorten(one_line(text), _LONGEST)!r} is not a semantic version",
            advice="write MAJOR.MINOR.PATCH, such as 2.6.0 or 3.0.0-rc.1",
        )
    *core, prerelease = match.groups()
    return Version(text=text, core=tuple(map(int, core)), prerelease=tuple(prerelease.split(".")) if prerelease else ())


def parse_versions(released: str | None, following: str | None, names: tuple[str, str]) -> Versions | None:
    """Return the released and the next version as parsed, None if both are None.

    `names` are the names of the two options for messages. Raises UsageError for an invalid or missing version.
    """
    name_of_released, name_of_next = names
    if released is None:
        if following is not None:
            raise UsageError(f"{name_of_next} needs {name_of_released}", advice="give the version of base")
        return None
    planned = None if following is None else parse(following, name_of_next)
    return Versions(released=parse(released, name_of_released), next=planned)


def least_after(part: Part, released: Version) -> Version:
    """Return the least version after `released` that is large enough for a change of `part`; never a pre-release.

    Before 1.0.0, a break raises the second number and all else the third. A pre-release may be followed by the release
    that it announces, if that is large enough: 2.0.0-rc.1 by 2.0.0, even with a break.
    """
    at = PARTS.index(part)
    if released.core[0] == 0:
        at = min(at + 1, len(PARTS) - 1)
    if released.prerelease and not any(released.core[at + 1 :]):
        core = released.core
    else:
        core = (*released.core[:at], released.core[at] + 1, *(0 for _ in released.core[at + 1 :]))
    return Version(text=".".join(map(str, core)), core=core)


def describe_least(part: Part, versions: Versions) -> str:
    """Return the least version as text: "3.0.0 at least after 2.6.0 (2.7.0 is too small)"."""
    text = f"{least_after(part, versions.released).text} at least after {versions.released.text}"
    if versions.next is None:
        return text
    return f"{text} ({versions.next.text} is {'enough' if is_enough(part, versions) else 'too small'})"


def is_enough(part: Part, versions: Versions) -> bool:
    """Return whether the planned version is large enough for a change of `part`; True if none is planned."""
    following, released = versions.next, versions.released
    if following is None:
        return True
    return following.precedence > released.precedence and following.core >= least_after(part, released).core
