"""The files that `init` writes, as texts: a configuration, a pre-commit hook and a GitHub workflow."""

from __future__ import annotations

import re

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.project import waiver_file
from opspec_lint.project.patterns import regular_expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

CONFIG = "opspec-lint.toml"
HOOKS = ".pre-commit-config.yaml"
WORKFLOW = ".github/workflows/opspec-lint.yml"

CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1"
"""The checkout step of the workflow, pinned to a commit, which cannot be moved like a tag."""

_GITHUB = pattern(r"(?:https://github\.com/|git@github\.com:)([\w.-]+/[\w.-]+?)(?:\.git)?/?")
_REVISION = pattern(r"\w[\w./+-]*")
_PLAIN = pattern(r"\^[\w./\\^$()|?*\[\]+-]*")
"""Regular expressions that need no quotes in YAML."""
_STARTS_VALIDATE = pattern(r"(?:^|/)specs/(?:.|\n)*\.(?:json|spec|ya?ml)$")
"""The paths that start the validation hook by default, as in .pre-commit-hooks.yaml."""


if TYPE_CHECKING:
    _Setting: TypeAlias = tuple[str, str, str | list[str] | None, str | list[str]]
    """The comment, the name, the value (None: the default suffices), and an example of a setting."""


class Tool(Record):
    """The origin of opspec-lint: the URL of its repository, and a revision."""

    url: str = "https://github.com/OWNER/opspec-lint"
    revision: str = "COMMIT"

    @property
    def is_placeholder(self) -> bool:
        """True if the user named no repository."""
        return self == Tool()

    @property
    def action(self) -> str | None:
        """The action's name in a workflow, OWNER/NAME@REVISION; None if the repository is not on GitHub."""
        match = _GITHUB.fullmatch(self.url)
        return None if match is None else f"{match[1]}@{self.revision}"

    @property
    def documentation(self) -> str | None:
        """The address of the folder docs at the revision; None for the placeholder, or if it is not on GitHub."""
        match = None if self.is_placeholder else _GITHUB.fullmatch(self.url)
        return None if match is None else f"https://github.com/{match[1]}/blob/{self.revision}/docs"


def has_placeholder(text: str) -> bool:
    """Return whether a text still has the placeholder for the repository of opspec-lint."""
    placeholder = Tool()
    return placeholder.url in text or f"{placeholder.action}" in text


class Setup(Record):
    """The setup of a repository: the patterns of spec files, () for all under specs/, and the sources.

    `files` are the present spec files. `audited` are the released specs that saved models are audited against. `base`
    is the branch that changes go to. `documentation` is the address of the docs of opspec-lint, None if it is unknown.
    `waivers` is the file of the waivers.
    """

    patterns: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    audited: tuple[str, ...] = ()
    base: str | None = None
    documentation: str | None = None
    waivers: str = waiver_file.FILE

    @property
    def compares(self) -> bool:
        """True if anything is compared with its base, and not only models audited."""
        return bool(self.patterns or self.sources or self.files)


def tool(text: str) -> Tool:
    """Parse `URL@REVISION`. Raises UsageError if the text has another form."""
    url, _, revision = text.rpartition("@")
    if not url or not url.isprintable() or " " in url or not _REVISION.fullmatch(revision):
        raise UsageError(
            f"--from is {text!r}",
            advice="name a repository and a revision: https://github.com/OWNER/opspec-lint@COMMIT",
        )
    return Tool(url=url, revision=revision)


def config(setup: Setup) -> str:
    """Return the text of a configuration with all settings, those that are not needed as comments."""
    lines = [
        "# What opspec-lint checks in this repository, and how. Every setting is optional. All are explained",
        "# in its docs/reference/configuration.md; `opspec-lint config --show` lists the settings in force.",
    ]
    for comment, name, value, example in _settings(setup):
        lines += ["", *(f"# {line}" for line in comment.split("\n"))]
        lines += [f"# {name} = {_toml_value(example)}"] if value is None else _setting(name, value)
    return "\n".join([*lines, "", *_TABLES, ""])


_TABLES = (
    "# Who may approve for a team that the profile names, by their logins.",
    '# reviewers = { inference = ["somebody"], slim = ["somebody-else"] }',
    "",
    "# The level of single rules: off, note, warning or error. This table stays the last.",
    # A TOML table extends to the next header: settings after it would be taken for rules.
    "# [levels]",
    '# attr_added_with_default = "warning"',
)


def _settings(setup: Setup) -> tuple[_Setting, ...]:
    """Return the settings of the configuration, in the order of its text."""
    documentation = (
        "The address of opspec-lint's folder docs: reports link each rule to its page there.",
        "documentation",
        setup.documentation,
        "https://example.org/opspec-lint/docs",
    )
    return (*_scope_settings(setup), *_policy_settings(setup), *_EVIDENCE_SETTINGS, documentation)


def _scope_settings(setup: Setup) -> tuple[_Setting, ...]:
    """Return the settings that select what is checked, and what it is compared with."""
    source: str | list[str] | None = None
    if setup.sources and not setup.patterns:
        source = setup.sources[0] if len(setup.sources) == 1 else list(setup.sources)
    return (
        (
            (
                "The spec files, by path or pattern (* within a folder, ** across folders), and source trees.\n"
                "By default every spec file under specs/."
            ),
            "specs",
            [*setup.patterns, *(setup.sources if setup.patterns else ())] or None,
            ["specs/*.json", "pytorch-source:."],
        ),
        (
            (
                "The source of the spec file: `opspec-lint sync` compares the two.\n"
                "Without `specs` a source tree itself is compared with its base; an installed framework has none."
            ),
            "source",
            source,
            "paddle-runtime",
        ),
        (
            (
                "The branch to compare with: HEAD is compared with its merge base.\n"
                "By default the default branch of the remote, or main or master."
            ),
            "base",
            setup.base,
            "origin/main",
        ),
    )


def _policy_settings(setup: Setup) -> tuple[_Setting, ...]:
    """Return the settings that select the releases, the rules and the accepted findings."""
    from opspec_lint.lint.profile import PROFILES

    return (
        (
            "Released specs that must stay compatible as well: files, REVISION:PATH, or paddle@2.6.2.",
            "against",
            None,
            ["releases/1.0.json", "v1.1:specs/ops.json"],
        ),
        (
            f"The policy: {', '.join(PROFILES.names())}.\nBy default that of the framework.",
            "profile",
            None,
            "strict",
        ),
        (
            "Folders in which the includes of schemas are searched, from this file.",
            "include",
            None,
            ["third_party/schemas"],
        ),
        ("Ops whose findings are left out, by name or pattern.", "ignore", None, ["c_*", "fused_*_grad"]),
        ("The file of accepted findings.", "waivers", None, setup.waivers),
    )


_EVIDENCE_SETTINGS: tuple[_Setting, ...] = (
    (
        "The history of the source, as `opspec-lint history` writes it: findings say since when base is as it is.",
        "history",
        None,
        "opspec-history.sqlite",
    ),
    (
        "Results of many models, as `opspec-lint audit --results` writes them: findings say who uses what changes.",
        "usage",
        None,
        "models.sqlite",
    ),
    (
        "Which approvals of a pull request count: any, or only those of its head commit (of-head).",
        "approvals",
        None,
        "of-head",
    ),
)
"""Settings that name further sources of facts on a finding: histories, models, approvals."""


def hooks(setup: Setup, origin: Tool) -> str:
    """Return the text of a pre-commit configuration with the hooks."""
    entry = "\n".join(f"  {line}" if line else line for line in hook_entry(setup, origin).split("\n"))
    return f"repos:\n{entry.rstrip()}\n"


def hook_entry(setup: Setup, origin: Tool) -> str:
    """Return the entry of the hooks in `repos` of a pre-commit configuration."""
    lines = [f"- repo: {_yaml_scalar(origin.url)}", f"  rev: {_yaml_scalar(origin.revision)}", "  hooks:"]
    if setup.compares:
        lines.append("    - id: opspec-lint")
    if setup.patterns or setup.files:
        lines.append("    - id: opspec-lint-validate")
    if setup.patterns and not all(map(_STARTS_VALIDATE.search, setup.files)):
        lines.append(f"      files: {_yaml_scalar(f'^{_alternation([*map(_regex, setup.patterns)])}$')}")
    if setup.audited:
        against = ", ".join(f"--against, {_yaml_scalar(release)}" for release in setup.audited)
        lines += ["    - id: opspec-lint-audit", f"      args: [{against}]"]
    return "\n".join([*lines, ""])


def workflow(origin: Tool) -> str:
    """Return the text of a GitHub workflow that checks pull requests with the action."""
    return f"""\
name: opspec-lint
on:
  pull_request:
  merge_group:
permissions: {{}}
concurrency:
  group: ${{{{ github.workflow }}}}-${{{{ github.ref }}}}
  cancel-in-progress: true
jobs:
  operators:
    name: Operators
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write # the comment
    steps:
      - uses: {CHECKOUT}
        with:
          persist-credentials: false
      - uses: {origin.action}
"""


def _setting(name: str, value: str | list[str]) -> Iterator[str]:
    line = f"{name} = {_toml_value(value)}"
    if isinstance(value, str) or len(line) <= 100:
        yield line
        return
    yield f"{name} = ["
    yield from (f"  {_quote(item)}," for item in value)
    yield "]"


def _toml_value(value: str | list[str]) -> str:
    return _quote(value) if isinstance(value, str) else f"[{', '.join(map(_quote, value))}]"


def _yaml_scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) or re.fullmatch(r"[A-Za-z][\w./:@+-]*[\w/]", text) else _quote(text)


def _quote(text: str) -> str:
    """Return a text in quotes that are valid in both TOML and YAML."""
    return f'"{"".join(map(_escape, text))}"'


def _escape(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"


def _alternation(patterns: list[str]) -> str:
    return patterns[0] if len(patterns) == 1 else f"({'|'.join(patterns)})"


def _regex(pattern: str) -> str:
    return regular_expression(pattern, _escape_regex)


def _escape_regex(text: str) -> str:
    return re.escape(text).replace(r"\-", "-")
