"""The condition under which a CMake project of several files compiles `csrc/ops.cpp`, which CMake itself confirms."""

from __future__ import annotations

import shutil

import pytest

from opspec_lint.spec.condition import show
from tests.support.built_trees import builds_of, compiles

PATH = "csrc/ops.cpp"
START = "cmake_minimum_required(VERSION 3.18)\nproject(p CXX)\n"
SHARED = "add_library(a SHARED b.cpp {})\n"
LINKED = "target_link_libraries(a PRIVATE m)\n"
STATIC = "add_library(m STATIC ops.cpp)\n"
INCLUDE = "include(cmake/x.cmake)\n"
LINKS, EXCLUDED = "a target links `m`", "a build makes `m`"


def included(text, after, include=INCLUDE):
    return {"CMakeLists.txt": include + after, "cmake/x.cmake": text}


def in_folder(text, below, add="add_subdirectory(csrc)\n"):
    return {"CMakeLists.txt": text.replace("{}", "") + add, "csrc/CMakeLists.txt": below}


OF_LIST = SHARED.format("${S}")
LISTED = "set(S csrc/ops.cpp)\n" + INCLUDE
FUNCTION = "function(f n)\nadd_library(${n} SHARED b.cpp ${ARGN})\nendfunction()\n"
INCLUDES = {
    "a list": (included("set(S csrc/ops.cpp)", OF_LIST), "always"),
    "a list without it": (included("set(S b.cpp)", OF_LIST), "never"),
    "a list that is not used": (included("set(S csrc/ops.cpp)", SHARED.format("")), "never"),
    "a list of its folder": (
        included("set(S ${CMAKE_CURRENT_LIST_DIR}/../csrc/ops.cpp)", OF_LIST),
        "always",
    ),
    "a list of the root": (included("set(S ${CMAKE_SOURCE_DIR}/csrc/ops.cpp)", OF_LIST), "always"),
    "a list of the project": (included("set(S ${p_SOURCE_DIR}/csrc/ops.cpp)", OF_LIST), "always"),
    "a pattern": (included("file(GLOB S csrc/*.cpp)", OF_LIST), "always"),
    "a pattern of the root": (included("file(GLOB S ${CMAKE_SOURCE_DIR}/csrc/*.cpp)", OF_LIST), "always"),
    "a deep pattern of the root": (
        included("file(GLOB_RECURSE S ${PROJECT_SOURCE_DIR}/csrc/*.cpp)", OF_LIST),
        "always",
    ),
    "a pattern without it": (
        included("file(GLOB S ${CMAKE_SOURCE_DIR}/csrc/*.cpp)\nlist(FILTER S EXCLUDE REGEX ops)", OF_LIST),
        "never",
    ),
    "a pattern without it by its folder": (
        included(
            'file(GLOB S ${CMAKE_SOURCE_DIR}/csrc/*.cpp)\nlist(FILTER S EXCLUDE REGEX "${CMAKE_SOURCE_DIR}/csrc/o.*")',
            OF_LIST,
        ),
        "never",
    ),
    "a target": (included(SHARED.format("csrc/ops.cpp"), ""), "always"),
    "an option that is on": (
        included('option(M "" ON)', SHARED.format("") + "if(M)\ntarget_sources(a PRIVATE csrc/ops.cpp)\nendif()"),
        "always",
    ),
    "an option that is off": (
        included('option(M "" OFF)', SHARED.format("") + "if(M)\ntarget_sources(a PRIVATE csrc/ops.cpp)\nendif()"),
        "M of CMake",
    ),
    "a constant that is off": (
        included("set(M OFF)", SHARED.format("") + "if(M)\ntarget_sources(a PRIVATE csrc/ops.cpp)\nendif()"),
        "never",
    ),
    "a function": (included(FUNCTION, "f(a csrc/ops.cpp)"), "always"),
    "a function that leaves it out": (
        included("function(f n)\nadd_library(${n} SHARED b.cpp)\nendfunction()", "f(a csrc/ops.cpp)"),
        "never",
    ),
    "a function that is not called": (included(FUNCTION, "f(a)\n# f(c csrc/ops.cpp)"), "never"),
    "a macro": (included("macro(f)\nlist(APPEND S csrc/ops.cpp)\nendmacro()", "f()\n" + OF_LIST), "always"),
    "a macro that removes it": (
        included("macro(f)\nlist(REMOVE_ITEM S csrc/ops.cpp)\nendmacro()", "set(S csrc/ops.cpp)\nf()\n" + OF_LIST),
        "never",
    ),
    "a file that returns": (included("return()\nset(S csrc/ops.cpp)", OF_LIST), "never"),
    "behind a file that returns": (included("return()", SHARED.format("csrc/ops.cpp")), "always"),
    "under an option": (
        included("set(S csrc/ops.cpp)", OF_LIST, f"if(M)\n{INCLUDE}endif()\n"),
        "M of CMake",
    ),
    "a module": (
        included(
            "set(S csrc/ops.cpp)",
            OF_LIST,
            "list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)\ninclude(x)\n",
        ),
        "always",
    ),
    "a module without it": (
        included("set(S b.cpp)", OF_LIST, "set(CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)\ninclude(x)\n"),
        "never",
    ),
    "a file of another": (
        included("include(${CMAKE_CURRENT_LIST_DIR}/y.cmake)", OF_LIST) | {"cmake/y.cmake": "set(S csrc/ops.cpp)"},
        "always",
    ),
    "a module of CMake": (included("", SHARED.format("csrc/ops.cpp"), "include(GNUInstallDirs)\n"), "always"),
    "a module of the tree that is named like those of CMake": (
        {
            "CMakeLists.txt": "set(CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)\ninclude(CMakeSources)\n" + OF_LIST,
            "cmake/CMakeSources.cmake": "set(S b.cpp)",
        },
        "never",
    ),
    "an optional module that is not in the tree": (
        included("", "set(S csrc/ops.cpp)\n" + OF_LIST, "include(Elsewhere OPTIONAL)\n"),
        "always",
    ),
    "a list that other options extend": (
        included("".join(f"if(N{n} OR K{n})\nset(S x.cpp ${{S}})\nendif()\n" for n in range(9)), OF_LIST, LISTED),
        "always",
    ),
    "a list that an option replaces and others extend": (
        included("if(NOT M)\nset(S b.cpp)\nendif()\nif(N)\nset(S b.cpp ${S})\nendif()\n", OF_LIST, LISTED),
        "M of CMake",
    ),
    "a loop that prints": (
        included("", OF_LIST, "set(S csrc/ops.cpp)\nforeach(x 1 2)\nmessage(STATUS ${x})\nendforeach()\n"),
        "always",
    ),
    "a loop that prints and lists": (
        included("", OF_LIST, "foreach(x ops)\nmessage(STATUS ${x})\nlist(APPEND S csrc/${x}.cpp)\nendforeach()\n"),
        "always",
    ),
}
FOLDERS = {
    "linked in the folder above": (in_folder(SHARED, STATIC, "add_subdirectory(csrc)\n" + LINKED), "always"),
    "not linked": (in_folder(SHARED, STATIC), LINKS),
    "linked by its other name": (
        in_folder(
            SHARED,
            STATIC + "add_library(n::m ALIAS m)",
            "add_subdirectory(csrc)\ntarget_link_libraries(a PRIVATE n::m)",
        ),
        "always",
    ),
    "linked in another folder": (
        in_folder("", STATIC, "add_subdirectory(csrc)\nadd_subdirectory(lib)\n")
        | {"lib/CMakeLists.txt": SHARED.format("") + LINKED, "lib/b.cpp": ""},
        "always",
    ),
    "linked to a library that is not linked": (
        in_folder(SHARED, STATIC + "add_library(k STATIC ../b.cpp)\ntarget_link_libraries(k m)"),
        f"a target links `k`, or {LINKS}",
    ),
    "linked under an option": (
        in_folder(SHARED, STATIC, f"add_subdirectory(csrc)\nif(M)\n{LINKED}endif()"),
        f"M of CMake, or {LINKS}",
    ),
    "linked through another library": (
        in_folder(
            SHARED,
            STATIC + "add_library(k STATIC ../b.cpp)\ntarget_link_libraries(k m)",
            "add_subdirectory(csrc)\ntarget_link_libraries(a PRIVATE k)",
        ),
        "always",
    ),
    "linked by an option of the linker": (
        in_folder(
            SHARED,
            STATIC,
            'add_subdirectory(csrc)\ntarget_link_libraries(a PRIVATE "-Wl,--whole-archive $<TARGET_FILE:m>")',
        ),
        "always",
    ),
    "linked by all targets": (
        {
            "CMakeLists.txt": "add_subdirectory(csrc)\nlink_libraries(m)\n" + SHARED.format(""),
            "csrc/CMakeLists.txt": STATIC,
        },
        "always",
    ),
    "a library of the default kind": (
        in_folder(SHARED, "add_library(m ops.cpp)\n", "add_subdirectory(csrc)\n" + LINKED),
        "always",
    ),
    "a library of the default kind that is not linked": (
        in_folder(SHARED, "add_library(m ops.cpp)\n"),
        f"BUILD_SHARED_LIBS of CMake, or {LINKS}",
    ),
    "a library of the default kind that is shared": (
        in_folder('option(BUILD_SHARED_LIBS "" ON)\n' + SHARED, "add_library(m ops.cpp)\n"),
        "always",
    ),
    "the only library": (in_folder("", "add_library(m ops.cpp)\n"), "always"),
    "sources for a target above": (in_folder(SHARED, "target_sources(a PRIVATE ops.cpp)"), "always"),
    "a list for the folder above": (
        {
            "CMakeLists.txt": "add_subdirectory(csrc)\n" + OF_LIST,
            "csrc/CMakeLists.txt": "set(S ${CMAKE_CURRENT_SOURCE_DIR}/ops.cpp PARENT_SCOPE)",
        },
        "always",
    ),
    "a list that the folder above does not use": (
        {
            "CMakeLists.txt": "add_subdirectory(csrc)\n" + SHARED.format(""),
            "csrc/CMakeLists.txt": "set(S ${CMAKE_CURRENT_SOURCE_DIR}/ops.cpp PARENT_SCOPE)",
        },
        "never",
    ),
    "a list of the folder only": (
        {"CMakeLists.txt": "add_subdirectory(csrc)\n" + OF_LIST, "csrc/CMakeLists.txt": "set(S csrc/ops.cpp)"},
        "never",
    ),
    "a list for all folders": (
        {
            "CMakeLists.txt": "add_subdirectory(csrc)\n" + OF_LIST,
            "csrc/CMakeLists.txt": 'set(S ${CMAKE_CURRENT_SOURCE_DIR}/ops.cpp CACHE INTERNAL "")',
        },
        "always",
    ),
    "a list of the folder above": (
        {
            "CMakeLists.txt": "set(S ${CMAKE_CURRENT_SOURCE_DIR}/csrc/ops.cpp)\nadd_subdirectory(lib)",
            "lib/CMakeLists.txt": OF_LIST,
            "lib/b.cpp": "",
        },
        "always",
    ),
    "in a folder beside": (
        {
            "CMakeLists.txt": "add_subdirectory(lib)",
            "lib/CMakeLists.txt": SHARED.format("../csrc/ops.cpp"),
            "lib/b.cpp": "",
        },
        "always",
    ),
    "no longer in a folder beside": (
        {"CMakeLists.txt": "add_subdirectory(lib)", "lib/CMakeLists.txt": SHARED.format(""), "lib/b.cpp": ""},
        "never",
    ),
    "a function of another folder": (
        {
            "CMakeLists.txt": "add_subdirectory(lib)\nadd_subdirectory(csrc)",
            "lib/CMakeLists.txt": "function(f n)\nadd_library(${n} SHARED ${ARGN})\nendfunction()\n",
            "csrc/CMakeLists.txt": "f(m ops.cpp)",
        },
        "always",
    ),
    "a folder that returns": (
        {
            "CMakeLists.txt": "add_subdirectory(lib)\nadd_subdirectory(csrc)",
            "lib/CMakeLists.txt": "return()",
            "csrc/CMakeLists.txt": SHARED.format("ops.cpp"),
            "csrc/b.cpp": "",
        },
        "always",
    ),
    "a folder under an option": (
        in_folder("", "add_library(a SHARED ops.cpp)", "add_custom_target(t)\nif(M)\nadd_subdirectory(csrc)\nendif()"),
        "M of CMake",
    ),
}
OFF = "add_subdirectory(csrc EXCLUDE_FROM_ALL)\n"
LEFT_OUT = {
    "a folder": (in_folder(SHARED, "add_library(m SHARED ops.cpp)", OFF), EXCLUDED),
    "a folder that is linked": (in_folder(SHARED, "add_library(m SHARED ops.cpp)", OFF + LINKED), "always"),
    "a folder of a static library": (in_folder(SHARED, STATIC, OFF), f"{EXCLUDED} and {LINKS}"),
    "a folder of a static library that is linked": (in_folder(SHARED, STATIC, OFF + LINKED), "always"),
    "a folder that is needed": (
        in_folder(SHARED, "add_library(m SHARED ops.cpp)", OFF + "add_dependencies(a m)"),
        "always",
    ),
    "a folder that is installed": (
        in_folder(SHARED, "add_library(m SHARED ops.cpp)\ninstall(TARGETS m DESTINATION x)", OFF),
        EXCLUDED,
    ),
    "a folder below": (
        in_folder(SHARED, "", "add_subdirectory(lib EXCLUDE_FROM_ALL)")
        | {"lib/CMakeLists.txt": "add_subdirectory(../csrc c)", "csrc/CMakeLists.txt": "add_library(m SHARED ops.cpp)"},
        EXCLUDED,
    ),
    "a folder of a project": (in_folder(SHARED, "project(q)\nadd_library(m SHARED ops.cpp)", OFF), EXCLUDED),
    "a folder of another build folder": (
        in_folder(SHARED, "add_library(m SHARED ops.cpp)", "add_subdirectory(csrc out EXCLUDE_FROM_ALL)"),
        EXCLUDED,
    ),
    "a folder by a variable": (
        in_folder(SHARED, "add_library(m SHARED ops.cpp)", "set(E EXCLUDE_FROM_ALL)\nadd_subdirectory(csrc ${E})"),
        EXCLUDED,
    ),
    "a library": (in_folder(SHARED, "add_library(m SHARED EXCLUDE_FROM_ALL ops.cpp)"), EXCLUDED),
    "a library that is linked": (
        in_folder(SHARED, "add_library(m SHARED EXCLUDE_FROM_ALL ops.cpp)", "add_subdirectory(csrc)\n" + LINKED),
        "always",
    ),
    "a library for a target that nothing makes": (
        in_folder(
            SHARED,
            "add_library(m SHARED EXCLUDE_FROM_ALL ops.cpp)",
            "add_subdirectory(csrc)\nadd_custom_target(t DEPENDS m)",
        ),
        EXCLUDED,
    ),
    "a library for a target of each build": (
        in_folder(
            SHARED,
            "add_library(m SHARED EXCLUDE_FROM_ALL ops.cpp)",
            "add_subdirectory(csrc)\nadd_custom_target(t ALL DEPENDS m)",
        ),
        "always",
    ),
    "a library for a target that a library needs": (
        in_folder(
            SHARED,
            "add_library(m SHARED EXCLUDE_FROM_ALL ops.cpp)",
            "add_subdirectory(csrc)\nadd_custom_target(t)\nadd_dependencies(t m)\nadd_dependencies(a t)",
        ),
        "always",
    ),
}
DEFAULT = 'if(NOT DEFINED X)\nset(X "{}")\nendif()\n'
TESTED = "if({})\ntarget_sources(a PRIVATE csrc/ops.cpp)\nendif()"
GIVEN = "X STREQUAL y of CMake"


def with_default(default, test, before=""):
    return {"CMakeLists.txt": SHARED.format("") + before + default + TESTED.format(test)}


DEFAULTS = {
    "compared": (with_default(DEFAULT.format("x"), "X STREQUAL x"), "always"),
    "compared with a variable": (with_default(DEFAULT.format("x"), "X STREQUAL Z", "set(Z x)\n"), "always"),
    "of a variable": (with_default(DEFAULT.format("${Z}"), "X STREQUAL Z", "set(Z x)\n"), "always"),
    "not equal": (with_default(DEFAULT.format("x"), "NOT X STREQUAL y"), "always"),
    "of a user": (with_default(DEFAULT.format("x"), "X STREQUAL y"), GIVEN),
    "true": (with_default(DEFAULT.format("ON"), "X"), "always"),
    "false": (with_default(DEFAULT.format("OFF"), "X"), "X of CMake"),
    "not false": (with_default(DEFAULT.format("OFF"), "NOT X"), "always"),
    "of two": (
        with_default('if(DEFINED X)\nelseif(M)\nset(X y)\nelse()\nset(X "x")\nendif()\n', "NOT X STREQUAL z"),
        "always",
    ),
    "of two, compared": (
        with_default("if(DEFINED X)\nelseif(1)\nset(X x)\nelse()\nset(X y)\nendif()\n", "X STREQUAL y"),
        GIVEN,
    ),
    "of an included file": (
        with_default("include(x.cmake)\n", "X STREQUAL x") | {"x.cmake": DEFAULT.format("x")},
        "always",
    ),
    "of a set variable": (with_default(DEFAULT.format("x"), "X STREQUAL x", "set(X y)\n"), "never"),
    "that is not set": (with_default("if(NOT DEFINED X)\nset(Y x)\nendif()\n", "DEFINED X"), "DEFINED X of CMake"),
}
NESTED = "".join(f"foreach(x{n} ${{L}})\n" for n in range(5)) + "set(F -x)\n" + "endforeach()\n" * 5


def choice(first, second):
    """Return commands that append one of two items to a list in each of nine turns."""
    return (
        "foreach(n 1 2 3 4 5 6 7 8 9)\nif(V VERSION_LESS ${n}.0)\n"
        f"list(APPEND L {first})\nelse()\nlist(APPEND L {second})\nendif()\nendforeach()\n"
    )


MANY = {
    "numbers": choice("${n}.0", "${n}.0a"),
    "numbers with a variable": choice("${V}+${n}", "${n}.0a"),
    "flags": choice("-D${n}", "-U${n}"),
    "a name many times": choice("x", "y") + "list(REMOVE_DUPLICATES L)\n",
}
LONG = {
    name: ({"CMakeLists.txt": SHARED.format("") + listed + NESTED + "target_sources(a PRIVATE csrc/ops.cpp)"}, "always")
    for name, listed in MANY.items()
}
DEGENERATE = {
    "a program without a name": ('add_executable("")\n', "add_library(m SHARED ops.cpp)"),
    "a program without sources": ("add_executable(t)\n", "add_library(m SHARED ops.cpp)"),
    "a library without a name": ('add_library("" SHARED ops.cpp)\n', "add_library(m SHARED ops.cpp)"),
    "no folder": ("add_subdirectory()\n", "add_library(m SHARED ops.cpp)"),
    "an empty folder": ('add_subdirectory("")\n', "add_library(m SHARED ops.cpp)"),
    "the folder itself": ("add_subdirectory(.)\n", "add_library(m SHARED ops.cpp)"),
    "a folder outside": ("add_subdirectory(../../x)\ninclude(../../x.cmake)\n", "add_library(m SHARED ops.cpp)"),
    "nothing to include": ('include()\ninclude("")\n', "add_library(m SHARED ops.cpp)"),
    "itself": ("include(CMakeLists.txt)\n", "add_library(m SHARED ops.cpp)"),
    "an alias of itself": ("add_library(m ALIAS m)\n", "add_library(m SHARED ops.cpp)"),
    "an alias of nothing": ("add_library(k ALIAS)\n", "add_library(m SHARED ops.cpp)"),
    "links of nothing": ("target_link_libraries()\ntarget_link_libraries(a)\n", "add_library(m SHARED ops.cpp)"),
    "a project without a name": ("project()\nproject(${X})\n", "add_library(m SHARED ops.cpp)"),
}
KINDS = {
    "include": INCLUDES,
    "folder": FOLDERS,
    "left out": LEFT_OUT,
    "default": DEFAULTS,
    "many items": LONG,
}
CASES = {f"{kind}: {name}": case for kind, cases in KINDS.items() for name, case in cases.items()}


def files_of(texts):
    first = {"CMakeLists.txt": START + texts["CMakeLists.txt"]}
    return {"b.cpp": "", "csrc/ops.cpp": "", **texts, **first}


@pytest.mark.parametrize(("texts", "condition"), CASES.values(), ids=CASES)
def test_a_source_is_compiled_under_the_condition_of_the_project(texts, condition):
    builds = builds_of(files_of(texts))
    assert (show(builds.compiles(PATH)), [*builds.remarks()]) == (condition, [])


def test_a_module_that_is_not_in_the_tree_may_list_a_source():
    builds = builds_of(files_of(included("", OF_LIST, "include(Elsewhere)\n")))
    assert show(builds.compiles(PATH)) == "always"
    (remark,) = builds.remarks()
    assert remark.facts["reason"] == f"`include()` may list sources, so `{PATH}` is taken for compiled"


def test_the_result_of_a_program_among_many_numbers_may_list_a_source():
    result = "execute_process(COMMAND x OUTPUT_VARIABLE V)\n"
    listed = result + choice("${n}.0", "${V}")
    builds = builds_of(files_of({"CMakeLists.txt": listed + SHARED.format("${L}")}))
    assert show(builds.compiles(PATH)) == "always"
    (remark,) = builds.remarks()
    assert remark.facts["reason"] == f"`execute_process()` may list sources, so `{PATH}` is taken for compiled"


@pytest.mark.compiler
@pytest.mark.parametrize(("texts", "condition"), CASES.values(), ids=CASES)
def test_cmake_compiles_a_source_under_the_condition_of_the_project(texts, condition, tmp_path):
    if not (shutil.which("cmake") and shutil.which("ninja")):
        pytest.skip("CMake is not installed")
    for path, text in files_of(texts).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    if condition.startswith("M of"):
        target = "a" if LINKS in condition else "all"
        results = [compiles(tmp_path, PATH, f"-DM={value}", target=target) for value in ("ON", "OFF")]
        assert results == [True, False]
    else:
        # A library that no target links is compiled, but no part of `a`.
        target = "a" if LINKS in condition else "all"
        assert compiles(tmp_path, PATH, target=target) == (condition == "always")


@pytest.mark.parametrize(("above", "below"), DEGENERATE.values(), ids=DEGENERATE)
def test_a_degenerate_command_leaves_a_source_compiled(above, below):
    builds = builds_of(files_of(in_folder(above, below)))
    assert show(builds.compiles(PATH)) == "always"
