"""The command, and what holds on every page: the same bytes each time, no broken link, nothing of a spec as markup."""

from __future__ import annotations

import json
import os
import posixpath
import re

import pytest

from opspec_lint.history import store
from opspec_lint.site.build import Sources, files
from opspec_lint.site.judgements import judgements
from opspec_lint.site.releases import lines
from opspec_lint.sources import references, released
from opspec_lint.sources.reading import Reading
from opspec_lint.spec.model import Provenance
from tests.support.browsing import HOSTILE
from tests.support.histories import build, of_specs
from tests.support.models.onnx_models import graph, model, node
from tests.support.nasty import TEXTS
from tests.support.programs import run
from tests.support.projects import FILE
from tests.support.sites import broken, line, site, spec, specs, table

FEW = "--spec", "tflite@2.4.4", "--spec", "litert@2.1.2"


def on_disk(folder):
    """The files of a folder, by path."""
    return {
        os.path.relpath(os.path.join(top, name), folder): open(os.path.join(top, name), "rb").read()
        for top, _, names in os.walk(folder)
        for name in names
    }


def test_the_same_releases_give_the_same_bytes(tmp_path):
    (tmp_path / "b").mkdir()  # an empty folder is as good as a new one
    for name in ("a", "b"):
        ran = run("site", tmp_path / name, *FEW)
        assert (ran.code, ran.out, ran.err) == (0, "", "")
    first, second = on_disk(tmp_path / "a"), on_disk(tmp_path / "b")
    assert first == second
    assert {"index.html", "site.css", "site.js", "tflite/index.html", "tflite/op/CONV_2D.html"} <= set(first)


def test_the_folder_must_be_empty(tmp_path):
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a").write_text("mine")
    ran = run("site", tmp_path / "s", *FEW)
    assert (ran.code, "is not an empty folder" in ran.err) == (2, True)
    assert on_disk(tmp_path) == {"s/a": b"mine"}


def test_an_earlier_site_is_replaced_and_nothing_else(tmp_path):
    folder = tmp_path / "s"
    assert run("site", folder, *FEW).code == 0
    before = on_disk(folder)
    assert run("site", folder, *FEW, "--ops", ops(tmp_path, "ADD")).code == 0
    after = on_disk(folder)
    assert "tflite/op/ADD.html" in after
    assert "tflite/op/CONV_2D.html" in before.keys() - after.keys()
    (folder / "CNAME").write_text("ops.example.org")
    ran = run("site", folder, *FEW)
    assert (ran.code, "has files that opspec-lint did not write: CNAME" in ran.err) == (2, True)
    assert on_disk(folder) == {**after, "CNAME": b"ops.example.org"}
    assert sorted(os.listdir(tmp_path)) == ["ops.txt", "s"]


def test_a_site_that_fails_replaces_nothing(tmp_path, monkeypatch):
    folder = tmp_path / "s"
    assert run("site", folder, *FEW).code == 0
    before = on_disk(folder)

    def fail(*_):
        assert (tmp_path / "s.incomplete" / "INCOMPLETE.txt").exists()
        raise KeyboardInterrupt

    monkeypatch.setattr("opspec_lint.site.search.script", fail)
    assert run("site", folder, *FEW).code == 130
    assert on_disk(folder) == before
    assert os.listdir(tmp_path) == ["s"]


def test_an_incomplete_site_is_recognised(tmp_path):
    (tmp_path / "s.incomplete").mkdir()
    ran = run("site", tmp_path / "s", *FEW)
    assert (ran.code, "opspec-lint is writing it, or was stopped while it did" in ran.err) == (2, True)
    assert os.listdir(tmp_path) == ["s.incomplete"]


@pytest.mark.parametrize("folder", [".", "link"])
def test_a_folder_that_cannot_be_moved_is_refused_at_once(tmp_path, monkeypatch, folder):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path)
    assert run("site", folder, *FEW).code == 2
    assert os.listdir(tmp_path) == ["link"]


def test_the_styles_are_written_before_the_pages():
    assert list(site("f(X) -> ()"))[:2] == ["site.css", "site.js"]


def test_only_the_named_framework_and_ops_have_pages(tmp_path):
    ran = run("site", tmp_path / "s", "--only", "tflite", "--ops", ops(tmp_path, "# mine", "", "CONV_*"))
    assert (ran.code, ran.err) == (0, "")
    written = on_disk(tmp_path / "s")
    pages = {path for path in written if "/op/" in path}
    assert {"tflite/op/CONV_2D.html", "tflite/op/CONV_3D.html"} <= pages
    assert [page for page in pages if not page.startswith("tflite/op/CONV_")] == []
    assert set(json.loads(written["compat/index.json"])["frameworks"]) == {"tflite"}
    assert all(op.startswith("CONV_") for op in json.loads(written["compat/tflite.json"])["ops"])


def test_a_site_of_the_ops_of_a_model_has_all_versions_of_its_ops(tmp_path):
    (tmp_path / "m.onnx").write_bytes(model(graph([node("Abs", ["x"], ["y"])])))
    ran = run("site", tmp_path / "s", "--spec", "onnx@1.20.1", "--ops", tmp_path / "m.onnx")
    assert (ran.code, ran.err) == (0, "")
    data = json.loads(on_disk(tmp_path / "s")["compat/onnx.json"])
    assert {"Abs@1", "Abs@6", "Abs@13"} == set(data["ops"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "tflit"], "did you mean 'tflite'?"),
        (["--only", "onnx", *FEW], "no release is of a framework of --only"),
        (["--ops", "ops.txt", *FEW], "none of the ops that the site is limited to is in any of the releases"),
    ],
)
def test_a_choice_that_selects_nothing_is_an_error(tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    ops(tmp_path, "Konv")
    ran = run("site", "s", *options)
    assert (ran.code, message in ran.err) == (2, True), ran.err
    assert os.listdir(tmp_path) == ["ops.txt"]


def ops(folder, *lines):
    """Write a list of ops, and return its path."""
    (folder / "ops.txt").write_text("\n".join(lines))
    return folder / "ops.txt"


def test_the_folder_is_no_link_to_elsewhere(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "here").mkdir()
    os.symlink(tmp_path / "other", tmp_path / "here" / "tflite")
    assert run("site", tmp_path / "here", *FEW).code == 2
    assert os.listdir(tmp_path / "other") == []


def test_only_released_specs_are_named():
    ran = run("site", "x", "--spec", "tflite@9")
    assert (ran.code, "no released spec has this name" in ran.err) == (3, True)


def test_a_file_that_is_no_history_is_an_error(tmp_path):
    (tmp_path / "h").write_text("no history")
    ran = run("site", tmp_path / "s", "--history", tmp_path / "h", *FEW)
    assert ran.code == 3
    assert not (tmp_path / "s").exists()


def hostile(names):
    """Releases whose ops and arguments have such names and values."""
    ops = {}
    for number, name in enumerate(names):
        made = spec('f(X) -> (Out) [a: STRING = "a"]').ops["f"]
        attr, argument = made.attrs[0], made.inputs[0]
        messages = {"default_value": name, "allowed_values": tuple(names)}
        ops[name] = made.replace(
            name=name, attrs=(attr.replace(name=name, **messages),), inputs=(argument.replace(name=name),)
        )
        ops[name] = ops[name].replace(attrs=(*ops[name].attrs, attr.replace(name=f"{name}{number}")))
    base = spec("g(X) -> ()").replace(ops=ops)
    return base, base.replace(ops={name: op.replace(attrs=op.attrs[:1]) for name, op in list(ops.items())[1:]})


@pytest.mark.parametrize(
    "names", [HOSTILE, TEXTS, ("A", "a", "a/b", "a:b", "..", "../x", "CON", "__compat", "__proto__")]
)
def test_a_hostile_name_is_text_and_a_file_of_its_own(names):
    base, head = hostile(names)
    pages = site(base, head)
    assert broken(pages) == []
    assert len([page for page in pages if page.startswith("paddle/op/")]) == len(set(names))
    for path, text in pages.items():
        assert ".." not in path.split("/")
        assert path == posixpath.normpath(path)
        if path.endswith(".html"):
            assert text.count("<script") == 1
            assert "onerror='" not in text.replace("&#39;", "")
    ops = json.loads(pages["compat/paddle.json"])["ops"]
    assert set(ops) == set(names)


def test_a_page_stays_small_whatever_a_spec_states():
    long = "x" * 5000
    made = spec("f(X) -> (Out) [a: STRING = 'a']".replace("'", '"'))
    f = made.ops["f"]
    many = tuple(f.attrs[0].replace(name=f"{index}-{long}"[:4000], default_value=long) for index in range(1000))
    ops = {
        f"{index}{long}": f.replace(name=f"{index}{long}", attrs=many if index < 2 else f.attrs) for index in range(300)
    }
    pages = site(made.replace(ops=ops), made)
    assert max(len(text.encode()) for path, text in pages.items() if path.endswith(".html")) < 200_000
    assert broken(pages) == []


def test_what_is_the_same_in_two_frameworks_is_linked():
    pages = site("Abs(X) -> (Y)", framework="onnx")
    assert "Also:" not in pages["onnx/op/Abs.html"]


def test_the_search_knows_the_first_release_of_a_page():
    texts = "Abs@1(X: T) -> (Y: T)", "Abs@1(X: T) -> (Y: T)\nAbs@6(X: T) -> (Y: T)"
    pages = site(*(spec(text, framework="onnx", binding="opset") for text in texts), framework="onnx")
    title, index = json.loads(f"[{pages['search/onnx.js'].removeprefix('opspec.know(').removesuffix(');' + chr(10))}]")
    (page,) = index
    assert (title, page[0], [op[0] for op in page[2]], page[3]) == ("ONNX", "Abs", ["Abs@6", "Abs@1"], "≤1.0")


def test_versions_by_name_are_linked():
    pages = site("expand(X) -> ()", "expand(X) -> ()\nexpand_v2(X) -> ()\nexpands(X) -> ()")
    text = '<a href="expand_v2.html">expand_v2</a> since 2.0</p>'
    assert text in pages["paddle/op/expand.html"]
    assert '<a href="expand.html">expand</a> since ≤1.0</p>' in pages["paddle/op/expand_v2.html"]
    assert "Other versions" not in pages["paddle/op/expands.html"]


VERSIONS = (
    ["f(X) -> (Out) [axis: INT = 1]", "g(X) -> ()"],
    ["f(X) -> (Out) [axis: INT = 2]", "g(X) -> ()"],
    ["f(X) -> (Out) [axis: INT = 2, new: INT = 0]"],
)


@pytest.fixture
def history(tmp_path, monkeypatch):
    """A history of three versions, and its commits."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    repository, commits = of_specs(tmp_path / "top", *VERSIONS)
    monkeypatch.chdir(repository.top)
    build(FILE, "../h")
    with store.open_history(str(tmp_path / "h")) as opened:
        yield opened, commits


def with_commits(history, *releases):
    """The page of `f` on a site of releases, each by its name, its lines, its commit, and perhaps its day."""
    named = [
        (
            name,
            spec("\n".join(lines)).replace(
                provenance=Provenance(framework="paddle", version=name[7:], commit=commit, released=(*day, None)[0])
            ),
        )
        for name, lines, commit, *day in releases
    ]
    return dict(files(Sources(specs=tuple(named), histories=(history,))))["paddle/op/f.html"]


def test_a_history_names_the_commit_behind_a_change(history):
    opened, commits = history
    ends = (("paddle@0.0", VERSIONS[0], commits[0]), ("paddle@2.0", VERSIONS[2], commits[2]))
    text = with_commits(opened, *ends)
    assert f"<code>{commits[1][:10]}</code> #1 of " in text
    assert f"<code>{commits[2][:10]}</code> #2 of " in text


def test_a_release_of_no_commit_is_detected_by_its_day_and_what_it_states(history):
    opened, commits = history
    first, _, last = opened.table("revision")[1]
    another = VERSIONS[2][0].replace("axis: INT = 2", "axis: INT = 3")
    ends = (("paddle@0.0", VERSIONS[0], commits[0], first[2]), ("paddle@2.0", [another], "f" * 40, last[2]))
    text = with_commits(opened, *ends)
    assert f"<code>{commits[2][:10]}</code> #2 of " in text, "of what is so there"
    assert commits[1][:10] not in text, "of what is otherwise there"


def test_a_release_behind_the_end_of_a_history_has_no_commits(history):
    opened, commits = history
    last = ("paddle@2.0", VERSIONS[2], "f" * 40, "2999-01-01")
    text = with_commits(opened, ("paddle@0.0", VERSIONS[0], commits[0]), last)
    assert [commit for commit in commits if commit[:10] in text] == []
    assert len(commits) == len(VERSIONS)


def test_what_is_as_it_was_before_reports_it():
    text = "f(X) -> () [axis: INT = {}]"
    result = site(text.format(1), text.format(2), text.format(1))["paddle/op/f.html"]
    assert "as in <bdi>1.0</bdi>" in result
    rows = [row for row in table(result, "releases") if row[0] == "axis"]
    assert rows == [["axis", "≤1.0", "", "INT = 1", "INT = 2", "INT = 1"]]


def test_an_order_of_families_is_that_of_the_loader():
    specs = [(name, references.resolve(name, Reading()).spec) for name in ("litert@2.1.2", "tflite@2.4.4")]
    (line,) = lines(specs)
    assert [release.label for release in line.releases] == ["2.4.4", "litert 2.1.2"]
    assert [release.date for release in line.releases] == ["2021-11-01", "2026-01-28"]


def test_every_released_spec_has_a_day():
    head = re.compile(rb'"provenance": \{.*"released": "[0-9-]{10}"\}')
    assert [name for name in released.names() if not head.search(released.read(name)[:500])] == []


def test_a_line_of_the_same_release_states_what_it_can():
    pages = site("f(X) -> ()")
    assert broken(pages) == []
    assert table(pages["paddle/op/f.html"], "where") == [["1.0", "1.0", ""]]
    assert line("f(X) -> ()").newest.label == "1.0"


def test_a_proof_states_which_loader_showed_it(tmp_path):
    named = specs("f(X) -> (Out) [axis: INT = 1]", 'f(X) -> (Out) [axis: STRING = "a"]')
    known = lines(named)
    (own,) = judgements(known[0], known)
    (finding,) = (finding for finding in own.findings(0, 1, "f") if finding.level == "error")
    (tmp_path / "proofs.json").write_text(json.dumps(proven(finding)))
    pages = dict(files(Sources(specs=named, proofs=(str(tmp_path / "proofs.json"),))))
    newer, older = table(pages["paddle/op/f.html"], "where")
    assert newer[2].endswith("by the rules")
    assert older[2].endswith("confirmed by paddle 2.0")


def proven(finding):
    """Return the output of `prove` for a finding that a loader confirms."""
    sides = {
        side: {"file": "x", "framework": "paddle", "version": version}
        for side, version in (("base", "1.0"), ("head", "2.0"))
    }
    output = {
        "rule": finding.rule,
        "level": finding.level,
        "kind": finding.kind,
        "op": finding.op,
        "name": finding.name,
    }
    tried = {
        "direction": "backward",
        "verdict": "confirmed",
        "how": "refused",
        "reason": "it refuses it",
        "error": None,
    }
    ends = {"saved_by": "paddle 1.0", "loaded_by": "paddle 2.0", "model": None}
    return {
        "version": 1,
        "loader": "legacy_executor",
        **sides,
        "profile": "paddle",
        "summary": {"confirmed": 1, "refuted": 0, "not_provable": 0, "not_tried": 0},
        "rules": [],
        "proofs": [{"fingerprint": finding.fingerprint, **output, **tried, **ends}],
    }


def test_the_columns_of_an_op_are_the_releases_between_which_nothing_of_it_changed():
    texts = ["f(X) -> (Out) [a: INT = 1]"] * 3 + ["f(X) -> (Out) [a: INT = 2]"] * 16 + ["f(X) -> (Out)"]
    page = site(*texts)["paddle/op/f.html"]
    heads = re.findall(r'<th scope="col"><bdi>(.*?)</bdi>', page)
    assert heads == ["1.0 – 3.0", "4.0 – 19.0", "20.0"]  # noqa: RUF001
    rows = table(page, "releases")
    assert rows[0] == ["the op", "≤1.0", "", "yes"]
    assert rows[-1] == ["a", "≤1.0", "20.0", "INT = 1", "INT = 2", "–"]  # noqa: RUF001
    assert '<td class="there" colspan="3">' in page
    assert re.findall('colspan="6">Attrs', page)
