from __future__ import annotations

import gzip
import json
import re

import pytest

from opspec_lint.frameworks.paddle.replay import check_2020, check_2021, load, load_versions
from opspec_lint.kit.errors import InputError
from tests.support import paths

DATA = paths.DATA / "paddle"
VERSIONS = ("1.8.5", "2.6.2", "3.0.0")
STEPS = [("1.8.5", "2.6.2"), ("2.6.2", "3.0.0")]
CASES = sorted(path.name.removesuffix(".expected.txt") for path in DATA.glob("cases/*.expected.txt"))

HEAD_2020 = "------------------------------\nOp desc error for the changes of Inputs/Outputs/Attrs of OPs:\n\n"
HEAD = (
    "------------------------------\n\n======================= \n"
    "Op desc error for the changes of Inputs/Outputs/Attrs of OPs:\n\n"
)
MIDDLE = "\n======================= \nOperator registration error for the changes of Inputs/Outputs/Attrs of OPs:\n\n"
DEEP = "[" * 500 + "]" * 500
TAIL = "------------------------------\n"

OP = {
    "Inputs": {"X": {"duplicable": False, "dispensable": False, "intermediate": False, "extra": False, "quant": False}},
    "Outputs": {"Out": {"duplicable": False, "dispensable": False, "intermediate": False}},
    "Attrs": {
        "axis": {"type": 0, "generated": False, "default_value": 1, "extra": False, "quant": False},
        "op_role": {"type": 0, "generated": False, "default_value": 4096, "extra": True, "quant": False},
    },
}


def spec(version):
    return load(str(DATA / f"paddle-{version}.json"))


def registry(version):
    return load_versions(str(DATA / f"paddle-{version}.opversions.json"))


def groups(text):
    """Return every line that is not a finding, with the findings below it, in any order."""
    result = []
    for line in text.splitlines(keepends=True):
        if line.startswith(" * "):
            result[-1][1].append(line)
        else:
            result.append((line, []))
    return [(head, sorted(lines)) for head, lines in result]


def in_any_order(text):
    """Return the groups of a text with the ops sorted, and its values as both Pythons write them."""

    def rounded(number):
        return f"{float(number[0]):.12g}"

    text = re.sub(r"\bu(?=')", "", text)
    text = re.sub(r"-?\b\d+(\.\d+)?(e[+-]\d+)?\b", rounded, text)
    result = groups(text)
    ops = [group for group in result if group[0].startswith("For OP")]
    assert result == result[: len(result) - len(ops) - 1] + ops + result[-1:]
    return result[: len(result) - len(ops) - 1], sorted(ops), result[-1:]


def changed(**sections):
    """Return the ops {"op": OP} with some arguments replaced, added, or deleted (None)."""
    record = {key: dict(arguments) for key, arguments in OP.items()}
    for key, arguments in sections.items():
        record[key].update(arguments)
        record[key] = {name: fields for name, fields in record[key].items() if fields is not None}
    return {"op": record}


def attr(name="axis", **fields):
    return {name: OP["Attrs"].get(name, {"type": 0, "generated": False, "default_value": 0}) | fields}


def checkpoint(*updates):
    return {"note": "", "updates": [{"type": kind, "name": name} for kind, name in updates]}


def registered(*checkpoints):
    return {"op": {"version_id": len(checkpoints), "checkpoints": list(checkpoints)}}


def lines(text):
    """Return the findings of both blocks of the last version."""
    assert text.startswith(HEAD)
    assert text.endswith(TAIL)
    return tuple(block.splitlines() for block in text[len(HEAD) : -len(TAIL)].split(MIDDLE))


@pytest.mark.parametrize(("base", "pr"), STEPS)
def test_last_version_on_full_specs(base, pr):
    expected = (DATA / "golden" / f"check_op_desc.{base}-{pr}.txt").read_text(encoding="utf-8")
    assert groups(check_2021(spec(base), spec(pr), registry(pr))) == groups(expected)


@pytest.mark.parametrize(("base", "pr"), STEPS)
def test_version_of_2020_on_full_specs(base, pr):
    expected = (DATA / "golden" / f"2020-01-02.{base}-{pr}.py27.txt").read_text(encoding="utf-8")
    assert in_any_order(check_2020(spec(base), spec(pr))) == in_any_order(expected)


def test_last_version_on_120_random_changes():
    with gzip.open(DATA / "check_op_desc_probes.jsonl.gz", "rt", encoding="utf-8") as stream:
        probes = [json.loads(line) for line in stream]
    wrong = [
        probe["id"]
        for probe in probes
        if groups(check_2021(probe["base"], probe["pr"], probe["opversions"])) != groups(probe["check_op_desc_stdout"])
    ]
    assert len(probes) == 120
    assert wrong == []


@pytest.mark.parametrize("case", CASES)
def test_last_version_on_changes_that_really_happened(case):
    def path(name):
        return str(DATA / "cases" / f"{case}.{name}.json")

    text = check_2021(load(path("base")), load(path("pr")), load_versions(path("pr.opversions")))
    assert groups(text) == groups((DATA / "cases" / f"{case}.expected.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("version", VERSIONS)
def test_prints_nothing_for_a_spec_and_itself(version):
    assert check_2021(spec(version), spec(version), {}) == ""
    assert check_2020(spec(version), spec(version)) == ""


@pytest.mark.parametrize(("base", "pr"), STEPS)
def test_order_in_the_second_spec_does_not_matter(base, pr):
    def reverse(value):
        return {key: reverse(value[key]) for key in reversed(value)} if isinstance(value, dict) else value

    assert check_2021(spec(base), reverse(spec(pr)), registry(pr)) == check_2021(spec(base), spec(pr), registry(pr))
    assert check_2020(spec(base), reverse(spec(pr))) == check_2020(spec(base), spec(pr))


def test_the_example_of_the_wiki():
    base = {
        "slice": {
            "Inputs": {"EndsTensor": {"dispensable": True}, "EndsTensorList": {"dispensable": True}},
            "Attrs": {"starts": {"type": 3, "default_value": []}},
        }
    }
    pr = {
        "slice": {
            "Inputs": {"EndsTensor": {"dispensable": False}, "Out_test_2": {"dispensable": False}},
            "Attrs": {"starts": {"type": 3, "default_value": [1]}},
        }
    }
    assert check_2020(base, pr) == (
        HEAD_2020 + "For OP 'slice':\n"
        " * The added Input 'Out_test_2' is not dispensable.\n"
        " * The Input 'EndsTensorList' is deleted.\n"
        " * The arg 'dispensable' of Input 'EndsTensor' is changed: from 'True' to 'False'.\n"
        " * The arg 'default_value' of attr 'starts' is changed: from '[]' to '[1]'.\n" + TAIL
    )


def test_every_kind_of_line_in_order():
    new = {"dispensable": True, "quant": True}
    pr = changed(
        Inputs={"X": OP["Inputs"]["X"] | {"duplicable": True}, "B": {}, "A": {}, "Q": new},
        Outputs={"Out": None, "B": {}, "Q": new},
        Attrs=attr(type=1, default_value=0.1) | attr("b", default_value=None) | attr("q", quant=True, extra=True),
    )
    assert check_2021(changed(), pr, {}) == (
        HEAD + "For OP 'op':\n"
        " * The added Input 'A' is not dispensable.\n"
        " * The added Input 'B' is not dispensable.\n"
        " * The arg 'duplicable' of Input 'X' is changed: from 'False' to 'True'.\n"
        " * The added Input 'Q' is `quant`, need slim to review.\n"
        " * The added Input 'A' is `def`, need inference to review.\n"
        " * The added Input 'B' is `def`, need inference to review.\n"
        " * The added Output 'B' is not dispensable.\n"
        " * The Output 'Out' is deleted.\n"
        " * The added Output 'Q' is `quant`, need slim to review.\n"
        " * The added Output 'B' is `def`, need inference to review.\n"
        " * The added attr 'b' doesn't set default value.\n"
        " * The arg 'type' of attr 'axis' is changed: from '0' to '1'.\n"
        " * The arg 'default_value' of attr 'axis' is changed: from '1' to '0.1'.\n"
        " * The added attr 'q' is `quant`, need slim to review.\n"
        " * The added attr 'b' is `def`, need inference to review.\n" + MIDDLE + "For OP 'op':\n"
        " * The added input 'A' is not yet registered.\n"
        " * The added input 'B' is not yet registered.\n"
        " * The added input 'Q' is not yet registered.\n"
        " * The added output 'B' is not yet registered.\n"
        " * The added output 'Q' is not yet registered.\n"
        " * The added attribute 'b' is not yet registered.\n"
        " * The added attribute 'q' is not yet registered.\n"
        " * The change of attribute 'axis' is not yet registered.\n" + TAIL
    )


@pytest.mark.parametrize(
    "pr",
    [
        pytest.param({}, id="op deleted"),
        pytest.param(changed() | {"new": OP}, id="op added"),
        pytest.param(changed(Attrs=attr(generated=0)), id="False is 0"),
        pytest.param(changed(Attrs=attr(default_value=1.0)), id="1 is 1.0"),
        pytest.param(changed(Attrs=attr("new", extra=True)), id="extra attr added"),
        pytest.param(changed(Inputs={"Y": {"dispensable": True, "extra": True}}), id="extra input added"),
        pytest.param(changed(Outputs={"Y": {"dispensable": 1, "extra": 1, "quant": 1}}), id="extra and quant output"),
    ],
)
def test_silent(pr):
    assert check_2021(changed(), pr, {}) == ""
    assert check_2020(changed(), pr) == ""


def test_additions_that_only_the_last_version_flags():
    pr = changed(Inputs={"Y": {"dispensable": True}}, Attrs=attr("new"))
    versions = registered(checkpoint(("kNewInput", "Y"), ("kNewAttr", "new")))
    assert check_2020(changed(), pr) == ""
    assert lines(check_2021(changed(), pr, versions)) == (
        [
            "For OP 'op':",
            " * The added Input 'Y' is `def`, need inference to review.",
            " * The added attr 'new' is `def`, need inference to review.",
        ],
        [],
    )


def test_a_field_that_only_the_new_side_has_is_an_error_without_lines():
    pr = changed(Outputs={"Out": OP["Outputs"]["Out"] | {"extra": False}})
    assert check_2021(changed(), pr, {}) == HEAD + MIDDLE + TAIL
    assert check_2020(changed(), pr) == HEAD_2020 + "For OP 'op':\n" + TAIL


def test_a_field_that_only_the_old_side_has_becomes_none():
    pr = changed(Outputs={"Out": {"duplicable": False, "dispensable": False}})
    line = " * The arg 'intermediate' of Output 'Out' is changed: from 'False' to 'None'."
    assert lines(check_2021(changed(), pr, {})) == (["For OP 'op':", line], [])


def test_headers_without_lines():
    extra = {"dispensable": True, "extra": True}
    base = {"broken": OP, "input": OP, "attr": OP}
    pr = {
        "attr": changed(Attrs=attr("new", extra=True))["op"],
        "input": changed(Inputs={"Y": extra})["op"],
        "broken": changed(Attrs={"op_role": None})["op"],
    }
    assert lines(check_2021(base, pr, {})) == (
        ["For OP 'broken':", " * The attr 'op_role' is deleted.", "For OP 'input':", "For OP 'attr':"],
        ["For OP 'input':"],
    )


@pytest.mark.parametrize("field", ["default_value", "extra"])
def test_a_change_of_an_extra_attr_needs_no_registration(field):
    changes, registrations = lines(check_2021(changed(), changed(Attrs=attr("op_role", **{field: 0})), {}))
    assert len(changes) == 2
    assert registrations == []


def test_a_single_unregistered_change_marks_all_changed_attrs():
    base = changed(Attrs=attr("beta"))
    pr = changed(Attrs=attr(default_value=2) | attr("beta", default_value=2) | attr("op_role", default_value=2))
    both = checkpoint(("kModifyAttr", "axis"), ("kModifyAttr", "beta"))
    marks = [f" * The change of attribute '{name}' is not yet registered." for name in ("axis", "beta")]
    assert lines(check_2021(base, pr, registered(both)))[1] == ["For OP 'op':", *marks]
    both["updates"].append({"type": "kModifyAttr", "name": "op_role"})
    assert lines(check_2021(base, pr, registered(both)))[1] == []


@pytest.mark.parametrize(
    ("versions", "is_registered"),
    [
        ({}, False),
        (registered(), False),
        (registered(checkpoint()), False),
        (registered(checkpoint(("kNewInput", "new"))), False),
        (registered(checkpoint(("kModifyAttr", "new"))), False),
        (registered(checkpoint(("kNewAttr", "NEW"))), False),
        (registered(checkpoint(("kNewAttr", "new")), checkpoint()), False),
        (registered(checkpoint(), checkpoint(("kNewAttr", "new"))), True),
        ({"op": {"checkpoints": [{"updates": [{"type": "kBugfixWithBehaviorChanged", "remark": "new"}]}]}}, False),
    ],
)
def test_only_the_last_checkpoint_registers(versions, is_registered):
    _, registrations = lines(check_2021(changed(), changed(Attrs=attr("new")), versions))
    assert (registrations == []) is is_registered


def test_an_empty_name_is_registered_by_any_addition():
    pr = changed(Attrs=attr(""))
    assert lines(check_2021(changed(), pr, registered(checkpoint(("kNewAttr", "other")))))[1] == []
    assert lines(check_2021(changed(), pr, registered(checkpoint(("kNewInput", "other")))))[1] != []


def test_nan_differs_from_itself_only_next_to_another_change(tmp_path):
    def loaded(**fields):
        file = tmp_path / "spec.json"
        file.write_text(json.dumps(changed(Attrs=attr(default_value=float("nan"), **fields))))
        return load(str(file))

    assert check_2021(loaded(), loaded(), {}) == ""
    assert check_2020(loaded(), loaded()) == ""
    assert lines(check_2021(loaded(), loaded(type=1), {}))[0][1:] == [
        " * The arg 'type' of attr 'axis' is changed: from '0' to '1'.",
        " * The arg 'default_value' of attr 'axis' is changed: from 'nan' to 'nan'.",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (True, "True"),
        (0.1, "0.1"),
        (1e22, "1e+22"),
        (9223372036854775807, "9223372036854775807"),
        ([1, 2], "[1, 2]"),
        (["a", "it's"], """['a', "it's"]"""),
        ("a{0}'b", "a{0}'b"),
        ({"a": None}, "{'a': None}"),
    ],
)
def test_values_are_printed_as_python_does(value, text):
    base, pr = changed(Attrs=attr(default_value="old")), changed(Attrs=attr(default_value=value))
    line = f" * The arg 'default_value' of attr 'axis' is changed: from 'old' to '{text}'."
    assert line in check_2021(base, pr, {}).splitlines()
    assert line in check_2020(base, pr).splitlines()


def test_arguments_are_left_as_they_were():
    base, pr, versions = changed(), changed(Attrs=attr(default_value=2)), registered(checkpoint())
    before = json.dumps([base, pr, versions])
    check_2020(base, pr)
    check_2021(base, pr, versions)
    assert json.dumps([base, pr, versions]) == before


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"op": {}}',
        '{"op": {"Inputs": {"X": {}}, "Other": 1}}',
        '{"op": {"Attrs": {"a": {"type": 99, "generated": "no", "default_value": {"a": [null, {}]}}}}}',
        '{"op": {"Attrs": {"a": {"default_value": "\\": :"}}}}',
    ],
)
def test_load_is_as_liberal_as_the_checks(tmp_path, text):
    file = tmp_path / "spec.json"
    file.write_text(text)
    ops = load(str(file))
    assert ops == json.loads(text)
    for another in (ops, {"op": {}}, {"op": OP}):
        check_2020(ops, another)
        check_2021(another, ops, {})


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("[]", "", "expected a mapping, found a list"),
        ('{"op": null}', "op", "expected a mapping, found null"),
        ('{"op": {"Inputs": null}}', "op.Inputs", "expected a mapping, found null"),
        ('{"op": {"Attrs": {"a b": 1}}}', 'op.Attrs["a b"]', "expected a mapping, found 1"),
        ('{"op": {}, "op": {}}', "op", 'the key "op" occurs twice'),
        (
            '{"op": {"Attrs": {"a": {"default_value": [{"b": 1, "b": 2}]}}}}',
            "op.Attrs.a.default_value[0].b",
            'the key "b" occurs twice',
        ),
        ('{"op": {', "line 1, column 9", "ends too early"),
        ('{"op": {"Attrs": {"a": {"default_value": ' + DEEP + "}}}}", "", "is nested more than 100 levels"),
        ("op:\n  Inputs: {}\n", "", "is not JSON"),
        ("3", "", "is not JSON"),
        ("", "", "is empty"),
    ],
)
def test_load_refuses(tmp_path, text, where, problem):
    file = tmp_path / "spec.json"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        load(str(file))
    assert caught.value.file == str(file)
    assert caught.value.where == where
    assert problem in caught.value.problem


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("[]", "", "expected a mapping, found a list"),
        ('{"op": {}}', "op", "the key 'checkpoints' is missing"),
        ('{"op": {"checkpoints": [{"updates": [{"type": "kNewAttr"}]}]}}', "op.checkpoints[0].updates[0]", "'name'"),
        ('{"op": {"checkpoints": [], "checkpoints": []}}', "op.checkpoints", "occurs twice"),
        ('{"op": {"checkpoints": ' + DEEP + "}}", "", "is nested more than 100 levels"),
        ("op: {checkpoints: []}", "", "is not JSON"),
    ],
)
def test_load_versions_refuses(tmp_path, text, where, problem):
    file = tmp_path / "versions.json"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        load_versions(str(file))
    assert caught.value.where == where
    assert problem in caught.value.problem


def test_a_missing_file_is_an_input_error(tmp_path):
    for read in (load, load_versions):
        with pytest.raises(InputError, match="cannot be read"):
            read(str(tmp_path / "absent.json"))
