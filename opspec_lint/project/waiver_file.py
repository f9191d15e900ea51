"""The waiver file: parses its entries, and appends entries without changing the rest of the text.

An entry is a mapping in a list, in YAML or JSON, and becomes a `Waiver` with the line that it begins in.
"""

from __future__ import annotations

import json
import os
import posixpath

from opspec_lint.documents.decode import decode
from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import WORK_TREE, repository_around
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.kit.errors import InputError, UsageError, all_of
from opspec_lint.kit.named_file import read_named_file
from opspec_lint.kit.text import is_day, join
from opspec_lint.lint.waivers import Waiver
from opspec_lint.project import config
from opspec_lint.spec import values
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.documents.schema import FileFault
    from opspec_lint.project.config import Config
    from opspec_lint.report.findings import Finding

FILE = "opspec-waivers.yaml"
"""The default name, next to the configuration or at the top of the repository."""
VERSION = 1
_HEADING = f"""\
# Accepted findings of opspec-lint, each with a reason and an owner.
version: {VERSION}
waivers:
"""
_KIND, _ADVICE = "file of waivers", "name a file of waivers"
_LONGEST = 200
"""Characters of a JSON value up to which an entry contains it; the fingerprint covers a longer one."""


def default_file(named: str | None, environment: Mapping[str, str]) -> tuple[str, str | None]:
    """Return the file for new waivers, and the top of its repository, None outside of a repository.

    The file is the configured one, or the default next to the configuration. `named` is a configuration file that the
    user named, or None. Raises UsageError if the configuration is wrong.
    """
    repository = repository_around(".", environment)
    if repository is None:
        return FILE, None
    if named is not None:
        project_config: Config | None = config.read(named, repository.top)
    else:
        objects = Objects(repository)
        try:
            project_config = config.find(Snapshot(repository, objects, WORK_TREE), repository.prefix)
        finally:
            objects.close()
    return os.path.relpath(os.path.join(repository.top, file_of(project_config))), repository.top


def make_entry(finding: Finding, reason: str, owner: str, expires: str | None) -> dict[str, Any]:
    """Return the entry that waives exactly one finding; values that YAML cannot hold are left to the fingerprint."""
    identity = {key: getattr(finding, key) for key in ("rule", "op", "kind", "name")}
    # The values are pinned, so that the waiver does not accept a later change of the same field.
    pinned = {key: getattr(finding, key) for key in ("old", "new")}
    entry = {
        **({} if finding.spec is None or not _is_writable(finding.spec) else {"file": finding.spec}),
        **{key: value for key, value in identity.items() if value != "" and _is_writable(value)},
        "fingerprint": finding.fingerprint,
        **{key: value for key, value in pinned.items() if len(json.dumps(value)) <= _LONGEST and _is_writable(value)},
        "reason": reason,
        "owner": owner,
        "expires": expires,
    }
    return {key: value for key, value in entry.items() if value is not None}


def add_entries(path: str, entries: Sequence[Mapping[str, object]]) -> str:
    """Return the text of a file with new entries at its end; entries that it already has are skipped.

    Raises UsageError if the file is no waiver file, or its form prevents appending.
    """
    text = read_named_file(path, _KIND, _ADVICE) if os.path.exists(path) else None
    old = [] if text is None else [dict(waiver.fields) for waiver in parse(text, path)]
    new = [fields for fields in map(dict, entries) if fields not in old]
    if text is not None and not new:
        return text.decode("utf-8")
    expected = [*old, *new]
    # The layout of the file is unknown: try all ways to append, and take the one that parses to the expected entries.
    for candidate in _candidates(text, new):
        try:
            waivers = parse(candidate.encode("utf-8", "surrogatepass"), path)
        except UsageError:
            continue
        if [dict(waiver.fields) for waiver in waivers] == expected:
            return candidate
    raise UsageError(
        f"{path}: an entry cannot be appended without changing the others",
        advice="put `waivers` last, with one entry per item",
    )


def _candidates(data: bytes | None, entries: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield texts with the entries appended: to a block list with three indentations, in place of `[]`, or as JSON."""
    if data is None:
        yield _HEADING + _dump(entries, 0)
        return
    text = data.decode("utf-8")
    newline = "\r\n" if "\r\n" in text else "\n"
    end = "" if text.endswith("\n") else newline
    for indent in (0, 2, 4):
        yield text + end + _dump(entries, indent).replace("\n", newline)
    yield text.rstrip().removesuffix("[]").rstrip() + newline + _dump(entries, 0).replace("\n", newline)
    at = text.rfind("]")
    before, after = text[:at].rstrip(), text[at:]
    comma = "" if before.endswith("[") else ","
    lines = f",{newline}".join(f"  {json.dumps(fields, ensure_ascii=False)}" for fields in entries)
    yield f"{before}{comma}{newline}{lines}{newline} {after}"


def _is_writable(value: object) -> bool:
    """Return whether YAML reads a value back as it was written."""
    from opspec_lint.documents import yaml_text

    try:
        return bool(yaml_text.loads(_dump([{"value": [value]}], 0), "") == [{"value": [value]}])
    except (InputError, UnicodeError):
        return False


def _dump(entries: Sequence[Mapping[str, object]], indent: int) -> str:
    """Return entries as YAML, indented by a number of spaces."""
    import yaml

    class Plain(yaml.SafeDumper):
        # Without this, PyYAML writes a value that occurs twice as an alias, which is hard to edit.
        def ignore_aliases(self, _: object) -> bool:
            return True

    def represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = None if text.isprintable() else '"'  # a plain scalar would contain Unicode line breaks as they are
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Plain.add_representer(str, represent_text)
    text = yaml.dump(
        list(map(dict, entries)), Dumper=Plain, sort_keys=False, allow_unicode=True, width=110, default_flow_style=False
    )
    return "".join(f"{' ' * indent}{line}\n" for line in text.removesuffix("\n").split("\n"))


def parse(data: bytes, file: str) -> tuple[Waiver, ...]:
    """Parse a waiver file, YAML or JSON; `file` is its name in messages and findings.

    Raises UsageError if it does not match `schemas/waivers.schema.json`.
    """
    from opspec_lint.documents.locator import lines_of_items

    if not data.strip():
        raise UsageError(f"{file}: is empty; expected waivers", advice="delete the file, or write waivers into it")
    try:
        decoded = decode(data, file)
        decoded.refuse_repeated_keys()
    except InputError as error:
        raise UsageError(error.message, advice=error.advice) from None
    has_entries = isinstance(decoded.value, dict) and isinstance(decoded.value.get("waivers"), list)
    lines = lines_of_items(decoded.written or "", "waivers") if has_entries else []
    _check(decoded.value, file, lines)
    entries = decoded.value["waivers"]
    return tuple(
        Waiver(
            fields={key: values.thaw(value) for key, value in fields.items()},
            origin=Origin(file=file, line=line, column=1),
        )
        for fields, line in zip(entries, lines, strict=True)
    )


def _check(document: Any, file: str, lines: Sequence[int]) -> None:
    """Raise UsageError with all mistakes of a waiver file; `lines` has the line of each waiver, if there is a list."""
    from opspec_lint.documents import schema
    from opspec_lint.documents.conformity import conforms

    rules = schema.load("waivers")
    faults = (
        list(_wrong_day_faults(document["waivers"])) if conforms(document, rules) else schema.faults(document, rules)
    )
    if faults:
        raise all_of([_fault_error(fault, file, lines) for fault in faults], file)


def _wrong_day_faults(entries: Sequence[Mapping[str, Any]]) -> Iterator[FileFault]:
    from opspec_lint.documents.schema import FileFault

    for number, fields in enumerate(entries):
        if not is_day(fields.get("expires", "2000-01-01")):
            path = ("waivers", number, "expires")
            problem = f"{fields['expires']!r} is not a calendar date"
            yield FileFault(where=join(*path), problem=problem, advice="write a date, YYYY-MM-DD", path=path)


def _fault_error(fault: FileFault, file: str, lines: Sequence[int]) -> UsageError:
    """Return the error for a fault of a waiver file; `lines` are the lines of its entries."""
    match fault.path:
        case ("waivers", int(number), *_):
            line = str(lines[number])
        case _:
            line = ""
    where = f"{fault.where}: " if fault.where else ""
    advice = fault.advice or "docs/reference/waivers.md describes the format"
    start = f"{file}:{line}" if line else file
    return UsageError(
        f"{start}: {where}{fault.problem}", advice=advice, file=file, place=f"line {line}" if line else fault.where
    )


def read(path: str) -> tuple[Waiver, ...]:
    """Return the waivers of a file that the user named. Raises UsageError if it cannot be read, or is wrong."""
    return parse(read_named_file(path, _KIND, _ADVICE), path)


def load_from_tree(tree: Snapshot, path: str, *, is_named: bool) -> tuple[Waiver, ...]:
    """Return the waivers in a file of a tree, none if it does not exist.

    `is_named`: a configuration names the file, so it has to exist. Raises UsageError if the file is wrong or missing.
    """
    data = tree.read(path)
    if data is None:
        if is_named:
            raise UsageError(f"waivers: there is no file {path!r}", advice="create the file, or remove the setting")
        return ()
    return parse(data, path)


def file_of(project_config: Config | None) -> str:
    """Return the path of a repository's waiver file: the configured one, or the default next to the configuration."""
    if project_config is None:
        return FILE
    return project_config.waivers or posixpath.join(posixpath.dirname(project_config.file), FILE)


def mark_new(waivers: Sequence[Waiver], base_waivers: Sequence[Waiver]) -> tuple[Waiver, ...]:
    """Return the waivers with those marked as new that base does not have."""
    known = {json.dumps(waiver.fields, sort_keys=True) for waiver in base_waivers}
    return tuple(waiver.replace(is_new=json.dumps(waiver.fields, sort_keys=True) not in known) for waiver in waivers)
