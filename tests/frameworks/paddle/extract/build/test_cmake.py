"""The files that a CMakeLists.txt compiles, command by command."""

from __future__ import annotations

import pytest

from opspec_lint.builds.cmake.commands import parse_commands
from opspec_lint.frameworks.paddle.extract.build.cmake import CMake, CMakeLists


def compiled(script, sources=(), variables=None, **others):
    """Return the names of what a script in `ops` compiles; `others` are the scripts of folders below it."""
    scripts = {"ops/CMakeLists.txt": script} | {f"ops/{name}/CMakeLists.txt": text for name, text in others.items()}
    cmake = CMake(CMakeLists(scripts.get, lambda folder: sources if folder == "ops" else []), variables or {})
    cmake.follow("ops")
    return sorted(path.removeprefix("ops/") for path in cmake.compiled)


def holds(condition, **variables):
    branches = f"if({condition})\n  op_library(then)\nelse()\n  op_library(otherwise)\nendif()\n"
    return {("then.cc",): True, ("otherwise.cc",): False}[tuple(compiled(branches, variables=variables))]


def value(script, **variables):
    """Return the items of the list L after a script."""
    return compiled(f"{script}\nforeach(each ${{L}})\n  op_library(${{each}})\nendforeach()", variables=variables)


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [("9", "10", -1), ("10", "9", 1), ("7", "7", 0), ("7", "7.0", 0), ("1.10", "1.9", -1), ("-2", "1", -1)],
)
def test_numbers_are_compared_as_numbers(left, right, order):
    assert_order(left, right, order, "")


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        ("9", "10", -1),
        ("1.10", "1.9", 1),
        ("11.2", "11.2", 0),
        ("11", "11.0.0", 0),  # what is left out is 0
        ("11", "11.0.1", -1),
        ("7.1rc2", "7.1", 0),  # what is no number ends it
    ],
)
def test_versions_are_compared_part_by_part(left, right, order):
    assert_order(left, right, order, "VERSION_")


@pytest.mark.parametrize(("left", "right", "order"), [("9", "10", 1), ("a", "b", -1), ("7", "7", 0), ("7", "7.0", -1)])
def test_texts_are_compared_sign_by_sign(left, right, order):
    assert_order(left, right, order, "STR")


def assert_order(left, right, order, prefix):
    holds_by_kind = {
        kind: holds(f"A {prefix}{kind} {right}", A=left)
        for kind in ("LESS", "LESS_EQUAL", "EQUAL", "GREATER_EQUAL", "GREATER")
    }
    assert holds_by_kind == {
        "LESS": order < 0,
        "LESS_EQUAL": order <= 0,
        "EQUAL": order == 0,
        "GREATER_EQUAL": order >= 0,
        "GREATER": order > 0,
    }


@pytest.mark.parametrize(
    "condition",
    [
        "A LESS text",
        "text GREATER 1",
        "NONE EQUAL NONE",
        "text VERSION_EQUAL text",
        f"{'1' * 61} VERSION_EQUAL {'1' * 61}",
        f"{'1' * 400} EQUAL {'1' * 400}",
    ],
)
def test_what_cannot_be_compared_does_not_hold(condition):
    assert not holds(condition, A="1")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("YES", True),
        ("1", True),
        ("ON", True),
        ("0", False),
        ("OFF", False),
        ("no", False),
        ("FALSE", False),
        ("IGNORE", False),
        ("Some-NOTFOUND", False),
        ("UNSET", False),
        ("OPTION", True),
        ("${OPTION}", True),
        ("NOT OPTION", False),
        ("NOT NOT OPTION", True),
        ("NOT OPTION OR OPTION", True),
        ("OPTION OR OPTION AND UNSET", True),
        ("UNSET AND OPTION OR OPTION", True),
        ("(OPTION OR OPTION) AND UNSET", False),
        ("OPTION AND (UNSET OR OPTION)", True),
        ("NOT (OPTION AND UNSET)", True),
        ("UNSET OR UNSET OR OPTION", True),
        ("OPTION AND OPTION AND UNSET", False),
        ("OPTION AND UNSET AND OPTION", False),
        ("DEFINED OPTION", True),
        ("DEFINED EMPTY", True),
        ("DEFINED UNSET", False),
        ("TARGET OPTION", False),
        ("EXISTS OPTION OR OPTION", True),
        ("OPTION MATCHES ON", False),
        ("UNSET MATCHES ON OR OPTION", True),
        ("OPTION IN_LIST OTHERS OR UNSET", False),
        ("OPTION STREQUAL ON", True),
        ("OPTION STREQUAL OFF OR OPTION", True),
        ("NAME STREQUAL plain", True),  # what is no variable stands for itself
        ("${NAME} STREQUAL plain", True),
        ("UNSET STREQUAL EMPTY", False),
        ("", False),
        ("OPTION AND", False),
        ("(" * 5000 + "OPTION" + ")" * 5000, False),
    ],
)
def test_conditions(condition, expected):
    assert holds(condition, OPTION="ON", EMPTY="", NAME="plain") is expected


def test_the_first_branch_whose_condition_holds_is_followed():
    script = """
    if(A)
      if(UNSET)
        op_library(inner)
      else()
        op_library(other_inner)
      endif()
    elseif(B)
      op_library(b)
    elseif(C)
      op_library(c)
    else()
      op_library(rest)
    endif()
    op_library(behind)
    """
    assert compiled(script, variables={"A": "1", "B": "1"}) == ["behind.cc", "other_inner.cc"]
    assert compiled(script, variables={"B": "1", "C": "1"}) == ["b.cc", "behind.cc"]
    assert compiled(script, variables={"C": "1"}) == ["behind.cc", "c.cc"]
    assert compiled(script) == ["behind.cc", "rest.cc"]


def test_a_return_ends_the_file_wherever_it_is_and_no_other():
    below = "op_library(one)\nif(ON)\n  if(ON)\n    return()\n  endif()\nendif()\nop_library(two)"
    assert compiled("add_subdirectory(below)\nop_library(three)", below=below) == ["below/one.cc", "three.cc"]


def test_what_a_folder_sets_is_its_own():
    below = "set(WHICH below)\nop_library(${WHICH})"
    script = "set(WHICH outer)\nadd_subdirectory(below)\nop_library(${WHICH})"
    assert compiled(script, below=below) == ["below/below.cc", "outer.cc"]
    assert compiled(script, below="set(WHICH below PARENT_SCOPE)\nop_library(${WHICH})") == [
        "below.cc",
        "below/outer.cc",
    ]
    assert compiled(script, below="set(WHICH below CACHE INTERNAL x)\nop_library(${WHICH})") == [
        "below.cc",
        "below/below.cc",
    ]


def test_what_is_defined_or_repeated_without_a_list_is_passed_over():
    script = """
    function(op_library name)
      function(inner)
        op_library(never)
      endfunction()
      op_library(neither)
    endfunction()
    macro(m)
      op_library(nor)
    endmacro()
    while(ON)
      op_library(this)
    endwhile()
    op_library(one)
    """
    assert compiled(script) == ["one.cc"]


def test_a_block_without_an_end_reaches_to_the_last_command():
    assert compiled("op_library(one)\nfunction(f)\nop_library(two)\nop_library(three)") == ["one.cc"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("set(L a b)", ["a.cc", "b.cc"]),
        ("set(L a;b)", ["a.cc", "b.cc"]),
        ('set(L "a")', ["a.cc"]),
        ("set(L a)\nset(L b PARENT_SCOPE)", ["a.cc"]),
        ('set(L a CACHE STRING "text" FORCE)', ["a.cc"]),
        ("set(L a)\nset(L)", []),
        ("set(L a)\nunset(L)", []),
        ("set(L a)\nunset(L CACHE)", []),
        ("set(L a)\nunset()", ["a.cc"]),
        ("set(L a)\nset()", ["a.cc"]),
        ('option(L "text" a)', ["a.cc"]),
        ("set(L b)\noption(L text a)", ["b.cc"]),
        ("option(L text)", ["OFF.cc"]),
        ("set(L a)\nlist(APPEND L b c)", ["a.cc", "b.cc", "c.cc"]),
        ("list(APPEND L b)", ["b.cc"]),
        ("set(L a b c)\nlist(REMOVE_ITEM L a c)", ["b.cc"]),
        ("set(L a b)\nlist(SORT L)", ["a.cc", "b.cc"]),
        ("set(L a)\nlist(LENGTH)", ["a.cc"]),
        ('set(L a_x b_x)\nstring(REPLACE "_x" "" L "${L}")', ["a.cc", "b.cc"]),
        ('set(L a)\nstring(REPLACE "_x" "" L)', ["a.cc"]),
        ('set(L a)\nstring(TOUPPER "a" L b c)', ["a.cc"]),
        ("set(NAME L)\nset(${NAME} a)", ["a.cc"]),
        ("set(A a)\nset(B A)\nset(L ${${B}})", ["a.cc"]),
        ("set(A a)\nset(L x${A}y)", ["xay.cc"]),
    ],
)  # fmt: skip
def test_variables_and_lists(script, expected):
    assert value(script) == expected


def test_duplicates_are_removed_from_a_list():
    script = 'set(L a b a)\nlist(REMOVE_DUPLICATES L)\nif("${L}" STREQUAL "a;b")\n  op_library(right)\nendif()'
    assert compiled(script) == ["right.cc"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("each a b", ["a.cc", "b.cc"]),
        ("each ${L}", ["x.cc", "y.cc"]),
        ("each IN ITEMS a ${L}", ["a.cc", "x.cc", "y.cc"]),
        ("each IN LISTS L M", ["x.cc", "y.cc", "z.cc"]),
        ("each IN LISTS NONE", []),
        ("each", []),
    ],
)
def test_every_item_of_a_list(head, expected):
    script = f"set(L x y)\nset(M z)\nforeach({head})\n  foreach(inner ${{each}})\n    op_library(${{inner}})\n"
    assert compiled(script + "  endforeach()\nendforeach()") == expected


def test_a_glob_takes_the_sources_of_its_folder():
    sources = ["b_op.cc", "a_op.cc", "a_op.h", "helper.cc"]
    script = 'file(GLOB L RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*_op.cc" "dir/*.h")\ncc_library(x SRCS ${L})'
    assert compiled(script, sources) == ["a_op.cc", "b_op.cc"]
    assert compiled(script.replace("GLOB", "READ"), sources) == []
    assert compiled("set(L a_op.cc)\nfile(GLOB L)\ncc_library(x SRCS ${L})", sources) == ["a_op.cc"]


def test_all_operators_of_a_folder_are_registered_but_for_those_left_out():
    sources = ["a_op.cc", "b_op.cc", "c_op.cu", "helper.cc"]
    assert compiled("register_operators(DEPS a_op EXCLUDES b_op)", sources) == ["a_op.cc"]
    assert compiled("register_operators()", sources) == ["a_op.cc", "b_op.cc"]


@pytest.mark.parametrize(
    ("variables", "expected"),
    [({}, ["a.cc"]), ({"WITH_GPU": "ON"}, ["a.cc", "a.cu.cc"]), ({"WITH_ROCM": "ON"}, ["a.cc", "a.cu.cc"])],
)
def test_a_build_for_devices_compiles_their_source_as_well(variables, expected):
    assert compiled("op_library(a DEPS b)", variables=variables) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("op_library(a SRCS b.cc c.cu DEPS d.cc)", ["b.cc"]),
        ("cc_library(a SRCS a.cc b.cc DEPS c.cc)", ["a.cc", "b.cc"]),
        ("cc_library(a DEPS c.cc)", []),
        ("cc_test(a SRCS a.cc)", []),
        ("py_test_modules(a SRCS a.cc)", []),
        ("set_source_files_properties(x SRCS a.cc)", []),
        ("target_link_libraries(x SRCS a.cc)", []),
        ("op_library()", []),
        ("OP_LIBRARY (a)", ["a.cc"]),
        ("# op_library(a)\nop_library(b) # op_library(c)", ["b.cc"]),
        ("#[[ op_library(a)\n]] op_library(b)", ["b.cc"]),
        ('message("# no comment")\nop_library(b)', ["b.cc"]),
        ('message("a (b")\nop_library(b)', ["b.cc"]),
        ("message((a) b)\nop_library(b)", ["b.cc"]),
    ],
)  # fmt: skip
def test_targets_name_their_sources(script, expected):
    assert compiled(script) == expected


def test_commands_and_their_arguments():
    text = 'SET(A "b c" d;e) # f\nif((A AND B) OR "\\"")\nendif()\nunfinished(x'
    assert parse_commands(text) == [
        ("set", ["A", "b c", "d;e"]),
        ("if", ["(", "A", "AND", "B", ")", "OR", '\\"']),
        ("endif", []),
        ("unfinished", ["x"]),
    ]


def test_the_options_that_conditions_test_are_reported():
    lists = CMakeLists({"ops/CMakeLists.txt": "if(WITH_A AND NOT WITH_B OR C)\nendif()"}.get, lambda _: [])
    cmake = CMake(lists, {})
    cmake.follow("ops")
    assert cmake.options == {"WITH_A", "WITH_B"}


def test_a_folder_without_a_script_compiles_nothing():
    assert compiled("add_subdirectory(none)\nadd_subdirectory()\nop_library(a)") == ["a.cc"]
