"""Fixer that deletes waivers without effect."""

from __future__ import annotations

from opspec_lint.documents.decode import looks_like_json
from opspec_lint.fixes.fix import Fix
from opspec_lint.kit.errors import OpspecError
from opspec_lint.lint.fixer import Fixer
from opspec_lint.project import waiver_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that deletes the entry of a waiver."""
    place = finding.head_origin
    file = None if place is None else sides.head.text(place.file)
    if place is None or file is None:
        return
    deleted: dict[int, Edit] = sides.head.memory.setdefault(("waivers", place.file), {})
    edits = _deletion(file, place.line or 1, deleted)
    if edits:
        yield Fix(description=f"delete the waiver of {finding.name}", safety="safe", edits=edits)


def _deletion(file: TextFile, line: int, deleted: dict[int, Edit]) -> tuple[Edit, ...]:
    """Return the edits that delete the entry in a line and nothing else; none if that is not possible.

    `deleted` has the edits of entries that other fixes delete, by index: the last deletion has to leave an empty list.
    """
    entries = waiver_file.parse(file.data or b"", file.path)
    index = next((at for at, waiver in enumerate(entries) if waiver.origin.line == line), None)
    if index is None:
        return ()
    is_json = looks_like_json(file.text)
    start, end = _json_range(file, index) if is_json else _yaml_range(file, index)
    edit = file.edit(start, end, "")
    edits: tuple[Edit, ...] = (edit,)
    expected = [waiver.fields for at, waiver in enumerate(entries) if at != index]
    all_deleted = {**deleted, index: edit}
    if len(all_deleted) == len(entries) and not is_json:
        # YAML without any entry would be null, and no list.
        brackets = _empty_list_edit(file)
        if brackets is not None:
            edits, expected = (*all_deleted.values(), brackets), []
    # The text is edited without a model of its layout; parsing the result shows whether anything else changed.
    try:
        remaining = waiver_file.parse(file.with_edits(edits), file.path)
    except OpspecError:
        return ()
    if [waiver.fields for waiver in remaining] != expected:
        return ()
    deleted[index] = edit
    return edits


def _empty_list_edit(file: TextFile) -> Edit | None:
    """Return the edit that writes `[]` behind the key of a block list in YAML; None for a list in brackets."""
    from opspec_lint.documents.yaml_places import YamlPlaces

    places = YamlPlaces(file.text)
    at, inside = next((at, value) for key, at, value in places.members(places.root) if key == "waivers")
    colon = file.text.find(":", at) + 1
    return None if inside.flow_style else file.edit(colon, colon, " []")  # type: ignore[attr-defined]


def _json_range(file: TextFile, index: int) -> tuple[int, int]:
    from opspec_lint.documents.json_places import JsonPlaces

    places = JsonPlaces(file.text)
    inside = next(value for key, _, value in places.members(places.root) if key == "waivers")
    spans = [(start, places.end(start)) for _, start in places.items(inside)]
    return _item_range(spans, index)


def _yaml_range(file: TextFile, index: int) -> tuple[int, int]:
    """Return the range of an entry in YAML: whole lines, or an item of a list in brackets."""
    from opspec_lint.documents.yaml_places import YamlPlaces, end_of

    places = YamlPlaces(file.text)
    inside = next(value for key, _, value in places.members(places.root) if key == "waivers")
    if inside.flow_style:  # type: ignore[attr-defined]
        return _item_range([(item.start_mark.index, item.end_mark.index) for item in inside.value], index)
    entry = inside.value[index]
    dash = file.text.rfind("-", 0, entry.start_mark.index)
    return file.line_start(dash), file.line_end(max(end_of(entry) - 1, dash))


def _item_range(spans: list[tuple[int, int]], index: int) -> tuple[int, int]:
    """Return the range to delete from a list in brackets: the item and its comma, or the comma before the last item."""
    start, end = spans[index]
    if index + 1 < len(spans):
        start_of_next, _ = spans[index + 1]
        return start, start_of_next
    if index:
        _, start = spans[index - 1]
    return start, end


FIXER = Fixer(rules=("waiver_unused", "waiver_expired"), fixes=fixes)
