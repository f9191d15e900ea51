"""The files of a new plug-in for a framework: a project with a file format, and its test."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PYPROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "opspec-lint-NAME"
version = "0.1.0"
requires-python = ">=3.10"
dependencies = ["opspec-lint"]

[project.optional-dependencies]
test = ["pytest>=8.0"]

[project.entry-points."opspec_lint.frameworks"]
NAME = "PACKAGE"

[tool.hatch.build.targets.wheel]
packages = ["src/PACKAGE"]
"""
_README = """\
# opspec-lint-NAME

The operators of TITLE for opspec-lint.

    pip install -e '.[test]'
    pytest
    opspec-lint plugins
    opspec-lint check OLD.NAME NEW.NAME
"""
_FRAMEWORK = '''\
"""TITLE as opspec-lint knows it: all fields of its ops are general ones."""

from opspec_lint.spec.fields import Framework

FRAMEWORK = Framework(title="TITLE")
'''
_FORMAT = '''\
"""The ops of a release of TITLE, one a line: `concat(X*, Axis?) -> Out`; `*` is a list of tensors, `?` is optional."""

from __future__ import annotations

import re

from opspec_lint.documents.decode import text_of
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.format import Format
from opspec_lint.spec.model import Provenance, Spec
from opspec_lint.spec.records import OpReader

_OP = re.compile(r"(\\w+)\\((.*)\\) -> (.+)")
_KNOWS = {"inputs": ("duplicable", "dispensable"), "outputs": ("duplicable",)}


def load(value, file):
    """Return the spec of a file.

    Raises:
        InputError: a line is no op, or an op that an earlier line declares.
    """
    ops = {}
    for number, line in enumerate(text_of(value.data, file).splitlines(), 1):
        match = _OP.fullmatch(line)
        if match is None or match[1] in ops:
            problem = "expected an op" if match is None else f"the op {match[1]!r} is declared twice"
            raise InputError(file, problem, where=f"line {number}", advice="an op is `NAME(INPUTS) -> OUTPUTS`")
        ops[match[1]] = {"inputs": _arguments(match[2]), "outputs": _arguments(match[3])}
    provenance = Provenance(framework="NAME", made_by="NAME")
    return Spec(file=file, provenance=provenance, ops=OpReader("NAME", _KNOWS).table(ops))


def _arguments(text):
    names = [name.strip() for name in text.split(",")] if text else []
    return [
        {"name": name.rstrip("*?"), "duplicable": name.endswith("*"), "dispensable": name.endswith("?")}
        for name in names
    ]


FORMAT = Format(summary="ops of TITLE, one a line", load=load, suffix=".NAME")
'''
_TEST = '''\
"""opspec-lint finds the plug-in, reads its files, and judges what changed."""

import opspec_lint
import pytest


@pytest.fixture
def files(tmp_path):
    (tmp_path / "old.NAME").write_text("concat(X*, Axis?) -> Out\\n", encoding="utf-8")
    (tmp_path / "new.NAME").write_text("concat(X*, Axis) -> Out\\n", encoding="utf-8")
    (tmp_path / "wrong.NAME").write_text("concat(X)\\n", encoding="utf-8")
    return tmp_path


def test_an_input_that_is_no_longer_optional_is_an_error(files):
    report = opspec_lint.check("old.NAME", "new.NAME", base_dir=files)
    assert [(finding.rule, finding.op, finding.name) for finding in report.findings] == [
        ("dispensable_cleared", "concat", "Axis")
    ]
    assert report.failed


def test_a_line_that_is_no_op_is_named(files):
    with pytest.raises(opspec_lint.InputError) as caught:
        opspec_lint.load("wrong.NAME", base_dir=files)
    assert caught.value.place == "line 1"
'''


def skeleton(name: str) -> Mapping[str, str]:
    """Return the files of a plug-in for a framework, by their paths in its folder.

    Raises:
        UsageError: the name is no name of a framework; or opspec-lint has a framework of this name, or reads files with
            this suffix.
    """
    from opspec_lint.spec.fields import FRAMEWORKS

    plain = name.replace("-", "_")
    if not (plain[:1].isalpha() and plain.isidentifier() and plain.isascii() and plain == plain.lower()):
        advice = "a name begins with a letter, and has lower-case letters, digits and hyphens"
        raise UsageError(f"{name!r} is no name of a framework", advice=advice)
    if FRAMEWORKS.is_built_in(name):
        raise UsageError(f"opspec-lint has the framework {name!r}", advice="choose a different name")
    # What is built in comes first, so that the format of the plug-in would never get its own files.
    if _is_read(f".{name}"):
        raise UsageError(f"opspec-lint reads files that end with '.{name}'", advice="choose a different name")
    package = f"opspec_lint_{plain}"
    replacements = {"TITLE": name.replace("-", " ").title(), "PACKAGE": package, "NAME": name}
    texts = {
        "pyproject.toml": _PYPROJECT,
        "README.md": _README,
        f"src/{package}/__init__.py": '"""The plug-in of opspec-lint for TITLE."""\n',
        f"src/{package}/framework.py": _FRAMEWORK,
        f"src/{package}/formats/__init__.py": '"""The file formats of TITLE."""\n',
        f"src/{package}/formats/{plain}_ops.py": _FORMAT,
        f"tests/test_{plain}.py": _TEST,
    }
    return {path: _filled(text, replacements) for path, text in texts.items()}


def _is_read(ending: str) -> bool:
    """Return True if a built-in format of specs or of models has files with this ending."""
    from opspec_lint.models.recognise import is_named_as_model
    from opspec_lint.sources.format import FORMATS
    from opspec_lint.sources.recognise import DATA_ENDINGS

    suffixes = {FORMATS.load(name).suffix for name in FORMATS.names() if FORMATS.is_built_in(name)}
    return ending in DATA_ENDINGS or ending in suffixes or is_named_as_model(f"name{ending}")


def _filled(text: str, replacements: Mapping[str, str]) -> str:
    for placeholder, value in replacements.items():
        text = text.replace(placeholder, value)
    # The one text in which NAME stands for an op's name, whatever the framework is called.
    return text.replace(f"an op is `{replacements['NAME']}(INPUTS)", "an op is `OP(INPUTS)")
