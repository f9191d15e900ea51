"""Restores inputs, outputs and attrs that a maker in C++ or an entry in YAML no longer declares.

It is a guess: the removal may be meant, and a kernel may no longer take the argument.
"""

from __future__ import annotations

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.paddle.fixers import _makers, _yaml_entries
from opspec_lint.frameworks.paddle.fixers._compat import restored_members
from opspec_lint.frameworks.paddle.fixers._places import YAML, place_of
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding

    _D = TypeVar("_D", _makers.Declaration, _yaml_entries.Item)


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that writes a declaration of base again, behind the one that it followed."""
    place = place_of(finding.base_origin, sides.base)
    if place is None or finding.name is None:
        return
    old, at = place
    new = sides.head.text(old.path)
    if new is None:
        return
    if old.path.endswith(YAML):
        section = "output" if finding.kind == "output" else "args"
        edit = _item_edit(old, at, new, section, finding.name, sides.base)
        # The entry may still have the argument, which op_compat.yaml then gives another name.
        if edit is None:
            yield from restored_members(finding, sides)
    else:
        edit = _statement_edit(old, at, new, finding.name)
    if edit is not None:
        description = f"restore the {finding.kind} '{finding.name}' of '{finding.op}'"
        yield Fix(description=description, safety="unsafe", edits=(edit,))


def _statement_edit(old: TextFile, at: int, new: TextFile, name: str) -> Edit | None:
    """Return the edit that writes the statement of a maker again."""
    gone = _makers.declaration_at(old.text, at, name)
    if gone is None or gone.end is None:
        return None
    header, before = _makers.siblings(old.text, gone.start)
    after = _makers.body_of(new.text, header)
    lines = old.text[old.line_start(gone.start) : old.line_end(gone.end - 1)]
    # Another statement on one of its lines would be written twice.
    if lines.strip() != old.text[gone.start : gone.end] or any(declared.name == gone.name for declared in after):
        return None
    previous, following = _neighbours(before, after, gone.name)
    if previous is not None:
        if previous.end is None or new.text[previous.end : new.line_end(previous.end - 1)].strip():
            return None
        place = new.line_end(previous.end - 1)
    elif following is not None and not new.text[new.line_start(following.start) : following.start].strip():
        place = new.line_start(following.start)
    else:
        return None
    return new.edit(place, place, lines)


def _item_edit(  # noqa: PLR0913, PLR0917 - what was lost, and where
    old: TextFile, at: int, new: TextFile, section: str, name: str, files: Files
) -> Edit | None:
    """Return the edit that writes an item of the `args` or the `output` of an entry again."""
    entry = _yaml_entries.entry_at(old.text, old.line_end(at) - 1)
    if entry is None:
        return None
    matching = [candidate for candidate in _yaml_entries.entries(new.text) if candidate.op == entry.op]
    own = _yaml_entries.name_in_yaml(old.path, entry.op, name, files)
    before = _yaml_entries.items(old.text, entry, section)
    gone = next((item for item in before if item.name == own), None)
    if gone is None or len(matching) != 1:
        return None
    after = _yaml_entries.items(new.text, matching[0], section)
    if any(item.name == own for item in after):
        return None
    previous, following = _neighbours(before, after, own)
    if previous is not None:
        return new.edit(previous.end, previous.end, f", {gone.text}")
    return None if following is None else new.edit(following.start, following.start, f"{gone.text}, ")


def _neighbours(before: Sequence[_D], after: Sequence[_D], name: str) -> tuple[_D | None, _D | None]:
    """Return the nearest declarations before and behind `name` in base that head still has, as head declares them."""
    kept = {declared.name: declared for declared in after}
    names = [declared.name for declared in before]
    at = names.index(name)
    previous = next((kept[sibling] for sibling in reversed(names[:at]) if sibling in kept), None)
    following = next((kept[sibling] for sibling in names[at + 1 :] if sibling in kept), None)
    return previous, following


FIXER = Fixer(rules=("attr_removed", "input_removed", "output_removed"), fixes=fixes)
