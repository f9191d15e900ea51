"""The place of a finding in the text of a file: where fixers begin to search for what they edit."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import TextFile
    from opspec_lint.spec.model import Origin

YAML = (".yaml", ".yml")
_CPP = (".cc", ".cpp", ".cu", ".h", ".hpp", ".inc")


def place_of(origin: Origin | None, files: Files) -> tuple[TextFile, int] | None:
    """Return the file of a declaration and the offset of its line; None if it is no source, or the file lacks the line.

    The declaration in a spec file may be a line of a megabyte, in which no fixer finds anything.
    """
    if origin is None or not origin.file.endswith((*YAML, *_CPP)):
        return None
    file = files.text(origin.file)
    if file is None or not origin.line or origin.line > file.whole.count("\n") + 1:
        return None
    return file, file.offset(origin.line)
