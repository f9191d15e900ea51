"""Which value of each setting is in force in a check of a repository, and where it comes from."""

from __future__ import annotations

from contextlib import suppress

from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.lint import profile
from opspec_lint.project import config, waiver_file
from opspec_lint.project.pairs import load_unchanged
from opspec_lint.project.profile_choice import EVERYTHING, as_setting
from opspec_lint.project.spec_files import FOLDER, spec_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.config import Config
    from opspec_lint.project.scene import Request, Scene

COMMAND_LINE = "command line"
DEFAULT = "default"


class SettingOrigin(Record):
    """Where a value stands: the side whose file it is, the file from the top of the repository, and the line.

    `side` is `base`, `head`, `--config`, `command line` or `default`; the last two have no file. Of the name of base it
    may also be the commit of a branch that names another one. `line` is None where it cannot be told.
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
    """A setting: its value as JSON, None for none, and every place that it comes from."""

    name: str
    value: Any
    places: tuple[SettingOrigin, ...]


def settings(request: Request, scene: Scene) -> tuple[Setting, ...]:
    """Return every setting as it is in force, in the order of the reference.

    Args:
        request: what is to be checked.
        scene: both ends of it.
    """
    ends = _Ends(request, scene)
    return (
        ends.specs(),
        ends.of("head" if scene.of_tip is None else "base", "source"),
        ends.of("head", "include"),
        ends.base(),
        *(ends.profile() if name == "profile" else ends.of("base", name) for name in config.LEVELLING),
        ends.waivers(),
        ends.of("head", "history"),
        ends.of("head", "usage"),
    )


class _Ends:
    """The configurations of both ends, and what the command line says in place of them.

    Base's is that at the tip of its branch.
    """

    def __init__(self, request: Request, scene: Scene) -> None:
        self.request, self.scene = request, scene
        self._sides: dict[str, tuple[Snapshot, Config | None]] = {
            "base": (scene.tip, scene.of_tip),
            "head": (scene.head, scene.of_head),
        }

    def specs(self) -> Setting:
        """Both ends count, and each that names none stands for the default."""
        in_force = self.scene.of_tip or self.scene.of_head
        if in_force is not None and in_force.trees and not in_force.specs:
            return Setting(name="specs", value=None, places=_BY_DEFAULT)
        named: dict[str, Any] = {}
        places = []
        for side in ("base", "head"):
            value = self._value(side, "specs")
            for each in value or [f"{FOLDER}/**"]:
                named.setdefault(str(each), each)
            places.append(SettingOrigin(side=DEFAULT) if value is None else self._place(side, "specs"))
        return Setting(name="specs", value=list(named.values()), places=tuple(dict.fromkeys(places)))

    def base(self) -> Setting:
        """The command line's; else that of the configuration which had the last word."""
        if self.request.base is not None:
            return Setting(name="base", value=self.request.base, places=(SettingOrigin(side=COMMAND_LINE),))
        if self.scene.named is None:
            return Setting(name="base", value=None, places=_BY_DEFAULT)
        tree, found = self.scene.named
        sides = {self.scene.tip.revision: "base", self.scene.head.revision: "head"}
        side = sides.get(tree.revision, tree.revision[:10])
        return Setting(name="base", value=found.base, places=(self._place_in(tree, found, side, "base"),))

    def profile(self) -> Setting:
        """The command line's come first, and base's for what those say nothing of."""
        given, of_tip = self.request.profiles, self.scene.of_tip
        found = self.of("base", "profile")
        if not given:
            return found if found.value is not None else found.replace(value=self._default_profile())
        is_final = of_tip is None or not of_tip.profile or any(each.where == EVERYTHING for each in given)
        value = as_setting(given if is_final or of_tip is None else (*given, *of_tip.profile))
        places = (SettingOrigin(side=COMMAND_LINE), *(() if is_final else found.places))
        return Setting(name="profile", value=value, places=places)

    def _default_profile(self) -> Any:
        """Return the profile that head's specs are judged by where none is named, a list where they are of several."""
        configs = (self.scene.of_tip, self.scene.of_head)
        sources = (named for each in configs if each is not None for named in each.source)
        frameworks = {each.partition(":")[0].rpartition("-")[0] for each in sources}
        specs = spec_set(configs)
        for path in self.scene.head.files():
            if path in specs:
                with suppress(InputError):
                    loaded = load_unchanged(self.scene.head, path)
                    frameworks |= {loaded.spec.provenance.framework} if loaded is not None else set()
        names = sorted({profile.default_for(each).name for each in frameworks})
        return (names[0] if len(names) == 1 else names) or None

    def waivers(self) -> Setting:
        """Head's, unless the command line names a file."""
        if self.request.waivers is not None:
            return Setting(
                name="waivers", value=self.request.waivers or None, places=(SettingOrigin(side=COMMAND_LINE),)
            )
        return self.of("head", "waivers", waiver_file.file_of(self.scene.of_head))

    def of(self, side: str, name: str, default: Any = None) -> Setting:
        """Return a setting that one end decides."""
        value = self._value(side, name)
        if value is None:
            return Setting(name=name, value=default, places=_BY_DEFAULT)
        return Setting(name=name, value=value, places=(self._place(side, name),))

    def _value(self, side: str, name: str) -> Any:
        found = self._sides[side][1]
        return None if found is None else found.setting(name)

    def _place(self, side: str, name: str) -> SettingOrigin:
        tree, found = self._sides[side]
        return SettingOrigin(side=side) if found is None else self._place_in(tree, found, side, name)

    def _place_in(self, tree: Snapshot, found: Config, side: str, name: str) -> SettingOrigin:
        file = found.file
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
    """Return the description of an end of a check: the work tree, the index, or a revision."""
    return {WORK_TREE: "the work tree", INDEX: "the index"}.get(tree.revision, tree.revision[:10])
