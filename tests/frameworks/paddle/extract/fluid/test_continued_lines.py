"""A line goes on behind a backslash at its end, in the middle of a name too."""

from __future__ import annotations

import pytest

from tests.support.trees.paddle_trees import CLASS, OPERATORS, attrs_of, read, read_maker, shown


@pytest.mark.parametrize(
    "body",
    [
        'Add\\\nAttr<int>("a", "").SetDefault(12);',
        'AddAttr\\\n<int>("a", "").SetDefault(12);',
        'AddAttr<i\\\nnt>("a", "").Set\\\nDefault(1\\  \n2);',
        'Ad\\\n\\\ndAt\\\ntr<int>("a", "")\\\n.SetDefault(12);',
        'AddAttr<int>("a", "")  // a comment\\\n.SetDefault(3)\n.SetDefault(12);',
    ],
)
def test_a_name_goes_on_behind_a_backslash_at_the_end_of_a_line(body):
    assert attrs_of(read_maker(body)) == ["a: INT = 12"]


def test_names_of_macros_and_registrations_go_on_in_the_next_line():
    code = (
        '#define BO\\\nTH(x) AddIn\\\nput(x, ""); \\\n  AddOutput("Out", "")\n'
        "class FOp : public framework::OperatorWithKernel {};\n"
        + CLASS.format(name="FOpMaker", body='BOTH("X");')
        + "REGISTER_OPER\\\nATOR(f, ops::FOp, ops::FOp\\\nMaker);\n"
    )
    assert shown(read({f"{OPERATORS}/f_op.cc": code})) == (["X"], ["Out"], [])


def test_what_a_string_has_at_the_end_of_a_line_stays():
    assert attrs_of(read_maker('AddAttr<int>(R"(a\\\nb)", "");')) == ["a\\\nb: INT = None"]
