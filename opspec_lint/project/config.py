"""The configuration: `[tool.opspec-lint]` in pyproject.toml, or all of opspec-lint.toml or opspec-lint.yaml."""

from __future__ import annotations

import os
import posixpath

from opspec_lint.git.repository import WORK_TREE
from opspec_lint.kit.errors import InputError, UsageError, all_of, nearest_advice
from opspec_lint.kit.named_file import read_named_file
from opspec_lint.kit.record import Record
from opspec_lint.project.profile_choice import ProfileChoice, as_setting
from opspec_lint.sources import references, released

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.documents.schema import FileFault
    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.report.findings import Level
    from opspec_lint.spec.ids import RuleId

FILES = ("opspec-lint.toml", "opspec-lint.yaml", "opspec-lint.yml", "pyproject.toml")
"""What a configuration may be called."""
POLICY = ("specs", "source", "include", "base", "against", "profile", "levels", "ignore", "reviewers", "approvals")
"""The settings by which a pull request could loosen its own check."""

LEVELLING = ("against", "profile", "levels", "ignore", "reviewers", "approvals")
"""Those of them that set how strictly the same files are looked at."""

_TABLE = "opspec-lint"
_MOST_BYTES = 1 << 15
"""Of a configuration in which lines are looked for, which takes reading it several times."""
_MOST_LINES = 20
"""Lines that are tried until one is found that a setting stands in."""


class SpecFiles(Record):
    """Some spec files: a path or pattern from the top of the repository, and what they are extracted from."""

    pattern: str
    source: str | None = None


class Config(Record):
    """What a project wants checked, and how. `schemas/config.schema.json` says what each setting means.

    `file` is the file that it stands in, from the top of the repository. The paths of `specs`, `include`, `waivers`,
    `history` and `usage` are from there as well; those of `against` are, but for REVISION:PATH and NAME@VERSION, which
    are as they were written. `named_trees` are the source trees that `specs` names among the files.
    """

    file: str
    specs: tuple[SpecFiles, ...] = ()
    named_trees: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    base: str | None = None
    against: tuple[str, ...] = ()
    profile: tuple[ProfileChoice, ...] = ()
    levels: Mapping[RuleId, Level] = {}
    ignore: tuple[str, ...] = ()
    waivers: str | None = None
    history: str | None = None
    usage: str | None = None
    reviewers: Mapping[str, tuple[str, ...]] = {}
    approvals: str | None = None

    @property
    def trees(self) -> tuple[str, ...]:
        """The source trees that are compared with their base: those that `specs` names; if it has no file, `source`."""
        return self.named_trees or (() if self.specs else self.source)

    def setting(self, name: str) -> object:
        """Return a setting as a JSON value, None where it is not set."""
        if name == "profile":
            return as_setting(self.profile)
        value = getattr(self, name)
        if name == "source" and len(value) == 1:
            return value[0]
        if name == "specs":
            value = [each.pattern if each.source is None else [each.pattern, each.source] for each in self.specs]
            value += self.named_trees
        if name == "reviewers":
            value = {team: list(logins) for team, logins in self.reviewers.items()}
        return (list(value) if isinstance(value, tuple) else value) or None


def find(tree: Snapshot, folder: str) -> Config | None:
    """Return the configuration that holds for a folder: the nearest one, from the folder to the top of the repository.

    Args:
        tree: the files of the repository.
        folder: the path of the folder from the top, with a slash at its end, or "".

    Raises:
        UsageError: the configuration is wrong, or a folder has two.
    """
    while True:
        found = [config for name in FILES if (config := _in(tree, folder + name)) is not None]
        if len(found) > 1:
            first, second = (tree.reference(each.file) for each in found[:2])
            raise UsageError(f"{first} and {second} are both configuration files", advice="keep only one of them")
        if found or not folder:
            return found[0] if found else None
        folder = posixpath.dirname(folder.rstrip("/"))
        folder += "/" if folder else ""


def at(tree: Snapshot, path: str) -> Config | None:
    """Return the configuration that a file of a tree holds, None where there is no such file.

    Args:
        tree: the files of the repository.
        path: the path of the file from its top.

    Raises:
        UsageError: the configuration is wrong.
    """
    return _in(tree, posixpath.normpath(path))


def read(path: str, top: str | None) -> Config:
    """Return the configuration that a file holds which was named by hand.

    Args:
        path: the file.
        top: the top of the repository that its paths are in, None for no repository. A configuration from outside of
            it stands for one at the top.

    Raises:
        UsageError: the file cannot be read, or holds no configuration or a wrong one.
    """
    data = read_named_file(path, "configuration", "name a configuration file")
    file = os.path.basename(path)
    if top is not None:
        inside = os.path.relpath(os.path.realpath(path), top).replace(os.sep, "/")
        file = file if inside.startswith("../") else inside
    found = parse(data, file, shown=path)
    if found is None:
        raise UsageError(f"{path}: has no table [tool.{_TABLE}]", advice="name a configuration file")
    return found


def parse(data: bytes, file: str, *, shown: str | None = None) -> Config | None:
    """Return the configuration that a file holds, None for a pyproject.toml without one.

    Args:
        data: the bytes of the file.
        file: its path from the top of the repository.
        shown: what messages call it, such as "main:pyproject.toml"; None for `file`.

    Raises:
        UsageError: the file cannot be read, or a setting is unknown or wrong.
    """
    name = shown or file
    try:
        table = _table(data, file, name)
    except InputError as error:
        raise UsageError(error.message, advice=error.advice) from None
    if table is None:
        return None
    _check(table, data, file, name)
    return _config(table, file)


def line_of(data: bytes, file: str, setting: str) -> int | None:
    """Return the line of a configuration file that a setting stands in, or begins; None if none can be told.

    It is the line without whose mention of the setting the file would say something else, or nothing, of it. Each try
    reads the whole file, so that only the first few lines are tried in which the setting may be a key.
    """
    from itertools import islice

    table = _table(data, file, file)
    if not isinstance(table, dict) or setting not in table:
        return None
    lines = data.decode("utf-8", "replace").split("\n")
    is_key = _as_key(setting)
    for number in islice((number for number, line in enumerate(lines) if is_key.search(line)), _MOST_LINES):
        line = lines[number]
        changed = "\n".join([*lines[:number], line.replace(setting, f"not-{setting}"), *lines[number + 1 :]])
        try:
            other = _table(changed.encode(), file, file)
        except InputError:
            continue
        if isinstance(other, dict) and other.get(setting) != table[setting]:
            return number + 1
    return None


def _as_key(name: str) -> re.Pattern[str]:
    """Return the pattern of a name where it may be a key: of TOML, of YAML, or in the head of a table of TOML."""
    import re

    return re.compile(rf"(?<![\w-]){re.escape(name)}[\"']?\s*[=:.\]]")


def _is_shared(file: str) -> bool:
    return posixpath.basename(file) == "pyproject.toml"


def _table(data: bytes, file: str, name: str) -> Any:
    """Return our part of a file, None for a pyproject.toml without our table.

    Raises:
        InputError: the file is neither TOML nor YAML.
        UsageError: the table is spelt with an underscore.
    """
    if _is_shared(file) and _TABLE.encode() not in data:
        _refuse_misspelt(data, name)
        return None
    table = _toml(data, name) if file.endswith(".toml") else _yaml(data, name)
    if not _is_shared(file):
        return table
    tools = table.get("tool", {})
    return tools.get(_TABLE) if isinstance(tools, dict) else None


def _refuse_misspelt(data: bytes, name: str) -> None:
    wrong = _TABLE.replace("-", "_")
    if wrong.encode() not in data:
        return
    try:
        tools = _toml(data, name).get("tool")
    except InputError:
        return
    if isinstance(tools, dict) and wrong in tools:
        raise UsageError(f"{name}: unknown table [tool.{wrong}]", advice=f"write [tool.{_TABLE}]")


def _in(tree: Snapshot, file: str) -> Config | None:
    data = tree.read(file)
    if data is None:
        _refuse_link(tree, file)
        return None
    return parse(data, file, shown=tree.reference(file))


def _refuse_link(tree: Snapshot, file: str) -> None:
    """Refuse what has the name of a configuration of ours and is no file: nobody would see that it is not read."""
    full = os.path.join(tree.repository.top, file)
    if tree.revision == WORK_TREE and not _is_shared(file) and os.path.lexists(full):
        raise UsageError(f"{file}: is not a regular file", advice="replace it with the file; links are not followed")


def _config(table: dict[str, Any], file: str) -> Config:
    folder = posixpath.dirname(file)
    source = table.get("source", ())
    named = table.get("specs", ())
    trees = tuple(entry for entry in named if isinstance(entry, str) and references.has_revisions(entry))
    specs = (entry if isinstance(entry, dict) else {"file": entry} for entry in named if entry not in trees)
    return Config(
        file=file,
        named_trees=trees,
        specs=tuple(
            SpecFiles(pattern=_from_top(entry["file"], folder, file), source=entry.get("source")) for entry in specs
        ),
        source=(source,) if isinstance(source, str) else tuple(source),
        include=tuple(_from_top(entry, folder, file) for entry in table.get("include", ())),
        base=table.get("base"),
        against=tuple(_release(entry, folder, file) for entry in table.get("against", ())),
        profile=_profiles(table.get("profile", {}), folder, file),
        levels=table.get("levels", {}),
        ignore=tuple(table.get("ignore", ())),
        waivers=None if "waivers" not in table else _from_top(table["waivers"], folder, file),
        history=None if "history" not in table else _from_top(table["history"], folder, file),
        usage=None if "usage" not in table else _from_top(table["usage"], folder, file),
        reviewers={team: tuple(logins) for team, logins in table.get("reviewers", {}).items()},
        approvals=table.get("approvals"),
    )


def _profiles(value: str | dict[str, str], folder: str, file: str) -> tuple[ProfileChoice, ...]:
    if isinstance(value, str):
        return (ProfileChoice(profile=value),)
    places = ((where if ":" in where else _from_top(where, folder, file), name) for where, name in value.items())
    return tuple(ProfileChoice(where=where, profile=name) for where, name in places)


def _release(entry: str, folder: str, file: str) -> str:
    return entry if ":" in entry or released.is_name(entry) else _from_top(entry, folder, file)


def _from_top(path: str, folder: str, file: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined.startswith(("/", "../")) or joined == "..":
        raise UsageError(f"{file}: {path!r} leads out of the repository", advice="name a file in it")
    return joined


def _toml(data: bytes, file: str) -> Any:
    import sys

    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        return tomllib.loads(data.decode().removeprefix("\ufeff"))  # an editor's mark, which TOML does not know
    except UnicodeDecodeError:
        raise InputError(file, "is not UTF-8 text", advice="save it as UTF-8") from None
    except (ValueError, RecursionError) as error:  # some of what is wrong with a number is no TOMLDecodeError
        raise InputError(file, f"is not valid TOML: {error}", advice="fix that line") from None


def _yaml(data: bytes, file: str) -> Any:
    from opspec_lint.documents.decode import decode

    if not data or data.isspace():
        return {}
    decoded = decode(data, file)
    decoded.refuse_repeated_keys()
    return {} if decoded.value is None else decoded.value


def _check(table: object, data: bytes, file: str, name: str) -> None:
    """Make sure that a table is a configuration.

    Args:
        table: what the file holds of us.
        data: the bytes of the file.
        file: its path.
        name: what messages call it.

    Raises:
        UsageError: the table is no configuration; the error names every fault with its line.
    """
    from opspec_lint.documents import schema
    from opspec_lint.documents.conformity import conforms

    rules = schema.load("config")
    at = f"tool.{_TABLE}" if _is_shared(file) else ""
    found = [] if conforms(table, rules) else schema.faults(table, rules, at=at)
    if isinstance(table, dict):
        found += _unknown_names(table)
    if found:
        raise all_of([_error(fault, table, data, file, name) for fault in found], name)


def _error(fault: FileFault, table: object, data: bytes, file: str, name: str) -> UsageError:
    has_lines = isinstance(table, dict) and len(data) <= _MOST_BYTES
    line = _line_within(data, file, fault.path) if has_lines else None
    place = name if line is None else f"{name}:{line}"
    where = f"{fault.where}: " if fault.where else ""
    advice = fault.advice or "docs/reference/configuration.md lists every setting"
    inside = fault.where if line is None else f"line {line}"
    return UsageError(f"{place}: {where}{fault.problem}", advice=advice, file=name, place=inside)


def _line_within(data: bytes, file: str, path: tuple[str | int, ...]) -> int | None:
    """Return the line to which keys lead: that of the setting, or of what can be told of the keys inside of it."""
    line = line_of(data, file, str(path[0])) if path else None
    if line is None:
        return None
    lines = data.decode("utf-8", "replace").split("\n")
    for key in path[1:]:
        is_key = _as_key(str(key))
        found = next((number for number in range(line - 1, len(lines)) if is_key.search(lines[number])), None)
        line = line if found is None or isinstance(key, int) else found + 1
    return line


def _unknown_names(table: dict[str, object]) -> Iterator[FileFault]:
    from opspec_lint.documents.schema import FileFault

    for what, name, known, path in _names(table):
        if isinstance(name, str) and name not in known:
            yield FileFault(where="", problem=f"unknown {what} {name!r}", advice=nearest_advice(name, known), path=path)


def _names(table: dict[str, object]) -> Iterator[tuple[str, object, list[str], tuple[str | int, ...]]]:
    from opspec_lint.lint import profile
    from opspec_lint.lint.profile import PROFILES
    from opspec_lint.lint.rulebook import RULES

    named = table.get("profile", {})
    for where, name in named.items() if isinstance(named, dict) else ():
        yield "profile", name, PROFILES.names(), ("profile", where)
    if isinstance(named, str):
        yield "profile", named, PROFILES.names(), ("profile",)
    levels = table.get("levels", {})
    for rule in levels if isinstance(levels, dict) else ():
        yield "rule", rule, RULES.names(), ("levels", rule)
    teams = table.get("reviewers", {})
    for team in teams if isinstance(teams, dict) else ():
        yield "team", team, profile.teams(), ("reviewers", team)
