"""Which profile judges which spec: the setting `profile` and the option --profile name one for all, or one for each."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError, nearest_advice
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

EVERYTHING = "**"
"""What every source and every spec file matches."""


class ProfileChoice(Record):
    """A profile for some specs. `where` is a source, or a path or pattern of spec files from the top of the repository.

    `EVERYTHING` stands for all of them.
    """

    where: str = EVERYTHING
    profile: str

    def selects(self, names: Iterable[str]) -> bool:
        """Tell whether it is about a spec that goes by some names."""
        if self.where == EVERYTHING:
            return True
        from opspec_lint.project.patterns import matches

        return any(self.where == name or matches(self.where, name) for name in names)


def parse(word: str) -> ProfileChoice:
    """Return the choice that `[SOURCE=]PROFILE` stands for."""
    where, equals, name = word.rpartition("=")
    return ProfileChoice(where=where if equals else EVERYTHING, profile=name)


def chosen(choices: Iterable[ProfileChoice], names: Collection[str]) -> str | None:
    """Return the profile of the first choice for a spec that goes by some names, None if there is none."""
    return next((each.profile for each in choices if each.selects(names)), None)


def as_setting(choices: Iterable[ProfileChoice]) -> str | Mapping[str, str] | None:
    """Return choices as the setting `profile` writes them, without those that are never reached."""
    table: dict[str, str] = {}
    for each in choices:
        table.setdefault(each.where, each.profile)
        if each.where == EVERYTHING:
            break
    return table[EVERYTHING] if [*table] == [EVERYTHING] else table or None


def check_choices(choices: Iterable[ProfileChoice], names: Iterator[str]) -> None:
    """Make sure that every choice is about a source or a spec file that there is.

    Args:
        choices: the choices.
        names: the names of sources and files; only as many are asked for as are needed.

    Raises:
        UsageError: a choice is about none.
    """
    left = [each for each in choices if each.where != EVERYTHING]
    known = []
    while left and (name := next(names, None)) is not None:
        known.append(name)
        left = [each for each in left if not each.selects((name,))]
    if left:
        advice = nearest_advice(left[0].where, known)
        raise UsageError(f"profile: there is no source and no spec file {left[0].where!r}", advice=advice)
