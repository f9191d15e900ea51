"""The configuration: `[tool.opspec-lint]` of pyproject.toml, or the whole of opspec-lint.toml or opspec-lint.yaml."""

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
"""The file names of configurations, in the order in which they are searched in a folder."""
POLICY = ("specs", "source", "include", "base", "against", "profile", "levels", "ignore", "reviewers", "approvals")
"""Settings with which a pull request could loosen its own check."""

LEVELLING = ("against", "profile", "levels", "ignore", "reviewers", "approvals")
"""Those of them that set the strictness, and not the files to check."""

_TABLE = "opspec-lint"
_MOST_BYTES = 1 << 15
"""Size up to which errors have line numbers: to find a line, the file is parsed several times."""
_MOST_LINES = 20
"""Lines that are tried when searching the line of a setting."""


class SpecFiles(Record):
    """An entry of `specs`: a path or pattern from the top of the repository, and the source it is extracted from."""

    pattern: str
    source: str | None = None


class Config(Record):
    """The configuration of a project. `schemas/config.schema.json` describes each setting.

    `file` is its path from the top of the repository. The paths of `specs`, `include`, `waivers`, `history`, `usage`
    and `against` are from there too, except REVISION:PATH and NAME@VERSION. `named_trees` are the source trees in
    `specs`.
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
    documentation: str | None = None
    reviewers: Mapping[str, tuple[str, ...]] = {}
    approvals: str | None = None

    @property
    def trees(self) -> tuple[str, ...]:
        """The source trees that are compared with their base: those in `specs`, else `source` if `specs` is empty."""
        return self.named_trees or (() if self.specs else self.source)

    def setting(self, name: str) -> object:
        """Return a setting as a JSON value, None if it is not set."""
        if name == "profile":
            return as_setting(self.profile)
        value = getattr(self, name)
        if name == "source" and len(value) == 1:
            return value[0]
        if name == "specs":
            value = [entry.pattern if entry.source is None else [entry.pattern, entry.source] for entry in self.specs]
            value += self.named_trees
        if name == "reviewers":
            value = {team: list(logins) for team, logins in self.reviewers.items()}
        return (list(value) if isinstance(value, tuple) else value) or None


def find(tree: Snapshot, folder: str) -> Config | None:
    """Return the nearest configuration, from a folder up to the top of the repository; None if there is none.

    `folder` is the path from the top with a slash at its end, or "". Raises UsageError if the configuration is wrong,
    or a folder has two.
    """
    while True:
        configs = [config for name in FILES if (config := _read_config(tree, folder + name)) is not None]
        if len(configs) > 1:
            first, second = (tree.reference(config.file) for config in configs[:2])
            raise UsageError(f"{first} and {second} are both configuration files", advice="keep only one of them")
        if configs or not folder:
            return configs[0] if configs else None
        folder = posixpath.dirname(folder.rstrip("/"))
        folder += "/" if folder else ""


def load_from_tree(tree: Snapshot, path: str) -> Config | None:
    """Return the configuration in a file of a tree, None if it does not exist. Raises UsageError if it is wrong."""
    return _read_config(tree, posixpath.normpath(path))


def read(path: str, top: str | None) -> Config:
    """Return the configuration in a file that the user named.

    `top` is the top of the repository that its paths are in, None outside of a repository; a file from elsewhere is
    treated as if it were at the top. Raises UsageError if the file cannot be read, or holds no valid configuration.
    """
    data = read_named_file(path, "configuration", "name a configuration file")
    file = os.path.basename(path)
    if top is not None:
        inside = os.path.relpath(os.path.realpath(path), top).replace(os.sep, "/")
        file = file if inside.startswith("../") else inside
    config = parse(data, file, display_name=path)
    if config is None:
        raise UsageError(f"{path}: has no table [tool.{_TABLE}]", advice="name a configuration file")
    return config


def parse(data: bytes, file: str, *, display_name: str | None = None) -> Config | None:
    """Return the configuration in the bytes of a file, None for a pyproject.toml without one.

    `file` is the path from the top of the repository, `display_name` the name in messages, such as
    "main:pyproject.toml". Raises UsageError if the file cannot be parsed, or a setting is unknown or wrong.
    """
    name = display_name or file
    try:
        table = _table(data, file, name)
    # A faulty configuration is wrong usage (exit code 2); a faulty spec file is unreadable input (3).
    except InputError as error:
        raise UsageError(error.message, advice=error.advice) from None
    if table is None:
        return None
    _refuse_faults(table, data, file, name)
    return _config_from_table(table, file)


def line_of(data: bytes, file: str, setting: str) -> int | None:
    """Return the number of the line that sets a setting, None if it cannot be found.

    Neither parser reports lines of keys. A line is the one if the parsed setting changes when the name in that line is
    replaced. Each attempt parses the whole file, so only the first lines that may contain the key are tried.
    """
    from itertools import islice

    table = _table(data, file, file)
    if not isinstance(table, dict) or setting not in table:
        return None
    lines = data.decode("utf-8", "replace").split("\n")
    is_key = _key_pattern(setting)
    for number in islice((number for number, line in enumerate(lines) if is_key.search(line)), _MOST_LINES):
        line = lines[number]
        changed = "\n".join([*lines[:number], line.replace(setting, f"not-{setting}"), *lines[number + 1 :]])
        try:
            changed_table = _table(changed.encode(), file, file)
        except InputError:
            continue
        if isinstance(changed_table, dict) and changed_table.get(setting) != table[setting]:
            return number + 1
    return None


def _key_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern for a name in the position of a key: in TOML, in YAML, or in the header of a TOML table."""
    import re

    return re.compile(rf"(?<![\w-]){re.escape(name)}[\"']?\s*[=:.\]]")


def _is_shared(file: str) -> bool:
    return posixpath.basename(file) == "pyproject.toml"


def _table(data: bytes, file: str, name: str) -> Any:
    """Return the part of a file that belongs to this program, None for a pyproject.toml without such a table.

    Raises InputError if the file is neither TOML nor YAML, UsageError if the table's name has an underscore.
    """
    # Most pyproject.toml files have no such table: a search in the bytes is much faster than parsing.
    if _is_shared(file) and _TABLE.encode() not in data:
        _refuse_misspelt(data, name)
        return None
    table = _toml(data, name) if file.endswith(".toml") else _yaml(data, name)
    if not _is_shared(file):
        return table
    tools = table.get("tool", {})
    return tools.get(_TABLE) if isinstance(tools, dict) else None


def _refuse_misspelt(data: bytes, name: str) -> None:
    """Raise UsageError for a table in pyproject.toml whose name has an underscore in place of the hyphen."""
    # TOML accepts this name, so the whole configuration would be ignored without notice.
    wrong = _TABLE.replace("-", "_")
    if wrong.encode() not in data:
        return
    try:
        tools = _toml(data, name).get("tool")
    except InputError:
        return
    if isinstance(tools, dict) and wrong in tools:
        raise UsageError(f"{name}: unknown table [tool.{wrong}]", advice=f"write [tool.{_TABLE}]")


def _read_config(tree: Snapshot, file: str) -> Config | None:
    data = tree.read(file)
    if data is None:
        _refuse_link(tree, file)
        return None
    return parse(data, file, display_name=tree.reference(file))


def _refuse_link(tree: Snapshot, file: str) -> None:
    """Raise UsageError if a configuration is a link or folder: it would be ignored without notice otherwise."""
    full = os.path.join(tree.repository.top, file)
    if tree.revision == WORK_TREE and not _is_shared(file) and os.path.lexists(full):
        raise UsageError(f"{file}: is not a regular file", advice="replace it with the file; links are not followed")


def _config_from_table(table: dict[str, Any], file: str) -> Config:
    """Return the configuration in a decoded and validated file; paths in it are relative to the file."""
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
        against=tuple(_release_reference(entry, folder, file) for entry in table.get("against", ())),
        profile=_profile_choices(table.get("profile", {}), folder, file),
        levels=table.get("levels", {}),
        ignore=tuple(table.get("ignore", ())),
        waivers=None if "waivers" not in table else _from_top(table["waivers"], folder, file),
        history=None if "history" not in table else _from_top(table["history"], folder, file),
        usage=None if "usage" not in table else _from_top(table["usage"], folder, file),
        documentation=table.get("documentation"),
        reviewers={team: tuple(logins) for team, logins in table.get("reviewers", {}).items()},
        approvals=table.get("approvals"),
    )


def _profile_choices(value: str | dict[str, str], folder: str, file: str) -> tuple[ProfileChoice, ...]:
    if isinstance(value, str):
        return (ProfileChoice(profile=value),)
    places = ((where if ":" in where else _from_top(where, folder, file), name) for where, name in value.items())
    return tuple(ProfileChoice(where=where, profile=name) for where, name in places)


def _release_reference(entry: str, folder: str, file: str) -> str:
    return entry if ":" in entry or released.is_name(entry) else _from_top(entry, folder, file)


def _from_top(path: str, folder: str, file: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined.startswith(("/", "../")) or joined == "..":
        raise UsageError(f"{file}: {path!r} leads out of the repository", advice="name a file in it")
    return joined


def _toml(data: bytes, file: str) -> Any:
    """Return the decoded TOML of a file. Raises InputError if it is none."""
    from opspec_lint.kit.toml_text import loads

    try:
        return loads(data.decode())
    except UnicodeDecodeError:
        raise InputError(file, "is not UTF-8 text", advice="save it as UTF-8") from None
    except (ValueError, RecursionError) as error:  # some errors in numbers are a ValueError, not a TOMLDecodeError
        raise InputError(file, f"is not valid TOML: {error}", advice="fix that line") from None


def _yaml(data: bytes, file: str) -> Any:
    from opspec_lint.documents.decode import decode

    if not data or data.isspace():
        return {}
    decoded = decode(data, file)
    decoded.refuse_repeated_keys()
    return {} if decoded.value is None else decoded.value


def _refuse_faults(table: object, data: bytes, file: str, name: str) -> None:
    """Raise UsageError with all faults of a table and their lines if it is not a valid configuration."""
    from opspec_lint.documents import schema
    from opspec_lint.documents.conformity import conforms

    rules = schema.load("config")
    at = f"tool.{_TABLE}" if _is_shared(file) else ""
    faults = [] if conforms(table, rules) else schema.faults(table, rules, at=at)
    if isinstance(table, dict):
        faults += _unknown_names(table)
    if faults:
        raise all_of([_fault_error(fault, table, data, file, name) for fault in faults], name)
    from opspec_lint.lint import rulebook

    # No event leads to a rule whose file fails, so that only its name in `levels` can show that it is missing.
    rulebook.load_named(table.get("levels", ()) if isinstance(table, dict) else ())


def _fault_error(fault: FileFault, table: object, data: bytes, file: str, name: str) -> UsageError:
    has_lines = isinstance(table, dict) and len(data) <= _MOST_BYTES
    line = _line_within(data, file, fault.path) if has_lines else None
    place = name if line is None else f"{name}:{line}"
    where = f"{fault.where}: " if fault.where else ""
    advice = fault.advice or "docs/reference/configuration.md lists every setting"
    inside = fault.where if line is None else f"line {line}"
    return UsageError(f"{place}: {where}{fault.problem}", advice=advice, file=name, place=inside)


def _line_within(data: bytes, file: str, path: tuple[str | int, ...]) -> int | None:
    """Return the line of the setting in `path`, or of the innermost key in it that can be found."""
    line = line_of(data, file, str(path[0])) if path else None
    if line is None:
        return None
    lines = data.decode("utf-8", "replace").split("\n")
    for key in path[1:]:
        is_key = _key_pattern(str(key))
        match = next((number for number in range(line - 1, len(lines)) if is_key.search(lines[number])), None)
        line = line if match is None or isinstance(key, int) else match + 1
    return line


def _unknown_names(table: dict[str, object]) -> Iterator[FileFault]:
    """Yield the faults of unknown profiles, rules and teams; plug-ins are looked up only if there is any."""
    from opspec_lint.documents.schema import FileFault

    unknown = _not_known(table)
    if unknown:
        from opspec_lint.kit import plugins

        plugins.activate()
        unknown = _not_known(table)
    for what, name, known, path in unknown:
        yield FileFault(where="", problem=f"unknown {what} {name!r}", advice=nearest_advice(name, known), path=path)


def _not_known(table: dict[str, object]) -> list[tuple[str, str, list[str], tuple[str | int, ...]]]:
    """Return the unknown names in a configuration, as `_names_to_check` yields them."""
    return [
        (what, name, known, path)
        for what, name, known, path in _names_to_check(table)
        if isinstance(name, str) and name not in known
    ]


def _names_to_check(table: dict[str, object]) -> Iterator[tuple[str, object, list[str], tuple[str | int, ...]]]:
    """Yield (kind, name, known names, key) of each name in a configuration that has to exist in this program."""
    from opspec_lint.lint import profile
    from opspec_lint.lint.profile import PROFILES
    from opspec_lint.lint.rulebook import RULES

    # A setting of any other type is a fault of the schema already.
    named, levels, teams = table.get("profile"), table.get("levels"), table.get("reviewers")
    if isinstance(named, dict):
        for where, name in named.items():
            yield "profile", name, PROFILES.names(), ("profile", where)
    elif isinstance(named, str):
        yield "profile", named, PROFILES.names(), ("profile",)
    if isinstance(levels, dict):
        for rule in levels:
            yield "rule", rule, RULES.names(), ("levels", rule)
    if isinstance(teams, dict):
        for team in teams:
            yield "team", team, profile.teams(), ("reviewers", team)
