"""The sources that a `pyproject.toml` lists for Setuptools: `ext-modules` of `[tool.setuptools]`."""

from __future__ import annotations

from opspec_lint.kit.toml_text import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.builds.source_lists import SourceLists


def find_lists(text: str, lists: SourceLists) -> bool:
    """Record the sources of all extensions; return whether the file has the key, so that it lists no other source."""
    value: object
    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return False
    for name in ("tool", "setuptools", "ext-modules"):
        if not isinstance(value, dict) or name not in value:
            return False
        value = value[name]
    for extension in value if isinstance(value, list) else ():
        sources = extension.get("sources") if isinstance(extension, dict) else None
        lists.list(source for source in sources or () if isinstance(source, str))
    return True
