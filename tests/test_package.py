"""The published files: the wheel, the source distribution, and the page of the package index."""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

from tests.support import paths
from tests.support.patience import PATIENCE

LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Both distributions, built of a copy of what git knows of this checkout."""
    folder = tmp_path_factory.mktemp("package")
    top = folder / "top"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=paths.TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is no checkout of git")
    for name in filter(None, listed.stdout.split("\0")):
        if (paths.TOP / name).is_file():
            (top / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(paths.TOP / name, top / name)
    hook = "import sys, hatchling.build as b; [print(f(sys.argv[1])) for f in (b.build_sdist, b.build_wheel)]"
    ran = subprocess.run(
        [sys.executable, "-c", hook, str(folder)],
        cwd=top,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, ran.stderr
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def metadata(built):
    with zipfile.ZipFile(built[0]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(wheel.read(name))


def test_the_index_has_no_dead_links(metadata):
    links = LINK.findall(metadata.get_payload())
    assert len(links) > 15
    assert not [link for link in links if not link.startswith(("https://", "#"))]
    own = [link for link in links if "/opspec-lint/opspec-lint/" in link]
    for link in own:
        path = re.sub(r"^https://[^/]+/opspec-lint/opspec-lint/(?:blob/)?main/", "", link).partition("#")[0]
        assert (paths.TOP / path).exists(), link
    assert any(link.startswith("https://raw.githubusercontent.com/") for link in own)  # the pictures


def test_the_index_states_what_it_is(metadata):
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["License-File"] == "LICENSE"
    assert {item.partition(",")[0] for item in metadata.get_all("Project-URL")} >= {"Homepage", "Issues", "Changelog"}
    assert "Operating System :: POSIX :: Linux" in metadata.get_all("Classifier")


def test_the_source_distribution_has_what_its_tests_need(built):
    with tarfile.open(built[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("action.yml", ".pre-commit-hooks.yaml", ".pre-commit-config.yaml", "hatch_build.py", "Dockerfile"):
        assert name in names
    for folder in ("tests", "specs", "docs", "benchmarks", "tools", "requirements", "opspec_lint", ".github", ".ci"):
        there = {
            str(path.relative_to(paths.TOP))
            for path in (paths.TOP / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert there <= names, sorted(there - names)[:5]


def test_what_the_action_installs_is_locked():
    action = (paths.TOP / "action.yml").read_text(encoding="utf-8")
    assert "--require-hashes" in action
    locked = (paths.TOP / "requirements" / "action.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^([\w.-]+)==(\S+)", locked, re.MULTILINE)
    project = (paths.TOP / "pyproject.toml").read_text(encoding="utf-8")
    expected = re.search(r"^dependencies = \[(.*?)^\]", project, re.MULTILINE | re.DOTALL)[1]
    needed = {name.lower() for name in re.findall(r'"([\w-]+)', expected)} | {"hatchling", "hatch-fancy-pypi-readme"}
    assert needed <= {name.lower() for name, _ in pins}
    for block in re.split(r"\n(?=\S)", locked):
        if "==" in block.split("\n")[0] and not block.startswith("#"):
            assert "--hash=sha256:" in block, block
