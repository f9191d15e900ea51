"""A repository that serves a model: its interface is a spec under review, with which the hooks compare each export."""

from __future__ import annotations

import re
import sys

import pytest

from tests.hooks.committing import CONFIG, Committing
from tests.support import paths

EXPORT, SPEC, SETTINGS = "export/saved_model.pb", "specs/model.json", "opspec-lint.toml"
EXTRACT = (sys.executable, "-m", "opspec_lint", "extract", "export", "--output", SPEC)
MODELS = paths.DATA / "interfaces"


def export(repository, name):
    """Put a model where the repository has its export, and stage it."""
    (repository.top / "export").mkdir(exist_ok=True)
    (repository.top / EXPORT).write_bytes((MODELS / name / "saved_model.pb").read_bytes())
    repository.git("add", EXPORT)


def extract(repository):
    ran = repository.run(*EXTRACT)
    assert ran.returncode == 0, ran.stderr
    repository.git("add", SPEC)


@pytest.fixture
def serving(tmp_path, hooks):
    """The repository with a model whose batch is open, and its interface."""
    made = Committing.under(tmp_path, hooks, config=hooks.config("opspec-lint", "opspec-lint-sync"))
    made.stage({SETTINGS: f'specs = [{{ file = "{SPEC}", source = "export" }}]\n'})
    export(made, "batch_open")
    extract(made)
    committed = made.try_commit()
    assert committed.code == 0, committed.out
    assert made.git("show", f"HEAD:{CONFIG}")
    return made


def test_an_export_with_another_interface_than_the_spec_is_refused(serving):
    export(serving, "batch_fixed")
    committed = serving.try_commit()
    assert committed.verdicts["opspec-lint sync"] == "Failed"
    assert f"{SPEC} differs from export" in committed.out


def test_an_export_that_narrows_a_batch_dimension_is_refused_with_the_line_of_the_spec(serving):
    export(serving, "batch_fixed")
    extract(serving)
    committed = serving.try_commit()
    assert (committed.code, committed.verdict) == (1, "Failed"), committed.out
    assert committed.verdicts["opspec-lint sync"] == "Passed"
    assert "shape_narrowed" in committed.rules
    out = committed.out[committed.out.index("serving_default\n") :]
    assert "before: serving_default(x: float32[None, 4])" in out
    assert "after:  serving_default(x: float32[2, 4])" in out
    (line,) = set(re.findall(rf"head {SPEC}:(\d+)", out.partition("shape_narrowed")[2])[:1])
    assert '"name": "x", "type": "float32[2, 4]"' in (serving.top / SPEC).read_text().splitlines()[int(line) - 1]


def test_an_export_that_opens_it_again_is_committed(serving):
    export(serving, "batch_fixed")
    extract(serving)
    serving.git("commit", "-qnm", "narrow")
    export(serving, "batch_open")
    extract(serving)
    committed = serving.try_commit()
    assert (committed.code, committed.verdict) == (0, "Passed"), committed.out
