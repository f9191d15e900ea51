"""The fix of an unregistered change: a checkpoint in C++ or op_version.yaml, with a text made from the change.

It is unsafe: only the author knows what the checkpoint should say. The edit that begins a history also rewrites the
text before it, so that two such edits touch, and the second change is added to the history of the first.
"""

from __future__ import annotations

import json
import posixpath
import re

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.paddle.fixers._histories import history_in
from opspec_lint.lint.fixer import Fixer
from opspec_lint.spec import values
from opspec_lint.spec.model import Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding

_VERBS = {"new": "Add", "modify": "Change", "delete": "Remove"}
"""The verbs of notes, by the action of an update."""
_YAML_VERBS = {"new": "add", "modify": "modify", "delete": "delete"}
"""The verbs of the actions in op_version.yaml."""
_YAML = (".yaml", ".yml")
_HEADER = "paddle/fluid/framework/op_version_registry.h"
_INCLUDES = re.compile(rf'^[ \t]*#[ \t]*include[ \t]+"{re.escape(_HEADER)}"', re.MULTILINE)
_INCLUDE = re.compile(r'^#include[ \t]+["<]([^">\n]+)[">].*\n', re.MULTILINE)


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that registers a change."""
    update, place = finding.needs, finding.head_origin
    if not isinstance(update, Update) or place is None or finding.op is None:
        return
    path = place.file
    if path.endswith(_YAML):
        path = posixpath.join(posixpath.dirname(path), "op_version.yaml")
    file = sides.head.text(path)
    if file is None:
        return
    if path.endswith(_YAML):
        edits = [_in_yaml(file, finding.op, update)]
    else:
        edits = [_include_edit(file, sides), _in_cpp(file, finding.op, update)]
    if edits[-1] is not None:
        argument_text = f"{update.kind} '{update.name}' of '{finding.op}'"
        yield Fix(
            description=f"register the change of the {argument_text}",
            safety="unsafe",
            edits=tuple(edit for edit in edits if edit is not None),
        )


def _include_edit(file: TextFile, sides: Sides) -> Edit | None:
    """Return the edit that includes the header of the macro, None if the file includes it or the tree lacks it."""
    if _INCLUDES.search(file.text) or sides.head.read(_HEADER) is None:
        return None
    line = f'#include "{_HEADER}"\n'
    includes = list(_INCLUDE.finditer(file.text))
    # Includes of Paddle are sorted (`.clang-format`); others, of the standard library, come before them.
    own = [match for match in includes if match[1].startswith("paddle/")]
    before = [match for match in own if match[1] < _HEADER]
    if before:
        at = before[-1].end()
    elif own:
        at = own[0].start()
    elif includes:
        at = includes[-1].end()
    else:
        at = _behind_comment(file.text)
    return file.edit(at, at, line)


def _behind_comment(text: str) -> int:
    """Return the offset behind the comment that a file begins with."""
    match = re.match(r"\s*/\*.*?\*/[ \t]*\n|(?:[ \t]*//[^\n]*\n)+", text, re.DOTALL)
    return 0 if match is None else match.end()


def _note(update: Update) -> str:
    """Return the text of a checkpoint."""
    return f"{_VERBS[update.action]} the {update.kind} [{update.name}]."


def _in_cpp(file: TextFile, op: str, update: Update) -> Edit | None:
    """Return the edit that adds a checkpoint to a statement, or a statement behind the registration of the op."""
    method = f"{update.action.capitalize()}{(update.kind or '').capitalize()}"
    arguments = [json.dumps(update.name), json.dumps(_note(update))]
    if update.kind == "attr" and update.action != "delete":
        default = _literal(update.default_value)
        if default is None:
            return None
        arguments.append(default)
    checkpoint = (
        f'\n    .AddCheckpoint(\n        R"ROC({_note(update)})ROC",\n'
        f"        paddle::framework::compatible::OpVersionDesc().{method}(\n            {', '.join(arguments)}))"
    )
    history = history_in(file, op)
    if history is not None:
        at = history.insertion_point
        if history.checkpoints:
            _, at = history.checkpoints[-1]
        return file.edit(at, at, checkpoint)
    registrations = list(
        re.finditer(rf"^REGISTER_OPERATOR\s*\(\s*{re.escape(op)}\s*,[^;]*;[^\n]*\n", file.text, re.MULTILINE)
    )
    if len(registrations) != 1:
        return None
    start, end = registrations[0].span()
    return file.edit(start, end, f"{file.text[start:end]}\nREGISTER_OP_VERSION({op}){checkpoint};\n")


def _literal(value: object) -> str | None:
    """Return a default value as C++; None if it has no plain form."""
    value = values.thaw(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    return f"std::string({json.dumps(value)})" if isinstance(value, str) else None


def _in_yaml(file: TextFile, op: str, update: Update) -> Edit | None:
    """Return the edit that adds a checkpoint to the entry of an op, or an entry at the end of the file."""
    lines = [
        f"checkpoint : {_note(update)}",
        "action :",
        f"  - {_YAML_VERBS[update.action]}_{update.kind} : {update.name}",
        f"    comment : {_note(update)}",
    ]
    if update.kind == "attr" and update.action != "delete":
        default = _literal(update.default_value)
        if default is None:
            return None
        lines.append(f"    default : {json.dumps(default)}")
    history = history_in(file, op)
    if history is not None:
        start, end = history.checkpoints[-1]
        last = file.text[start:end]
        gap = "" if last.endswith("\n") else "\n"
        return file.edit(end, end, gap + _item(lines, last[: len(last) - len(last.lstrip(" "))]))
    if re.search(rf"^\s*- op\s*:\s*{re.escape(op)}\s*$", file.text, re.MULTILINE):
        return None
    text = file.text
    start = file.line_start(max(len(text) - 1, 0))
    gap = "\n" if text.endswith("\n") else "\n\n"
    if not text.strip():
        gap = ""
    return file.edit(start, len(text), f"{text[start:]}{gap}- op : {op}\n  version :\n{_item(lines, '    ')}")


def _item(lines: list[str], indent: str) -> str:
    """Return lines as an item of a YAML list."""
    return "".join(f"{indent}{'- ' if number == 0 else '  '}{line}\n" for number, line in enumerate(lines))


FIXER = Fixer(rules=("op_version_unregistered",), fixes=fixes)
