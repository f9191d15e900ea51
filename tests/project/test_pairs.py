from __future__ import annotations

import pytest

from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import INDEX, repository_around
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.project import config as configs
from opspec_lint.project import loading, pairs
from opspec_lint.project.pair import Selection
from opspec_lint.sources.reading import Reading
from tests.support.projects import FILE, config, text
from tests.support.repositories import Repository

FIRST, TWO = text("f(X) -> ()"), text("f(X) -> ()", "g() -> ()")
SAME = text(*(f"same{number}(A, B, C) -> (D) [x: INT]" for number in range(9)))
NEW = text(*(f"new{number}(In) -> (Out, Mask)" for number in range(9)))
VERSIONS = '{"f": {"version_id": 1, "checkpoints": []}}'


@pytest.fixture
def repository(tmp_path):
    return Repository.make(tmp_path / "top", {FILE: FIRST, "specs/same.json": SAME})


@pytest.fixture
def find(repository):
    """Return the pairs to compare between HEAD and the index."""
    result = repository_around(str(repository.top), repository.environment)
    store = Objects(result)

    def run(base_config=None, head_config=None):
        base = Snapshot(result, store, repository.head)
        parsed = [
            None if item is None else configs.parse(item.encode(), "a.yaml") for item in (base_config, head_config)
        ]
        selection = Selection(base_config=parsed[0], head_config=parsed[1])
        return pairs.find_pairs([base], base.at(INDEX), selection, Reading())

    yield run
    store.close()


def shown(result):
    return [(pair.path, len(pair.specs()), pair.is_added, pair.is_removed, pair.is_unchanged) for pair in result]


def test_what_changed_is_loaded_at_both_ends(repository, find):
    repository.stage({FILE: TWO})
    (pair,) = find()
    assert (pair.base.path, pair.head.path, pair.size()) == (FILE, FILE, "2 ops")
    assert (pair.base.text, pair.head.text) == (FIRST, TWO)
    assert [sorted(spec.ops) for spec in pair.specs()] == [["f"], ["f", "g"]]
    assert pair.base.spec.file == f"{repository.head[:10]}:{FILE}"


def test_where_nothing_changed_all_are_named_and_none_is_loaded(find):
    assert shown(find()) == [(FILE, 0, False, False, True), ("specs/same.json", 0, False, False, True)]


def test_a_configuration_requests_what_is_the_same_too(repository, find):
    repository.stage({FILE: TWO})
    assert shown(find(None, config(specs=["specs/*.json"]))) == [
        (FILE, 2, False, False, False),
        ("specs/same.json", 0, False, False, True),
    ]
    assert shown(find(config(against=[FILE]), None)) == shown(find(config(specs=["specs/*.json"])))


def test_new_deleted_and_renamed(repository, find):
    repository.stage({"specs/a.json": NEW, "specs/same.json": None})
    repository.git("mv", FILE, "specs/renamed.json")
    matches = find()
    assert [(pair.path, pair.is_added, pair.is_removed) for pair in matches] == [
        ("specs/a.json", True, False),
        ("specs/renamed.json", False, False),
        ("specs/same.json", False, True),
    ]
    assert (matches[1].base.path, matches[1].head.path) == (FILE, "specs/renamed.json")


@pytest.mark.parametrize("name", ["specs/versions.json", "specs/README", "specs/x.schema.json", "README.md"])
def test_what_is_no_spec_is_passed_over(repository, find, name):
    repository.stage({name: VERSIONS if name.endswith("versions.json") else "{"})
    assert name not in [pair.path for pair in find()]
    repository.git("commit", "-qm", "x")
    repository.stage({name: None})
    assert name not in [pair.path for pair in find()]


def test_a_file_of_another_name_is_a_spec_if_it_reports_it(repository, find):
    repository.stage({"specs/ops.txt": FIRST})
    assert shown(find()) == [("specs/ops.txt", 1, True, False, False)]


def test_what_should_be_a_spec_and_is_none_is_an_error(repository, find):
    repository.stage({"specs/a.yaml": "{"})
    with pytest.raises(InputError, match=r"^:specs/a.yaml: "):
        find()


def test_what_became_a_link_is_gone(repository, find):
    (repository.top / FILE).unlink()
    (repository.top / FILE).symlink_to("same.json")
    repository.git("add", FILE)
    assert (FILE, 1, False, True, False) in shown(find())


def test_a_new_link_is_no_spec_file(repository, find):
    (repository.top / "specs/link.json").symlink_to("/etc/passwd")
    repository.git("add", "specs/link.json")
    assert "specs/link.json" not in [pair.path for pair in find() if not pair.is_unchanged]


def test_none_at_all_is_wrong_usage(repository, find):
    repository.commit({FILE: None, "specs/same.json": None})
    with pytest.raises(UsageError, match="there is no configuration, and no spec file under specs/"):
        find()


def test_in_a_source_tree_the_command_that_compares_it_is_reported(repository, find):
    trees = {"paddle-source:.": "paddle/phi/ops/yaml/ops.yaml", "onnx-source:.": "onnx/defs/operator_sets.h"}
    gone = (FILE, "specs/same.json")
    for tree, path in trees.items():
        repository.commit({**dict.fromkeys(gone), path: "- op : relu\n"})
        gone = (path,)
        with pytest.raises(UsageError) as raised:
            find()
        assert f"`opspec-lint check {tree}` checks it" in raised.value.advice


def test_a_configuration_that_names_none_is_not_passed_over(repository, find):
    repository.commit({FILE: None, "specs/same.json": None})
    with pytest.raises(UsageError, match=r"^a\.yaml names no spec file, and there is none under specs/$"):
        find(None, "# nothing\n")


def test_a_spec_file_by_its_name(repository, find):
    repository.stage({FILE: TWO, "specs/versions.json": VERSIONS})
    find()
    result = repository_around(str(repository.top), repository.environment)
    store = Objects(result)
    tree = Snapshot(result, store, INDEX)
    assert sorted(loading.load_file(tree, FILE).spec.ops) == ["f", "g"]
    assert loading.load_unchanged(tree, FILE).path == FILE
    assert loading.load_unchanged(tree, "specs/versions.json") is None
    with pytest.raises(InputError, match=r"^:specs/none.json: cannot be read"):
        loading.load_file(tree, "specs/none.json")
    store.close()


def movers(result):
    return {pair.path: [(base.path, names) for base, names in pair.from_elsewhere] for pair in result}


DECOY, ANOTHER = "specs/decoy.json", "specs/ops.yaml"
TREE_OF_TWO = text("f(X) -> ()", "g() -> ()", "h() -> ()")


def test_what_git_takes_for_renamed_is_not_all_that_came(repository, find):
    repository.stage({FILE: None, DECOY: FIRST, ANOTHER: text("f(X, Y) -> ()")})
    matches = find()
    assert shown(matches) == [(DECOY, 2, False, False, False), (ANOTHER, 1, True, False, False)]
    assert movers(matches) == {DECOY: [], ANOTHER: [(FILE, ("f",))]}


def test_ops_that_left_a_file_are_detected_where_they_came_to(repository, find):
    repository.commit({FILE: TREE_OF_TWO})
    repository.stage({FILE: FIRST, ANOTHER: text("g() -> ()", "k() -> ()"), DECOY: text("h() -> ()", "f(X) -> ()")})
    assert movers(find()) == {FILE: [], ANOTHER: [(FILE, ("g",))], DECOY: [(FILE, ("h",))]}


def test_a_new_file_next_to_one_that_stays_is_compared_with_nothing(repository, find):
    repository.stage({ANOTHER: text("f(X, Y) -> ()")})
    assert movers(find()) == {ANOTHER: []}


def test_ops_of_another_framework_did_not_come_from_here(repository, find):
    repository.stage({FILE: None, ANOTHER: text("f(X, Y) -> ()", framework="other")})
    assert movers(find()) == {ANOTHER: []}


def test_many_files_that_are_the_same_are_compared_once_with_each_that_is_new(repository, find):
    """Git pairs few of these; each of the others came from a file that is no other than the rest."""
    (repository.top / "specs/same.json").unlink()
    new = text(*(f"same{number}(A, B, C) -> (D) [x: INT, y: INT]" for number in range(9)))
    old = {f"specs/old{number}.json": SAME for number in range(30)}
    repository.commit(old)
    for path in old:
        (repository.top / path).unlink()
    repository.write({f"specs/new{number}.json": new for number in range(30)})
    repository.git("add", "--all")
    pairs = [pair for pair in find() if pair.head is not None and "new" in pair.path]
    assert len(pairs) == 30
    assert all(len(pair.from_elsewhere) + (pair.base is not None) >= 1 for pair in pairs)
    assert sum(len(pair.from_elsewhere) for pair in pairs) <= 30


SCHEMA, PART, DEEPER = "specs/model.fbs", "parts/kinds.fbs", "parts/more.fbs"
FILES = {
    SCHEMA: 'include "parts/kinds.fbs";\ntable T { kind:Kind; more:More; }\nroot_type T;\n',
    PART: 'include "more.fbs";\nenum Kind : ubyte { A, B }\n',
    DEEPER: "enum More : ubyte { C }\n",
    "specs/alone.fbs": "table S { a:int; }\nroot_type S;\n",
}


@pytest.mark.parametrize("settings", [None, config(specs=["specs/*.fbs"])])
@pytest.mark.parametrize("neighbor", [{}, {FILE: TWO}])
@pytest.mark.parametrize("path", [PART, DEEPER])
def test_a_schema_is_compared_where_only_an_included_file_changed(repository, find, path, neighbor, settings):
    repository.commit(FILES)
    repository.stage({path: FILES[path].replace("C }", "C, D }").replace("A, B", "B, A"), **neighbor})
    pair_by_path = {pair.path: pair for pair in find(settings, settings)}
    old, new = pair_by_path[SCHEMA].specs()
    assert old.ops != new.ops
    assert pair_by_path.get("specs/alone.fbs") is None or pair_by_path["specs/alone.fbs"].is_unchanged


def test_a_schema_is_compared_where_another_file_is_included_by_the_same_name(repository, find):
    repository.commit(FILES)
    repository.stage({"specs/parts/kinds.fbs": FILES[PART].replace("A, B", "B, A").replace("more", "parts/more")})
    (pair,) = (find_pair for find_pair in find() if find_pair.path == SCHEMA)
    assert not pair.is_unchanged


def test_an_include_that_head_lacks_is_an_error(repository, find):
    repository.commit(FILES)
    repository.stage({DEEPER: None})
    with pytest.raises(InputError, match=r"more\.fbs', which is not in the tree"):
        find()


def test_a_schema_whose_files_are_the_same_is_not_loaded(repository, find):
    repository.commit(FILES)
    repository.stage({"other.fbs": "table U { a:int; }"})
    assert {pair.path: pair.is_unchanged for pair in find()} == {FILE: True, "specs/same.json": True}
