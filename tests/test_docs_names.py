"""The names in the pages about the code and in the changelog: modules, folders, programs and options that exist."""

from __future__ import annotations

import importlib
import importlib.util
import re

import pytest

import opspec_lint
from opspec_lint.cli.command import COMMANDS, REPLAYS
from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.command_line import Arguments
from tests.support import paths

ROOT = paths.TOP
PACKAGE = ROOT / "opspec_lint"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
ON_CODE = [ARCHITECTURE, *sorted((ROOT / "docs" / "explanation").glob("*.md"))]
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|proto|toml|json|svg)|(?:[\w.-]+/)+)`")
PLACEHOLDER = re.compile(r"\b(?:[A-Z]{3,}|opspec-lint\.toml)\b")
"""A part of a path that stands for a name, and a file of the reader."""


def prose(page):
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def test_modules_and_folders_that_are_named_exist():
    files = [
        path.relative_to(ROOT).as_posix() for top in ("opspec_lint", "tests") for path in (ROOT / top).rglob("*.*")
    ]
    named = 0
    for page in ON_CODE:
        for name in PATH.findall(prose(page)):
            if PLACEHOLDER.search(name):
                continue
            named += 1
            is_there = (
                (ROOT / name).exists()
                or (PACKAGE / name).exists()
                or any(f"/{name}" in file if name.endswith("/") else file.endswith(f"/{name}") for file in files)
            )
            assert is_there, f"{page.name}: there is no {name}"
    assert named > 150


WALK = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_modules_of_the_walks_exist():
    modules = [path.as_posix() for path in PACKAGE.rglob("*.py")]
    walks = {
        walk: re.findall(r"  ([\w/]+\.py)  ", walk)
        for page in ON_CODE
        for walk in WALK.findall(page.read_text(encoding="utf-8"))
        if ".py  " in walk
    }
    assert len(walks) >= 5
    for named in walks.values():
        assert len(named) > 2
        assert [name for name in named if not any(module.endswith(f"/{name}") for module in modules)] == []


OWN_FOLDERS = {"extract/", "saved/", "compare/"}
"""The folders of a framework whose modules only the framework itself names."""


def catalogues():
    """Yield the folders and files of all open folders, as the tables of the architecture name them."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if "] = Catalogue(" not in path.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."))
        for made in vars(module).values():
            if isinstance(made, Catalogue):
                for place in made._places:
                    if place == "frameworks/*":
                        yield f"{made._only}.py"
                    elif place.startswith("frameworks/*/"):
                        yield f"{place.removeprefix('frameworks/*/')}/"
                    else:
                        yield f"{place.replace('*', 'SUBJECT')}/"


def test_the_tables_of_open_folders_are_those_that_the_code_declares():
    rows = re.findall(r"^\| (`[^|]*) \|", prose(ARCHITECTURE).split("## Design decisions")[0], re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)} - {"frameworks/NAME/"} - OWN_FOLDERS
    assert named == set(catalogues())


def test_a_framework_has_no_folder_that_the_tables_do_not_name():
    folders = {
        f"{path.name}/" for path in PACKAGE.glob("frameworks/*/*/") if path.is_dir() and list(path.rglob("*.py"))
    }
    assert folders - OWN_FOLDERS - set(catalogues()) == {"schemas/"}  # how PyTorch writes schemas, for all three


def test_programs_that_are_named_exist():
    named = set()
    for page in (*ON_CODE, ROOT / "CONTRIBUTING.md", *(ROOT / "docs" / "reference").glob("*.md")):
        named |= set(re.findall(r"python -m ((?:benchmarks|tools)[\w.]*)", page.read_text(encoding="utf-8")))
    assert {"benchmarks", "tools.docs", "tools.mutate"} <= named
    assert [name for name in sorted(named) if importlib.util.find_spec(name) is None] == []


@pytest.fixture(scope="module")
def options():
    texts = {"--help", "--version"}
    for catalogue in (COMMANDS, REPLAYS):
        for name in catalogue.names():
            declared = Arguments()
            catalogue.load(name).configure(declared)
            texts |= {option for item in declared.every for option in item.names}
    return texts


def test_options_that_the_changelog_names_exist(options):
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    named = {option for code in re.findall(r"`([^`]+)`", text) for option in re.findall(r"(?<![\w-])--[\w-]+", code)}
    assert len(named) > 20
    assert named - options == set()


def test_the_glossary_has_every_term_once_and_the_terms_of_public_classes():
    rows = re.findall(
        r"^\| ([^|]+) \|", (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    terms = [term for row in rows if row not in ("term", "---") for term in row.split(", ")]
    assert sorted(terms) == sorted(set(terms))
    classes = [name for name in opspec_lint.__all__ if name[0].isupper() and not name.endswith(("Error", "Counts"))]
    # `ModelVerdict` is a verdict: the last word says what an object is.
    assert {re.findall("[A-Z][a-z]+", name)[-1].lower() for name in classes} - set(terms) == set()
