"""The documentation is up to date: generated pages, links, names, and every example that can be run."""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opspec_lint import catalogue, files, profile
from opspec_lint.check import check, report
from opspec_lint.entries import counts
from opspec_lint.options import Parser

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
PAGES = [*DOCS.rglob("*.md"), *(path for name in ("README.md", "CONTRIBUTING.md") if (path := ROOT / name).exists())]
EXAMPLES = sorted(page for page in DOCS.rglob("*.md") if "```console\n" in page.read_text(encoding="utf-8"))
PROGRAMS = {
    "opspec-lint": "from opspec_lint.cli import entry; entry()",
    "print_op_desc": "import sys; from opspec_lint.cli import print_op_desc; sys.exit(print_op_desc())",
    "check_op_desc": "import sys; from opspec_lint.cli import check_op_desc; sys.exit(check_op_desc())",
}
FENCE = re.compile(r"^```(\S*)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MAX_WIDTH = 120

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def text_of(page):
    return page.read_text(encoding="utf-8")


def prose_of(page):
    return FENCE.sub("", text_of(page))


def load_generator():
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = load_generator()


# Generated pages


def test_generated_pages_are_up_to_date():
    assert generate.stale() == []


def test_stale_missing_and_superfluous_pages_are_named(tmp_path, monkeypatch, capsys):
    generate.write(tmp_path)
    assert generate.stale(tmp_path) == []
    rules = tmp_path / "reference" / "rules"
    (rules / "op_removed.md").write_text("something else", encoding="utf-8")
    (rules / "op_added.md").unlink()
    (rules / "no_such_rule.md").write_text("nothing", encoding="utf-8")
    assert generate.stale(tmp_path) == [
        "reference/rules/op_added.md is missing",
        "reference/rules/op_removed.md is not up to date",
        "reference/rules/no_such_rule.md is superfluous: nothing generates it",
    ]
    monkeypatch.setattr(generate, "stale", lambda: ["a page is missing"])
    assert generate.main(["--check"]) == 1
    assert "docs/a page is missing\n" in capsys.readouterr().out
    generate.write(tmp_path)
    assert not (rules / "no_such_rule.md").exists()
    assert (rules / "op_added.md").exists()


def test_checking_writes_nothing(capsys):
    before = {path: path.stat().st_mtime_ns for path in DOCS.rglob("*.md")}
    assert generate.main(["--check"]) == 0
    assert capsys.readouterr().out == ""
    assert {path: path.stat().st_mtime_ns for path in DOCS.rglob("*.md")} == before


# Links and form


def anchors(page):
    """Return the anchors that GitHub gives the headings of a page."""
    found, seen = set(), {}
    for heading in re.findall(r"^#+ +(.+?) *$", prose_of(page), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        count = seen[anchor] = seen.get(anchor, -1) + 1
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


@each_page
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), f"{page}: no {target}"
        assert ROOT in path.parents, f"{page}: {target} leads out of the repository"
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


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: str(page.relative_to(DOCS)))
def test_prose_is_wrapped(page):
    long = [line for line in prose_of(page).splitlines() if len(line) > MAX_WIDTH and not line.startswith("|")]
    assert not [line for line in long if " " in line.strip()]


# Names


def words_of(folder):
    return set(re.findall(r"(?<![\w-])-{0,2}\w[\w-]*", "\n".join(map(text_of, folder.rglob("*.md")))))


def options_of(folder, name):
    parser = Parser(name, "")
    catalogue.module(folder, name).configure(parser)
    return {option for action in parser._actions for option in action.option_strings}


def test_every_name_is_in_the_reference():
    modules = [catalogue.module("extractors", name) for name in catalogue.names("extractors")]
    formats = [catalogue.module("formats", name) for name in catalogue.names("formats")]
    names = {
        *catalogue.names("commands"),
        *catalogue.names("replays"),
        *catalogue.names("reporters"),
        *catalogue.names("rules"),
        *profile.names(),
        *(module.SCHEME for module in modules),
        *(module.NAME for module in formats),
        *(
            option
            for folder in ("commands", "replays")
            for name in catalogue.names(folder)
            for option in options_of(folder, name)
        ),
        *("--version", "-V"),
    }
    assert names - words_of(REFERENCE) == set()


def test_every_rule_has_a_page():
    assert {path.stem for path in (REFERENCE / "rules").iterdir()} == {*catalogue.names("rules"), "index"}


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


def matches(expected, found):
    """Tell whether an output is the one shown; a line `...` stands for any lines."""
    pattern = "".join("(?:.*\n)*" if line == "..." else f"{re.escape(line)}\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in found)) is not None


@pytest.fixture
def shell(tmp_path):
    """Return a function that runs a command in a folder with a copy of specs/; our programs are on its path."""
    programs, work = tmp_path / "bin", tmp_path / "work"
    programs.mkdir()
    shutil.copytree(ROOT / "specs", work / "specs")
    for name, code in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\nexec {sys.executable} -c '{code}' \"$@\"\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}

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


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.stem)
def test_examples_do_what_is_shown(page, shell):
    status = 0
    for command, expected, file in shown(page):
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


@pytest.mark.parametrize("page", [DOCS / "index.md", ROOT / "README.md"], ids=lambda page: page.name)
def test_the_words_beside_the_picture_are_the_figures_of_its_run(page):
    base, head = (files.read_spec(str(ROOT / "specs" / f"paddle-{version}.json")) for version in ("2.6.2", "3.0.0"))
    (told,) = re.findall(r"!\[.+: (.+)\.\]\([\w/]*images/review\.png\)", text_of(page))
    assert told == counts(report(check(base, head, profile.load("paddle"))).findings)
    assert (DOCS / "images" / "review.png").read_bytes().startswith(b"\x89PNG\r\n")


@each_page
def test_console_blocks_are_commands(page):
    for language, _, body in FENCE.findall(text_of(page)):
        assert language, "a block names its language"
        if language == "console":
            assert body.startswith("$ ")


def test_the_layers_are_those_that_are_held():
    """The architecture lists the modules from the bottom, in the order of the contract; all of them, and no others."""
    contract = re.search(r"^layers = \[\n(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.MULTILINE | re.DOTALL)
    layers = [re.findall(r"\w+", line) for line in reversed(re.findall(r'"(.*)"', contract[1]))]
    rank = {module: number for number, layer in enumerate(layers) for module in layer}
    listing = text_of(DOCS / "architecture.md").partition("From the bottom:\n")[2].partition("\nWithin the open")[0]
    listed = [re.findall(r"`(\w+)`", item) for item in re.split(r"^\d+\. ", listing, flags=re.MULTILINE)]
    known = [[module for module in item if module in rank] for item in listed]
    assert {module for item in known for module in item} == rank.keys()
    for lower, upper in itertools.pairwise(known):
        assert max((rank[module] for module in lower), default=-1) <= min(rank[module] for module in upper)
