"""The released specs that opspec-lint contains, by name: `paddle@2.6.2` is `specs/paddle-2.6.2.json` of the checkout.

`paddle@3.0` is the newest release of that line, and `paddle@latest` the newest of all. The wheel contains the same
files, compressed (`hatch_build.py`). A plug-in for a framework adds releases of that framework (`kit.plugins`).
"""

from __future__ import annotations

import os

from opspec_lint.kit.catalogue import active_plugins
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.version import numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

_LATEST = "latest"
_ROOT = os.path.dirname(os.path.dirname(__file__))
_PLACES = (
    (os.path.join(_ROOT, "released"), ".json.gz"),
    (os.path.join(os.path.dirname(_ROOT), "specs"), ".json"),
)
"""The folder of the specs and the suffix of their files, in the wheel and in the checkout."""


def is_name(reference: str) -> bool:
    """Return whether a reference has the form of a released spec: `NAME@VERSION` or `NAME@latest`."""
    name, _, version = reference.partition("@")
    return _is_plain(name) and (version == _LATEST or (version[:1].isdigit() and _is_plain(version)))


def is_range(reference: str) -> bool:
    """Return whether a reference has the form of a range: `NAME@VERSION..VERSION`, where either may be missing."""
    name, _, span = reference.partition("@")
    least, dots, greatest = span.partition("..")
    return bool(dots) and _is_plain(name) and all(end == "" or is_name(f"{name}@{end}") for end in (least, greatest))


def names(families: Container[str] | None = None) -> list[str]:
    """Return the names of the released specs, older releases first: all, or only of families such as `paddle-pir`.

    The specs of plug-ins that were looked up are last.
    """
    folder, suffix = _place()
    files = (file.removesuffix(suffix).rpartition("-") for file in _entries(folder) if file.endswith(suffix))
    selected = [f"{name}@{version}" for name, _, version in files if name and (families is None or name in families)]
    own = sorted(selected, key=_age)
    plugged = sorted((name for name in _plugged() if families is None or family(name) in families), key=_age)
    return own + plugged


def releases_of(name: str) -> list[str]:
    """Return the names of the released specs of a family. Plug-ins are looked up for one that is not built in."""
    own = names({name})
    if own:
        return own
    from opspec_lint.kit import plugins

    plugins.activate()
    return names({name})


def full_name(reference: str) -> str:
    """Return the full name of the released spec that a name means: itself, or the newest of a line of releases.

    Raises:
        InputError: no released spec has that name.
    """
    newest = _newest(*reference.split("@", 1)) if is_name(reference) else None
    if newest is None:
        raise InputError(reference, "no released spec has this name", advice=_advice(reference))
    return newest


def family(name: str) -> str:
    """Return the family of a released spec, such as `paddle-pir` for `paddle-pir@3.0.0`."""
    return name.partition("@")[0]


def expand(reference: str) -> list[str]:
    """Return the full names in a range such as `tflite@2.12.1..2.15`, or in a list the one name of another reference.

    The name of a released spec is the full one, of any other reference the reference itself. Of a range, both ends are
    included, and either may be missing; the end `2.15` includes all releases of its line.

    Raises:
        InputError: no released spec is in the range.
    """
    name, _, span = reference.partition("@")
    if not is_range(reference):
        newest = _newest(name, span) if is_name(reference) else None
        return [reference if newest is None else newest]
    own = releases_of(name)
    least, _, greatest = span.partition("..")
    ends = numbers(least), numbers(greatest)
    within = [release for release in own if _is_within(numbers(release.partition("@")[2]), *ends)]
    if not within:
        raise InputError(reference, "no released spec is in this range", advice=_releases_of(own) or _advice(reference))
    return within


def _is_within(
    version: tuple[int, ...] | None, least: tuple[int, ...] | None, greatest: tuple[int, ...] | None
) -> bool:
    """Return whether a version lies between two, each None for no limit."""
    if version is None:
        return False
    return (least is None or version >= least) and (greatest is None or version[: len(greatest)] <= greatest)


def read(name: str) -> bytes:
    """Return the text of the spec file with a full name.

    Raises:
        InputError: no released spec has that name.
    """
    if name not in names():
        raise InputError(name, "no released spec has this name", advice=_advice(name))
    folder, suffix = _place()
    path = _plugged().get(name) or os.path.join(folder, name.replace("@", "-") + suffix)
    with open(path, "rb") as stream:
        data = stream.read()
    if not path.endswith(".gz"):
        return data
    import zlib

    # Without the gzip module, which nothing else needs at start-up; 31 means a gzip header and the largest window.
    return zlib.decompress(data, wbits=31)


def similar_name(reference: str) -> str | None:
    """Return the full name that a similar one probably means: `paddle-2.6.2`, `paddlepaddle==2.6.2` or `paddle`."""
    import difflib
    import re

    known = dict.fromkeys(name.partition("@")[0] for name in names())
    if reference.lower() in known:
        return _newest(reference.lower(), _LATEST)
    match = re.fullmatch(r"([a-z][a-z_-]*?)[\s=@_-]*v?(\d[\w.+-]*|latest)", reference.strip().lower())
    if match is None:
        return None
    whole = _framework_of_abbreviation(match[1])
    near = [whole] if whole else difflib.get_close_matches(match[1].replace("_", "-"), known, n=1)
    return _newest(near[0], match[2]) if near else None


def version_advice(reference: str) -> str | None:
    """Return advice for the name of a release without its version, such as `tf@`; None if it is no such name."""
    name, at, version = reference.partition("@")
    if not at or version:
        return None
    own = names({name}) or names({_framework_of_abbreviation(name)})
    return f"the newest is {own[-1]}; {_releases_of(own)}" if own else None


def _framework_of_abbreviation(name: str) -> str:
    """Return the framework that Python code imports under a name, "" if there is none."""
    from opspec_lint.spec.fields import FRAMEWORKS

    every = (FRAMEWORKS.load(framework) for framework in FRAMEWORKS.names())
    return next((framework.name for framework in every if framework.abbreviation == name), "")


def _newest(name: str, version: str) -> str | None:
    """Return the newest release of a framework with a version, or in the line of the version; or None."""
    own = releases_of(name)
    # A full version is first, as it may also be the beginning of another one.
    if f"{name}@{version}" in own:
        return f"{name}@{version}"
    # The dot keeps 1.10.2 out of the line 1.1.
    in_line = (known for known in reversed(own) if version == _LATEST or known.startswith(f"{name}@{version}."))
    return next(in_line, None)


def _plugged() -> dict[str, str]:
    """Return the files of the released specs of the plug-ins that were looked up, by their names.

    What is built in is never replaced: a plug-in has the specs of no framework of this package.
    """
    active = active_plugins()
    if not active:
        return {}
    from opspec_lint.spec.fields import FRAMEWORKS

    return {
        name: path
        for plugin in reversed(active)
        if not FRAMEWORKS.is_built_in(plugin.name)
        for name, path in plugin.released_specs().items()
    }


def _place() -> tuple[str, str]:
    return next((place for place in _PLACES if os.path.isdir(place[0])), _PLACES[-1])


def _entries(folder: str) -> Iterable[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return ()


def _is_plain(text: str) -> bool:
    return bool(text) and text.replace(".", "").replace("-", "").replace("_", "").replace("+", "").isalnum()


def _age(reference: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the sort key of a name: the framework, then the numbers of the version."""
    name, _, version = reference.partition("@")
    return name, [(int(part), "") if part.isdecimal() else (0, part) for part in version.split(".")]


def _nearest(own: Sequence[str], version: str) -> str:
    """Return the nearest release: the next older or the next newer one, by the first number that differs."""
    target = numbers(version) or ()
    older = [name for name in own if (numbers(name.partition("@")[2]) or ()) <= target]
    neighbours = own[max(0, len(older) - 1) : len(older) + 1]

    def distance(name: str) -> tuple[int, ...]:
        """Return the distance of each number of a version from the target's, a missing number as 0."""
        release = numbers(name.partition("@")[2]) or ()
        length = max(len(release), len(target))
        padded = [(*version, *(0,) * (length - len(version))) for version in (release, target)]
        return tuple(abs(left - right) for left, right in zip(*padded, strict=True))

    return min(neighbours, key=distance)


def _releases_of(own: Sequence[str]) -> str:
    """Return how many releases of a framework there are, from which to which, "" for none."""
    return (
        f"{len(own)} releases are included, from {own[0]} to {own[-1]}; `opspec-lint specs` lists them" if own else ""
    )


def _advice(reference: str) -> str:
    """Return advice: a similar name, else the releases of the named framework, else the newest of each framework."""
    near = similar_name(reference)
    if near is not None:
        return f"did you mean {near!r}?"
    name, _, version = reference.partition("@")
    # A name such as `tf` may be the abbreviation of a framework.
    own = names({name}) or names({_framework_of_abbreviation(name)})
    if own:
        return f"the nearest is {_nearest(own, version)}; {_releases_of(own)}"
    newest = {name.partition("@")[0]: name for name in names()}
    if not newest:
        return "reinstall opspec-lint, which brings the released specs"
    return f"`opspec-lint specs` lists the released specs; the newest are {', '.join(newest.values())}"
