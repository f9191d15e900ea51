"""The choice of a profile for a spec, by the setting `profile` or the option --profile: one for all, or one each."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError, nearest_advice
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

EVERYTHING = "**"
"""The pattern that matches every source and every spec file."""


class ProfileChoice(Record):
    """A profile for some specs; `where` is a source, or a path or pattern of spec files from the top."""

    where: str = EVERYTHING
    profile: str

    def selects(self, names: Iterable[str]) -> bool:
        """Return whether the choice applies to a spec with one of these names."""
        if self.where == EVERYTHING:
            return True
        from opspec_lint.project.patterns import matches

        return any(self.where == name or matches(self.where, name) for name in names)


def parse_choice(text: str) -> ProfileChoice:
    """Parse `[SOURCE=]PROFILE`."""
    where, equals, name = text.rpartition("=")
    return ProfileChoice(where=where if equals else EVERYTHING, profile=name)


def choose_profile(choices: Iterable[ProfileChoice], names: Collection[str]) -> str | None:
    """Return the profile of the first choice that applies to a spec with these names, None if none does."""
    return next((choice.profile for choice in choices if choice.selects(names)), None)


def as_setting(choices: Iterable[ProfileChoice]) -> str | Mapping[str, str] | None:
    """Return choices as a value of the setting `profile`, without choices after one for everything."""
    table: dict[str, str] = {}
    for choice in choices:
        table.setdefault(choice.where, choice.profile)
        # The first choice that applies counts, so later ones are never reached.
        if choice.where == EVERYTHING:
            break
    return table[EVERYTHING] if [*table] == [EVERYTHING] else table or None


def check_choices(choices: Iterable[ProfileChoice], names: Iterator[str]) -> None:
    """Raise UsageError if a choice applies to no source or spec file; `names` is consumed only as far as needed."""
    unmatched = [choice for choice in choices if choice.where != EVERYTHING]
    known = []
    while unmatched and (name := next(names, None)) is not None:
        known.append(name)
        unmatched = [choice for choice in unmatched if not choice.selects((name,))]
    if unmatched:
        where = unmatched[0].where
        raise UsageError(f"profile: there is no source and no spec file {where!r}", advice=nearest_advice(where, known))
