"""The settings in force in a check of a repository, each with its value and the file and line it comes from.

A `Setting` has its value as JSON, and a `SettingOrigin` for each place that it comes from; `config --show` prints them.
"""

from __future__ import annotations

from contextlib import suppress

from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.lint import profile
from opspec_lint.project import config, waiver_file
from opspec_lint.project.loading import load_unchanged
from opspec_lint.project.profile_choice import EVERYTHING, as_setting
from opspec_lint.project.spec_files import FOLDER, spec_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.check_context import CheckContext, Request
    from opspec_lint.project.config import Config

COMMAND_LINE = "command line"
DEFAULT = "default"


class SettingOrigin(Record):
    """The origin of a value: the side that has the file, its path from the top of the repository, and the line.

    `side` is `base`, `head`, `--config`, `command line` or `default`; the last two have no file. For the setting `base`
    it may also be the commit of a branch whose configuration names another branch. `line` is None if it cannot be
    found.
    """

    side: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        if self.file is None:
            return self.side
        return f"{self.file}{'' if self.line is None else f':{self.line}'} of {self.side}"


_BY_DEFAULT = (SettingOrigin(side=DEFAULT),)


class Setting(Record):
    """A setting: its value as JSON, or None, and all places that it comes from."""

    name: str
    value: Any
    places: tuple[SettingOrigin, ...]


def settings(request: Request, context: CheckContext) -> tuple[Setting, ...]:
    """Return all settings in force, in the order of the reference documentation."""
    ends = _SettingsResolver(request, context)
    return (
        ends.specs(),
        ends.setting_of("head" if context.tip_config is None else "base", "source"),
        ends.setting_of("head", "include"),
        ends.base(),
        *(ends.profile() if name == "profile" else ends.setting_of("base", name) for name in config.LEVELLING),
        ends.waivers(),
        ends.setting_of("head", "history"),
        ends.setting_of("head", "usage"),
        # Who opens a pull request decides its head, and would choose where the links of the bot's comment lead.
        ends.setting_of("base", "documentation"),
    )


class _SettingsResolver:
    """Finds settings by the configurations of both sides and the options that replace them."""

    def __init__(self, request: Request, context: CheckContext) -> None:
        self.request, self.context = request, context
        self._sides: dict[str, tuple[Snapshot, Config | None]] = {
            "base": (context.tip, context.tip_config),
            "head": (context.head, context.head_config),
        }

    def specs(self) -> Setting:
        """Return the spec files: those of both sides count, with the default for a side that names none."""
        in_force = self.context.tip_config or self.context.head_config
        if in_force is not None and in_force.trees and not in_force.specs:
            return Setting(name="specs", value=None, places=_BY_DEFAULT)
        named: dict[str, Any] = {}
        places = []
        for side in ("base", "head"):
            value = self._configured_value(side, "specs")
            for entry in value or [f"{FOLDER}/**"]:
                named.setdefault(str(entry), entry)
            places.append(SettingOrigin(side=DEFAULT) if value is None else self._origin(side, "specs"))
        return Setting(name="specs", value=list(named.values()), places=tuple(dict.fromkeys(places)))

    def base(self) -> Setting:
        """Return the base revision: of the command line, else of the configuration that decided."""
        if self.request.base is not None:
            return Setting(name="base", value=self.request.base, places=(SettingOrigin(side=COMMAND_LINE),))
        if self.context.named is None:
            return Setting(name="base", value=None, places=_BY_DEFAULT)
        tree, named_by = self.context.named.tree, self.context.named.config
        sides = {self.context.tip.revision: "base", self.context.head.revision: "head"}
        side = sides.get(tree.revision, tree.revision[:10])
        return Setting(name="base", value=named_by.base, places=(self._origin_in(tree, named_by, side, "base"),))

    def profile(self) -> Setting:
        """Return the profiles: those of the command line first, then base's where those do not apply to all specs."""
        given, tip_config = self.request.profiles, self.context.tip_config
        configured = self.setting_of("base", "profile")
        if not given:
            return configured if configured.value is not None else configured.replace(value=self._default_profile())
        is_final = tip_config is None or not tip_config.profile or any(choice.where == EVERYTHING for choice in given)
        value = as_setting(given if is_final or tip_config is None else (*given, *tip_config.profile))
        places = (SettingOrigin(side=COMMAND_LINE), *(() if is_final else configured.places))
        return Setting(name="profile", value=value, places=places)

    def _default_profile(self) -> Any:
        """Return the default profile for the specs of head, a list of several, or None."""
        configs = (self.context.tip_config, self.context.head_config)
        sources = (named for side_config in configs if side_config is not None for named in side_config.source)
        frameworks = {source.partition(":")[0].rpartition("-")[0] for source in sources}
        specs = spec_set(configs)
        for path in self.context.head.files():
            if path in specs:
                with suppress(InputError):
                    loaded = load_unchanged(self.context.head, path)
                    if loaded is not None:
                        frameworks.add(loaded.spec.provenance.framework)
        names = sorted({profile.default_for(framework).name for framework in frameworks})
        return (names[0] if len(names) == 1 else names) or None

    def waivers(self) -> Setting:
        """Return the file of the waivers: head's, unless the command line names one."""
        if self.request.waivers is not None:
            return Setting(
                name="waivers", value=self.request.waivers or None, places=(SettingOrigin(side=COMMAND_LINE),)
            )
        return self.setting_of("head", "waivers", waiver_file.file_of(self.context.head_config))

    def setting_of(self, side: str, name: str, default: Any = None) -> Setting:
        """Return a setting that one side decides."""
        value = self._configured_value(side, name)
        if value is None:
            return Setting(name=name, value=default, places=_BY_DEFAULT)
        return Setting(name=name, value=value, places=(self._origin(side, name),))

    def _configured_value(self, side: str, name: str) -> Any:
        _, side_config = self._sides[side]
        return None if side_config is None else side_config.setting(name)

    def _origin(self, side: str, name: str) -> SettingOrigin:
        tree, side_config = self._sides[side]
        return SettingOrigin(side=side) if side_config is None else self._origin_in(tree, side_config, side, name)

    def _origin_in(self, tree: Snapshot, side_config: Config, side: str, name: str) -> SettingOrigin:
        """Return the place of a setting in the configuration of a side, or in the file of --config."""
        file = side_config.file
        if self.request.config is not None and not self.request.is_tracked:
            return SettingOrigin(
                side="--config", file=file, line=config.line_of(_bytes(self.request.config), file, name)
            )
        data = tree.read(file)
        line = None if data is None else config.line_of(data, file, name)
        return SettingOrigin(side=side, file=file, line=line)


def _bytes(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def describe(tree: Snapshot) -> str:
    """Return text for one side of a check: "the work tree", "the index", or the revision."""
    return {WORK_TREE: "the work tree", INDEX: "the index"}.get(tree.revision, tree.revision[:10])
