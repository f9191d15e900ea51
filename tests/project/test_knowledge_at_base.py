"""A file that is compared with itself at its base may not lose what it knew; of two named by hand, one may."""

from __future__ import annotations

import json

import pytest

from opspec_lint.lint.check import check as compare
from opspec_lint.lint.profile import PROFILES
from opspec_lint.project.check import check_specs
from opspec_lint.project.check_context import Request
from opspec_lint.sources.reading import Reading
from opspec_lint.spec.notation import parse_spec
from tests.support.projects import FILE, TODAY, check, config, facts, levels, loaded, text, waivers
from tests.support.repositories import Repository

KNOWN, UNKNOWN = "f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = ?]"
LEARNS = "f(X {extra?}) -> ()", "f(X {extra}) -> ()"


def made(folder, *lines, **settings):
    return Repository.make(folder / "top", {FILE: text(*lines), "opspec-lint.yaml": config(**settings)})


@pytest.mark.parametrize("name", [name for name in PROFILES.names() if PROFILES.framework_of(name) in ("", "paddle")])
@pytest.mark.parametrize(("base", "head", "rule"), [(KNOWN, UNKNOWN, "knowledge_lost"), (*LEARNS, "extra_learned")])
def test_the_level_depends_on_what_is_compared(tmp_path, name, base, head, rule):
    repository = made(tmp_path, base)
    repository.stage({FILE: text(head)})
    assert levels(check(repository, profile=name))[rule] == "error"
    by_hand = compare(parse_spec(base), parse_spec(head), PROFILES.load(name)).findings
    assert {finding.rule: finding.level for finding in by_hand}[rule] == ("error" if name == "strict" else "warning")


def test_two_specs_named_by_hand_under_a_configuration():
    request = Request(reading=Reading(environment={}), today=TODAY)
    result = check_specs(loaded(KNOWN), loaded(UNKNOWN), request)
    assert facts(result) == [("warning", "knowledge_lost", None)]
    assert not result.failed


def test_the_levels_of_base_may_lower_it(tmp_path):
    repository = made(tmp_path, KNOWN, levels={"knowledge_lost": "note"})
    repository.stage({FILE: text(UNKNOWN)})
    assert facts(check(repository)) == [("note", "knowledge_lost", None)]


def test_those_of_head_do_not(tmp_path):
    repository = made(tmp_path, KNOWN)
    repository.stage({FILE: text(UNKNOWN), "opspec-lint.yaml": config(levels={"knowledge_lost": "note"})})
    assert levels(check(repository))["knowledge_lost"] == "error"


def test_ops_that_are_ignored_may_be_forgotten(tmp_path):
    repository = made(tmp_path, KNOWN, "g() -> () [a: INT = 0]", ignore=["f"])
    repository.stage({FILE: text(UNKNOWN, "g() -> () [a: INT = 0]")})
    assert facts(check(repository)) == []
    repository.stage({FILE: text(UNKNOWN, "g() -> () [a: INT = ?]")})
    (finding,) = check(repository).findings
    assert (finding.rule, finding.old) == ("knowledge_lost", ["g.a"])


def test_a_release_that_knows_as_little_is_no_excuse(tmp_path):
    repository = made(tmp_path, KNOWN, against=["specs/old.json"])
    repository.commit({"specs/old.json": text(UNKNOWN)})
    repository.stage({FILE: text(UNKNOWN)})
    assert facts(check(repository)) == [("error", "knowledge_lost", None)]


def test_what_a_release_knows_and_head_does_not_is_a_warning(tmp_path):
    repository = made(tmp_path, UNKNOWN, against=["specs/old.json"])
    repository.commit({"specs/old.json": text(KNOWN)})
    repository.stage({FILE: text(UNKNOWN, "g() -> ()")})
    assert ("warning", "knowledge_lost", None) in facts(check(repository))


def test_a_waiver_of_what_a_single_argument_lost_does_not_cover_the_next(tmp_path):
    """Else a waiver of long ago would let any argument be forgotten."""
    repository = made(tmp_path, "f() -> () [a: INT = 0, b: INT = 0]")
    repository.stage({FILE: text("f() -> () [a: INT = ?, b: INT = 0]")})
    (lost,) = check(repository).findings
    repository.commit({"opspec-waivers.yaml": waivers({"fingerprint": lost.fingerprint})})
    assert not check(repository, base="HEAD~1", is_exact=True).failed
    repository.stage({FILE: text("f() -> () [a: INT = ?, b: INT = ?]")})
    assert [
        (finding.level, finding.old) for finding in check(repository).findings if finding.rule == "knowledge_lost"
    ] == [("error", ["f.b"])]


def test_a_file_of_yaml_that_was_cut(tmp_path):
    """YAML in block style is whole wherever a line ends; every cut that can be read is found."""
    fields = {"duplicable": False, "dispensable": True, "intermediate": False, "extra": False, "quant": False}
    attr = {"type": 0, "generated": False, "default_value": 0, "extra": False, "quant": False}
    op = {"Inputs": {"X": fields}, "Outputs": {"Out": fields}, "Attrs": {"a": attr, "b": attr}}
    lines = []
    for name in ("f", "g"):
        lines.append(f"{name}:\n")
        for section, arguments in op.items():
            lines.append(f"  {section}:\n")
            for argument, output in arguments.items():
                lines.append(f"    {argument}:\n")
                lines += [f"      {field}: {json.dumps(value)}\n" for field, value in output.items()]
    whole = "".join(lines)
    repository = Repository.make(tmp_path / "top", {"specs/ops.yaml": whole})
    for count in (1, 2, 3, 5, 8, 11, 20):
        repository.stage({"specs/ops.yaml": "".join(lines[:-count])})
        report = check_or_refuse(repository)
        assert report is None or report.failed, count


def check_or_refuse(repository):
    from opspec_lint.kit.errors import InputError

    try:
        return check(repository)
    except InputError:
        return None
