"""The modules that most checks import: a process that is forked after their import need not import them again."""

from __future__ import annotations

from opspec_lint.diff.agreement import AGREEMENTS
from opspec_lint.diff.binding import BINDINGS
from opspec_lint.documents import json_places, yaml_places, yaml_text
from opspec_lint.documents.locator import Locator
from opspec_lint.editor.reading import answers
from opspec_lint.lint.fixer import FIXERS
from opspec_lint.lint.profile import PROFILES
from opspec_lint.lint.rulebook import RULES
from opspec_lint.lint.wording import WORDINGS
from opspec_lint.sources.companion import COMPANIONS
from opspec_lint.sources.format import FORMATS
from opspec_lint.sources.repositories import Repositories
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.fields import FRAMEWORKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.kit.catalogue import Catalogue

_CATALOGUES: tuple[Catalogue[Any], ...] = (
    *(AGREEMENTS, BINDINGS, COMPANIONS, FIXERS, FORMATS),
    *(FRAMEWORKS, PROFILES, RULES, SOURCES, WORDINGS),
)
_MODULES = (Locator, Repositories, answers, json_places, yaml_places, yaml_text)
"""Objects of further modules, which are imported for their own sake."""

# The modules of all catalogues: a check needs few of them, but a forked process gets them for nothing.
for _catalogue in _CATALOGUES:
    list(_catalogue.every())
