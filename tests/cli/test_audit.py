from __future__ import annotations

import json
import re
from html import unescape

import pytest
import yaml
from jsonschema import Draft202012Validator

from opspec_lint.documents.schema import load
from opspec_lint.models import audit_text
from opspec_lint.models.reach import ReleaseReach, ReleaseRefusal
from opspec_lint.sources import released
from tests.support.models import paddle_programs, pir_models, pytorch_models
from tests.support.models.tensorflow_models import (
    FLOAT,
    bundle,
    graph,
    meta_graph,
    node,
    placeholder,
    saved_model,
    write,
)
from tests.support.paths import SPECS
from tests.support.programs import run

X = placeholder()
MATMUL = node("y", "MatMul", "x", "x", T=FLOAT)
PADDLE = SPECS / "paddle-3.0.0.json"
REFUSAL = "the attr 'T' of 'MatMul' has no default value, and the node does not set it (node 'z')"
OLD, NEW = SPECS / "tensorflow-2.4.4.json", SPECS / "tensorflow-2.18.1.json"


def schema(name):
    return Draft202012Validator(load(name))


def whole(tmp_path):
    return write(tmp_path / "whole.pb", graph(X, MATMUL, producer=561))


def odd(tmp_path):
    return write(tmp_path / "odd.pb", graph(X, MATMUL, node("z", "MatMul", "x", "x"), producer=561))


def audited(*args):
    ran = run("audit", *args, "--format", "json")
    document = json.loads(ran.out)
    assert list(schema("audit").iter_errors(document)) == []
    return ran.code, document["audits"]


def test_a_whole_model_loads(tmp_path):
    path = whole(tmp_path)
    code, (actual,) = audited(path, "--against", OLD)
    assert code == 0
    assert actual == {
        "model": path,
        "against": str(OLD),
        "loader": "import_graph_def",
        "loads": "yes",
        "verdict": "loads",
        "reason": None,
        "findings": [],
    }


@pytest.mark.parametrize("name", ["tensorflow@2.18", "tensorflow@2.18..2.19"])
def test_a_release_among_the_models_is_a_value_of_against(tmp_path, name):
    named = audited(whole(tmp_path), "--against", name)
    assert audited(whole(tmp_path), name) == named
    assert {row["against"] for row in named[1]} <= {"tensorflow@2.18.1", "tensorflow@2.19.1"}


@pytest.mark.parametrize(
    ("argument", "problem"),
    [
        ("net@2.onnx", "net@2.onnx: there is no such file or folder"),
        ("tensorflow@1999", "tensorflow@1999: no released spec has this name"),
    ],
)
def test_an_argument_that_is_neither_a_file_nor_a_release_is_an_error(tmp_path, argument, problem):
    ran = run("audit", whole(tmp_path), argument)
    assert ran.code == 3
    assert problem in ran.err


def test_a_file_that_is_called_like_a_release_is_a_model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "tensorflow@2.18", graph(X, MATMUL, producer=561))
    _, rows = audited("tensorflow@2.18", "--against", OLD)
    assert [(row["model"], row["against"]) for row in rows] == [("tensorflow@2.18", str(OLD))]


def test_every_model_against_every_spec(tmp_path):
    code, result = audited(whole(tmp_path), odd(tmp_path), "--against", OLD, "--against", NEW)
    assert code == 1
    assert [(row["verdict"], row["against"]) for row in result] == [
        ("loads", str(OLD)),
        ("loads", str(NEW)),
        ("refused", str(OLD)),
        ("refused", str(NEW)),
    ]
    (finding,) = result[2]["findings"]
    assert {key: finding[key] for key in ("rule", "level", "graph", "node", "op")} == {
        "rule": "model_attr_missing",
        "level": "error",
        "graph": "",
        "node": "z",
        "op": "MatMul",
    }


def test_a_path_without_a_model_does_not_hide_the_others(tmp_path):
    code, result = audited(tmp_path / "none", whole(tmp_path), "--against", OLD)
    assert code == 3
    assert [(row["verdict"], row["reason"], row["loader"]) for row in result] == [
        ("unreadable", "no_model_file", None),
        ("loads", None, "import_graph_def"),
    ]


def test_without_a_loader_all_are_queried_that_take_the_model(tmp_path):
    saved_model(tmp_path, meta_graph(graph(X), "serve"))
    _, result = audited(tmp_path, "--against", NEW)
    assert [item["loader"] for item in result] == ["saved_model.load", "v1.saved_model.loader.load"]
    _, result = audited(tmp_path, "--against", NEW, "--loader", "saved_model.load", "--tags", "train")
    assert [(item["loader"], item["reason"]) for item in result] == [("saved_model.load", "tags")]


def test_waivers(tmp_path):
    path = odd(tmp_path)
    _, ((finding,),) = audited(path, "--against", OLD)[0], [audited(path, "--against", OLD)[1][0]["findings"]]
    waiver = {"fingerprint": finding["fingerprint"], "reason": "known", "owner": "me"}
    (tmp_path / "w.json").write_text(json.dumps({"version": 1, "waivers": [waiver]}), encoding="utf-8")
    code, (result,) = audited(path, "--against", OLD, "--waivers", tmp_path / "w.json")
    assert code == 0
    assert result["verdict"] == "refused"
    assert result["findings"][0]["waived"] == {"reason": "known", "owner": "me", "expires": None}


def test_several_loaders_are_all_tried(tmp_path):
    saved_model(tmp_path, meta_graph(graph(X), "serve"))
    named = ("v1.saved_model.loader.load", "keras.models.load_model", "v1.saved_model.loader.load")
    options = [item for name in named for item in ("--loader", name)]
    _, result = audited(tmp_path, "--against", NEW, *options)
    assert [item["loader"] for item in result] == list(named[:2])


def test_a_loader_judges_models_of_its_formats(tmp_path):
    (tmp_path / "m.pdmodel").write_bytes(paddle_programs.program(paddle_programs.node("relu", {"X": ["x"]}, ("Out",))))
    options = ("--against", NEW, "--against", PADDLE, "--loader", "import_graph_def", "--loader", "legacy_executor")
    _, result = audited(whole(tmp_path), tmp_path / "m.pdmodel", *options, "--skip-others")
    assert [(item["loader"], item["verdict"]) for item in result] == [
        ("import_graph_def", "loads"),
        ("legacy_executor", "loads"),
    ]
    ran = run("audit", whole(tmp_path), "--loader", "import_graph_def", "--loader", "legacy_executor")
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        "opspec-lint: error: --loader legacy_executor takes none of the models; it loads paddle_program",
    )


def waivers(tmp_path, *entries):
    file = tmp_path / "w.yaml"
    file.write_text(yaml.safe_dump({"version": 1, "waivers": list(entries)}), encoding="utf-8")
    return file


def test_waivers_are_validated(tmp_path):
    path = odd(tmp_path)
    (finding,) = audited(path, "--against", OLD)[1][0]["findings"]
    why = {"reason": "known", "owner": "me"}
    expired = {"fingerprint": finding["fingerprint"], **why, "expires": "2020-01-31"}
    unknown = {"rule": "no_such_rule", "op": "MatMul", **why}
    elsewhere = {"rule": "model_attr_missing", "op": "Conv2D", **why}
    for entry, message in (
        (expired, f"error: {tmp_path}/w.yaml:3: the waiver of {finding['fingerprint']} expired on 2020-01-31"),
        (unknown, f"error: {tmp_path}/w.yaml:3: the waiver of no_such_rule MatMul names an unknown rule"),
    ):
        file = waivers(tmp_path, entry)
        ran = run("audit", whole(tmp_path), path, "--against", OLD, "--waivers", file)
        assert (ran.code, message in ran.err) == (1, True), ran.err
        alone = run("audit", whole(tmp_path), "--against", OLD, "--waivers", file, "--format", "sarif")
        assert (alone.code, message in alone.err) == (1, True)
        assert "w.yaml" in alone.out
    assert run("audit", whole(tmp_path), "--against", OLD, "--waivers", waivers(tmp_path, elsewhere)).code == 0


def test_text_names_the_last_day_of_a_waiver(tmp_path):
    path = odd(tmp_path)
    (finding,) = audited(path, "--against", OLD)[1][0]["findings"]
    entry = {"fingerprint": finding["fingerprint"], "reason": "known", "owner": "me", "expires": "2999-12-31"}
    ran = run("audit", path, "--against", OLD, "--waivers", waivers(tmp_path, entry))
    assert (ran.code, "waived by me until 2999-12-31: known" in ran.out) == (0, True)


def test_a_pointer_of_git_lfs_does_not_fail(tmp_path):
    (tmp_path / "m.pdmodel").write_text("version https://git-lfs.github.com/spec/v1\n", encoding="utf-8")
    code, (result,) = audited(tmp_path / "m.pdmodel", "--against", SPECS / "paddle-3.0.0.json")
    assert (code, result["verdict"]) == (0, "cannot_tell")
    assert [finding["rule"] for finding in result["findings"]] == ["model_not_fetched"]


def test_others_are_skipped_where_that_is_requested(tmp_path):
    (tmp_path / "package.json").write_text('{"name": "base_code"}', encoding="utf-8")
    (tmp_path / "m.pdmodel").write_bytes(paddle_programs.program())
    (tmp_path / "cut.pdmodel").write_bytes(paddle_programs.program()[:-9])
    others = [SPECS / "tensorflow-2.4.4.json", tmp_path / "package.json", tmp_path / "m.pdmodel"]
    for texts in ((), ("--loader", "import_graph_def")):
        ran = run("audit", "--skip-others", *others, *texts, "--against", OLD)
        assert (ran.code, ran.out) == (0, "nothing to audit\n")
    code, result = audited("--skip-others", *others, odd(tmp_path), "--against", OLD, "--against", PADDLE)
    assert code == 1
    assert [(row["model"], row["against"], row["verdict"]) for row in result if row["model"] != str(others[2])] == [
        (str(tmp_path / "odd.pb"), str(OLD), "refused")
    ]
    assert {row["against"] for row in result if row["model"] == str(others[2])} == {str(PADDLE)}
    code, (result,) = audited("--skip-others", tmp_path / "cut.pdmodel", "--against", OLD)
    assert (code, result["verdict"]) == (3, "unreadable")
    code, (result,) = audited("--skip-others", tmp_path / "gone.pb", "--against", OLD)
    assert (code, result["reason"]) == (3, "no_model_file")


def test_a_spec_that_a_loader_of_the_model_goes_by_is_no_other(tmp_path):
    (tmp_path / "m.pdmodel").write_bytes(paddle_programs.program())
    _, (result,) = audited("--skip-others", tmp_path / "m.pdmodel", "--against", SPECS / "paddle-pir-3.0.0.json")
    assert (result["loader"], result["verdict"]) == ("pir_translation", "loads")


@pytest.mark.parametrize(
    ("file", "count"),
    [("__model__", 1), ("m.pdmodel", 1), ("m.tflite", 1), ("m.onnx", 1), ("m.pt2", 1), ("m.pb", 0), ("m.json", 0)],
)
def test_what_has_the_name_of_a_model_is_not_skipped(tmp_path, file, count):
    (tmp_path / file).write_text("none", encoding="utf-8")
    _, result = audited("--skip-others", tmp_path / file, "--against", OLD)
    assert [row["verdict"] for row in result] == ["unreadable"] * count


@pytest.mark.parametrize(
    ("file", "is_looked_at"),
    [
        ("saved_model.pb", True),
        ("a/saved_model.pbtxt", True),
        ("a/frozen.pb", True),
        ("model.ckpt.meta", True),
        ("model.ckpt.index", True),
        ("a/__model__", True),
        ("inference.pdmodel", True),
        ("inference.json", True),
        ("a b/m.tflite", True),
        ("m.onnx", True),
        ("m.pt2", True),
        ("m.pt", True),
        ("model.ckpt.data-00000-of-00001", False),
        ("inference.pdiparams", False),
        ("graph.pbtxt", False),
        ("README.md", False),
        ("a__model__", False),
        ("ops.yaml", False),
    ],
)
def test_the_hook_looks_at_files_that_may_be_models(file, is_looked_at):
    hooks = yaml.safe_load((SPECS.parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (hook,) = (hook for hook in hooks if hook["id"] == "opspec-lint-audit")
    assert (re.search(hook["files"], file) is not None) is is_looked_at
    assert "--skip-others" in hook["entry"]


def test_text(tmp_path):
    ran = run("audit", odd(tmp_path), "--against", OLD)
    assert ran.code == 1
    assert ran.out.splitlines()[0].endswith(f"odd.pb: is refused by {OLD} (import_graph_def): missing_attr")
    assert f"  error   {REFUSAL}  [model_attr_missing]" in ran.out
    assert ran.out.endswith("\n1 audit: 1 do not load (1 refused)\n")


@pytest.mark.parametrize("name", ["github", "gitlab", "html", "junit", "markdown", "sarif"])
def test_every_report_format(tmp_path, name):
    ran = run("audit", odd(tmp_path), "--against", OLD, "--format", name, "--output", tmp_path / "report")
    assert (ran.code, ran.out) == (1, "")
    assert "MatMul" in (tmp_path / "report").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["--against", SPECS / "paddle-3.0.0.json"], "needs a spec of tensorflow"),
        (["--against", OLD, "--loader", "nothing"], "unknown loader 'nothing'"),
    ],
)
def test_wrong_usage(tmp_path, texts, message):
    ran = run("audit", whole(tmp_path), *texts)
    assert ran.code == 2
    assert message in ran.err


def test_a_name_from_a_model_steers_no_terminal(tmp_path):
    path = write(tmp_path / "graph.pb", graph(node("a\x1b[31mb", "\x1b]0;Op")))
    ran = run("audit", path, "--against", OLD, "--loader", "import_graph_def")
    assert "\x1b" not in ran.out


def test_show(tmp_path):
    saved_model(tmp_path / "saved", meta_graph(graph(X, MATMUL), "serve"))
    bundle(tmp_path / "saved" / "variables" / "variables", [("w", FLOAT, [2], bytes(8))])
    ran = run("show", tmp_path / "saved", whole(tmp_path), "--format", "json")
    document = json.loads(ran.out)
    assert list(schema("show").iter_errors(document)) == []
    saved, bare = document["models"]
    assert saved["checkpoint"] == [["w", [2], "float32"]]
    assert saved["meta_graphs"][0]["tensorflow_version"] == "2.12.1"
    assert saved["meta_graphs"][0]["op_counts"] == {"MatMul": 1, "Placeholder": 1}
    assert bare["checkpoint"] is None
    assert "not trained further" in bare["remarks"][0]
    text = run("show", tmp_path / "saved").out
    assert "  written by: 2.12.1\n" in text
    assert "    w: float32 [2]\n" in text


def test_what_cannot_be_shown_is_reported(tmp_path):
    ran = run("show", tmp_path / "none")
    assert ran.code == 3
    assert "there is no such file or folder" in ran.err


def test_which_releases_load_a_model(tmp_path):
    newer = write(tmp_path / "newer.pb", graph(X, node("y", "Dawsn", "x", T=FLOAT), producer=987))
    everywhere, nowhere = whole(tmp_path), odd(tmp_path)
    code, result = reaches(newer, everywhere, nowhere)
    assert code == 1  # as no release loads the last one
    known = released.names({"tensorflow"})
    newest = known[-1]
    assert [(item["model"], item["oldest"], item["newest"]) for item in result] == [
        (newer, "tensorflow@2.2.3", newest),
        (everywhere, known[0], newest),
        (nowhere, None, None),
    ]
    assert {item["loader"] for item in result} == {"import_graph_def"}
    refused = result[0]["refusals"]
    assert [refusal["release"] for refusal in refused] == known[: known.index("tensorflow@2.2.3")]
    assert all("has no op 'Dawsn'" in refusal["reason"] for refusal in refused)
    text = " ".join(run("audit", newer, everywhere, nowhere).out.split())
    older = " to ".join(refused[place]["release"].partition("@")[2] for place in (0, -1))
    last = newest.partition("@")[2]
    assert text.startswith(
        f"{newer}: loads in tensorflow 2.2.3 to {last} (import_graph_def) "
        f"not in tensorflow {older} (import_graph_def): {refused[0]['reason']} "
        f"{everywhere}: loads in tensorflow 1.15.0 to {last} (import_graph_def) "
        f"{nowhere}: loads in no known release of tensorflow not in tensorflow 1.15.0 to "
    )
    assert text.endswith(f" to {last} (import_graph_def): {REFUSAL}")


def test_releases_that_load_a_model_apart_from_each_other():
    text = audit_text.render(
        (),
        [
            ReleaseReach(
                model="m",
                loader=loader,
                families=("fw",),
                known=("fw@1", "fw@2", "fw@3", "fw@4", "fw@5"),
                loading=("fw@1", "fw@3", "fw@4", "fw@5")[start:],
                oldest="fw@3",
                refusals=(ReleaseRefusal(release="fw@2", verdict="changed", reason="because"),),
            )
            for loader, start in (("a", 0), ("b", 0), ("c", 1))
        ],
    )
    assert text.splitlines() == [
        "m: loads in fw 1, 3 to 5 (a, b); fw 3 to 5 (c)",
        "  with a different meaning in fw 2 (a, b, c): because",
        "",
    ]


def test_many_models_that_load_are_a_single_line(tmp_path):
    paths = [write(tmp_path / f"m{n}.pb", graph(X, MATMUL, producer=561)) for n in range(6)]
    ran = run("audit", *paths, odd(tmp_path), "--against", "tensorflow@2.18.1", "--against", "tensorflow@2.4.4")
    lines = ran.out.splitlines()
    load = "6 models load in tensorflow 2.18.1, 2.4.4 (import_graph_def)"
    assert f"{load}: {', '.join(paths[:4])} and 2 more" in lines
    assert f"{tmp_path / 'odd.pb'}: is refused by tensorflow 2.18.1 (import_graph_def): missing_attr" in lines
    assert lines[-1] == "14 audits: 12 load, 2 do not load (2 refused)"
    few = run("audit", *paths[:2], "--against", "tensorflow@2.18.1").out.splitlines()
    assert few[:2] == [f"{path}: loads in tensorflow 2.18.1 (import_graph_def)" for path in paths[:2]]


def test_the_headings_of_a_page_name_model_release_and_verdict(tmp_path):
    page = run("audit", odd(tmp_path), "--against", "tensorflow@2.18.1", "--format", "html").out
    verdict = "is refused by tensorflow 2.18.1 (import_graph_def): 1 finding"
    heading = f"<h3><bdi>{tmp_path / 'odd.pb'}</bdi> <b>{verdict}</b></h3>"
    assert heading in page
    several = run("audit", odd(tmp_path), whole(tmp_path), "--against", "tensorflow@2.18.1", "--format", "html").out
    assert heading in several
    assert "loads in tensorflow 2.18.1 (import_graph_def): 0 findings" in several
    comment = run("audit", odd(tmp_path), "--against", "tensorflow@2.18.1", "--format", "markdown").out
    assert comment.startswith(f"## ❌ `{tmp_path / 'odd.pb'}` is refused by tensorflow 2.18.1 (import\\_graph\\_def)\n")


def test_the_page_of_an_audit_under_all_releases_begins_with_the_releases_that_load_the_model(tmp_path):
    page = run("audit", write(tmp_path / "m.pb", graph(X, MATMUL, producer=561)), "--format", "html").out
    text = run("audit", tmp_path / "m.pb").out
    assert text.splitlines()[0] in unescape(page)
    assert '<svg class="canvas"' in page


def test_the_page_of_a_model_that_cannot_be_drawn_lists_its_findings(tmp_path):
    (tmp_path / "m.pb").write_bytes(b"\x0a\xff")
    page = run("audit", tmp_path / "m.pb", "--against", "tensorflow@2.18.1", "--format", "html").out
    assert '<p class="stamp">' in page


def of_library(tmp_path):
    """Write a GraphDef with an op of a library; no spec of a release tells whether it loads."""
    return write(tmp_path / "library.pb", graph(X, node("y", "Resampler", "x", "x", T=FLOAT)))


def test_what_is_unknown_is_no_refusal(tmp_path):
    path = of_library(tmp_path)
    code, (reach,) = reaches(path)
    assert code == 0
    assert (reach["loads"], reach["refusals"]) == ([], [])
    assert {doubt["release"].partition("@")[0] for doubt in reach["unknown"]} == {"tensorflow"}
    assert "tensorflow.contrib.resampler registers it" in reach["unknown"][0]["reason"]
    assert "--library" in reach["unknown"][0]["remedy"]
    text = " ".join(run("audit", path).out.split())
    assert text.startswith(f"{path}: not known to load in any release of tensorflow unknown for tensorflow 1.15.0 to ")
    for unknown, expected, start in (("error", 1, "error: "), ("warning", 0, "warning: "), ("ignore", 0, "")):
        ran = run("audit", path, "--unknown", unknown)
        assert (ran.code, start in ran.err, bool(ran.err)) == (expected, True, bool(start))
        ran = run("audit", path, "--against", "tensorflow@2.12.1", "--unknown", unknown, "--format", "json")
        (audit,) = json.loads(ran.out)["audits"]
        level = {"error": "error", "warning": "warning", "ignore": "note"}[unknown]
        assert (ran.code, audit["loads"], [finding["level"] for finding in audit["findings"]]) == (
            expected,
            "unknown",
            [level],
        )


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("text", "  unknown cannot tell: "),
        ("markdown", "## ❔ "),
        ("html", "<b>cannot be determined for tensorflow 2.12.1"),
        ("junit", '<property name="models.unknown" value="1" />'),
        ("sarif", '"unknown": 1'),
    ],
)
def test_formats_of_unknown_verdicts(tmp_path, form, text):
    ran = run("audit", of_library(tmp_path), "--against", "tensorflow@2.12.1", "--format", form)
    assert ran.code == 0
    assert text in ran.out
    assert "1 do not load" not in ran.out


def test_required_releases_decide_the_exit_code(tmp_path):
    newer = write(tmp_path / "newer.pb", graph(X, node("y", "Dawsn", "x", T=FLOAT), producer=987))
    for required, code in (
        (("tensorflow@2.3..",), 0),
        (("tensorflow@..2.1",), 1),
        (("tensorflow@2.3.4", "tensorflow@2.1.4"), 1),
        (("tensorflow@2.18",), 0),
    ):
        ran = run("audit", newer, *(f"--require={release}" for release in required))
        assert (ran.code, "has to load in" in ran.err) == (code, code == 1)
        assert "loads in tensorflow 2.2.3 to " in ran.out
    ran = run("audit", newer, "--against", "tensorflow@2.1.4", "--require", "tensorflow@2.18.1")
    assert (ran.code, "is refused by tensorflow 2.1.4" in ran.out) == (0, True)
    code, audits = audited(newer, "--against", "tensorflow@2.1..2.3")
    assert (code, [audit["against"] for audit in audits]) == (
        1,
        ["tensorflow@2.1.4", "tensorflow@2.2.3", "tensorflow@2.3.4"],
    )


def test_a_required_release_may_be_a_file(tmp_path):
    ran = run("audit", odd(tmp_path), "--require", NEW, "--format", "json")
    assert (ran.code, json.loads(ran.out)["audits"][-1]["against"]) == (1, str(NEW))
    assert run("audit", whole(tmp_path), "--require", NEW).code == 0


@pytest.mark.parametrize(
    ("reference", "advice"),
    [
        ("tensorflow@2.17.0", "the nearest is tensorflow@2.17.1; 23 releases are included, from tensorflow@1.15.0 to "),
        ("paddle@3.2.0", "the nearest is paddle@3.2.2"),
        ("paddle@4.0.0", "the nearest is paddle@3.3.1"),
        ("tensorflow@3.0..", "no released spec is in this range"),
    ],
)
def test_an_unknown_release_suggests_the_nearest(tmp_path, reference, advice):
    ran = run("audit", whole(tmp_path), "--against", reference)
    assert (ran.code, ran.out) == (3, "")
    assert advice in ran.err


PIR_JSON = ("--loader", "pir_json")


def test_a_release_of_paddle_has_pir_ops_too(tmp_path):
    path = tmp_path / "net.json"
    path.write_bytes(pir_models.program())
    code, (by_release,) = audited(path, *PIR_JSON, "--against", "paddle@3.0.0")
    _, (by_pir_spec,) = audited(path, *PIR_JSON, "--against", "paddle-pir@3.0.0")
    assert (code, by_release) == (1, by_pir_spec | {"against": "paddle@3.0.0"})
    code, (old,) = audited(path, *PIR_JSON, "--against", "paddle@2.6.2")
    assert (code, old["verdict"], old["reason"]) == (1, "refused", "parse")
    assert "has no reader of PIR programs" in old["findings"][0]["message"]
    spec = json.loads(PADDLE.read_text(encoding="utf-8"))
    spec["provenance"]["version"] = "3.7.1"
    (tmp_path / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    code, (unknown,) = audited(path, *PIR_JSON, "--against", tmp_path / "spec.json")
    assert (code, unknown["loads"]) == (0, "unknown")
    assert "paddle-pir-source:DIR" in unknown["findings"][0]["advice"]


def test_a_file_of_another_kind_may_load(tmp_path):
    (tmp_path / "net.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    code, (audit,) = audited(tmp_path / "net.h5", "--against", NEW)
    assert (code, audit["verdict"], audit["reason"], audit["loads"]) == (3, "unreadable", "unknown_kind", "unknown")


def reaches(*args):
    ran = run("audit", *args, "--format", "json")
    document = json.loads(ran.out)
    assert list(schema("audit").iter_errors(document)) == []
    return ran.code, document["reaches"]


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        (["--against", NEW, "--loader", "legacy_executor"], "legacy_executor needs a spec of paddle, and"),
        (["--against", PADDLE, "--loader", "saved_model.load"], "saved_model.load needs a spec of tensorflow, and"),
        (["--against", NEW, "--saved-by", PADDLE], "--saved-by names a spec of paddle"),
        (["--against", NEW, "--producer-ops", PADDLE], "--producer-ops names a spec of paddle"),
    ],
)
def test_specs_of_another_framework_are_refused(tmp_path, texts, problem):
    ran = run("audit", whole(tmp_path), *texts)
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err


def test_a_model_is_no_spec_of_a_release(tmp_path):
    path = whole(tmp_path)
    ran = run("audit", path, "--against", path)
    assert ran.code == 2
    assert "is a saved model, and not the spec of a release" in ran.err


@pytest.mark.parametrize("texts", [[], ["--against", OLD], ["--against", PADDLE]], ids=str)
def test_a_model_that_no_loader_takes_is_named(tmp_path, texts):
    (tmp_path / "w.pt").write_bytes(pytorch_models.weights())
    ran = run("audit", tmp_path / "w.pt", *texts)
    assert ran.out == ""
    assert "w.pt: torch.save wrote it" in ran.err
    assert "save the model with torch.jit.save or torch.export.save" in ran.err


def test_without_a_release_all_included_ones_are_queried(tmp_path):
    ran = run("audit", whole(tmp_path), "--format", "json")
    audits = json.loads(ran.out)["audits"]
    names = released.names({"tensorflow"})
    assert [audit["against"] for audit in audits] == names
    for name, audit in ((names[0], audits[0]), (names[-1], audits[-1])):
        alone = run("audit", whole(tmp_path), "--against", name, "--format", "json")
        assert (alone.code, json.loads(alone.out)["audits"]) == (ran.code, [audit])


def test_without_a_release_what_cannot_be_read_is_named_next_to_the_rest(tmp_path):
    ran = run("audit", whole(tmp_path), tmp_path / "none")
    assert ran.code == 3
    assert "whole.pb: " in ran.out
    assert "error: " in ran.err
    assert "none: there is no such file or folder" in ran.err
    ran = run("audit", tmp_path / "none", tmp_path / "nor")
    assert (ran.code, ran.out, ran.err.count("there is no such file")) == (3, "", 2)


def test_several_formats_each_to_its_file(tmp_path):
    texts = {
        name: run("audit", odd(tmp_path), "--against", OLD, "--format", name).out for name in ("text", "json", "sarif")
    }
    files = {name: tmp_path / "reports" / name for name in ("json", "sarif")}
    ran = run(
        "audit",
        odd(tmp_path),
        "--against",
        OLD,
        "--format",
        "text",
        *(f"--format={file}={files[file]}" for file in files),
    )
    assert (ran.code, ran.out) == (1, texts["text"])
    assert {name: path.read_text(encoding="utf-8") for name, path in files.items()} == {
        name: texts[name] for name in files
    }
    ran = run("audit", odd(tmp_path), "--against", OLD, "--format", "text", "--format", "json")
    assert (ran.code, ran.out) == (2, "")
    assert "the formats text and json go to the same place" in ran.err


def test_the_interface_in_several_formats(tmp_path):
    saved_model(tmp_path / "saved", meta_graph(graph(X, MATMUL), "serve"))
    texts = ("audit", tmp_path / "saved", "--profile", "retracing")
    ran = run(*texts, "--format", f"json={tmp_path / 'a.json'}", "--format", "text", "--output", "-")
    assert (ran.code, ran.out) == (0, run(*texts).out)
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == run(*texts, "--format", "json").out


def test_the_text_states_that_a_model_was_not_fetched(tmp_path):
    (tmp_path / "m.pb").write_text("version https://git-lfs.github.com/spec/v1\n", encoding="utf-8")
    ran = run("audit", tmp_path / "m.pb", "--against", NEW)
    assert ran.code == 0
    assert "is a pointer of git-lfs" in ran.out
    assert "more" not in ran.out
    assert "1 note" not in ran.out


def test_a_single_model_without_hazards_is_not_stated_to_be_two(tmp_path):
    ran = run("audit", whole(tmp_path), "--profile", "retracing")
    assert ran.out.endswith("no findings\n")
