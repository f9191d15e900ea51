from __future__ import annotations

import pytest

from opspec_lint.git.repository import ChangedFile
from opspec_lint.kit.errors import UsageError
from opspec_lint.project.config import Config, SpecFiles
from opspec_lint.project.spec_files import SpecSet, changed_spec_files, check_named, spec_set


def of(*patterns):
    return Config(file="opspec-lint.toml", specs=tuple(SpecFiles(pattern=pattern) for pattern in patterns))


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        ("specs/ops.json", ["specs/ops.json"], ["specs/ops.jsonx", "a/specs/ops.json", "specs/opsxjson", "specs/ops"]),
        ("specs/*.json", ["specs/a.json", "specs/.json", "specs/a b.json"], ["specs/a/b.json", "specs/a.yaml"]),
        ("specs/**", ["specs/a.json", "specs/a/b/c", "specs/"], ["specs", "specsx", "a/specs/b"]),
        ("specs/**/ops.json", ["specs/ops.json", "specs/a/ops.json", "specs/a/b/ops.json"], ["specs/xops.json"]),
        ("**/ops.json", ["ops.json", "a/ops.json", "a/b/ops.json"], ["xops.json", "ops.json/a"]),
        ("**", ["a", "a/b"], []),
        ("*", ["a", ".a"], ["a/b"]),
        ("a?c", ["abc", "a?c"], ["a/c", "ac", "abbc"]),
        ("a.b+c(d)[e]{f}|g^$\\", ["a.b+c(d)[e]{f}|g^$\\"], ["axb+c(d)[e]{f}|g^$\\", "g", "a.bbc(d)e"]),
        ("[ab].json", ["[ab].json"], ["a.json", "b.json"]),
        ("a*b*c", ["abc", "axbxc", "abcbc"], ["ab", "a/bc", "abcx"]),
        ("*a*/b*", ["a/b", "xax/bxx"], ["a/xb", "b/a", "a/b/c"]),
        ("a/**/b/*.json", ["a/b/x.json", "a/x/y/b/x.json"], ["a/b/x/y.json", "a/bb/x.json"]),
        ("größe\n*", ["größe\nx", "größe\n"], ["größe", "größe x"]),
        ("a", ["a"], ["", "a\n"]),
    ],
)
def test_patterns(pattern, fitting, others):
    specs = SpecSet(patterns=(pattern,))
    assert [path for path in fitting if path not in specs] == []
    assert [path for path in others if path in specs] == []


@pytest.mark.parametrize("pattern", ["*a" * 40 + "b", "**/" * 40 + "x", "**a" * 40 + "b", "?*" * 40 + "b"])
def test_no_pattern_takes_long(pattern):
    """A pull request can bring both; as a regular expression this would outlast the universe."""
    assert "a" * 255 not in SpecSet(patterns=(pattern,))
    assert "a/" * 2000 not in SpecSet(patterns=(pattern,))


def test_a_schema_is_no_spec_file():
    for specs in (SpecSet(patterns=("specs/**",)), SpecSet(patterns=("specs/opspec.schema.json",))):
        assert "specs/opspec.schema.json" not in specs


def test_without_any_named_all_under_specs_count():
    for configs in ((None,), (None, None), (Config(file="x"), None)):
        specs = spec_set(configs)
        assert specs.is_default
        assert "specs/a/ops.json" in specs
        assert "ops.json" not in specs
        assert None not in specs


@pytest.mark.parametrize(
    ("path", "surely"),
    [("specs/a.json", True), ("specs/a.yml", True), ("specs/a.yaml", True), ("specs/a.spec", True), ("specs/a", False)],
)
def test_of_files_that_nobody_named_the_suffix_shows(path, surely):
    assert spec_set((None,)).must_be_spec(path) is surely
    assert spec_set((of("specs/**"),)).must_be_spec(path)


def test_what_either_end_names_counts():
    specs = spec_set((of("a.json", "b.json"), of("b.json", "c.json")))
    assert specs.patterns == ("a.json", "b.json", "c.json")
    assert not specs.is_default
    assert "specs/ops.json" not in specs


@pytest.mark.parametrize("configs", [(of("a.json"), None), (None, of("a.json")), (Config(file="x"), of("a.json"))])
def test_what_a_single_end_leaves_to_the_default_counts_as_well(configs):
    """Else naming some files would take all others under specs/ out of their own check."""
    specs = spec_set(configs)
    assert [path for path in ("a.json", "specs/ops.json", "b.json") if path in specs] == ["a.json", "specs/ops.json"]


def test_every_pattern_has_to_match():
    check_named(None, [])
    check_named(of("specs/*.json"), ["specs/a.json"])
    with pytest.raises(UsageError, match=r"^opspec-lint.toml: specs: there is no file 'specs/opps.json'$") as caught:
        check_named(of("specs/*.json", "specs/opps.json"), ["specs/ops.json"], ["README", "specs/ops.json"])
    assert caught.value.advice == "did you mean 'specs/ops.json'?"
    assert caught.value.exit_code == 2


def moved(old, new):
    return ChangedFile(old=old, new=new)


def test_what_was_or_is_a_spec_file_is_looked_at_in_order():
    specs = SpecSet(patterns=("specs/**",))
    moves = [moved("specs/z", "specs/z"), moved(None, "specs/b"), moved("specs/a", None), moved("x", "y")]
    assert changed_spec_files(specs, moves) == [moves[2], moves[1], moves[0]]


def test_what_moved_out_is_gone_and_what_moved_in_keeps_its_past():
    specs = SpecSet(patterns=("specs/**",))
    moves = [moved("specs/a", "old/a"), moved("old/b", "specs/b")]
    assert changed_spec_files(specs, moves) == [moved("specs/a", None), moved("old/b", "specs/b")]
