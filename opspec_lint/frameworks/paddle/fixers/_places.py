"""The place of a finding in the text of a file: where fixers begin to search for what they edit."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import TextFile
    from opspec_lint.spec.model import Origin

YAML = (".yaml", ".yml")


def place_of(origin: Origin | None, files: Files) -> tuple[TextFile, int] | None:
    """Return the file of a declaration and the offset of its line; None if the file lacks that line."""
    file = None if origin is None else files.text(origin.file)
    if origin is None or file is None or not origin.line or origin.line > file.whole.count("\n") + 1:
        return None
    return file, file.offset(origin.line)
