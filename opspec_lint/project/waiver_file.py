"""The file of the waivers: reads what stands in it, and adds entries without touching the rest."""

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
"""What the file is called, beside the configuration or at the top of the repository, unless that says otherwise."""
VERSION = 1
_HEADING = f"""\
# Accepted findings of opspec-lint, each with a reason and an owner.
version: {VERSION}
waivers:
"""
_WHAT = ("file of waivers", "name a file of waivers")
_LONGEST = 200
"""Characters of a value, as JSON, that an entry pins; the fingerprint pins a longer one."""


def default(named: str | None, environment: Mapping[str, str]) -> tuple[str, str | None]:
    """Return the file that waivers go to, and the top of the repository that it is in, None for no repository.

    It is the configured one, or the usual one beside the configuration.

    Args:
        named: a configuration file that was named by hand, or None.
        environment: the environment that git inherits.

    Raises:
        UsageError: the configuration is wrong.
    """
    repository = repository_around(".", environment)
    if repository is None:
        return FILE, None
    if named is not None:
        found: Config | None = config.read(named, repository.top)
    else:
        objects = Objects(repository)
        try:
            found = config.find(Snapshot(repository, objects, WORK_TREE), repository.prefix)
        finally:
            objects.close()
    return os.path.relpath(os.path.join(repository.top, file_of(found))), repository.top


def entry(finding: Finding, reason: str, owner: str, expires: str | None) -> dict[str, Any]:
    """Return the entry that waives a finding, and nothing else.

    What of the finding YAML cannot hold, such as half a surrogate pair, is left to the fingerprint.
    """
    about = {key: getattr(finding, key) for key in ("rule", "op", "kind", "name")}
    pinned = {key: getattr(finding, key) for key in ("old", "new")}
    written = {
        **({} if finding.spec is None or not _is_writable(finding.spec) else {"file": finding.spec}),
        **{key: value for key, value in about.items() if value != "" and _is_writable(value)},
        "fingerprint": finding.fingerprint,
        **{key: value for key, value in pinned.items() if len(json.dumps(value)) <= _LONGEST and _is_writable(value)},
        "reason": reason,
        "owner": owner,
        "expires": expires,
    }
    return {key: value for key, value in written.items() if value is not None}


def added(path: str, entries: Sequence[Mapping[str, object]]) -> str:
    """Return the text of a file with entries added at its end, those that it does not have.

    Raises:
        UsageError: the file is no file of waivers, or an entry cannot be added to it as it is written.
    """
    text = read_named_file(path, *_WHAT) if os.path.exists(path) else None
    old = [] if text is None else [dict(each.fields) for each in parse(text, path)]
    new = [each for each in map(dict, entries) if each not in old]
    if text is not None and not new:
        return text.decode("utf-8")
    expected = [*old, *new]
    for candidate in _candidates(text, new):
        try:
            found = parse(candidate.encode("utf-8", "surrogatepass"), path)
        except UsageError:
            continue
        if [dict(each.fields) for each in found] == expected:
            return candidate
    raise UsageError(
        f"{path}: an entry cannot be appended without changing the others",
        advice="put `waivers` last, with one entry per item",
    )


def _candidates(data: bytes | None, entries: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield ways to add to a file: under the entries that there are, indented or not; in place of `[]`; as JSON."""
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
    lines = f",{newline}".join(f"  {json.dumps(each, ensure_ascii=False)}" for each in entries)
    yield f"{before}{comma}{newline}{lines}{newline} {after}"


def _is_writable(value: object) -> bool:
    """Tell whether YAML brings back what it is given."""
    from opspec_lint.documents import yaml_text

    try:
        return bool(yaml_text.loads(_dump([{"value": [value]}], 0), "") == [{"value": [value]}])
    except (InputError, UnicodeError):
        return False


def _dump(entries: Sequence[Mapping[str, object]], indent: int) -> str:
    import yaml

    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, _: object) -> bool:
            return True

    def written(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = None if text.isprintable() else '"'  # without it a line break of Unicode would stand there as it is
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Plain.add_representer(str, written)
    text = yaml.dump(
        list(map(dict, entries)), Dumper=Plain, sort_keys=False, allow_unicode=True, width=110, default_flow_style=False
    )
    return "".join(f"{' ' * indent}{line}\n" for line in text.removesuffix("\n").split("\n"))


def parse(data: bytes, file: str) -> tuple[Waiver, ...]:
    """Return the waivers that a file holds, YAML or JSON.

    Args:
        data: the bytes of the file.
        file: what messages and findings call it.

    Raises:
        UsageError: the file holds no waivers, or not in the form of `schemas/waivers.schema.json`.
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
    """Make sure that a document is a file of waivers.

    Args:
        document: what the file holds.
        file: what messages call it.
        lines: the line of each waiver, empty where there is no list of them.

    Raises:
        UsageError: the document is none; the error names every mistake, with the line of its waiver.
    """
    from opspec_lint.documents import schema
    from opspec_lint.documents.conformity import conforms

    rules = schema.load("waivers")
    found = list(_wrong_days(document["waivers"])) if conforms(document, rules) else schema.faults(document, rules)
    if found:
        raise all_of([_mistake(fault, file, lines) for fault in found], file)


def _wrong_days(entries: Sequence[Mapping[str, Any]]) -> Iterator[FileFault]:
    from opspec_lint.documents.schema import FileFault

    for number, fields in enumerate(entries):
        if not is_day(fields.get("expires", "2000-01-01")):
            path = ("waivers", number, "expires")
            problem = f"{fields['expires']!r} is not a calendar date"
            yield FileFault(where=join(*path), problem=problem, advice="write a date, YYYY-MM-DD", path=path)


def _mistake(fault: FileFault, file: str, lines: Sequence[int]) -> UsageError:
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
    """Return the waivers of a file that was named by hand.

    Raises:
        UsageError: the file cannot be read, or is wrong.
    """
    return parse(read_named_file(path, *_WHAT), path)


def of(tree: Snapshot, path: str, *, is_named: bool) -> tuple[Waiver, ...]:
    """Return the waivers of a repository; none where it has no such file.

    Args:
        tree: the files of the repository.
        path: the file.
        is_named: whether a configuration names the file, so that it has to be there.

    Raises:
        UsageError: the file is wrong, or is named and not there.
    """
    data = tree.read(path)
    if data is None:
        if is_named:
            raise UsageError(f"waivers: there is no file {path!r}", advice="create the file, or remove the setting")
        return ()
    return parse(data, path)


def file_of(found: Config | None) -> str:
    """Return the file of a repository's waivers, from its top: the configured one, or that beside the configuration."""
    if found is None:
        return FILE
    return found.waivers or posixpath.join(posixpath.dirname(found.file), FILE)


def mark_new(waivers: Sequence[Waiver], of_base: Sequence[Waiver]) -> tuple[Waiver, ...]:
    """Return the waivers, those that base does not have marked as new."""
    known = {json.dumps(each.fields, sort_keys=True) for each in of_base}
    return tuple(each.replace(is_new=json.dumps(each.fields, sort_keys=True) not in known) for each in waivers)
