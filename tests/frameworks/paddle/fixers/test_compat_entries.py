"""The members of op_compat.yaml that `--fix=unsafe` restores."""

from __future__ import annotations

import pytest

from tests.frameworks.paddle.saved.translation.test_trees import COMPAT, EDITS, FILES, OPS, changed
from tests.support.projects import check, config
from tests.support.repositories import Repository
from tests.support.trees.paddle_trees import BASE
from tests.support.trees.paddle_yaml import TREE, entry
from tests.support.trees.pir_trees import YAML

FILE = f"{YAML}/op_compat.yaml"
SUM = COMPAT[COMPAT.index("- op : sum") :]
LOST = {
    **{name: changed(*edit[:2]) for name, edit in EDITS.items()},
    "another name": changed("p : dropout_prob", "p : prob"),
    "all outputs": changed("  outputs :\n    out : Out\n    mask : Mask\n", ""),
    "the entry": COMPAT.removesuffix(SUM),
    "the first entry": SUM,
}


@pytest.fixture
def repository(tmp_path):
    settings = config(source=["paddle-source:.", "paddle-pir-source:."])
    made = Repository.make(tmp_path / "paddle", FILES | {"opspec-lint.yaml": settings})
    made.environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    return made


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_what_goes_is_written_again_where_it_was(repository, lost, newline):
    repository.commit({FILE: COMPAT.replace("\n", newline).encode()})
    repository.write({FILE: LOST[lost].replace("\n", newline).encode()})
    assert check(repository).failed
    ran = repository.opspec("check", "--fix=unsafe")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    restored = (repository.top / FILE).read_bytes().decode()
    assert sorted(restored.split()) == sorted(COMPAT.split())
    assert restored.count("\r\n") == (restored.count("\n") if newline == "\r\n" else 0)
    if lost not in ("the first entry", "the entry", "an input"):
        assert restored == COMPAT.replace("\n", newline)


def test_the_rest_of_the_entry_stays_as_head_has_it(repository):
    head = changed("    p : dropout_prob\n    mode :", "    # a new one\n    new : New\n    mode :")
    repository.write({FILE: head})
    assert repository.opspec("check", "--fix=unsafe").returncode == 0
    written = (repository.top / FILE).read_text()
    assert written == head.replace("    mode :", "    p : dropout_prob\n    mode :") or sorted(
        written.splitlines()
    ) == sorted([*head.splitlines(), "    p : dropout_prob"])


def test_nothing_is_written_where_the_pir_op_changed(repository):
    repository.write({f"{YAML}/ops.yaml": changed("float p", "float q", OPS)})
    repository.opspec("check", "--fix=unsafe")
    assert (repository.top / FILE).read_text() == COMPAT


def test_an_attr_of_a_generated_op_has_its_legacy_name_again(tmp_path):
    compat = "- op : f\n  inputs :\n    x : X\n  outputs :\n    out : Out\n  attrs :\n    p : prob\n"
    files = BASE | TREE | {f"{YAML}/ops.yaml": entry(args="(Tensor x, float p = 0.5f)"), FILE: compat}
    made = Repository.make(tmp_path / "paddle", files | {"opspec-lint.yaml": config(source="paddle-source:.")})
    made.write({FILE: compat.replace("  attrs :\n    p : prob\n", "")})
    assert check(made).failed
    assert made.opspec("check", "--fix=unsafe").returncode == 0
    assert (made.top / FILE).read_text() == compat
