"""Released specs by name: the wheel brings what the checkout has."""

from __future__ import annotations

import gzip
import importlib.util
import shutil

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.project import config
from opspec_lint.sources import recognise, references, released
from opspec_lint.sources.reading import Reading
from opspec_lint.spec import canonical
from tests.support import paths
from tests.support.programs import run

READING = Reading()
FILES = sorted(path for path in paths.SPECS.glob("*-*.json"))
NAMES = ["@".join(path.stem.rsplit("-", 1)) for path in FILES]


def hook():
    spec = importlib.util.spec_from_file_location("hatch_build", paths.TOP / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def compressed():
    return hook().compressed(paths.TOP)


@pytest.fixture
def _in_a_wheel(compressed, tmp_path, monkeypatch):
    """An installed package: the compressed specs, and no checkout around it."""
    for place, data in compressed.items():
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    monkeypatch.setattr(released, "_PLACES", ((str(tmp_path / "opspec_lint/released"), ".json.gz"),))


def test_the_checkout_has_every_reviewed_spec():
    assert sorted(released.names()) == sorted(NAMES)
    assert "paddle@2.6.2" in NAMES


@pytest.mark.usefixtures("_in_a_wheel")
def test_the_wheel_has_the_same_specs():
    assert sorted(released.names()) == sorted(NAMES)
    for path, name in zip(FILES, NAMES, strict=True):
        assert released.read(name) == path.read_bytes(), name


def test_the_wheel_holds_the_specs_compressed_and_nothing_else(compressed):
    assert [place.rpartition("/")[2] for place in compressed] == [f"{path.name}.gz" for path in FILES]
    assert sum(map(len, compressed.values())) < sum(path.stat().st_size for path in FILES) / 10
    for path, data in zip(FILES, compressed.values(), strict=True):
        assert gzip.decompress(data) == path.read_bytes()


def test_a_later_build_of_the_wheel_is_the_same(compressed, tmp_path, monkeypatch):
    (tmp_path / "specs").mkdir()
    shutil.copy(FILES[0], tmp_path / "specs")
    monkeypatch.setattr("gzip.time.time", lambda: 1e9)
    assert hook().compressed(tmp_path).items() <= compressed.items()


def test_a_name_is_the_spec_of_its_file():
    spec = references.resolve("paddle@2.6.2", READING).spec
    assert spec.file == "paddle@2.6.2"
    assert canonical.dumps(spec) == (paths.SPECS / "paddle-2.6.2.json").read_text(encoding="utf-8")
    assert recognise.read(str(paths.SPECS / "paddle-2.6.2.json")).spec.ops.keys() == spec.ops.keys()


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("paddle-pir@2.5", "the nearest is paddle-pir@3.0.0; 4 releases are included, from paddle-pir@3.0.0 to "),
        ("paddle@2.6.2.1", "the nearest is paddle@2.6.2; "),
        ("tensorflow@1.3", "the nearest is tensorflow@1.15.0; "),
        ("PADDLE@2.6.2", "did you mean 'paddle@2.6.2'?"),
        ("padle@latest", "did you mean 'paddle@3.3.1'?"),
        ("theano@1.0", "`opspec-lint specs` lists the released specs; the newest are litert@"),
    ],
)
def test_an_unknown_name_is_an_error_that_states_which_there_are(name, advice):
    with pytest.raises(InputError) as caught:
        references.resolve(name, READING)
    assert caught.value.message == f"{name}: no released spec has this name"
    assert caught.value.advice.startswith(advice)


@pytest.mark.parametrize(
    ("name", "exact"),
    [
        ("paddle@3.0.0", "paddle@3.0.0"),
        ("paddle@3.0", "paddle@3.0.0"),
        ("paddle@3", "paddle@3.3.1"),
        ("paddle@latest", "paddle@3.3.1"),
        ("paddle-pir@latest", "paddle-pir@3.3.1"),
        ("tensorflow@1", "tensorflow@1.15.0"),
        ("tensorflow@2.1", "tensorflow@2.1.4"),
        ("tensorflow@2.15.0", None),
        ("litert@1", "litert@1.4.0"),
    ],
)
def test_a_line_of_releases_represents_its_newest(name, exact):
    if exact is None:
        with pytest.raises(InputError, match="no released spec has this name"):
            references.resolve(name, READING)
    else:
        assert references.resolve(name, READING).spec.file == exact


def test_a_release_that_must_stay_compatible_may_be_the_newest_of_a_line():
    assert config.parse(b'against = ["paddle@3.0", "paddle@latest"]', "a/opspec-lint.toml").against == (
        "paddle@3.0",
        "paddle@latest",
    )


def test_a_name_leads_to_no_other_file(tmp_path, monkeypatch):
    folder = tmp_path / "specs"
    folder.mkdir()
    (tmp_path / "secret-1.0.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(released, "_PLACES", ((str(folder), ".json"),))
    for name in ("../secret@1.0", "secret@1.0/../../secret-1.0", "secret@1.0"):
        with pytest.raises(InputError, match="no released spec has this name"):
            released.read(name)


@pytest.mark.parametrize(
    "reference", ["paddle@", "@2.6.2", "HEAD@{1}", "paddle@main", "a/paddle@2.6.2", "p@1:x", "p@1@"]
)
def test_what_is_no_name(reference):
    assert not released.is_name(reference)


def test_specs_are_listed_older_releases_first():
    ran = run("specs")
    assert (ran.code, ran.err) == (0, "")
    listed = ran.out.splitlines()
    assert sorted(listed) == sorted(NAMES)
    assert listed.index("tensorflow@2.8.4") < listed.index("tensorflow@2.12.1")


def test_names_represent_specs_in_every_command(tmp_path):
    checked = run("check", "paddle@2.6.2", "paddle@3.0.0", "--op", "hash")
    by_file = run("check", *(str(paths.SPECS / f"paddle-{text}.json") for text in ("2.6.2", "3.0.0")), "--op", "hash")
    assert checked.code == by_file.code == 1
    assert checked.out.splitlines()[2:] == by_file.out.splitlines()[2:]
    assert run("extract", "paddle@1.8.5", "--output", str(tmp_path / "a.json")).code == 0
    assert (tmp_path / "a.json").read_bytes() == (paths.SPECS / "paddle-1.8.5.json").read_bytes()
