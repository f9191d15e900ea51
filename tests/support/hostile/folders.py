"""Folders that others have prepared for what writes: links, names that lead out, what cannot be replaced, races.

    python -m tests.support.hostile.folders --count 2000 [--seed 0] [--user 65534]

runs a command in each, if root names another user then also as that one. The exit code is 1 if anything outside of the
folder changes, or anything in it is lost.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

from tests.support.forking import fork
from tests.support.patience import PATIENCE
from tests.support.programs import Ran, run
from tests.support.projects import text, waivers

NAMES = ("a", "a/b", "a/b/c")
RELEASES = ("1.0.0", "../../../outside/x", "/outside", "..", "a\nb", "a\0b", "\ud800", "x" * 300, "a/b", ".", "\\..\\x")
BASE = text("f(X, Y) -> ()", "g() -> ()")
BROKEN = text("f() -> ()", "g() -> ()")


def _link_to_a_file(path, folder):
    path.symlink_to(folder / "outside/secret")


def _link_to_nothing(path, folder):
    path.symlink_to(folder / "outside/new")


def _link_to_a_folder(path, folder):
    path.symlink_to(os.path.relpath(folder / "outside", path.parent))


def _link_to_itself(path, _):
    path.symlink_to(path.name)


def _hard_link(path, folder):
    os.link(folder / "outside/secret", path)


def _read_only(path, _):
    path.write_text("mine")
    path.chmod(0o444)


def _of_others(path, _):
    path.write_text("mine")
    with contextlib.suppress(PermissionError):
        os.chown(path, 1234, 1234)


def _folder(path, _):
    (path / "mine").mkdir(parents=True)


def _closed_folder(path, _):
    path.mkdir(mode=0o500)


def _pipe(path, _):
    os.mkfifo(path)


def _nothing(_path, _folder):
    pass


TRAPS = (_link_to_a_file, _link_to_nothing, _link_to_a_folder, _link_to_itself, _hard_link, _read_only, _of_others)
TRAPS += (_folder, _closed_folder, _pipe, _nothing)


def _spec(path, version, most):
    document = {
        "opspec": 1,
        "provenance": {"framework": "tflite", "version": version},
        "binding": "op_version",
        "knows": {"ops": ["max_version", "min_version"]},
        "ops": {"ADD": {"min_version": 1, "max_version": most}},
    }
    path.write_text(json.dumps(document))


def _set_up(folder):
    """Make the folders `here`, where commands run, `outside`, whose files must not change, and `specs`."""
    (folder / "outside/a").mkdir(parents=True)
    for name in ("secret", "index.json", "opspec-waivers.yaml", "it.json", "a/it.json"):
        (folder / "outside" / name).write_text("secret")
    (folder / "here").mkdir()
    (folder / "specs").mkdir()
    for name, content in (("base", BASE), ("head", BROKEN)):
        (folder / "specs" / f"{name}.json").write_text(content)


def _repository(folder):
    subprocess.run(["git", "init", "-q", str(folder / "here")], check=True)
    (folder / "here/specs").mkdir()
    (folder / "here/specs/ops.json").write_text(BASE)


def _extract(folder, chance):
    path = f"{chance.choice(NAMES)}/it.json"
    return ["extract", folder / "specs/base.json", "--output", path], [path]


def _prove_store(folder, chance):
    release = chance.choice(RELEASES)
    _spec(folder / "specs/1.json", release, 3)
    _spec(folder / "specs/2.json", "2.0.0", 2)
    store = chance.choice(NAMES)
    command = ["prove", folder / "specs/1.json", folder / "specs/2.json", "--store", store]
    return command, [f"{store}/tflite-1.0.0/index.json", f"{store}/tflite-1.0.0"]


def _prove_output(folder, chance):
    _spec(folder / "specs/1.json", "1.0.0", 3)
    _spec(folder / "specs/2.json", "2.0.0", 2)
    path = chance.choice(NAMES)
    return ["prove", folder / "specs/1.json", folder / "specs/2.json", "--output", path], [f"{path}/it", path]


def _waive(folder, chance):
    path = f"{chance.choice(NAMES)}/opspec-waivers.yaml"
    specs = [folder / "specs/base.json", folder / "specs/head.json"]
    command = ["waive", "--baseline", "--owner", "o", "--between", *specs]
    if chance.random() < 0.3:
        _repository(folder)
        settings = {"specs": ["specs/*.json"], "waivers": path}
        (folder / "here/opspec-lint.yaml").write_text(json.dumps(settings))
        return command, [path]
    return [*command, "--waivers", path], [path]


def _init(folder, _):
    _repository(folder)
    return ["init"], [".github/workflows/opspec-lint.yml", ".pre-commit-config.yaml", "opspec-lint.toml"]


def _sync(folder, _):
    _repository(folder)
    settings = {"specs": [{"file": "specs/ops.json", "source": "paddle@2.6.2"}]}
    (folder / "here/opspec-lint.yaml").write_text(json.dumps(settings))
    return ["sync"], ["specs/ops.json"]


COMMANDS = {_extract: 6, _prove_store: 6, _prove_output: 3, _waive: 4, _init: 1, _sync: 1}
WRITTEN = (_extract, _prove_store, _prove_output)
"""Those that replace the file that they are told to write."""


def _lay_traps(folder, path, chance):
    """Put something on the way to a file, or in its place."""
    parts = Path(path).parts
    depth = chance.randrange(len(parts))
    place = folder / "here" / Path(*parts[: depth + 1])
    if not os.path.lexists(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        chance.choice(TRAPS)(place, folder)
    status = os.lstat(place) if os.path.lexists(place) else None
    if (
        status is not None
        and status.st_nlink == 1
        and place.name == "opspec-waivers.yaml"
        and stat.S_ISREG(status.st_mode)
    ):
        place.write_text(waivers({"fingerprint": "0123456789abcdef"}))
        place.chmod(stat.S_IMODE(status.st_mode))


def _state(top):
    """Return the content of a folder: the kind of each entry, the bytes of files, the targets of links."""
    entries = {}
    for path in sorted(top.rglob("*")):
        status = os.lstat(path)
        kind = stat.S_IFMT(status.st_mode)
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        entries[str(path.relative_to(top))] = kind, content
    return entries


@contextlib.contextmanager
def _in(folder):
    """Be in a folder."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _race(folder, path, chance):
    """At a moment when a file is written, replace a folder on its way by a link, or put a link in its place."""
    if chance.random() > 0.3:
        yield
        return
    real, place = os.fsync, folder / "here" / Path(*Path(path).parts[: chance.randrange(1, len(Path(path).parts) + 1)])

    def swap(handle):
        if place.is_dir() and not place.is_symlink() and ".git" not in place.parts:
            place.rename(folder / "here/moved")
            place.symlink_to(folder / "outside")
        elif not os.path.lexists(place) and place.parent.is_dir():
            with contextlib.suppress(OSError):
                place.symlink_to(folder / "outside/secret")
        real(handle)

    with mock.patch.object(os, "fsync", swap):
        yield


def _give_away(folder, user):
    """Make a user the owner of what is in a folder; what is not his is laid on his way later."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user, user, follow_symlinks=False)


def _run_as(user, command):
    """Run a command as another user, in a process that ends where it hangs.

    All modules have to be imported, since the interpreter may lie where only root reads.
    """
    reading, writing = os.pipe()
    process = fork()
    if not process:
        signal.alarm(PATIENCE)
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        ran = run(*command)
        with open(writing, "w", encoding="utf-8", errors="backslashreplace") as stream:
            json.dump([ran.code, ran.out, ran.err], stream)
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as stream:
        output = stream.read()
    _, status = os.waitpid(process, 0)
    return Ran(*json.loads(output)) if output else Ran(-1, "", f"ended by {status}")


def problem_of(seed, folder, user=None):
    """Return the failure of a command in a folder that is made by chance, None if it behaved.

    Args:
        seed: what chance begins with.
        folder: a folder that is not there yet.
        user: the id of the user who runs the command and owns what others have not laid there; None for ours.
    """
    chance = random.Random(seed)  # noqa: S311 - the same for the same seed
    _set_up(folder)
    (make,) = chance.choices(list(COMMANDS), list(COMMANDS.values()))
    command, paths = make(folder, chance)
    target = chance.choice(paths)
    if user is not None:
        _give_away(folder, user)
    _lay_traps(folder, target, chance)
    outside, inside, before = _state(folder / "outside"), _state(folder / "here"), sorted(os.listdir(folder))
    with _in(folder / "here"), _race(folder, target, chance):
        ran = run(*command) if user is None else _run_as(user, command)
    now = _state(folder / "here") | {
        str(Path(target).parent / name): entry for name, entry in _state(folder / "here/moved").items()
    }
    may_change = {str(Path(path)) for path in paths} if make in WRITTEN else set()
    lost = [
        name
        for name, entry in inside.items()
        if now.get(name) != entry and name not in may_change and not _has_grown(entry, now.get(name))
        if not (folder / "here/moved").exists()
    ]
    for is_wrong, what in (
        (_state(folder / "outside") != outside or sorted(os.listdir(folder)) != before, "something outside changed"),
        (lost, f"lost: {lost}"),
        (any(".opspec-lint-" in name for name in now), "a temporary file is left"),
        (ran.code not in (0, 1, 2, 3) or "a bug in" in ran.err, f"exit code {ran.code}: {ran.err}"),
    ):
        if is_wrong:
            return f"{make.__name__} {command} {target}: {what}\n{ran.out}{ran.err}"
    return None


def _has_grown(before, after):
    """Tell whether a file of waivers has more entries, and all that it had."""
    content = before[1]
    return (
        isinstance(content, bytes) and b"0123456789abcdef" in content and after is not None and content[:-5] in after[1]
    )


def main():
    """Try many; print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--user", type=int, help="the id of the user who runs the commands; only root may name one")
    options = parser.parse_args()
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)  # noqa: S103 - the user comes by
            problem = problem_of(seed, Path(folder) / "ours")
            if problem is None and options.user is not None:
                problem = problem_of(seed, Path(folder) / "theirs", options.user)
        if problem is not None:
            wrong += 1
            print(f"seed {seed}: {problem}", flush=True)
    print(f"{options.count} folders, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
