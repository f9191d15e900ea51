"""The API and the command line give the same documents."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

import pytest

import opspec_lint
from opspec_lint.lint.profile import PROFILES
from opspec_lint.models.loader import LOADERS
from opspec_lint.sources import released
from tests.support.hostile import models
from tests.support.programs import run

FAMILIES = sorted({released.family(name) for name in released.names()})
FORMATS = ("text", "sarif", "github", "html", "markdown")


def profiles_of(family):
    """Return the profiles of a family, and None for its default."""
    return [None, *(name for name in PROFILES.names() if PROFILES.load(name).framework == family)]


def pairs(family):
    """Return neighbouring releases, and the first with the last, each also in the other order."""
    names = released.names({family})
    forward = [*pairwise(names), (names[0], names[-1])]
    return [*forward, *((head, base) for base, head in forward)]


CHECKS = [
    (base, head, profile) for family in FAMILIES for base, head in pairs(family) for profile in profiles_of(family)
]
FEW = [call for call in CHECKS if call[0].startswith(("onnxruntime@1.23", "paddle-pir@3.0", "litert@"))]
AUDITS = [
    (kind, loader)
    for kind in models.seeds()
    for loader in [None, *(name for name in LOADERS.names() if kind in LOADERS.load(name).formats)]
]


def report_of_command(base, head, profile):
    ran = run("check", base, head, "--format", "json", *(() if profile is None else ("--profile", profile)))
    return ran.code, json.loads(ran.out)


def report_of_function(base, head, profile):
    report = opspec_lint.check(base, head, profile=profile)
    return int(report.failed), report.to_dict()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@cache
def written(folder, kind):
    """Write a whole model of a format, and return its path."""
    path, files = models.seeds()[kind]
    for name, data in files.items():
        (folder / kind / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / kind / name).write_bytes(data)
    return str(folder / kind / path)


def audit_of_command(path, loader, *options):
    ran = run("audit", path, "--format", "json", *options, *(() if loader is None else ("--loader", loader)))
    return json.loads(ran.out) if ran.out else ran.err.splitlines()[0].partition("error: ")[2]


def audit_of_function(path, loader, specs=None):
    try:
        return opspec_lint.audit(path, specs, loader=loader).to_dict()
    except (opspec_lint.InputError, opspec_lint.UsageError) as error:
        return error.message


@pytest.mark.parametrize("call", FEW, ids=str)
def test_checks_of_neighbouring_releases(call):
    assert report_of_function(*call) == report_of_command(*call)


@pytest.mark.exhaustive
@pytest.mark.parametrize("call", CHECKS, ids=str)
def test_checks_of_all_releases(call):
    assert report_of_function(*call) == report_of_command(*call)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("kind", "loader"), AUDITS)
def test_audits_by_every_loader(folder, kind, loader):
    path = written(folder, kind)
    assert audit_of_function(path, loader) == audit_of_command(path, loader)


@pytest.mark.parametrize(("kind", "loader"), [call for call in AUDITS if call[0] in ("tflite", "paddle_pir")])
def test_audits_under_all_releases(folder, kind, loader):
    path = written(folder, kind)
    assert audit_of_function(path, loader) == audit_of_command(path, loader)


def test_audits_under_a_range(folder):
    path, span = written(folder, "tflite"), "tflite@2.12.1.."
    audit = opspec_lint.audit(path, span)
    assert audit.to_dict() == audit_of_command(path, None, "--against", span)
    assert len({verdict.against for verdict in audit.audits}) > 2


def test_an_unreadable_model_among_several(folder):
    paths = [written(folder, "tflite"), str(folder / "missing.tflite")]
    audit = opspec_lint.audit(paths, "tflite@2.12.1")
    ran = run("audit", *paths, "--against", "tflite@2.12.1", "--format", "json")
    assert (audit.to_dict(), audit.failed) == (json.loads(ran.out), ran.code == 3)


@pytest.mark.parametrize("name", FORMATS)
def test_render_a_report(name, tmp_path):
    files = [tmp_path / f"{number}.json" for number in (1, 2)]
    for file, reference in zip(files, ("onnxruntime@1.20.1", "onnxruntime@1.23.2"), strict=True):
        file.write_text(opspec_lint.load(reference).text, encoding="utf-8")
    ran = run("check", *files, "--format", name, "--no-legend")
    assert opspec_lint.render(opspec_lint.check(*files), name) == ran.out


def test_eight_threads_at_once(folder):
    calls = [(base, head, None) for base, head, profile in FEW if profile is None][:8] * 2
    path = written(folder, "tflite")
    with ThreadPoolExecutor(8) as pool:
        reports = list(pool.map(lambda call: report_of_function(*call), calls))
        audits = list(pool.map(lambda _: audit_of_function(path, None), range(8)))
    assert reports == [report_of_command(*call) for call in calls]
    assert audits == [audit_of_command(path, None)] * 8


def test_threads_share_a_spec():
    base, *heads = [opspec_lint.load(name) for name in opspec_lint.releases("onnxruntime")[:5]]
    with ThreadPoolExecutor(8) as pool:
        reports = list(pool.map(lambda head: opspec_lint.check(base, head).to_dict(), heads * 4))
    assert reports == [opspec_lint.check(base.reference, head.reference).to_dict() for head in heads] * 4
