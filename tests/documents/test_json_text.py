from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.documents import json_text
from opspec_lint.documents.decode import decode
from opspec_lint.documents.memo import Memo
from opspec_lint.kit import text as plain
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import recognise

FILE = "ops.json"
# Names that look like the punctuation of JSON are what could lead a search of the text astray.
NAMES = st.one_of(
    st.text(max_size=4),
    st.text('":\\ {},\n\tx', max_size=6),
    st.sampled_from(['"', '":', '" :', '":"', "a", "X", "type", "Inputs", "\\", '\\":']),
)
SPACES = st.text(" \t\r\n", max_size=3)
FLAGS = st.dictionaries(
    st.sampled_from(["duplicable", "dispensable", "intermediate", "extra", "quant"]), st.booleans(), max_size=3
)
SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | NAMES
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3))
ATTR = st.fixed_dictionaries(
    {}, optional={"type": st.integers(0, 17), "default_value": VALUES, "extra": st.booleans()}
).filter(lambda attr: not holds_float_key(attr.get("default_value")))
OPS = st.dictionaries(
    NAMES,
    st.fixed_dictionaries(
        {
            "Inputs": st.dictionaries(NAMES, FLAGS, max_size=2),
            "Outputs": st.dictionaries(NAMES, FLAGS, max_size=2),
            "Attrs": st.dictionaries(NAMES, ATTR, max_size=2),
        }
    ),
    max_size=3,
).filter(lambda ops: not isinstance(ops.get("opspec", {}), str))


def holds_float_key(value):
    if isinstance(value, dict):
        return "float" in value or any(map(holds_float_key, value.values()))
    return isinstance(value, list) and any(map(holds_float_key, value))


class Writer:
    """Writes JSON with whatever space the draw puts in, and one member of one object twice."""

    def __init__(self, draw, twice):
        self._draw = draw
        self._twice = twice
        self.members = 0

    def write(self, value):
        if isinstance(value, dict):
            return "{" + ",".join(text for item in value.items() for text in self._members(*item)) + "}"
        if isinstance(value, list):
            return "[" + ",".join(map(self.write, value)) + "]"
        return json.dumps(value, ensure_ascii=self._draw(st.booleans()))

    def _members(self, key, value):
        self.members += 1
        copies = 2 if self.members == self._twice else 1
        for _ in range(copies):
            before, after = self._draw(SPACES), self._draw(SPACES)
            yield f"{before}{json.dumps(key)}{self._draw(SPACES)}:{after}{self.write(value)}"


def read(text):
    """Return the spec of a text; it is the same if parts of the text were decoded before, in a text without faults."""
    memo = Memo()
    recognise.spec_of(decode(json.dumps(json.loads(text)).encode(), FILE, memo))
    outcomes = [_outcome(text, memo), _outcome(text, None)]
    if isinstance(outcomes[0], InputError):
        assert str(outcomes[0]) == str(outcomes[1])
        raise outcomes[0]
    assert outcomes[0].ops == outcomes[1].ops
    return outcomes[0]


def _outcome(text, memo):
    try:
        return recognise.spec_of(decode(text.encode("utf-8", "surrogatepass"), FILE, memo))
    except InputError as error:
        return error


def writable(value):
    """Lone surrogates cannot stand in a file unescaped."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@settings(max_examples=100)
@given(st.data(), OPS.filter(writable))
def test_a_document_without_duplicates_is_never_refused(data, ops):
    text = Writer(data.draw, twice=None).write(ops)
    assert json.loads(text) == ops
    assert read(text).ops.keys() == ops.keys()


@settings(max_examples=100)
@given(st.data(), OPS.filter(writable).filter(bool))
def test_a_document_with_a_duplicate_always_is(data, ops):
    plain = Writer(data.draw, twice=None)
    plain.write(ops)
    text = Writer(data.draw, twice=data.draw(st.integers(1, plain.members))).write(ops)
    with pytest.raises(InputError, match="occurs twice in one object"):
        read(text)


def opspec(members):
    return f'{{"opspec": 1, "provenance": {{"framework": "p"}}, "knows": {{}}, {members}}}'


OP = '{"Inputs": {}, "Outputs": {}, "Attrs": {}}'
DUPLICATES = {
    "op": f'{{"a": {OP}, "a": {OP}}}',
    "section": '{"a": {"Inputs": {}, "Inputs": {}, "Outputs": {}, "Attrs": {}}}',
    "input": '{"a": {"Inputs": {"X": {}, "X": {}}, "Outputs": {}, "Attrs": {}}}',
    "flag": '{"a": {"Inputs": {"X": {"extra": true, "extra": false}}, "Outputs": {}, "Attrs": {}}}',
    "attr field": '{"a": {"Inputs": {}, "Outputs": {}, "Attrs": {"b": {"type": 1, "type": 1}}}}',
    "inside a value": '{"a": {"Inputs": {}, "Outputs": {}, "Attrs": {"b": {"default_value": [{"k": 1, "k": 1}]}}}}',
    "spaced": f'{{"a" : {OP}, "a"\n:{OP}}}',
    "spaced twice, made up for": f'{{"b"  : {OP}, "a": {OP}, "a": {OP}}}',
    "escaped": f'{{"a": {OP}, "\\u0061": {OP}}}',
    "beside a string with a colon": f'{{"a\\":": {OP}, "a" :{OP}, "a"  :{OP}}}',
    "empty key": f'{{"": {OP}, "": {OP}}}',
    "not ascii": f'{{"ä": {OP}, "\\u00e4": {OP}}}',
    "opspec head": opspec('"ops": {}, "opspec": 1'),
    "opspec provenance": '{"opspec": 1, "provenance": {"framework": "p", "framework": "q"}, "knows": {}, "ops": {}}',
    "opspec knows": '{"opspec": 1, "provenance": {"framework": "p"}, "knows": {"ops": [], "ops": []}, "ops": {}}',
    "opspec op": opspec('"ops": {"a": {}, "a": {}}'),
    "opspec section": opspec('"ops": {"a": {"attrs": [], "attrs": []}}'),
    "opspec field": opspec('"ops": {"a": {"attrs": [{"name": "b", "name": "b"}]}}'),
    "opspec histories": opspec('"ops": {}, "op_versions": {}, "op_versions": {}'),
    "opspec history": opspec('"ops": {}, "op_versions": {"a": [], "a": []}'),
    "opspec checkpoint": opspec('"ops": {}, "op_versions": {"a": [{"updates": [], "updates": []}]}'),
    "opspec update": opspec(
        '"ops": {}, "op_versions": {"a": [{"updates": [{"action": "bugfix", "action": "bugfix"}]}]}'
    ),
}


@pytest.mark.parametrize("text", DUPLICATES.values(), ids=DUPLICATES)
def test_duplicate_keys_are_detected_anywhere(text):
    with pytest.raises(InputError, match="occurs twice in one object") as caught:
        read(text)
    assert caught.value.file == FILE
    assert caught.value.advice


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('{\n"a": 1,\n"b": 2,\n"a": 3\n}', ["a"]),
        ('{"\\u0061": 1,\n"a": 2}', ["a"]),
        (
            '{"a": {"b": [1, {"c": 1, "c": 2, "c": 3}], "d": {}, "d": {}}, "e": [[{"f": 1, "f": 1}]]}',
            ["a.b[1].c", "a.d", "e[0][0].f"],
        ),
        ('{"a": {"b": 1, "b": 2}, "a": {}}', ["a.b", "a"]),
        ('{"a": 1, "b": {"a": 1}}', []),
    ],
)
def test_every_duplicate_is_reported_with_its_path(text, paths):
    assert [plain.join(*path) for path in json_text.find_duplicates(text, json.loads(text))] == paths
    if paths:
        with pytest.raises(InputError) as caught:
            json_text.check_unique_keys(text, FILE, 1)
        assert caught.value.where == paths[0]


def test_a_text_that_is_nested_too_deep_to_be_searched_has_no_duplicates():
    text = '{"a": ' * 100_000 + "1" + "}" * 100_000
    assert json_text.find_duplicates(text, {}) == []
    json_text.check_unique_keys(text, FILE, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1,\n<<<<<<< HEAD\n2]", "line 2, column 1: is not valid JSON: here begins a merge conflict"),
        ("[1,\n 2,,]", "line 2, column 4: is not valid JSON: expecting value"),
        ('{"a": 1', "line 1, column 8: the JSON text ends too early"),
        ('{"a": 1,\n\n', "the JSON text ends too early"),
        ("[" * 100_000, "is nested hundreds of levels deep"),
        (f"[{'7' * 6000}]", "holds an integer of thousands of digits"),
    ],
)
def test_what_is_no_json_is_reported_with_line_and_column(text, message):
    with pytest.raises(InputError) as caught:
        json_text.loads(text, FILE)
    assert caught.value.message.startswith(FILE)
    assert message in caught.value.message
    assert caught.value.advice


def test_nan_and_infinities_are_read():
    low, high, nan = json_text.loads("[-Infinity, Infinity, NaN]", FILE)
    assert (low, high) == (float("-inf"), float("inf"))
    assert nan != nan
