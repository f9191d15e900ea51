"""An op of a Python package that the build leaves out is declared under an unknown condition.

Setuptools itself lists the packages that each of the builds installs.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.condition import show

DEFINES = """
import torch

@torch.library.custom_op("ext::{name}", mutates_args=())
def {name}(x: torch.Tensor) -> torch.Tensor:
    return x
"""
TREE = {
    "ext/__init__.py": f"import ext.ops, ext.ops.deep, ext.loose.a\n{DEFINES.format(name='top')}",
    "ext/ops/__init__.py": DEFINES.format(name="inner"),
    "ext/ops/deep/__init__.py": DEFINES.format(name="deep"),
    "ext/loose/a.py": DEFINES.format(name="loose"),
}
PACKAGES = {"ext::top": "ext", "ext::inner": "ext.ops", "ext::deep": "ext.ops.deep", "ext::loose": "ext.loose"}
SCRIPTS = [
    "setup(packages=find_packages())",
    "setup(packages=find_packages('.'))",
    "setup(packages=find_packages(exclude=['tests', 'docs.*']))",
    "setup(packages=find_packages(exclude=['ext.ops']))",
    "setup(packages=find_packages(exclude=('ext.ops', 'ext.ops.*')))",
    "setup(packages=find_packages(exclude=['ext.ops*']))",
    "setup(packages=find_packages(exclude=['*.deep']))",
    "setup(packages=find_packages(include=['ext', 'ext.ops']))",
    "setup(packages=find_packages(include='ext'))",
    "setup(packages=find_namespace_packages())",
    "setup(packages=find_namespace_packages(include=['ext*'], exclude=['ext.loose']))",
    "setup(packages=['ext', 'ext.ops'])",
    "setup(packages=('ext',))",
    "setup(packages=['ext'] + find_packages(include=['ext.ops.*']))",
    "OPTIONS = {'packages': ['ext']}\nsetup(**OPTIONS)",
    "setup(**dict(packages=['ext', 'ext.ops']))",
    "EXCLUDED = ['ext.ops']\nPACKAGES = find_packages(exclude=EXCLUDED)\nsetup(packages=PACKAGES)",
]
PROJECTS = [
    "packages = ['ext', 'ext.ops']",
    "[tool.setuptools.packages.find]",
    "[tool.setuptools.packages.find]\nexclude = ['ext.ops*']",
    "[tool.setuptools.packages.find]\ninclude = ['ext', 'ext.loose']\nnamespaces = false",
    "packages.find = {where = ['.'], include = ['ext*'], namespaces = false}",
]
IMPORTS = "from setuptools import find_namespace_packages, find_packages, setup\n"
ORACLE = """
import json
from setuptools import Distribution
from setuptools.config.pyprojecttoml import apply_configuration
import setuptools
if {is_project}:
    made = Distribution()
    apply_configuration(made, "pyproject.toml")
    packages = made.packages
else:
    setuptools.setup = lambda packages: globals().update(packages=packages)
    exec(open("setup.py").read())
print(json.dumps(list(packages)))
"""


def _write(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def _read(folder):
    return SOURCES.load("pytorch-source").spec(str(folder), Reading(caches=False))


def _installed(folder, *, is_project):
    command = [sys.executable, "-W", "ignore", "-c", ORACLE.format(is_project=is_project)]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=True, text=True)
    packages = json.loads(done.stdout.splitlines()[-1])
    return {op for op, package in PACKAGES.items() if package in packages}


@pytest.mark.skipif(importlib.util.find_spec("setuptools") is None, reason="Setuptools is not installed")
@pytest.mark.parametrize("text", [*SCRIPTS, *PROJECTS])
def test_an_op_of_a_package_that_is_not_installed_has_a_condition(tmp_path, text):
    is_project = text in PROJECTS
    table = "" if text.startswith("[") else "[tool.setuptools]\n"
    project = f"[project]\nname = 'ext'\nversion = '1'\n{table}{text}\n"
    build = {"pyproject.toml": project} if is_project else {"setup.py": f"{IMPORTS}{text}\n"}
    _write(tmp_path, TREE | build)
    spec = _read(tmp_path)
    conditions = {name: show(op.declared_if) if op.declared_if else "" for name, op in spec.ops.items()}
    installed = _installed(tmp_path, is_project=is_project)
    assert {op for op, condition in conditions.items() if not condition} == installed
    left_out = PACKAGES.keys() - installed
    assert {op: conditions[op] for op in left_out} == {op: f"{PACKAGES[op]} is installed" for op in left_out}


@pytest.mark.parametrize(
    "text",
    [
        "setup(packages=find_packages(exclude=['ext.ops'] if FAST else []))",
        "setup(packages=listed())",
        "NAMES = ['ext']\nNAMES.append('ext.ops')\nsetup(packages=NAMES)",
        "setup(packages=['ext'], package_dir=mapped())",
        "NAMES = ['ext']\nNAMES[:] = ['ext.ops']\nsetup(packages=NAMES)",
        "NAMES = ['ext']\nadd_to(NAMES)\nsetup(packages=NAMES)",
        "NAMES = ['ext']\nSAME = [NAMES]\nSAME[0].append('ext.ops')\nsetup(packages=NAMES)",
        "OPTIONS = {'packages': ['ext']}\nOPTIONS['packages'] = ['ext.ops']\nsetup(**OPTIONS)",
        "setup(**dict(OPTIONS, packages=['ext']))",
        "setup(**options())  # with packages",
        "print 'packages'",
        f"setup(packages={' + '.join(['NAMES'] * 900)})",
    ],
)
def test_packages_that_cannot_be_evaluated_are_reported_once(tmp_path, text):
    _write(tmp_path, TREE | {"setup.py": f"{IMPORTS}{text}\n"})
    spec = _read(tmp_path)
    assert {name: op.declared_if for name, op in spec.ops.items()} == dict.fromkeys(PACKAGES)
    line = 1 + (IMPORTS + text).count("\n")
    assert [remark.origin.place for remark in spec.remarks] == [f"setup.py:{line}"]


@pytest.mark.parametrize("folder", ["src", ".src"])
def test_packages_below_a_folder(tmp_path, folder):
    tree = {f"{folder}/{path}": text for path, text in TREE.items()}
    packages = f"packages=['ext', 'ext.ops'], package_dir={{'': '{folder}'}}"
    _write(tmp_path, {**tree, "setup.py": f"{IMPORTS}setup({packages})\n"})
    spec = _read(tmp_path)
    assert {name for name, op in spec.ops.items() if op.declared_if is None} == {"ext::inner", "ext::top"}


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("setup(packages=find_packages(exclude=['tests']))", None),
        ("setup(packages=find_packages(exclude=['ext.ops']))", "op_condition_added"),
        ("setup(packages=['ext', 'ext.ops.deep'])", "op_condition_added"),
    ],
)
def test_a_package_that_head_leaves_out_is_an_error(tmp_path, text, event):
    for name, packages in (("base", "setup(packages=find_packages())"), ("head", text)):
        _write(tmp_path / name, TREE | {"setup.py": f"{IMPORTS}{packages}\n"})
    facts = diff(_read(tmp_path / "base"), _read(tmp_path / "head"))
    assert [(fact.event, fact.op) for fact in facts if fact.op is not None] == (
        [(event, "ext::inner")] if event else []
    )


def test_a_tree_without_a_list_installs_all(tmp_path):
    _write(tmp_path, TREE | {"setup.py": "from setuptools import setup\nsetup(name='ext')\n"})
    assert {op.declared_if for op in _read(tmp_path).ops.values()} == {None}
