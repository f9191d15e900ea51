"""A summary of many models in each of its formats, and the tables of all verdicts."""

import csv
import json
import re

import pytest

from tests.support import zoo
from tests.support.paths import SPECS
from tests.support.programs import run

SPECS_NAMED = [f"paddle@{release}" for release in ("1.8.5", "2.6.2", "3.0.0")]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Results of programs that load under all of three releases, under the first, and under none; one is broken."""
    top = tmp_path_factory.mktemp("summary")
    folder = top / "zoo"
    zoo.program(folder / "a.pdmodel")
    zoo.program(folder / "b.pdmodel", "no_such_op")
    zoo.program(folder / "c.pdmodel", "no_such_op")
    zoo.program(folder / "<script>alert(1)</script>|`x`.pdmodel", "no_such_op")
    (folder / "broken.pdmodel").write_bytes(b"\x0a\xff\xff\xff\xff\x7f")
    (folder / "notes.txt").write_text("none")
    file = top / "zoo.sqlite"
    requested = [term for text in SPECS_NAMED for term in ("--against", text)]
    ran = run("audit", folder, *requested, "--loader", "legacy_executor", "--results", file, "--jobs", "1")
    assert ran.code == 3, ran.err
    return file


def summarized(results, form):
    ran = run("audit", "--results", results, "--summary", "--format", form)
    assert ran.code == 3, ran.err
    return ran.out


def test_json_has_all_of_it(results):
    document = json.loads(summarized(results, "json"))
    assert (document["models"], document["others"], document["unreadable"]) == (5, 1, 1)
    assert document["formats"] == {"paddle_program": 4}
    counted = {verdict["against"]: sum(verdict["models"].values()) for verdict in document["verdicts"]}
    assert counted == dict.fromkeys(SPECS_NAMED, 4)
    stopper = next(item for item in document["stopping_ops"] if item["against"] == "paddle@3.0.0")
    assert (stopper["op"], stopper["models"]) == ("no_such_op", 3)
    spans = {item["model"].rpartition("/")[2]: item for item in document["per_model"]}
    assert (spans["a.pdmodel"]["oldest"], spans["a.pdmodel"]["newest"]) == (SPECS_NAMED[0], SPECS_NAMED[-1])
    assert spans["b.pdmodel"]["refused"] == SPECS_NAMED


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_people_see_counts_stoppers_and_releases(results, form):
    output = (
        re.sub(r"<[^>]*>|&[a-z]+;", " ", summarized(results, form)) if form == "html" else summarized(results, form)
    )
    for text in ("5 models", "no_such_op", "paddle@2.6.2", "from paddle@1.8.5 to paddle@3.0.0", "under none"):
        assert text in output


def test_names_of_files_are_no_markup(results):
    assert "<script>alert" not in summarized(results, "html")
    rows = [line for line in summarized(results, "markdown").splitlines() if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == len(re.findall(r"(?<!\\)\|", rows[0])) for row in rows[:3])


def test_csv_has_a_row_for_every_verdict(results):
    lines = summarized(results, "jsonl").splitlines()
    rows = list(csv.DictReader(summarized(results, "csv").splitlines()))
    assert [row["verdict"] for row in rows] == [json.loads(line)["verdict"] for line in lines]
    assert {row["format"] for row in rows} == {"paddle_program", "unreadable"}


def test_csv_on_standard_output_has_no_control_characters(tmp_path):
    folder = tmp_path / "zoo"
    zoo.program(folder / "\x1b[2Jmodel.pdmodel", "no_such_op")
    options = ("--against", "paddle@2.6.2", "--loader", "legacy_executor", "--results", tmp_path / "z", "--jobs", "1")
    ran = run("audit", folder, *options, "--format", "csv", "--format", f"csv={tmp_path / 'rows.csv'}")
    assert r"\x1b[2Jmodel" in ran.out
    assert "\x1b" not in ran.out
    assert "\x1b[2Jmodel" in (tmp_path / "rows.csv").read_text()


def test_parquet_is_the_same_table(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "rows.parquet"
    assert run("audit", "--results", results, "--summary", "--format", f"parquet={file}").code == 3
    lines = [json.loads(line) for line in summarized(results, "jsonl").splitlines()]
    assert parquet.read_table(file).column("model").to_pylist() == [line["model"] for line in lines]


def test_a_spec_file_is_no_release(tmp_path):
    zoo.program(tmp_path / "zoo" / "a.pdmodel")
    file = tmp_path / "zoo.sqlite"
    ran = run("audit", tmp_path / "zoo", "--against", SPECS / "paddle-2.6.2.json", "--results", file, "--jobs", "1")
    assert ran.code == 0, ran.err
    assert json.loads(run("audit", "--results", file, "--summary", "--format", "json").out)["releases"] == []


@pytest.fixture(scope="module")
def two_loaders(tmp_path_factory):
    """Results of one program that one loader refuses for its file, and another loads."""
    top = tmp_path_factory.mktemp("loaders")
    zoo.program(top / "zoo" / "a.pdmodel")
    zoo.program(top / "zoo" / "b.pdmodel")
    loaders = ("--loader", "legacy_executor", "--loader", "static.load_inference_model")
    ran = run("audit", top / "zoo", "--against", "paddle@3.0.0", *loaders, "--results", top / "r", "--jobs", "1")
    assert ran.code == 1, ran.err
    return top / "r"


def test_the_summary_of_a_loader(two_loaders):
    ran = run("audit", "--results", two_loaders, "--summary", "--loader", "legacy_executor", "--format", "json")
    document = json.loads(ran.out)
    assert (ran.code, document["counts"]) == (0, {"yes": 2, "no": 0, "unknown": 0})
    assert {verdict["loader"] for verdict in document["verdicts"]} == {"legacy_executor"}


def test_the_summary_of_a_release(results):
    ran = run("audit", "--results", results, "--summary", "--against", SPECS_NAMED[0], "--format", "json")
    assert {verdict["against"] for verdict in json.loads(ran.out)["verdicts"]} == {SPECS_NAMED[0]}
    assert run("audit", "--results", results, "--summary", "--against", "onnx@1.5.0").code == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--loader", "onnx.checker"), "the results have no audits by onnx.checker"),
        (("--tags", "serve"), "--summary shows stored results, so that --tags has no effect"),
        (("--saved-by", "paddle@2.6.2"), "so that --saved-by has no effect"),
    ],
)
def test_an_option_without_effect_on_stored_results_is_refused(two_loaders, options, message):
    ran = run("audit", "--results", two_loaders, "--summary", *options)
    assert (ran.code, message in ran.err) == (2, True)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_a_reason_that_concerns_no_op_is_named(two_loaders, form):
    ran = run("audit", "--results", two_loaders, "--summary", "--format", form)
    assert "look for a .json, not a .pdmodel" in ran.out


def test_the_page_filters_by_every_verdict(two_loaders):
    html = run("audit", "--results", two_loaders, "--summary", "--format", "html").out
    choices = re.search(r'<select id="verdict">(.*?)</select>', html)[1]
    assert re.findall("<option>([^<]*)", choices) == ["loads", "refused"]
    assert re.findall('data-verdicts="([^"]*)"', html) == ["loads refused"] * 2


def test_waivers_of_results_are_counted_and_validated(two_loaders, tmp_path):
    file = tmp_path / "accepted.yaml"
    why = ("--owner", "release", "--reason", "they are converted")
    ran = run("waive", "--baseline", "--audit", two_loaders, "--waivers", file, *why)
    assert (ran.code, "1 waiver added" in ran.out) == (0, True), ran.err
    ran = run("audit", "--results", two_loaders, "--summary", "--waivers", file)
    assert (ran.code, ran.out.splitlines()[1]) == (0, "4 audits: 2 load, 2 do not load (2 refused); 2 waived")
    file.write_text(file.read_text(encoding="utf-8") + "  expires: '2020-01-01'\n", encoding="utf-8")
    ran = run("audit", "--results", two_loaders, "--summary", "--waivers", file)
    assert (ran.code, "expired on 2020-01-01" in ran.err) == (1, True)
