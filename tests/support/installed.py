"""Projects as they look when they are installed: a package, and the entry points of its distribution."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tests.support.paths import TOP
from tests.support.patience import PATIENCE


def install(site, project, entries, files=None):
    """Put a project into a folder of installed ones.

    Args:
        site: the folder.
        project: the name of the project.
        entries: the entry points: by the kind of plug-in, name and package.
        files: the modules by their paths, with their texts.
    """
    information = site / f"{project}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n", encoding="utf-8")
    groups = (f"[opspec_lint.{kind}]\n{name} = {package}\n" for kind, (name, package) in entries.items())
    (information / "entry_points.txt").write_text("".join(groups), encoding="utf-8")
    for path, text in (files or {}).items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text, encoding="utf-8")


def take_out(site, framework):
    """Install this package without one of its frameworks, and that framework as a separate project."""
    package, own = f"outside_{framework}", TOP / "opspec_lint" / "frameworks" / framework

    def ignored(folder, names):
        return [name for name in names if name == "__pycache__" or os.path.join(folder, name) == str(own)]

    shutil.copytree(TOP / "opspec_lint", site / "opspec_lint", ignore=ignored)
    (site / "specs").symlink_to(TOP / "specs")
    texts = {
        f"{package}/{path.relative_to(own)}": path.read_text(encoding="utf-8").replace(
            f"opspec_lint.frameworks.{framework}", package
        )
        for path in own.rglob("*.py")
    }
    install(site, package, {"frameworks": (framework, package)}, texts)


def python(site, *arguments, **options):
    """Run Python with the projects of a folder; they come before the environment's own."""
    # A pytest in it has to take no options that are meant for the run around it.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    environment = {**inherited, "PYTHONPATH": os.pathsep.join((str(site), str(TOP)))}
    defaults = {"capture_output": True, "text": True, "timeout": PATIENCE, "env": environment, "cwd": TOP}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, check=False, **defaults | options)


def opspec(site, *arguments, **options):
    return python(site, "-m", "opspec_lint", *arguments, **options)
