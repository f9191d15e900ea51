from __future__ import annotations

import json

import pytest

from opspec_lint.documents.locator import Locator
from opspec_lint.sources import recognise
from tests.support import paths
from tests.support.released_specs import some

ROOT = paths.TOP
RAW = sorted(ROOT.glob("tests/data/paddle/paddle-?.?.?.json"))
PRETTY = json.dumps(json.loads((ROOT / "tests/cases/5d3766ff3d.flip/head.json").read_text()), indent=3).replace(
    ":", " :"
)


def at(text, origin):
    """Return the text at an origin."""
    return text.split("\n")[origin.line - 1][origin.column - 1 :]


@pytest.mark.parametrize(
    "path", [*some("paddle", "paddle-pir"), *(pytest.param(path, id=f"raw {path.stem}") for path in RAW)]
)
def test_every_declaration_is_detected_where_it_is(path):
    text = path.read_text()
    locator = Locator("f", text)
    spec = recognise.read(str(path)).spec
    assert spec.ops
    for name in list(spec.ops)[::25]:
        op = spec.ops[name]
        assert at(text, locator.op(name)).startswith(json.dumps(name))
        for kind, arguments in (("input", op.inputs), ("output", op.outputs), ("attr", op.attrs)):
            for argument in arguments:
                place = at(text, locator.argument(name, kind, argument.name))
                assert place.startswith((json.dumps(argument.name), '{"name": ' + json.dumps(argument.name)))
    for name in spec.op_versions or ():
        assert at(text, locator.history(name)).startswith(f"{json.dumps(name)}: [")


def test_different_spacing_does_not_matter():
    locator = Locator("f", PRETTY)
    assert at(PRETTY, locator.op("flip")).startswith('"flip"')
    assert at(PRETTY, locator.argument("flip", "attr", "axis")).startswith('"axis"')


def test_what_is_not_there_has_no_place():
    locator = Locator("f", PRETTY)
    assert locator.op("flop") is None
    assert locator.argument("flop", "attr", "axis") is None
    assert locator.argument("flip", "attr", "dims") is None
    assert locator.argument("flip", "input", "axis") is None
    assert locator.history("flip") is None


def test_a_name_is_not_taken_for_another_thing_of_that_name():
    text = '{"opspec": {"Inputs": {"Attrs": {}}, "Outputs": {}, "Attrs": {"Inputs": {}, "opspec": {}}}}'
    locator = Locator("f", text)
    assert locator.op("opspec").column == text.index('"opspec"') + 1
    assert locator.argument("opspec", "attr", "opspec").column == text.rindex('"opspec"') + 1
    assert locator.argument("opspec", "input", "Attrs").column == text.index('"Attrs"') + 1
