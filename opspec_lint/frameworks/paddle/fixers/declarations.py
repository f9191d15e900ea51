"""Restores inputs, outputs, attrs and default values that head no longer declares, and gives new attrs a default value.

All are guesses: a removal may be meant, a kernel may no longer take the argument, and the right default value of a new
attr is the one with which the op does what it did before.
"""

from __future__ import annotations

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.paddle.fixers import _makers, _yaml_entries
from opspec_lint.kit.pattern import pattern
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.ids import RuleId

    _D = TypeVar("_D", _makers.Declaration, _yaml_entries.Item)


_YAML = (".yaml", ".yml")
_VALUE = pattern(r"\s*=.*", "s")
_VECTOR = pattern(r"(?:std\s*::\s*)?vector\s*<.*>", "s")
_ZERO_IN_CPP = {
    "bool": "false",
    "double": "0.0",
    "float": "0.0f",
    "int": "0",
    "int64_t": "0",
    "std::string": '""',
    "string": '""',
}
_ZERO_IN_YAML = {
    "bool": "false",
    "double": "0.0",
    "float": "0.0f",
    "int": "0",
    "int64_t": "0",
    "str": '""',
    "IntArray": "{}",
    "Scalar": "0",
}


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix of a finding about a lost argument or default value, or about a new attr without a default."""
    if finding.rule == "attr_added_without_default":
        edit = _with_zero(finding, sides)
        description = f"give '{finding.name}' of '{finding.op}' a default value"
    elif finding.rule == "attr_default_removed":
        edit = _with_old_default(finding, sides)
        description = f"restore the default value of '{finding.name}' of '{finding.op}'"
    else:
        edit = _restored(finding, sides)
        description = f"restore the {finding.kind} '{finding.name}' of '{finding.op}'"
    if edit is not None:
        yield Fix(description=description, safety="unsafe", edits=(edit,))


def _with_zero(finding: Finding, sides: Sides) -> Edit | None:
    """Return the edit that gives a new attr the zero of its type."""
    file, start = _place(finding, sides, "head")
    if file is None or finding.name is None:
        return None
    if file.path.endswith(_YAML):
        item = _argument(file, start, finding.name, sides, "head")
        zero = None if item is None else _zero_in_yaml(item.text)
        return None if item is None or zero is None else file.edit(item.end, item.end, f" = {zero}")
    declared = _makers.declaration_at(file.text, start, finding.name)
    zero = None if declared is None else "{}" if _VECTOR.fullmatch(declared.type) else _ZERO_IN_CPP.get(declared.type)
    return None if declared is None or zero is None else _default_added(file, declared, zero)


def _zero_in_yaml(item: str) -> str | None:
    kind = item.split(maxsplit=1)[0]
    return "{}" if kind.endswith("[]") else _ZERO_IN_YAML.get(kind.partition("(")[0])


def _with_old_default(finding: Finding, sides: Sides) -> Edit | None:
    """Return the edit that writes the default value of base again."""
    old, at = _place(finding, sides, "base")
    new, start = _place(finding, sides, "head")
    if old is None or new is None or finding.name is None:
        return None
    if old.path.endswith(_YAML) and new.path.endswith(_YAML):
        before, after = (
            _argument(old, at, finding.name, sides, "base"),
            _argument(new, start, finding.new_name or finding.name, sides, "head"),
        )
        value = None if before is None else _VALUE.search(before.text)
        return None if value is None or after is None else new.edit(after.end, after.end, value[0])
    was = _makers.declaration_at(old.text, at, finding.name)
    now = _makers.declaration_at(new.text, start, finding.new_name or finding.name)
    if was is None or now is None:
        return None
    call = next((call for call in was.calls if call.name == "SetDefault"), None)
    return None if call is None else _default_added(new, now, old.text[call.opening + 1 : call.closing])


def _default_added(file: TextFile, declared: _makers.Declaration, value: str) -> Edit | None:
    """Return the edit that adds `.SetDefault(value)` behind the call that declares an attr."""
    if any(call.name == "SetDefault" for call in declared.calls):
        return None
    at = declared.calls[0].closing + 1
    return file.edit(at, at, f".SetDefault({value})")


def _restored(finding: Finding, sides: Sides) -> Edit | None:
    """Return the edit that writes a declaration of base again, behind the one that it followed."""
    old, at = _place(finding, sides, "base")
    new = None if old is None else sides.head.text(old.path)
    if old is None or new is None or finding.name is None:
        return None
    return (_item_restored if old.path.endswith(_YAML) else _statement_restored)(old, at, new, finding, sides)


def _statement_restored(old: TextFile, at: int, new: TextFile, finding: Finding, _: Sides) -> Edit | None:
    gone = _makers.declaration_at(old.text, at, finding.name or "")
    if gone is None:
        return None
    header, before = _makers.siblings(old.text, gone.start)
    after = _makers.body_of(new.text, header)
    lines = old.text[old.line_start(gone.start) : old.line_end(gone.end - 1)]
    # Another statement on one of its lines would be written twice.
    if lines.strip() != old.text[gone.start : gone.end] or any(declared.name == gone.name for declared in after):
        return None
    previous, following = _neighbours(before, after, gone)
    if previous is not None:
        place = new.line_end(previous.end - 1)
        return None if new.text[previous.end : place].strip() else new.edit(place, place, lines)
    if following is None or new.text[new.line_start(following.start) : following.start].strip():
        return None
    place = new.line_start(following.start)
    return new.edit(place, place, lines)


def _item_restored(old: TextFile, at: int, new: TextFile, finding: Finding, sides: Sides) -> Edit | None:
    entry = _yaml_entries.entry_at(old.text, old.line_end(at) - 1)
    if entry is None:
        return None
    matching = [candidate for candidate in _yaml_entries.entries(new.text) if candidate.op == entry.op]
    name = _yaml_entries.name_in_yaml(old.path, entry.op, finding.name or "", sides.base)
    section = "output" if finding.kind == "output" else "args"
    before = _yaml_entries.items(old.text, entry, section)
    gone = next((item for item in before if item.name == name), None)
    if gone is None or len(matching) != 1:
        return None
    after = _yaml_entries.items(new.text, matching[0], section)
    if any(item.name == name for item in after):
        return None
    previous, following = _neighbours(before, after, gone)
    if previous is not None:
        return new.edit(previous.end, previous.end, f", {gone.text}")
    return None if following is None else new.edit(following.start, following.start, f"{gone.text}, ")


def _neighbours(before: Sequence[_D], after: Sequence[_D], gone: _D) -> tuple[_D | None, _D | None]:
    """Return the nearest declarations before and behind one in base that head still has, as head declares them."""
    kept = {declared.name: declared for declared in after}
    names = [declared.name for declared in before]
    at = names.index(gone.name)
    previous = next((kept[name] for name in reversed(names[:at]) if name in kept), None)
    following = next((kept[name] for name in names[at + 1 :] if name in kept), None)
    return previous, following


def _argument(file: TextFile, at: int, name: str, sides: Sides, side: str) -> _yaml_entries.Item | None:
    """Return the item of `args` for an attr, which the spec names as legacy programs do."""
    entry = _yaml_entries.entry_at(file.text, file.line_end(at) - 1)
    if entry is None:
        return None
    own = _yaml_entries.name_in_yaml(file.path, entry.op, name, sides.base if side == "base" else sides.head)
    return next((item for item in _yaml_entries.items(file.text, entry, "args") if item.name == own), None)


def _place(finding: Finding, sides: Sides, side: str) -> tuple[TextFile | None, int]:
    """Return the file of a finding at base or head, and the offset of its line."""
    origin, files = (finding.base_origin, sides.base) if side == "base" else (finding.head_origin, sides.head)
    file = None if origin is None else files.text(origin.file)
    if origin is None or file is None or not origin.line or origin.line > file.whole.count("\n") + 1:
        return None, 0
    return file, file.offset(origin.line)


RULES: tuple[RuleId, ...] = (
    "attr_added_without_default",
    "attr_default_removed",
    "attr_removed",
    "input_removed",
    "output_removed",
)

FIXER = Fixer(rules=RULES, fixes=fixes)
