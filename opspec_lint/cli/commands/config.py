"""Check the configuration, or show the settings in force.

Without --show, the command reads the configuration of the work tree as `check` does, with the waivers and the releases
that it names, and lists their mistakes. With --show, it lists every setting with its value and the origin of the value:
a line of the configuration of base or head, the command line, or the default. A setting that could loosen a check comes
from base.
"""

from __future__ import annotations

import json

from opspec_lint.cli.comparison import request_of
from opspec_lint.cli.shared_options import configure_ends
from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.command_line import Outcome, choice_of
from opspec_lint.kit.errors import CLEAN, UsageError
from opspec_lint.kit.text import columns, one_line
from opspec_lint.project import settings_in_force, spec_files
from opspec_lint.project.check_context import open_context, waivers_of
from opspec_lint.project.releases import releases_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.project.check_context import CheckContext, Request
    from opspec_lint.project.settings_in_force import Setting

SUMMARY = "check the configuration and show the settings in force"
EXAMPLES = (
    "opspec-lint config",
    "opspec-lint config --show",
)

_COLUMN = 60
"""Characters of a value from which on its origins are not aligned."""


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    add = arguments.add
    add("--show", values=0, help="list every setting, its value and its origin")
    add(
        "--format",
        accept=choice_of("format", lambda: ("text", "json")),
        known=lambda: ("text", "json"),
        default="text",
        help="the output format of --show: text or json (default: text)",
    )
    configure_ends(arguments)
    # Options of `check` that `request_of` reads, and that have no effect on settings.
    arguments.defaults |= {"op": None, "build": None, "include": None, "no_cache": False}


def run(options: Options) -> Outcome:
    """Return the settings in force, or the text that the configuration is valid.

    Raises UsageError if there is no repository, or the configuration or a file that it names is wrong, InputError if a
    revision is missing or a release cannot be read.
    """
    if not options.show and options.format == "json":
        raise UsageError("--format is for --show", advice="write `opspec-lint config --show --format json`")
    request = request_of(options)
    with open_context(request) as context:
        head_config = context.head_config
        paths = context.head.files()
        spec_files.check_named(
            head_config, [path for path in paths if path in spec_files.spec_set([head_config])], paths
        )
        if not options.show:
            _check_named_files(request, context)
            return Outcome(text=f"{_valid_text(context)}\n", code=CLEAN)
        every = settings_in_force.settings(request, context)
    return Outcome(
        text=_settings_json(context, every) if options.format == "json" else _settings_text(context, every), code=CLEAN
    )


def _check_named_files(request: Request, context: CheckContext) -> None:
    """Raise an error if the waivers, or a release that base or head names, cannot be read."""
    releases_of(context, request.reading)
    waivers_of(request, context)


def _valid_text(context: CheckContext) -> str:
    if context.head_config is None:
        return f"there is no configuration; every spec file under {spec_files.FOLDER}/ is checked, by the defaults"
    return one_line(f"{context.head_config.file} is in order")


def _policy_text(context: CheckContext) -> str:
    """Return text on the configuration that decides the policy."""
    if context.tip_config is not None:
        return f"that of {context.tip_config.file} of base"
    if context.head_config is not None:
        return (
            f"the default: base has no configuration; of {context.head_config.file} of head, only the settings below "
            "that are marked head are in force yet"
        )
    return "the default: there is no configuration"


def _settings_text(context: CheckContext, every: tuple[Setting, ...]) -> str:
    """Return the two sides, the policy and a table of the settings as text."""
    rows = [(setting.name, _value_text(setting.value), ", ".join(map(str, setting.places))) for setting in every]
    lines = [
        f"base    {context.title}",
        f"head    {settings_in_force.describe(context.head)}",
        f"policy  {_policy_text(context)}",
        "",
        *columns(rows, most=_COLUMN),
    ]
    return "\n".join([*map(one_line, lines), ""])


def _value_text(value: Any) -> str:
    return "-" if value is None else json.dumps(value, ensure_ascii=False)


def _settings_json(context: CheckContext, every: tuple[Setting, ...]) -> str:
    """Return both sides and all settings, each with the places that it comes from, as JSON."""
    record = {
        "base": {
            "revision": context.base.revision,
            "title": context.title,
            "config": None if context.tip_config is None else context.tip_config.file,
        },
        "head": {
            "revision": None if context.head.revision in (WORK_TREE, INDEX) else context.head.revision,
            "title": settings_in_force.describe(context.head),
            "config": None if context.head_config is None else context.head_config.file,
        },
        "settings": {
            setting.name: {
                "value": setting.value,
                "from": [{"side": place.side, "file": place.file, "line": place.line} for place in setting.places],
            }
            for setting in every
        },
    }
    return json.dumps(record, indent=1) + "\n"
