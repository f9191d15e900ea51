"""Files of base as read-only documents: `opspec-lint-base:/TOP/PATH?COMMIT`."""

from __future__ import annotations

import os
from urllib.parse import quote, unquote, urlsplit

from opspec_lint.git.repository import COMMIT_ID, repository_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.editor.messages import BasePlace

SCHEME = "opspec-lint-base"


def uri_of(place: BasePlace) -> str:
    """Return the URI of the document of a place."""
    return f"{SCHEME}://{quote(os.path.join(place.top, place.path))}?{place.commit}"


def text_of(uri: str, environment: Mapping[str, str]) -> str | None:
    """Return the text of a document, None if there is no such file at base.

    Args:
        uri: the URI.
        environment: the environment for git.
    """
    parts = urlsplit(uri)
    path, commit = unquote(parts.path), parts.query
    folder = os.path.dirname(path)
    # The folder may be gone in head; git needs an existing one to find the repository.
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    # A client may send any URI: only a full commit id goes to git, so that no option or path can.
    if parts.scheme != SCHEME or not COMMIT_ID.fullmatch(commit) or not os.path.isabs(folder):
        return None
    repository = repository_around(folder, environment)
    if repository is None:
        return None
    data = repository.read(commit, os.path.relpath(path, repository.top).replace(os.sep, "/"))
    return None if data is None else data.decode("utf-8", "replace").removeprefix("\ufeff")
