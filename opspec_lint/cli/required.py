"""The releases that the options of `audit` name: those of the report, and the required ones."""

from __future__ import annotations

import os

from opspec_lint.kit.record import Record
from opspec_lint.models.decision import Requirement
from opspec_lint.sources import released

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.kit.command_line import Options
    from opspec_lint.models.decision import Unknown


class NamedReleases(Record):
    """The specs of `--against` and of `--require`, each range replaced by its releases."""

    against: tuple[str, ...] = ()
    require: tuple[str, ...] = ()

    def requirement(self, unknown: Unknown) -> Requirement:
        """Return the requirement for exit code 0: `--require`, else `--against`, else any release."""
        names = self.require or self.against
        return Requirement(
            releases=frozenset(names) if names else None, unknown=unknown, is_explained=bool(self.require)
        )


def move_releases(options: Options) -> None:
    """Move released specs and ranges among the models, such as `tflite@2.15`, to `--against`; a file is a model."""
    moved = [name for name in options.models if _names_releases(name)]
    if moved:
        options.models = [path for path in options.models if path not in moved]
        options.against = [*(options.against or ()), *moved]


def _names_releases(argument: str) -> bool:
    has_form = released.is_name(argument) or released.is_range(argument)
    # A misspelt file such as net@2.onnx must not become a release.
    return has_form and not os.path.lexists(argument) and bool(released.releases_of(released.family(argument)))


def named_releases(options: Options) -> NamedReleases:
    """Return the releases that the options of `audit` name. Raises InputError if a name or range matches no spec."""
    against = _names(options.against or ())
    # A name of `--against` is the one that the rows of its audits have, also where it is an abbreviation.
    required = (name if name in against else _full_name(name) for name in _names(options.require or ()))
    return NamedReleases(against=against, require=tuple(dict.fromkeys(required)))


def _full_name(reference: str) -> str:
    """Return the full name of a released spec, which the rows of an audit under all releases have; a path as it is."""
    # A file takes precedence over a released spec of the same name, as in all commands.
    is_release = released.is_name(reference) and not os.path.lexists(reference)
    return released.full_name(reference) if is_release else reference


def _names(references: Iterable[str]) -> tuple[str, ...]:
    every = ([path] if os.path.lexists(path) else released.expand(path) for path in references)
    return tuple(dict.fromkeys(name for names in every for name in names))
