"""What the reader of text messages makes of a text is what protobuf makes of it, or it leaves the text to protobuf."""

from __future__ import annotations

import random
import tracemalloc
from functools import cache

import pytest
from google.protobuf import text_format

from opspec_lint.frameworks.tensorflow.extract import op_lists, text_messages
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.kit.errors import InputError
from opspec_lint.spec.values import NAN
from tests.support import limited
from tests.support.released_specs import released


@cache
def op_list():
    return op_lists.dump(released("tensorflow-2.18.1"))


def in_attr(value):
    return f'op {{ name: "F" attr {{ name: "a" type: "t" default_value {{ {value} }} }} }}'


def both(text):
    """Return what both readers parse, None where protobuf refuses the text, and whether ours knew the form."""
    result = message("OpList")()
    known = text_messages.merge(text, result)
    try:
        expected = text_format.Parse(text, message("OpList")()).SerializeToString(deterministic=True)
    except (text_format.ParseError, ValueError, RecursionError):
        expected = None
    return known, result.SerializeToString(deterministic=True), expected


@pytest.mark.parametrize(
    "options",
    [{}, {"as_one_line": True}, {"use_short_repeated_primitives": True}, {"as_utf8": True}],
)
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_real_op_lists_are_read_alike(options, step):
    """One op in eight has each kind of value; all of them take seconds."""
    ops = message("OpList").FromString(op_list()).op
    some = message("OpList")(op=ops[::step])
    known, actual, expected = both(text_format.MessageToString(some, **options))
    assert known
    assert actual == expected == some.SerializeToString(deterministic=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " # nothing\n",
        'op { name: "A" }',
        "op: { name: \"A\" };\nop { name: 'B' },op{}",
        '# one\nop { # two { \n name: "A" "B"\n "D" # "C"\n }\n# three\n',
        r'op { name: "\n\"\\\'\x41\101\303\244" description: "größe" }',
        in_attr("list { i: 1 i: -2;i:3, i : 9223372036854775807 }"),
        in_attr("list { i: [1, -2,3 ] i: 4 i: [5] }"),
        in_attr("list { f: 1.5 f: 1e-05 f: -0.0 f: inf f: -inf f: nan f: 1. f: 3 f: 1e39 }"),
        in_attr("list { b: true b: false }"),
        in_attr("list { b: [true, false] type: [DT_INT32, DT_FLOAT] s: ['a', \"b\" 'c'] }"),
        in_attr('list { s: "a" s: "\\377" }'),
        in_attr("list { shape { dim { size: -1 } dim { size: 2 } } shape { unknown_rank: true } }"),
        in_attr("tensor { dtype: DT_INT32 tensor_shape { } int_val: 3 }"),
    ],
)
def test_forms_that_are_known(text):
    known, actual, expected = both(text)
    assert known
    assert actual == expected


@pytest.mark.parametrize(
    "text",
    [
        "op < name: 'A' >",
        'op [{ name: "A" }, { name: "B" }]',
        in_attr("i: 0x10"),
        in_attr("i: 010"),
        in_attr("i: - 1"),
        in_attr("f: 1.5f"),
        in_attr("f: .5"),
        in_attr("b: t"),
        in_attr("b: 1"),
        in_attr("type: 3"),
        in_attr("list { i: [] }"),
        in_attr('func { name: "g" attr { key: "k" value { i: 1 } } }'),
        'op { name: "A" } # the end',
        'op { name: "A" # "B"\n "C" }',
        # what protobuf refuses
        "op {",
        "op { } }",
        "op { nothing: 1 }",
        'op { name: "A" name: "B" }',
        'op { name: "" name: "" }',
        'op { name: "A }',
        'op { name: "\\xff" }',
        in_attr("i: 1 f: 2"),
        in_attr("list { i: 1 } list { i: 2 }"),
        in_attr("i: 9223372036854775808"),
        in_attr("i: 1.5"),
        in_attr("i: inf"),
        in_attr("i: 1i: 2"),
        in_attr("list { i: [1, ] }"),
        in_attr("list { i: [1 2] }"),
        in_attr("type: DT_NOTHING"),
        in_attr("b: DT_INT32"),
        in_attr('i: "1"'),
        in_attr("s: 1"),
        in_attr("s: { }"),
        in_attr("list: 1"),
        "op " * 3,
        "op { attr { default_value { func { attr { " * 60,
        "\u00a0op { }",
    ],
)
def test_what_is_of_another_form_is_left_to_protobuf(text):
    assert not both(text)[0]


def test_a_text_with_a_single_character_changed_is_read_alike_or_left():
    rng = random.Random(1)  # noqa: S311
    text = text_format.MessageToString(message("OpList").FromString(op_list()))[:6000]
    text = text[: text.rindex("\nop {") + 1]
    counts = {True: 0, False: 0}
    for _ in range(400):
        at = rng.randrange(len(text))
        changed = text[:at] + rng.choice(" \n\"'{}[]:,;#-+.019aefx\\<>\u00e4") + text[at + rng.randrange(2) :]
        known, result, expected = both(changed)
        counts[known] += 1
        assert not known or result == expected, changed
    assert min(counts.values()) > 50


def test_a_fault_is_reported_in_the_words_of_protobuf():
    with pytest.raises(InputError, match="should not have multiple"):
        op_lists.from_text('op { name: "A"\n name: "B" }', "ops.pbtxt")


def test_comments_and_blanks_without_end_do_not_hang():
    texts = "#" * 200_000, "# \n" * 100_000 + "x", " " * 300_000, 'op { name: "' + "\\" * 99_999, "op:" * 99_999
    with limited.processor_time():
        for text in texts:
            assert not text.strip() or not text_messages.merge(text, message("OpList")())


@pytest.mark.parametrize("item", ["i: 1\n", "f: 1.5\n", 's: "ab"\n', "b: true\n"])
def test_a_long_default_takes_no_more_than_fifteen_times_its_memory(item):
    count = 40_000
    kind = {"i": "int", "f": "float", "s": "string", "b": "bool"}[item[0]]
    value = in_attr(f"list {{ {item * count} }}").replace('"t"', f'"list({kind})"')
    tracemalloc.start()
    spec = op_lists.spec_of(op_lists.from_text(value, "ops.pbtxt"), "ops.pbtxt")
    assert len(spec.ops["F"].attrs[0].default_value) == count
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 * len(value)  # protobuf's own memory, a few times as much, is not counted here


def test_numbers_in_a_list_are_those_that_are_there():
    text = in_attr("list { f: [0.1, -0.0, 0.0, nan, inf, 0.1] }").replace('"t"', '"list(float)"')
    spec = op_lists.spec_of(op_lists.from_text(text, "x"), "x")
    default_value = spec.ops["F"].attrs[0].default_value
    assert repr(default_value) == "(0.1, -0.0, 0.0, nan, inf, 0.1)"
    assert default_value[3] is NAN
