"""The versions of releases: semantic versions (semver.org, 2.0.0), read and compared."""

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
"""Of a version, in their order."""

_LONGEST = 300
_CORE = r"(0|[1-9][0-9]*)"
_IDENTIFIER = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = pattern(
    rf"{_CORE}\.{_CORE}\.{_CORE}(?:-({_IDENTIFIER}(?:\.{_IDENTIFIER})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)


class Version(Record):
    """A semantic version: its text, its three numbers, and the identifiers of a pre-release, none for a release."""

    text: str
    core: tuple[int, ...]
    prerelease: tuple[str, ...] = ()

    @property
    def precedence(self) -> tuple[object, ...]:
        """What versions are ordered by (item 11)."""
        parts = tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in self.prerelease)
        return (*self.core, not parts, parts)


class Versions(Record):
    """The version that was released, and the next one, None where that is still to be named."""

    released: Version
    next: Version | None = None


def parse(text: str, what: str) -> Version:
    """Return a version.

    Args:
        text: the version.
        what: what messages call it, such as "--next".

    Raises:
        UsageError: the text is not a semantic version.
    """
    found = _VERSION.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        raise UsageError(
            f"{what}: {shorten(one_line(text), _LONGEST)!r} is not a semantic version",
            advice="write MAJOR.MINOR.PATCH, such as 2.6.0 or 3.0.0-rc.1",
        )
    *core, prerelease = found.groups()
    return Version(text=text, core=tuple(map(int, core)), prerelease=tuple(prerelease.split(".")) if prerelease else ())


def named(released: str | None, following: str | None, names: tuple[str, str]) -> Versions | None:
    """Return the versions that somebody names, None where they name none.

    Args:
        released: the version that was released.
        following: the next one.
        names: what messages call the two, such as "--released" and "--next".

    Raises:
        UsageError: a version is not semantic, or the released one is missing.
    """
    if released is None:
        if following is not None:
            raise UsageError(f"{names[1]} needs {names[0]}", advice="give the version of base")
        return None
    return Versions(released=parse(released, names[0]), next=None if following is None else parse(following, names[1]))


def least_after(part: Part, released: Version) -> Version:
    """Return the least version, and no pre-release, that is large enough after one that was released.

    Before 1.0.0 all is one place further right: what breaks raises the second number, all else the third. A pre-release
    may come out as the release that it announces, where that is large enough: 2.0.0-rc.1 as 2.0.0, whatever breaks.
    """
    at = PARTS.index(part)
    if released.core[0] == 0:
        at = min(at + 1, len(PARTS) - 1)
    if released.prerelease and not any(released.core[at + 1 :]):
        core = released.core
    else:
        core = (*released.core[:at], released.core[at] + 1, *(0 for _ in released.core[at + 1 :]))
    return Version(text=".".join(map(str, core)), core=core)


def needed(part: Part, versions: Versions) -> str:
    """Return the least version that is large enough, and whether the next one is, in words."""
    said = f"{least_after(part, versions.released).text} at least after {versions.released.text}"
    if versions.next is None:
        return said
    return f"{said} ({versions.next.text} is {'enough' if is_enough(part, versions) else 'too small'})"


def is_enough(part: Part, versions: Versions) -> bool:
    """Tell whether the next version is large enough; where none is named, any would be."""
    following, released = versions.next, versions.released
    if following is None:
        return True
    return following.precedence > released.precedence and following.core >= least_after(part, released).core
