"""Writes entries into the file of the waivers, and leaves all that is in it as it is."""

from __future__ import annotations

import json
import os

from opspec_lint import config, git, waivers
from opspec_lint.errors import InputError, UsageError
from opspec_lint.objects import Objects
from opspec_lint.trees import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.config import Config
    from opspec_lint.findings import Finding

_HEADING = f"""\
# Findings of opspec-lint that do not count, each with its reason and its owner.
version: {waivers.VERSION}
waivers:
"""
_LONGEST = 200
"""Characters of a value, as JSON, that an entry pins; the fingerprint pins a longer one."""


def default(named: str | None, environment: Mapping[str, str]) -> str:
    """Return the file that waivers go to: the configured one, or the usual one beside the configuration.

    Args:
        named: a configuration file that was named by hand, or None.
        environment: the environment that git inherits.

    Raises:
        UsageError: the configuration is wrong.
    """
    repository = git.find(".", environment)
    if repository is None:
        return waivers.FILE
    if named is not None:
        found: Config | None = config.read(named, repository.top)
    else:
        objects = Objects(repository)
        try:
            found = config.find(Tree(repository, objects, git.WORK_TREE), repository.prefix)
        finally:
            objects.close()
    return os.path.relpath(os.path.join(repository.top, waivers.file_of(found)))


def exists(path: str) -> bool:
    """Tell whether there is such a file."""
    return os.path.exists(path)


def entry(finding: Finding, reason: str, owner: str, expires: str | None) -> dict[str, Any]:
    """Return the entry that waives a finding, and nothing else.

    What of the finding YAML cannot hold, such as half a surrogate pair, is left to the fingerprint.
    """
    about = {key: getattr(finding, key) for key in ("rule", "op", "kind", "name")}
    pinned = {key: getattr(finding, key) for key in ("old", "new")}
    written = {
        **{key: value for key, value in about.items() if value != "" and _is_writable(value)},
        "fingerprint": finding.fingerprint,
        **{key: value for key, value in pinned.items() if len(json.dumps(value)) <= _LONGEST and _is_writable(value)},
        "reason": reason,
        "owner": owner,
        "expires": expires,
    }
    return {key: value for key, value in written.items() if value is not None}


def added(path: str, entries: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of a file with entries added at its end.

    Raises:
        UsageError: the file is no file of waivers, or an entry cannot be added to it as it is written.
    """
    old = waivers.read(path) if exists(path) else ()
    expected = [*(dict(each.fields) for each in old), *map(dict, entries)]
    for candidate in _candidates(path, entries):
        try:
            found = waivers.parse(candidate.encode("utf-8", "surrogatepass"), path)
        except UsageError:
            continue
        if [dict(each.fields) for each in found] == expected:
            return candidate
    raise UsageError(
        f"{path}: nothing can be added at its end without changing what is there",
        advice="write `waivers` last, with one entry under the other",
    )


def _candidates(path: str, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield ways to add to a file: under the entries that there are, indented or not; in place of `[]`; as JSON."""
    if not exists(path):
        yield _HEADING + _dump(entries, 0)
        return
    with open(path, encoding="utf-8", newline="") as stream:
        text = stream.read()
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


def _is_writable(value: Any) -> bool:
    """Tell whether YAML brings back what it is given."""
    from opspec_lint import yamltext

    try:
        return bool(yamltext.loads(_dump([{"value": [value]}], 0), "") == [{"value": [value]}])
    except (InputError, UnicodeError):
        return False


def _dump(entries: Sequence[Mapping[str, Any]], indent: int) -> str:
    import yaml

    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, _: Any) -> bool:
            return True

    def written(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = None if text.isprintable() else '"'  # without it a line break of Unicode would stand there as it is
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Plain.add_representer(str, written)
    text = yaml.dump(
        list(map(dict, entries)), Dumper=Plain, sort_keys=False, allow_unicode=True, width=110, default_flow_style=False
    )
    return "".join(f"{' ' * indent}{line}\n" for line in text.removesuffix("\n").split("\n"))
