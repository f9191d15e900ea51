"""Plug-ins: found when they are named, last in every list, and harmless when they fail."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from opspec_lint.project.plugin_skeleton import skeleton
from tests.support import paths
from tests.support.installed import install, opspec, python, take_out
from tests.support.models import tflite_models

PAIR = ("onnxruntime@1.20.1", "onnxruntime@1.23.2")
REPORTER = '''\
"""A number."""
from opspec_lint.report.reporter import Reporter
REPORTER = Reporter(summary="a number", render=lambda report: f"{len(report.findings)} findings\\n")
'''
RULE = '''\
"""An op is new.

Flags:
    An op that base lacks.

Why it breaks:
    Our registry needs its name.

Instead:
    Tell the registry.
"""
from opspec_lint.lint.rule import Rule
RULE = Rule(
    on=("op_added",),
    when=lambda change: True,
    level="error",
    directions=(),
    message="the op '{name}' is not in our registry",
    witness="our registry refuses '{op}'",
    advice="register it",
    flagged=(),
    passes=(),
)
'''
FORMAT = '''\
"""Ours."""
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.format import Format
def _raise(error):
    raise error
FORMAT = Format(summary="ours", load=lambda value, file: %s, suffix=".mill")
'''
LOADER = '''\
"""Ours."""
from opspec_lint.models.loader import Loader
LOADER = Loader(summary="ours", formats=("tflite",), audit=lambda model, spec, options: ())
'''


@pytest.fixture
def site(tmp_path):
    return tmp_path / "site"


def test_none_are_installed(site):
    site.mkdir()
    ran = opspec(site, "plugins")
    assert (ran.returncode, ran.stdout) == (0, "no plug-ins are installed\n")


def test_a_check_of_built_in_frameworks_looks_up_no_plugins(site):
    install(site, "broken", {"frameworks": ("mill", "broken")}, {"broken/__init__.py": "raise SystemExit(9)"})
    code = (
        "import sys; from opspec_lint.cli.main import main; code = main(sys.argv[1:])\n"
        'sys.exit(f\'{code} {sorted({*sys.modules} & {"importlib.metadata", "opspec_lint.kit.plugins"})}\')'
    )
    ran = python(site, "-c", code, "check", *PAIR)
    assert ran.stderr.endswith("1 []\n")


def test_a_plugin_that_fails_is_named_and_stops_nothing_else(site):
    texts = {"broken/framework.py": "import nothing_like_this", "broken/__init__.py": ""}
    install(site, "broken", {"frameworks": ("mill", "broken")}, texts)
    install(site, "absent", {"reporters": ("none", "nowhere")})
    install(
        site,
        "numbers",
        {"reporters": ("numbers", "numbers")},
        {"numbers/__init__.py": "", "numbers/number.py": REPORTER},
    )
    ran = opspec(site, "plugins")
    assert ran.returncode == 3
    states = {line.split()[1]: line for line in ran.stdout.splitlines()[1:]}
    assert "nothing_like_this" in states["mill"]
    assert "there is no package 'nowhere'" in states["none"]
    assert states["numbers"].endswith("ok")
    ran = opspec(site, "check", *PAIR, "--format", "number")
    assert ran.stdout.endswith(" findings\n")


def test_a_broken_framework_has_a_clear_message(site, tmp_path):
    texts = {"broken/framework.py": "import nothing_like_this", "broken/__init__.py": ""}
    install(site, "broken", {"frameworks": ("mill", "broken")}, texts)
    text = json.dumps({"opspec": 1, "provenance": {"framework": "mill"}, "knows": {}, "ops": {"a": {}}})
    (tmp_path / "mill.json").write_text(text, encoding="utf-8")
    ran = opspec(site, "check", tmp_path / "mill.json", tmp_path / "mill.json")
    assert ran.returncode == 3
    assert "the plug-in 'mill' of broken 1.0 cannot be used" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_rule_judges_where_a_configuration_names_it(site, tmp_path):
    install(
        site,
        "registry",
        {"rules": ("registry", "registry")},
        {"registry/__init__.py": "", "registry/op_added_here.py": RULE},
    )
    (tmp_path / "config.toml").write_text('[levels]\nop_added_here = "error"\n', encoding="utf-8")
    options = ("check", *PAIR, "--format", "json")
    named, unnamed = (opspec(site, *options, *more) for more in (("--config", tmp_path / "config.toml"), ()))
    rules = [{finding["rule"] for finding in json.loads(ran.stdout)["findings"]} for ran in (named, unnamed)]
    assert rules[0] - rules[1] == {"op_added_here"}
    assert "op_added_here" in opspec(site, "rules").stdout


def test_a_named_rule_that_fails_stops_the_check(site, tmp_path):
    # No event leads to a rule with this file name.
    texts = {"acme/__init__.py": "", "acme/acme_op_added.py": RULE}
    install(site, "acme", {"rules": ("acme", "acme")}, texts)
    (tmp_path / "config.toml").write_text('[levels]\nacme_op_added = "error"\n', encoding="utf-8")
    ran = opspec(site, "check", PAIR[0], PAIR[0], "--config", tmp_path / "config.toml")
    assert ran.returncode == 3
    assert "the plug-in 'acme' of acme 1.0 cannot be used: acme.acme_op_added: ValueError" in ran.stderr


@pytest.mark.parametrize("module", ["__init__", "op_removed_acme"])
def test_an_exit_at_import_is_a_failure(site, tmp_path, module):
    texts = {"acme/__init__.py": "", "acme/op_removed_acme.py": RULE} | {f"acme/{module}.py": "raise SystemExit(7)"}
    install(site, "acme", {"rules": ("acme", "acme")}, texts)
    install(site, "inner", {"reporters": ("inner", "outer.inner")}, {"outer/__init__.py": "raise SystemExit(7)"})
    (tmp_path / "config.toml").write_text('[levels]\nop_removed_acme = "error"\n', encoding="utf-8")
    runs = (
        opspec(site, "plugins"),
        opspec(site, "check", *PAIR, "--config", tmp_path / "config.toml"),
    )
    assert [ran.returncode for ran in runs] == [3, 3]
    assert runs[0].stdout.count("SystemExit: 7") == 2
    assert "the plug-in 'acme' of acme 1.0 cannot be used" in runs[1].stderr


@pytest.mark.parametrize("arguments", [("rules", "--profile", "paddle"), ("rules",), ("explain", "op_removed")])
def test_a_rule_that_fails_stops_no_list(site, arguments):
    texts = {"acme/__init__.py": "", "acme/op_removed_acme.py": "raise RuntimeError"}
    install(site, "acme", {"rules": ("acme", "acme")}, texts)
    ran = opspec(site, *arguments)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_rule_that_fails_stops_no_check_that_does_not_name_it(site, tmp_path):
    texts = {"acme/__init__.py": "", "acme/op_removed_acme.py": "raise RuntimeError"}
    install(site, "acme", {"rules": ("acme", "acme")}, texts)
    # The unknown format looks the plug-ins up.
    texts = {"numbers/__init__.py": "", "numbers/number.py": REPORTER}
    install(site, "numbers", {"reporters": ("numbers", "numbers")}, texts)
    for name, ops in (("old", {"a": {}, "b": {}}), ("new", {"a": {}})):
        text = json.dumps({"opspec": 1, "provenance": {"framework": "paddle"}, "knows": {}, "ops": ops})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    ran = opspec(site, "check", "old.json", "new.json", "--format", "number", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "1 findings\n")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("render=lambda report: 1 / 0", "ZeroDivisionError: division by zero"),
        ("render=lambda report: sys.exit(7)", "SystemExit: 7"),
        ("render=lambda report: 5", "returns int instead of str"),
        ("render=str, parts=lambda report: (1 / 0 for _ in 'a')", "ZeroDivisionError"),
    ],
)
def test_a_reporter_that_fails_is_named(site, body, reason):
    text = f"import sys\n{REPORTER.partition('render=')[0]}{body})\n"
    install(
        site, "numbers", {"reporters": ("numbers", "numbers")}, {"numbers/__init__.py": "", "numbers/number.py": text}
    )
    ran = opspec(site, "check", *PAIR, "--format", "number")
    assert ran.returncode == 3
    assert f"the plug-in 'numbers' of numbers 1.0 fails: numbers.number: {reason}" in ran.stderr
    assert "bug in opspec-lint" not in ran.stderr


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("1 / 0", "the plug-in 'mill' of mill 1.0 fails: mill.formats.mill: ZeroDivisionError: division by zero"),
        ("None", "the plug-in 'mill' of mill 1.0 fails: mill.formats.mill: returns NoneType instead of Spec"),
        ("_raise(InputError(file, 'is no mill'))", "old.mill: is no mill"),
    ],
)
def test_a_format_that_fails_is_named(site, tmp_path, body, message):
    install(
        site, "mill", {"frameworks": ("mill", "mill")}, {"mill/__init__.py": "", "mill/formats/mill.py": FORMAT % body}
    )
    for name in ("old.mill", "new.mill"):
        (tmp_path / name).write_text("ops", encoding="utf-8")
    ran = opspec(site, "check", "old.mill", "new.mill", cwd=tmp_path)
    assert ran.returncode == 3
    assert message in ran.stderr
    assert "bug in opspec-lint" not in ran.stderr


@pytest.mark.parametrize("package", ["mill", "nowhere"])
def test_a_file_of_no_known_format_hints_at_the_plugins_that_fail(site, tmp_path, package):
    texts = {"mill/__init__.py": "import nothing_like_this", "mill/formats/mill.py": FORMAT % "None"}
    install(site, "mill", {"frameworks": ("mill", package)}, texts)
    (tmp_path / "old.mill").write_text("ops", encoding="utf-8")
    ran = opspec(site, "check", "old.mill", "old.mill", cwd=tmp_path)
    assert ran.returncode == 3
    assert "old.mill: is not a spec" in ran.stderr
    assert "The plug-in 'mill' of mill 1.0 fails: `opspec-lint plugins` says why" in ran.stderr


def test_a_configuration_loads_nothing_that_is_not_installed(site, tmp_path):
    site.mkdir()
    (tmp_path / "op_added_here.py").write_text(RULE, encoding="utf-8")
    (tmp_path / "config.toml").write_text('[levels]\nop_added_here = "error"\n', encoding="utf-8")
    ran = opspec(site, "check", *PAIR, "--config", "config.toml", cwd=tmp_path)
    assert ran.returncode == 2
    assert "unknown rule 'op_added_here'" in ran.stderr


def test_a_loader_loads_where_it_is_named(site, tmp_path):
    install(site, "ours", {"loaders": ("tflite", "ours")}, {"ours/__init__.py": "", "ours/ours__Load.py": LOADER})
    (tmp_path / "m.tflite").write_bytes(tflite_models.whole())
    options = ("audit", tmp_path / "m.tflite", "--against", "tflite@2.12.1", "--format", "json")
    named, usual = (opspec(site, *options, *more) for more in (("--loader", "ours.Load"), ()))
    assert [audit["loads"] for audit in json.loads(named.stdout)["audits"]] == ["yes"]
    assert "ours.Load" not in {audit["loader"] for audit in json.loads(usual.stdout)["audits"]}


def test_the_skeleton_passes_its_test(site, tmp_path):
    ran = opspec(tmp_path, "init", "--framework", "mill", tmp_path / "project")
    assert ran.returncode == 0, ran.stderr
    package = {path.removeprefix("src/"): text for path, text in skeleton("mill").items() if path.startswith("src/")}
    install(site, "opspec-lint-mill", {"frameworks": ("mill", "opspec_lint_mill")}, package)
    ran = python(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path / "project", cwd=tmp_path)
    assert "2 passed" in ran.stdout
    ran = opspec(tmp_path, "init", "--framework", "mill", tmp_path / "project")
    assert (ran.returncode, "already exists" in ran.stderr) == (2, True)


@pytest.mark.parametrize(
    "options", [("--framework", "paddle", "x"), ("--framework", "A b", "x"), ("--framework", "mill"), ("x",)]
)
def test_a_wrong_skeleton_is_refused(options, tmp_path):
    ran = subprocess.run(
        [sys.executable, "-m", "opspec_lint", "init", *options],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={"PYTHONPATH": str(paths.TOP)},
    )
    assert ran.returncode == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("json", "opspec-lint reads files that end with '.json'"),
        ("yml", "opspec-lint reads files that end with '.yml'"),
        ("fbs", "opspec-lint reads files that end with '.fbs'"),
        ("pdmodel", "opspec-lint reads files that end with '.pdmodel'"),
        ("3x", "a name begins with a letter"),
    ],
)
def test_a_refused_name_has_a_reason(site, tmp_path, name, message):
    ran = opspec(site, "init", "--framework", name, "project", cwd=tmp_path)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert list(tmp_path.iterdir()) == []


# The one difference: a built-in format of another framework claims these bytes before a plug-in is asked.
DIFFERENT = "not garbage"


def test_flatbuffers_as_a_plugin(site):
    take_out(site, "flatbuffers")
    ran = opspec(site, "plugins")
    assert "outside_flatbuffers" in ran.stdout
    tests = "tests/frameworks/flatbuffers/test_schema_files.py"
    ran = python(
        site,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-o",
        f"pythonpath={site}",
        "-k",
        DIFFERENT,
        tests,
    )
    assert ran.returncode == 0, ran.stdout
