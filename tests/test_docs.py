"""The documentation is up to date: generated pages, links, names, and every example that can be run."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys

import pytest
import yaml

from opspec_lint.cli.command import COMMANDS, REPLAYS
from opspec_lint.diff.specs import diff
from opspec_lint.kit.command_line import Arguments
from opspec_lint.kit.errors import InputError
from opspec_lint.lint import rulebook
from opspec_lint.lint.check import check, report
from opspec_lint.lint.examples import parse
from opspec_lint.lint.profile import PROFILES
from opspec_lint.project import config
from opspec_lint.report.entries import counts
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import recognise
from opspec_lint.sources.format import Raw
from opspec_lint.sources.format import all_formats as every_format
from opspec_lint.sources.source import SOURCES
from tests.support import paths
from tests.support.models import onnx_models, paddle_programs, pir_models, tensorflow_models, tflite_models
from tests.support.trees import onnx_trees, paddle_trees, pir_trees, pytorch_trees, tensorflow_trees, tflite_trees
from tools.docs import generate, picture, timings
from tools.docs.__main__ import main

ROOT = paths.TOP
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
PAGES = [*DOCS.rglob("*.md"), *(path for name in ("README.md", "CONTRIBUTING.md") if (path := ROOT / name).exists())]
EXAMPLES = sorted(page for page in DOCS.rglob("*.md") if "```console\n" in page.read_text(encoding="utf-8"))
PROGRAMS = {
    "opspec-lint": "from opspec_lint.cli.main import entry; entry()",
    "print_op_desc": "import sys; from opspec_lint.cli.main import print_op_desc; sys.exit(print_op_desc())",
    "check_op_desc": "import sys; from opspec_lint.cli.main import check_op_desc; sys.exit(check_op_desc())",
}
FENCE = re.compile(r"^```(\S*)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text_of(page):
    return page.read_text(encoding="utf-8")


def prose_of(page):
    return FENCE.sub("", text_of(page))


# The guide


def test_the_rule_of_the_guide_flags_its_examples_alone(tmp_path):
    text = text_of(ROOT / "CONTRIBUTING.md")
    path, source = re.search(
        r"`opspec_lint/(lint/rules/\w+/\w+)\.py`:\n\n```python\n(.*?)^```$", text, re.M | re.S
    ).groups()
    file = tmp_path / "rule.py"
    file.write_text(source, encoding="utf-8")
    module = runpy.run_path(str(file))
    rule = module["RULE"].with_file_data(path.rpartition("/")[2], "", module["__doc__"])
    (event,) = rule.on
    assert event in rulebook.RULES.names()
    assert rule.id.startswith(f"{event}_")
    for examples, is_flagged in ((rule.flagged, True), (rule.passes, False)):
        for example in examples:
            changes = [change for change in diff(*map(parse, example)) if change.event == event]
            assert changes
            assert all(rule.when(change) is is_flagged for change in changes)


def test_the_format_of_the_guide_reads_ops_and_refuses_different_lines(tmp_path):
    text = text_of(ROOT / "CONTRIBUTING.md")
    (source,) = re.findall(r"/formats/mill\.py`:\n\n```python\n(.*?)^```$", text, re.M | re.S)
    file = tmp_path / "mill.py"
    file.write_text(source, encoding="utf-8")
    mill = runpy.run_path(str(file))["FORMAT"]

    def read(data):
        return mill.load(Raw(data=data, format=mill), "ops.mill")

    old, new = read(b"concat(X*, Axis?) -> Out\n"), read(b"concat(X*, Axis) -> Out\n")
    assert [(fact.event, fact.name) for fact in diff(old, new) if fact.op] == [("dispensable_cleared", "Axis")]
    for data in (b"concat(X)", b"f() -> A\nf() -> A"):
        with pytest.raises(InputError, match="line "):
            read(data)


# Generated pages


@pytest.fixture(scope="module")
def made():
    return generate.pages()


@pytest.fixture
def _made_once(made, monkeypatch):
    """The pages are made once for all tests of them."""
    monkeypatch.setattr(generate, "pages", lambda: made)


@pytest.mark.usefixtures("_made_once")
def test_generated_pages_are_up_to_date():
    assert generate.stale() == []


@pytest.mark.usefixtures("_made_once")
def test_stale_missing_and_superfluous_pages_are_named(tmp_path, monkeypatch, capsys):
    generate.write(tmp_path)
    assert generate.stale(tmp_path) == []
    rules = tmp_path / "docs" / "reference" / "rules"
    (rules / "op_removed.md").write_text("something else", encoding="utf-8")
    (rules / "op_added.md").unlink()
    (rules / "no_such_rule.md").write_text("nothing", encoding="utf-8")
    assert generate.stale(tmp_path) == [
        "docs/reference/rules/op_added.md is missing",
        "docs/reference/rules/op_removed.md is not up to date",
        "docs/reference/rules/no_such_rule.md is superfluous: nothing generates it",
    ]
    monkeypatch.setattr(generate, "stale", lambda: ["a page is missing"])
    assert main(["--check"]) == 1
    assert "a page is missing\n" in capsys.readouterr().out
    generate.write(tmp_path)
    assert not (rules / "no_such_rule.md").exists()
    assert (rules / "op_added.md").exists()


@pytest.mark.usefixtures("_made_once")
def test_checking_writes_nothing(capsys):
    before = {path: path.stat().st_mtime_ns for path in DOCS.rglob("*.md")}
    assert main(["--check"]) == 0
    assert capsys.readouterr().out == ""
    assert {path: path.stat().st_mtime_ns for path in DOCS.rglob("*.md")} == before


def test_the_tables_of_timings_are_generated(made):
    pages = timings.pages()
    assert "docs/explanation/speed.md" in pages
    assert pages.items() <= made.items()


def test_a_profile_that_is_added_changes_no_page_of_a_rule(made, monkeypatch):
    monkeypatch.setattr(PROFILES, "_modules_by_name", PROFILES._modules() | {"added": "lint.profiles.serving"})
    assert "added" in PROFILES.names()
    for name in rulebook.RULES.names():
        assert generate._page(generate._rule(rulebook.load(name))) == made[f"docs/reference/rules/{name}.md"]


# Links and form


def anchors(page):
    """Return the anchors that GitHub gives the headings of a page."""
    texts, seen = set(), {}
    for heading in re.findall(r"^#+ +(.+?) *$", prose_of(page), re.MULTILINE):
        parts = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", parts.lower()).replace(" ", "-")
        count = seen[anchor] = seen.get(anchor, -1) + 1
        texts.add(f"{anchor}-{count}" if count else anchor)
    return texts


def test_links_lead_somewhere():
    for page in PAGES:
        prose = prose_of(page)
        assert not re.search(r"\]\[", re.sub(r"`[^`]*`", "", prose)), f"{page}: write links in full"
        for target in re.findall(r"(?:\]\(|(?:href|src|srcset)=[\"'])([^)\"'\s]+)", prose):
            if "://" in target:
                continue
            file, _, anchor = target.partition("#")
            path = (page.parent / file).resolve() if file else page
            assert path.exists(), f"{page}: no {target}"
            assert ROOT in path.parents, f"{page}: {target} leads out of the repository"
            is_for_site = DOCS in page.parents and path.suffix == ".md"
            assert not is_for_site or DOCS in path.parents, f"{page}: {target} is no page of the site"
            assert not anchor or anchor in anchors(path), f"{page}: no heading #{anchor}"


def test_every_page_is_reachable():
    reached, waiting = set(), [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            targets = re.findall(r"\]\(([^)\s#]+)", prose_of(page))
            waiting += [(page.parent / target).resolve() for target in targets if "://" not in target]
    assert set(DOCS.rglob("*.md")) <= reached


# Names


def texts_of(folder):
    return set(re.findall(r"(?<![\w-])-{0,2}\w[\w-]*", "\n".join(map(text_of, folder.rglob("*.md")))))


def options_of(catalogue, name):
    declared = Arguments()
    catalogue.load(name).configure(declared)
    return {option for item in declared.every for option in item.names}


def test_every_name_is_in_the_reference():
    names = {
        *COMMANDS.names(),
        *REPLAYS.names(),
        *REPORTERS.names(),
        *rulebook.RULES.names(),
        *PROFILES.names(),
        *SOURCES.names(),
        *(item.name for item in every_format()),
        *(
            option
            for catalogue in (COMMANDS, REPLAYS)
            for name in catalogue.names()
            for option in options_of(catalogue, name)
        ),
        *("--version", "-V"),
    }
    assert names - texts_of(REFERENCE) == set()


def test_every_rule_has_a_page():
    assert {path.stem for path in (REFERENCE / "rules").iterdir()} == {*rulebook.RULES.names(), "index"}


NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
PROMISES = re.findall(r"^\| (.+) \| (.+) \|$", text_of(DOCS / "explanation" / "threat-model.md"), re.MULTILINE)


@pytest.mark.parametrize(
    "promise", [promise for promise in PROMISES if "::" in promise[1]], ids=lambda promise: promise[0][:40]
)
def test_every_test_of_a_promise_exists(promise):
    _, tests = promise
    named = NAMED_TEST.findall(tests)
    assert len(named) == tests.count("::")
    for file, name in named:
        assert re.search(rf"^def {name}\(", text_of(ROOT / file), re.MULTILINE), f"{file} has no {name}"


def test_every_promise_has_a_test():
    page = text_of(DOCS / "explanation" / "threat-model.md")
    rows = [
        row for part in page.split("| Promise | Verified by |\n")[1:] for row in part.split("\n\n")[0].splitlines()[1:]
    ]
    assert len(rows) > 15
    assert [row for row in rows if not NAMED_TEST.search(row)] == []


# Examples


def shown(page):
    """Yield (program, lines of output) of each command in the console blocks of a page; a block may save a file."""
    for language, file, body in FENCE.findall(text_of(page)):
        if file:
            yield file, None, body
        elif language == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield command, output.splitlines(), None


def matches(expected, result):
    """Tell whether an output is the one shown; a line `...` stands for any lines."""
    pattern = "".join("(?:.*\n)*" if line == "..." else f"{re.escape(line)}\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in result)) is not None


@pytest.fixture
def shell(tmp_path, installed):
    """Return a function that runs a command in an empty folder; the programs of the wheel are on its path."""
    programs, work = tmp_path / "bin", tmp_path / "work"
    programs.mkdir()
    work.mkdir()
    for name, code in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\nexec {sys.executable} -c '{code}' \"$@\"\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(installed), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}

    def run(command):
        return subprocess.run(
            ["sh", "-c", command],
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    run.folder = work
    return run


def test_the_examples_run_the_wheel_in_an_empty_folder(shell, installed):
    assert list(shell.folder.iterdir()) == []
    (shell.folder.parent / "bin" / "where").write_text(
        f"#!/bin/sh\nexec {sys.executable} -c 'import opspec_lint; print(opspec_lint.__file__)'\n", encoding="utf-8"
    )
    assert shell("sh ../bin/where").stdout == f"{installed / 'opspec_lint' / '__init__.py'}\n"


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.stem)
def test_examples_do_what_is_shown(page, shell):
    shutil.copytree(paths.DATA / "interfaces", shell.folder / "models")
    status = 0
    steps = list(shown(page))
    assert steps
    for command, expected, file in steps:
        if file is not None:
            (shell.folder / command).write_text(file, encoding="utf-8")
            continue
        if command.split()[0] in ("jq", "patch") and shutil.which(command.split()[0]) is None:
            pytest.skip(f"{command.split()[0]} is not installed")
        if command == "echo $?":
            assert expected == [str(status)], f"exit code {status} of the command before"
            continue
        done = shell(command)
        status = done.returncode
        assert matches(expected, done.stdout.splitlines()), f"$ {command}\n{done.stdout}"


def test_there_are_examples():
    commands = [command for page in EXAMPLES for command, expected, _ in shown(page) if expected is not None]
    assert sum(command.startswith(("opspec-lint ", "check_op_desc ")) for command in commands) >= 15


@pytest.mark.parametrize(
    ("page", "name", "ops"),
    [
        (DOCS / "index.md", "review", None),
        (ROOT / "README.md", "review", None),
        (DOCS / "reference/text-report.md", "terminal", picture.OPS),
        (DOCS / "how-to/check-pull-requests-on-github.md", "comment", picture.OPS),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_the_words_next_to_a_picture_are_the_figures_of_its_run(page, name, ops):
    files = [ROOT / "specs" / f"{spec.replace('@', '-')}.json" for spec in picture.SPECS]
    base, head = (recognise.read(str(file)).spec for file in files)
    (match,) = re.findall(rf"!\[.+: (.+)\.\]\([\w/.]*images/{name}\.png\)", text_of(page))
    assert match == counts(report(check(base, head, PROFILES.load("paddle"), only=ops)).findings)
    assert (DOCS / "images" / f"{name}.png").read_bytes().startswith(b"\x89PNG\r\n")


NOT_RUN = re.compile(r"<!-- (?:not run: [^>]{10,}|the test command|tests/cli/test_examples.py runs them) -->\n\Z")
"""What stands before commands that are run elsewhere or not at all; .ci/run runs the test command."""


def commands_of(page):
    """Yield each block of commands of a page: its language, its text, and whether it says that it is not run."""
    text = text_of(page)
    for block in FENCE.finditer(text):
        if block[1] in ("console", "sh"):
            yield block[1], block[3], NOT_RUN.search(text[: block.start()]) is not None


RUN = [
    (page, text) for page in PAGES for language, text, is_left in commands_of(page) if language == "sh" and not is_left
]
PIR_OPS = "- op : round\n  args : (Tensor x, int decimals = 0)\n  output : Tensor\n"
MAKER = (
    paddle_trees.CLASS.format(name="FOpMaker", body='AddInput("X", "x");')
    + "\nclass FOp : public framework::OperatorWithKernel {};\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
)
SCENE_CONFIG = 'base = "origin/main"\n'
SCENE_SPEC = '{"trace": {"Inputs": {}, "Outputs": {}, "Attrs": {"axis": {"type": 0, "default_value": %d}}}}\n'


PREPARATIONS = {"models.sqlite --summary": "audit models/ --against onnx@1.23.2 --results models.sqlite"}
PREPARATIONS["--usage models.sqlite"] = PREPARATIONS["models.sqlite --summary"]
for name in ("blame paddle.sqlite", "history:paddle.sqlite", "sqlite3 paddle.sqlite", "log paddle.sqlite --level"):
    PREPARATIONS[name] = "history paddle-source:. --output paddle.sqlite"
"""The command before a block that reads what another block of the page wrote, by a text of the block."""


FILES = {
    "resampler.pbtxt": tensorflow_trees.LIST,
    "old.txt": "k::scale(Tensor x) -> Tensor\nk::mask(Tensor x) -> Tensor\n",
    "new.txt": "k::scale(Tensor x) -> Tensor\n",
    "check_forward_backward_compatibility.py": (
        'import datetime\n\nALLOW_LIST = [("k::mask", datetime.date(9999, 1, 1))]\n'
    ),
}
"""Files that the pages name."""


def write_models(folder):
    """Write the saved models that the pages name."""
    (folder / "models").mkdir()
    for name in ("model.onnx", "net.onnx", "old.onnx", "new.onnx", "models/a.onnx"):
        (folder / name).write_bytes(onnx_models.whole())
    node = paddle_programs.node("relu", {"X": ["x"]}, {"Out": ["out"]})
    for name in ("inference.pdmodel", "model.pdmodel", "models/b.pdmodel"):
        (folder / name).write_bytes(paddle_programs.program(node))
    (folder / "model.json").write_bytes(pir_models.program())
    (folder / "net.tflite").write_bytes(tflite_models.whole())
    graph = tensorflow_models.graph(tensorflow_models.placeholder())
    newer = tensorflow_models.graph(tensorflow_models.placeholder(), tensorflow_models.node("y", "NewOp", "x"))
    for name, model in (("classifier", newer), ("segmenter", graph)):
        tensorflow_models.saved_model(folder / "exported" / name, tensorflow_models.meta_graph(model, "serve"))


def paddle_tree():
    """Return the files of a tree of Paddle with its configuration and a spec."""
    makers = {name: MAKER.replace("FOp", f"{name}Op").replace("(f,", f"({name},") for name in ("f", "matmul_v2")}
    return (
        paddle_trees.BASE
        | pir_trees.tree(PIR_OPS)
        | {f"{paddle_trees.OPERATORS}/{name}_op.cc": maker for name, maker in makers.items()}
        | {"opspec-lint.toml": SCENE_CONFIG, "specs/paddle.json": text_of(ROOT / "specs/paddle-2.6.2.json")}
    )


TREES = {
    "check-onnx": onnx_trees.TREE,
    "check-pytorch": pytorch_trees.TREE,
    "check-tensorflow-ops": tensorflow_trees.TREE,
    "check-tflite": tflite_trees.TREE,
}
"""The source tree that a page is about; of the others, it is `paddle_tree`."""
TAGS = ("v0.22.0", "v2.0.0", "v2.2.0"), ("v0.23.0", "v2.1.0")
"""The tags of the first and the second commit."""
QUERY = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]), sep=chr(10))"
TOOLS = {
    "gh": "case $* in *login*) echo ann;; *) echo '[[]]';; esac",
    "pip": ":",
    "dot": "cat",
    "sqlite3": f"exec {sys.executable} -c '{QUERY}' \"$@\"",
}
"""Other programs on the path: there is no review, what would be installed is there, and a picture stays its text."""


@pytest.fixture
def scene_of(shell):
    """Return a function that returns `shell` in what a page without output speaks of.

    That is a clone of a source tree with two tagged commits and a branch of changes, with other files of the page.
    """

    def make(page):
        work, upstream = shell.folder, shell.folder.parent / "upstream"
        for path, content in (TREES.get(page) or paddle_tree()).items():
            (upstream / path).parent.mkdir(parents=True, exist_ok=True)
            (upstream / path).write_text(content, encoding="utf-8")
        (work / "specs").mkdir()
        git = "git -c user.name=You -c user.email=you@example.org"
        first, second = ("".join(f" && git tag {tag}" for tag in tags) for tags in TAGS)
        done = shell(
            f"cd ../upstream && git init -q -b main && git add . && {git} commit -qm x{first}"
            f" && {git} commit -q --allow-empty -m y{second} && git branch develop && git branch master && cd ../work"
            " && git init -q -b mine && git remote add origin ../upstream && git fetch -q --tags origin"
            f" && git reset -q --hard origin/main && cp {ROOT}/specs/paddle-3.0.0.json specs/paddle.json"
            f" && git add specs/paddle.json && {git} commit -qm mine"
        )
        assert done.returncode == 0, done.stdout
        for name, axis in (("DEV", 0), ("PR", -2)):
            (work / f"OP_DESC_{name}.spec").write_text(SCENE_SPEC % axis, encoding="utf-8")
            (work / f"{name}.opversions.json").write_text("{}\n", encoding="utf-8")
        for name, content in FILES.items():
            (work / name).write_text(content, encoding="utf-8")
        write_models(work)
        for name, output in TOOLS.items():
            program = shell.folder.parent / "bin" / name
            program.write_text(f"#!/bin/sh\n{output}\n", encoding="utf-8")
            program.chmod(0o755)
        return shell

    return make


@pytest.mark.parametrize(("page", "text"), RUN, ids=[page.stem for page, _ in RUN])
def test_commands_without_output_can_be_given(page, text, scene_of):
    if re.search(r"\bjq\b", text) and shutil.which("jq") is None:
        pytest.skip("jq is not installed")
    scene = scene_of(page.stem)
    for part, command in PREPARATIONS.items():
        if part in text:
            assert scene(f"opspec-lint {command}").returncode in (0, 1)
    done = scene(f"COMMIT=HEAD AUTHOR=ann; {text}")
    assert done.returncode in (0, 1), done.stdout
    # That a model does not load is an answer, and no error of the command.
    assert not re.search(r"error: argument|: error: (?!.+ has to load in )|not found|Traceback", done.stdout), (
        done.stdout
    )


def test_commands_are_run_or_state_why_not():
    """Examples in docs/ with output are run by `test_examples_do_what_is_shown`, those without output by the test
    above.
    """
    every = [(page, *command) for page in PAGES for command in commands_of(page)]
    assert every
    for page, language, text, is_left in every:
        assert is_left or language == "sh" or page in EXAMPLES, f"{page}: {text}"
        assert not (is_left and language == "console" and page in EXAMPLES), f"{page}: it is run: {text}"


def test_the_first_excerpt_of_the_readme_is_what_is_printed(shell):
    blocks = [(language, body) for language, _, body in FENCE.findall(text_of(ROOT / "README.md"))]
    command, excerpt = blocks[0][1], blocks[1][1]
    done = shell(command.removeprefix("pip install . && "))
    assert done.returncode == 1
    printed = iter(done.stdout.splitlines())
    missing = [line for line in excerpt.splitlines() if line.strip() != "..." and line not in printed]
    assert missing == [], "the lines of the excerpt, in their order"


def test_settings_hold_and_hooks_are_known():
    manifest = {item["id"] for item in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    blocks = blocks_of_pages()
    assert {"toml", "yaml"} <= {language for _, language, _ in blocks}
    for page, language, body in blocks:
        if language == "toml":
            # The rule of the plug-in that a page shows is not installed.
            settings = body.replace("op_removed_acme", "op_removed")
            assert config.parse(settings.encode(), "opspec-lint.toml") is not None
        elif language == "yaml":
            named = set(re.findall(r"^ *- id: (opspec-lint\S*)$", body, re.MULTILINE))
            assert yaml.safe_load(body), page
            assert named <= manifest, page


def blocks_of_pages():
    """The page, the language and the text of each block of code."""
    return [(page, language, body) for page in PAGES for language, _, body in FENCE.findall(text_of(page))]


def test_the_job_for_gitlab_can_be_run(scene_of):
    scene = scene_of("run-in-gitlab-and-elsewhere")
    (job,) = (
        body
        for _, _, body in FENCE.findall(text_of(DOCS / "how-to/run-in-gitlab-and-elsewhere.md"))
        if "artifacts:" in body
    )
    install, check = yaml.safe_load(job)["operators"]["script"]
    assert "pip install" in install
    done = scene(f"export CI_MERGE_REQUEST_DIFF_BASE_SHA=HEAD^; {check}")
    assert done.returncode == 1
    assert "op_removed" in done.stdout
    for path in yaml.safe_load(job)["operators"]["artifacts"]["reports"].values():
        assert (scene.folder / path).stat().st_size


def test_console_blocks_are_commands():
    blocks = blocks_of_pages()
    assert "console" in {language for _, language, _ in blocks}
    for page, language, body in blocks:
        assert language, f"{page}: a block names its language"
        if language == "console":
            assert body.startswith("$ "), page
