"""Plug-ins: found when they are named, last in every list, and harmless when they fail."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys

import pytest

from opspec_lint.project.plugin_skeleton import skeleton
from tests.support import paths
from tests.support.installed import install, opspec, python, take_out
from tests.support.models import tflite_models

PAIR = ("onnxruntime@1.20.1", "onnxruntime@1.23.2")
UNION_PAIR = ("tensorflow@2.20.0", "tensorflow@2.21.0", "--profile", "tensorflow-both")
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


@pytest.mark.parametrize(("line", "exit_code"), [(("check", *PAIR), 1), (("explain", "attr_default_changed"), 0)])
def test_built_in_frameworks_and_rules_look_up_no_plugins(site, line, exit_code):
    install(site, "broken", {"frameworks": ("mill", "broken")}, {"broken/__init__.py": "raise SystemExit(9)"})
    code = (
        "import sys; from opspec_lint.cli.main import main; code = main(sys.argv[1:])\n"
        'sys.exit(f\'{code} {sorted({*sys.modules} & {"importlib.metadata", "opspec_lint.kit.plugins"})}\')'
    )
    ran = python(site, "-c", code, *line)
    assert ran.stderr.endswith(f"{exit_code} []\n")


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


def test_a_rule_that_is_named_judges_under_a_profile_of_several(site, tmp_path):
    texts = {"registry/__init__.py": "", "registry/op_added_here.py": RULE}
    install(site, "registry", {"rules": ("registry", "registry")}, texts)
    (tmp_path / "config.toml").write_text('[levels]\nop_added_here = "error"\n', encoding="utf-8")
    ran = opspec(site, "check", *UNION_PAIR, "--format", "json", "--config", tmp_path / "config.toml")
    judged = {(finding["rule"], finding["level"]) for finding in json.loads(ran.stdout)["findings"]}
    assert ("op_added_here", "error") in judged


def test_a_rule_is_off_in_every_profile_that_does_not_name_it(site):
    texts = {"registry/__init__.py": "", "registry/op_added_here.py": RULE}
    install(site, "registry", {"rules": ("registry", "registry")}, texts)
    (levels,) = (
        rule["levels"]
        for rule in json.loads(opspec(site, "rules", "--format", "json").stdout)
        if rule["id"] == "op_added_here"
    )
    assert set(levels.values()) == {"off"}
    assert "op_added_here" not in opspec(site, "rules", "--profile", "paddle").stdout


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


@pytest.mark.parametrize("parts", ["likeness=lambda value: 1 / 0", "claims=lambda data: 1 / 0"])
def test_a_format_that_fails_to_recognise_is_named(site, tmp_path, parts):
    broken = (FORMAT % "None").replace('suffix=".mill"', parts)
    install(site, "mill", {"frameworks": ("mill", "mill")}, {"mill/__init__.py": "", "mill/formats/mill.py": broken})
    text = {"opspec": 1, "provenance": {"framework": "paddle"}, "knows": {}, "ops": {"a": {}}}
    (tmp_path / "spec.json").write_text(json.dumps(text), encoding="utf-8")
    (tmp_path / "unknown").write_text("7", encoding="utf-8")
    assert opspec(site, "check", "spec.json", "spec.json", cwd=tmp_path).returncode == 0
    ran = opspec(site, "check", "unknown", "unknown", cwd=tmp_path)
    assert ran.returncode == 3
    assert "the plug-in 'mill' of mill 1.0 fails: mill.formats.mill: ZeroDivisionError" in ran.stderr
    assert "Traceback" not in ran.stderr


MODEL_PLUGIN = {
    "mill/__init__.py": "",
    "mill/framework.py": """from opspec_lint.spec.fields import Framework
FRAMEWORK = Framework(title="Mill")
""",
    "mill/models/mill_model.py": """from opspec_lint.models.format import ModelFormat
from opspec_lint.models.model import Model
def read(candidate):
    return %s
def claims(candidate):
    return %s
MODEL_FORMAT = ModelFormat(summary="a model of Mill", claims=claims, read=read)
""",
    "mill/loaders/mill_run.py": """from opspec_lint.models.loader import Loader
def audit(model, spec, options):
    yield %s
LOADER = Loader(summary="runs", formats=("mill_model",), audit=audit)
""",
    **{
        f"mill/specs/mill-{version}.json": json.dumps(
            {"opspec": 1, "provenance": {"framework": "mill", "version": version}, "knows": {}, "ops": {"a": {}}}
        )
        for version in ("1.0", "1.1")
    },
}
LOADABLE = ("Model(file=candidate.path)", "candidate.head == b'mill'")


def install_models_of_mill(site, read=LOADABLE[0], claims=LOADABLE[1], fault="from ()", specs=()):
    replacements = {"mill/models/mill_model.py": (read, claims), "mill/loaders/mill_run.py": fault}
    texts = {path: text % replacements[path] if path in replacements else text for path, text in MODEL_PLUGIN.items()}
    install(site, "mill", {"frameworks": ("mill", "mill")}, texts | dict.fromkeys(specs, "{}"))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ({"read": "1 / 0"}, "the plug-in 'mill' of mill 1.0 fails: mill.models.mill_model: ZeroDivisionError"),
        ({"read": "None"}, "mill.models.mill_model: returns NoneType instead of Model"),
        ({"fault": "1 / 0"}, "the plug-in 'mill' of mill 1.0 fails: mill.loaders.mill_run: ZeroDivisionError"),
        ({"claims": "1 / 0"}, "the plug-in 'mill' of mill 1.0 fails: mill.models.mill_model: ZeroDivisionError"),
    ],
)
def test_a_reader_or_a_loader_that_fails_is_named(site, tmp_path, broken, message):
    install_models_of_mill(site, **broken)
    (tmp_path / "model").write_bytes(b"mill")
    ran = opspec(site, "audit", "model", "--against", "mill@1.0", cwd=tmp_path)
    assert ran.returncode != 0
    assert message in " ".join((ran.stderr + ran.stdout).split())
    assert "bug in opspec-lint" not in ran.stderr


def test_the_released_specs_of_a_plugin_have_names(site, tmp_path):
    install_models_of_mill(site)
    (tmp_path / "model").write_bytes(b"mill")
    assert opspec(site, "specs").stdout.splitlines()[-2:] == ["mill@1.0", "mill@1.1"]
    assert opspec(site, "specs", "mill").stdout.splitlines() == ["mill@1.0", "mill@1.1"]
    ran = opspec(site, "check", "mill@1.0", "mill@latest", "--format", "json")
    comparison = json.loads(ran.stdout)["comparisons"][0]
    assert [comparison[side]["version"] for side in ("base", "head")] == ["1.0", "1.1"]
    for arguments, releases in (
        ((), ["1.0", "1.1"]),
        (("--against", "mill@..1.0"), ["1.0"]),
        (("--against", "mill@1"), ["1.1"]),
    ):
        ran = opspec(site, "audit", "model", *arguments, "--format", "json", cwd=tmp_path)
        assert [audit["against"] for audit in json.loads(ran.stdout)["audits"]] == [f"mill@{v}" for v in releases]
    ran = opspec(site, "check", "mill@2.0", "mill@1.0")
    assert (ran.returncode, "the nearest is mill@1.1" in ran.stderr) == (3, True)


@pytest.mark.parametrize("order", [("m.mill", "mill@1.0"), ("mill@1.0", "m.mill")])
def test_a_released_spec_of_a_plugin_among_the_models_is_a_value_of_against(site, tmp_path, order):
    install_models_of_mill(site)
    (tmp_path / "m.mill").write_text("mill", encoding="utf-8")
    ran = opspec(site, "audit", *order, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == opspec(site, "audit", "m.mill", "--against", "mill@1.0", cwd=tmp_path).stdout


def test_a_plugin_has_no_released_specs_of_another_framework(site):
    install_models_of_mill(site, specs=("mill/specs/paddle-9.9.json",))
    ran = opspec(site, "plugins")
    assert ran.returncode == 3
    assert "specs/paddle-9.9.json is not named mill-VERSION.json" in ran.stdout
    assert "paddle@9.9" not in opspec(site, "specs").stdout


@pytest.mark.parametrize("package", ["mill", "nowhere"])
def test_a_file_of_no_known_format_hints_at_the_plugins_that_fail(site, tmp_path, package):
    texts = {"mill/__init__.py": "import nothing_like_this", "mill/formats/mill.py": FORMAT % "None"}
    install(site, "mill", {"frameworks": ("mill", package)}, texts)
    (tmp_path / "old.mill").write_text("ops", encoding="utf-8")
    ran = opspec(site, "check", "old.mill", "old.mill", cwd=tmp_path)
    assert ran.returncode == 3
    assert "old.mill: is not a spec" in ran.stderr
    assert "the plug-in 'mill' of mill 1.0 " in ran.stderr


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


@pytest.mark.parametrize("marker", ["not flatc", pytest.param("flatc", marks=pytest.mark.flatc)])
def test_flatbuffers_as_a_plugin_passes_all_its_tests(site, marker):
    take_out(site, "flatbuffers")
    ran = opspec(site, "plugins")
    assert "outside_flatbuffers" in ran.stdout
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
        "-m",
        marker,
        "tests/frameworks/flatbuffers",
    )
    assert ran.returncode == 0, ran.stdout


def blocks_of_page(language):
    page = (paths.TOP / "docs" / "reference" / "plugins.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_page_run(site, tmp_path):
    rule, reporter, *_ = blocks_of_page("python")
    (settings,) = blocks_of_page("toml")
    install(
        site, "r", {"rules": ("r", "acme_rules")}, {"acme_rules/__init__.py": "", "acme_rules/op_removed_acme.py": rule}
    )
    texts = {"acme_reporters/__init__.py": "", "acme_reporters/counts.py": reporter}
    install(site, "p", {"reporters": ("p", "acme_reporters")}, texts)
    (tmp_path / "settings.toml").write_text(settings, encoding="utf-8")
    for name, ops in (("old", {"acme.a": {}, "b": {}}), ("new", {"b": {}})):
        text = json.dumps({"opspec": 1, "provenance": {"framework": "paddle"}, "knows": {}, "ops": ops})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    options = ("check", "old.json", "new.json", "--config", "settings.toml")
    ran = opspec(site, *options, "--format", "counts", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "error: 2\n")
    assert "the registry still lists 'acme.a'" in opspec(site, *options, cwd=tmp_path).stdout


def install_source_of_mill(site, probe, texts):
    common = {
        "opspec_mill/__init__.py": "",
        "opspec_mill/framework.py": (
            '"""Mill."""\nfrom opspec_lint.spec.fields import Framework\nFRAMEWORK = Framework(title="Mill")\n'
        ),
        "opspec_mill/sources/__init__.py": "",
        "opspec_mill/sources/runtime.py": blocks_of_page("python")[2],
        "opspec_mill/sources/_runtime_probe.py": probe,
    }
    install(site, "opspec-mill", {"frameworks": ("mill", "opspec_mill")}, {**common, **texts})


@pytest.mark.parametrize(
    ("op", "outcome"),
    [
        ("Op(2)", (0, [{"name": "0"}, {"name": "1"}])),
        ("Op(0)", (0, None)),
        ("Op('x')", "TypeError"),
        ("Op(1), 'a b': Op(1.0)", "TypeError"),
    ],
)
def test_the_example_of_an_installed_framework_runs(site, tmp_path, op, outcome):
    mill = (
        "from collections import namedtuple\n__version__ = '1.0'\nOp = namedtuple('Op', 'arity')\n"
        f"OPS = {{'concat': {op}}}\n"
    )
    install_source_of_mill(site, blocks_of_page("python")[3], {"mill.py": mill})
    (tmp_path / "python").write_text(f'#!/bin/sh\nPYTHONPATH={site} exec {sys.executable} "$@"\n', encoding="utf-8")
    (tmp_path / "python").chmod(0o755)
    ran = opspec(site, "extract", f"mill-runtime:{tmp_path / 'python'}")
    if isinstance(outcome, str):
        assert (ran.returncode, outcome in ran.stderr) == (3, True), ran.stderr
    else:
        spec = json.loads(ran.stdout)
        assert (ran.returncode, spec["ops"]["concat"].get("inputs")) == outcome
        assert spec["provenance"] == {"framework": "mill", "version": "1.0", "made_by": "mill-runtime"}


def test_a_probe_whose_answer_is_no_spec_is_named(site):
    probe = (
        "def probe():\n"
        "    ops = {'concat': {'inputs': [{'nome': 'x'}]}}\n"
        "    return {'version': '1', 'binding': 'name', 'loading': {}, 'knows': {}, 'ops': ops}\n"
    )
    install_source_of_mill(site, probe, {})
    ran = opspec(site, "extract", "mill-runtime")
    assert ran.returncode == 3
    assert "mill-runtime: ops.concat.inputs[0]" in ran.stderr


@pytest.mark.parametrize(
    ("model", "code", "answer"),
    [
        ("mill 1.0\na = input()\nb = concat(a, a)\n", 0, "loads"),
        ("mill 1.0\na = input()\nb = concat()\n", 1, "'concat' takes at least 1 inputs here, but the node has 0"),
        ("mill 1.0\na = split(b)\n", 1, "has no op 'split'"),
        ("mill 1.0\nsplit\n", 3, "line 2: expected a call"),
    ],
)
def test_the_example_of_a_loader_runs(site, tmp_path, model, code, answer):
    texts = {"opspec_mill/models/__init__.py": "", "opspec_mill/loaders/__init__.py": ""}
    texts["opspec_mill/models/mill_calls.py"], texts["opspec_mill/loaders/mill__load.py"] = blocks_of_page("python")[4:]
    install_source_of_mill(site, "", texts)
    concat = {"inputs": [{"name": "X", "duplicable": True}], "outputs": [{"name": "Out"}]}
    spec = {
        "opspec": 1,
        "provenance": {"framework": "mill"},
        "knows": {"inputs": ["duplicable", "dispensable"]},
        "ops": {"concat": concat, "input": {"outputs": [{"name": "Out"}]}},
    }
    (tmp_path / "old.json").write_text(json.dumps(spec), encoding="utf-8")
    (tmp_path / "m.mill").write_text(model, encoding="utf-8")
    ran = opspec(site, "audit", "m.mill", "--against", "old.json", cwd=tmp_path)
    assert (ran.returncode, answer in ran.stdout + ran.stderr) == (code, True), ran.stdout + ran.stderr


def test_differences_that_no_rule_reports_are_no_equality(site, tmp_path):
    site.mkdir()
    (tmp_path / "settings.toml").write_text('[levels]\nop_removed = "off"\n', encoding="utf-8")
    for name, ops in (("old", {"a": {}, "b": {}}), ("new", {"a": {}})):
        text = json.dumps({"opspec": 1, "provenance": {"framework": "paddle"}, "knows": {}, "ops": ops})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    ran = opspec(site, "check", "old.json", "new.json", "--config", "settings.toml", cwd=tmp_path)
    assert ran.returncode == 0
    assert "head and base differ, but every rule that judges the differences is off (profile paddle)" in ran.stdout


def test_the_example_imports_only_what_a_plugin_may():
    page = (paths.TOP / "docs" / "reference" / "plugins.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(opspec_lint[\w.]*)` \| (.*) \|$", page, re.MULTILINE)
    listed = {(module, name) for module, names in rows for name in re.findall(r"`(\w+)`", names)}
    listed |= {tuple(module.rsplit(".", 1)) for module, _ in rows if "." in module}
    files = sorted((paths.TOP / "examples").rglob("*.py"))
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    imported = [
        node for node in nodes if isinstance(node, ast.ImportFrom) and str(node.module).startswith("opspec_lint.")
    ]
    assert len(imported) > 10
    assert {(node.module, alias.name) for node in imported for alias in node.names} - listed == set()
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert {name for name in plain if name.startswith("opspec_lint")} == {"opspec_lint"}
