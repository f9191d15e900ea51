"""List the installed plug-ins: what each adds, which project brings it, and why it fails, if it does.

A plug-in is an installed project with an entry point in the group opspec_lint.frameworks, opspec_lint.rules,
opspec_lint.reporters or opspec_lint.loaders. This command imports all their modules; any other one imports a plug-in
only for a name that is not built in.
"""

from __future__ import annotations

from opspec_lint.kit.command_line import Outcome
from opspec_lint.kit.errors import CLEAN, FAILED, OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.kit.catalogue import Catalogue
    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.kit.plugins import Plugin

SUMMARY = "list the installed plug-ins"
EXAMPLES = ("opspec-lint plugins",)


def configure(arguments: Arguments) -> None:
    """Declare no arguments."""
    del arguments


def run(options: Options) -> Outcome:
    """Return the list; the exit code is 3 if a plug-in fails."""
    del options
    from opspec_lint.kit import plugins
    from opspec_lint.kit.text import columns

    rows = [("kind", "name", "project", "package", "state")]
    every = plugins.activate()
    states = {(plugin.kind, plugin.name, plugin.package): _state(plugin) for plugin in every}
    for plugin in every:
        project = f"{plugin.distribution} {plugin.version}".strip() or "-"
        rows.append(
            (plugin.kind, plugin.name, project, plugin.package, states[plugin.kind, plugin.name, plugin.package])
        )
    text = "\n".join([*columns(rows), ""]) if every else "no plug-ins are installed\n"
    return Outcome(text=text, code=FAILED if any(state != "ok" for state in states.values()) else CLEAN, is_raw=True)


def _state(plugin: Plugin) -> str:
    """Return "ok", or the first reason for which a plug-in fails."""
    if plugin.problem:
        return f"fails: {plugin.problem}"
    return next(_failures(plugin), "ok")


def _failures(plugin: Plugin) -> Iterator[str]:
    """Yield a line for each part of a plug-in that cannot be used; modules are loaded one by one."""
    from opspec_lint.lint.profile import PROFILES
    from opspec_lint.lint.rulebook import RULES
    from opspec_lint.models.format import MODEL_FORMATS
    from opspec_lint.models.loader import LOADERS
    from opspec_lint.report.reporter import REPORTERS
    from opspec_lint.sources.format import FORMATS
    from opspec_lint.sources.source import SOURCES
    from opspec_lint.spec.fields import FRAMEWORKS

    catalogues = (FRAMEWORKS, SOURCES, FORMATS, MODEL_FORMATS, LOADERS, RULES, PROFILES, REPORTERS)
    names = [(catalogue, name) for catalogue in catalogues for name in catalogue.names_of(plugin)]
    for file in plugin.misnamed_specs():
        yield f"fails: specs/{file} is not named {plugin.name}-VERSION.json, as the spec of a release is"
    if not names and not plugin.released_specs():
        yield f"fails: {plugin.package} has no module that a plug-in for {plugin.kind} offers"
    for catalogue, name in names:
        if reason := _failure(catalogue, name):
            yield reason


def _failure(catalogue: Catalogue[Any], name: str) -> str:
    """Return why a module fails, "" if it can be used."""
    try:
        catalogue.load(name)
    except OpspecError as error:
        return f"fails: {error.message}"
    return ""
