from __future__ import annotations

import json
import os

import pytest
from hypothesis import given, settings

from opspec_lint.documents import schema
from opspec_lint.documents.decode import read_document
from opspec_lint.frameworks.paddle.companions import op_versions
from opspec_lint.kit.errors import InputError
from opspec_lint.spec.model import UNKNOWN, Checkpoint, Update
from tests.support import paths
from tests.support.events import schema_named
from tests.support.mutations import mutated

DATA = paths.DATA / "paddle"
FILE = "registry.json"
SMALL = {
    "a": {
        "version_id": 2,
        "checkpoints": [
            {"note": "n", "updates": [{"type": "kNewAttr", "name": "x", "remark": "r", "default": 1}]},
            {
                "updates": [
                    {"type": "kBugfixWithBehaviorChanged", "remark": None},
                    {"type": "kDeleteInput", "name": "Y", "remark": None},
                    {"type": "kModifyOutput", "name": "", "default": {"float": "NaN"}},
                ]
            },
        ],
    },
    "b": {"checkpoints": []},
}


@settings(max_examples=400)
@given(mutated(SMALL))
def test_what_is_read_and_what_the_schema_accepts_are_the_same(raw):
    if schema.faults(raw, schema_named(op_versions.NAME)):
        with pytest.raises(InputError) as caught:
            op_versions.parse_table(raw, FILE)
        assert caught.value.file == FILE
        assert caught.value.message.isprintable()
    else:
        assert list(op_versions.parse_table(raw, FILE)) == list(raw)


@pytest.mark.parametrize("version", ["1.8.5", "2.6.2", "3.0.0"])
def test_real_registries(version):
    path = os.path.join(DATA, f"paddle-{version}.opversions.json")
    with open(path, encoding="utf-8") as stream:
        raw = json.load(stream)
    table = op_versions.load(read_document(path))
    assert schema.faults(raw, schema_named(op_versions.NAME)) == []
    assert {op: len(history) for op, history in table.items()} == {op: len(raw[op]["checkpoints"]) for op in raw}
    assert {op: [len(point.updates) for point in history] for op, history in table.items()} == {
        op: [len(point["updates"]) for point in raw[op]["checkpoints"]] for op in raw
    }


def test_a_small_registry_is_read_in_full():
    table = op_versions.parse_table(SMALL, FILE)
    assert table["b"] == ()
    first, second = table["a"]
    new = Update(action="new", kind="attr", name="x", remark="r", default_value=1)
    assert first == Checkpoint(note="n", updates=(new,))
    bugfix, delete, modify = second.updates
    assert bugfix == Update(action="bugfix")
    assert delete == Update(action="delete", kind="input", name="Y", default_value=UNKNOWN)
    assert (modify.action, modify.kind, modify.name) == ("modify", "output", "")
    assert modify.default_value != modify.default_value


@pytest.mark.parametrize(
    ("raw", "message", "advice"),
    [
        ([], "expected a mapping, found a list", "expected op versions in the form"),
        ({"a": {}}, "a: the key 'checkpoints' is missing", "expected op versions in the form"),
        ({"a": {"checkpoint": [], "checkpoints": []}}, 'a: unknown key "checkpoint"', "did you mean 'checkpoints'?"),
        ({"a": {"checkpoints": {}}}, "a.checkpoints: expected a list, found a mapping", ""),
        ({"a": {"version_id": 1.0, "checkpoints": []}}, "a.version_id: expected an integer, found 1.0", ""),
        ({"a": {"version_id": -1, "checkpoints": []}}, "a.version_id: expected at least 0, found -1", ""),
        (
            {"a": {"checkpoints": [{"updates": ""}]}},
            'a.checkpoints[0].updates: expected a list, found the string ""',
            "",
        ),
        (
            {"a": {"checkpoints": [{"updates": [{"type": "kNewAtr", "name": "x"}]}]}},
            'a.checkpoints[0].updates[0].type: expected "kNewInput"',
            "did you mean 'kNewAttr'?",
        ),
        (
            {"a": {"checkpoints": [{"updates": [{"type": "kNewAttr"}]}]}},
            "a.checkpoints[0].updates[0]: the key 'name' is missing",
            "",
        ),
        (
            {"a": {"checkpoints": [{"updates": [{"type": "kNewAttr", "name": "x", "default": 1 << 64}]}]}},
            "a.checkpoints[0].updates[0].default: 18446744073709551616 is not a value that an attr can hold",
            "",
        ),
    ],
)
def test_what_is_no_registry_is_refused_with_its_place(raw, message, advice):
    with pytest.raises(InputError) as caught:
        op_versions.parse_table(raw, FILE)
    assert caught.value.message.startswith(f"{FILE}: {message}")
    assert advice in caught.value.advice


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"checkpoints": []}, "a": {"checkpoints": []}}',
        '{"a": {"checkpoints": [], "checkpoints" : []}}',
        '{"a": {"checkpoints": [{"note": "n", "note": "n", "updates": []}]}}',
        '{"a": {"checkpoints": [{"updates": [{"type": "kNewAttr", "name": "x", "name":"x"}]}]}}',
        '{"a": {"checkpoints": [{"updates": [{"type": "kNewAttr", "name": "x", "default": {"k": 1, "k": 1}}]}]}}',
    ],
)
def test_duplicate_keys_are_refused(text, tmp_path):
    file = tmp_path / FILE
    file.write_text(text)
    with pytest.raises(InputError, match="occurs twice in one object"):
        op_versions.load(read_document(str(file)))


def test_a_registry_in_yaml_is_the_same(tmp_path):
    yaml, json_ = tmp_path / "a.yaml", tmp_path / "a.json"
    yaml.write_text("a:\n  checkpoints:\n  - updates:\n    - {type: kNewAttr, name: on, default: true}\n")
    json_.write_text('{"a": {"checkpoints": [{"updates": [{"type": "kNewAttr", "name": "on", "default": true}]}]}}')
    assert op_versions.load(read_document(str(yaml))) == op_versions.load(read_document(str(json_)))
