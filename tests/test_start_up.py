"""The imports of a run: each commit pays for them."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from opspec_lint.cli.command import COMMANDS, summary_of
from opspec_lint.frameworks.tensorflow.extract import op_lists
from opspec_lint.sources import recognise
from tests.support import paths
from tests.support.repositories import SPEC, Repository, spec

_CODE = """
import sys
before = set(sys.modules)
from opspec_lint.cli.main import main
sys.stdout = open(sys.argv[1], "w")
code = main(sys.argv[2:])
print((code, set(sys.modules) - before), file=sys.__stdout__)
"""
FULL = [str(paths.DATA / "paddle" / f"paddle-{version}.json") for version in ("2.6.2", "3.0.0")]
SPECS = [str(paths.SPECS / f"paddle-{version}.json") for version in ("2.6.2", "3.0.0")]
SLOW = {
    "argparse",
    "dataclasses",
    "google.protobuf",
    "jsonschema",
    "pathlib",
    "subprocess",
    "tempfile",
    "typing",
    "yaml",
}


def imported(tmp_path, *args):
    """Return the exit code of a run, and the modules that it has imported."""
    command = [sys.executable, "-c", _CODE, str(tmp_path / "report"), *args]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    code, modules = ast.literal_eval(ran.stdout)
    return code, modules


def of(modules, *rooms):
    """Return the modules of some rooms."""
    return {module for module in modules if module.startswith(tuple(f"opspec_lint.{room}." for room in rooms))}


def test_the_version_imports_little(tmp_path):
    code, modules = imported(tmp_path, "--version")
    assert code == 0
    assert not modules & (SLOW | {"re"})
    assert not of(modules, "diff", "frameworks", "lint", "sources", "spec")


def test_the_list_of_commands_imports_no_command(tmp_path):
    code, modules = imported(tmp_path, "--help")
    assert code == 0
    assert not modules & (SLOW | {"re"})
    assert not of(modules, "cli.commands", "diff", "frameworks", "lint", "sources", "spec")


@pytest.mark.parametrize("name", COMMANDS.names())
def test_summaries_of_commands(name):
    assert summary_of(name) == COMMANDS.load(name).SUMMARY


def test_a_check_without_configuration_imports_no_source(tmp_path, monkeypatch):
    repository = Repository.make(tmp_path / "top", {SPEC: spec("abs")})
    repository.git("checkout", "-q", "-b", "topic")
    repository.write({SPEC: spec("cos")})
    monkeypatch.chdir(repository.top)
    code, modules = imported(tmp_path, "check")
    assert code == 1
    assert "opspec_lint.project.recognition" in modules
    assert not {module for module in of(modules, "frameworks") if ".sources" in module}
    assert not of(modules, "models")
    assert "opspec_lint.project.survey" not in modules


@pytest.mark.parametrize("pair", [FULL, SPECS], ids=["print_op_desc", "canonical"])
def test_a_check_of_two_specs_imports_what_is_needed_for_them(tmp_path, pair):
    code, modules = imported(tmp_path, "check", *pair)
    assert code == 1
    assert not modules & SLOW
    assert not of(modules, "fixes", "git", "models", "project", "proof", "frameworks.flatbuffers.profiles")
    assert not {module for module in modules if "fixer" in module}
    assert not {item for item in of(modules, "frameworks") if ".rules." in item and ".paddle." not in item}


def test_a_canonical_spec_is_requested_no_other_format(tmp_path):
    _, modules = imported(tmp_path, "check", *SPECS)
    assert of(modules, "sources.formats") == {"opspec_lint.sources.formats.opspec"}
    assert not {item for item in of(modules, "frameworks") if ".formats." in item}


def test_a_binary_op_list_is_recognised_without_what_reads_models(tmp_path):
    files = [str(tmp_path / "a.pb"), str(tmp_path / "b.pb")]
    for path, version in zip(files, ("2.8.4", "2.12.1"), strict=True):
        spec = recognise.read(str(paths.SPECS / f"tensorflow-{version}.json")).spec
        (tmp_path / path).write_bytes(op_lists.dump(spec))
    code, modules = imported(tmp_path, "check", *files)
    assert code == 1
    assert not modules & {"argparse", "dataclasses", "subprocess", "tempfile", "yaml", "zipfile"}
    read = {"opspec_lint.models.model", "opspec_lint.models.archive", "opspec_lint.models.byte_source"}
    assert not modules & read
    assert not {
        module for module in modules if module.startswith("opspec_lint.frameworks.") and module.endswith(".describe")
    }
