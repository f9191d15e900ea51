"""The condition under which a file of CMake compiles `ops.cpp`, which CMake itself confirms where it is installed."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from opspec_lint.builds.cmake.assignments import ASSIGNMENTS
from opspec_lint.builds.cmake.commands import BLOCKS as BLOCK_COMMANDS
from opspec_lint.builds.cmake.target_commands import TARGET_COMMANDS
from opspec_lint.builds.cmake.targets import Targets
from opspec_lint.spec.condition import show
from tests.support import built_trees
from tests.support.built_trees import compiles

PATH = "csrc/ops.cpp"
START = "cmake_minimum_required(VERSION 3.18)\nproject(p CXX)\n"
BOTH = "set(S b.cpp ops.cpp)\n"
ADD = "\nadd_library(a SHARED ${S})"
LIBRARY = "add_library(a SHARED b.cpp)\n"
KEYWORDS = (
    'function(f n)\ncmake_parse_arguments(A "X" "N" "SRCS;DEPS" ${ARGN})\n'
    "add_library(${n} SHARED ${A_SRCS})\nendfunction()\n"
)
SOURCE = "\ntarget_sources(a PRIVATE ops.cpp)"

VARIABLES = {
    "overwritten": (BOTH + "set(S b.cpp)" + ADD, "never"),
    "a longer name": ("set(S ops.cpp)\nset(S2 b.cpp)\nadd_library(a SHARED ${S2})", "never"),
    "unset": (BOTH + "unset(S)\nadd_library(a SHARED b.cpp ${S})", "never"),
    "a value that is off": ("set(M OFF)\nset(S b.cpp)\nif(M)\nlist(APPEND S ops.cpp)\nendif()" + ADD, "never"),
    "a value that is on": ("set(M ON)\nset(S b.cpp)\nif(M)\nlist(APPEND S ops.cpp)\nendif()" + ADD, "always"),
    "a value of each branch": (
        "if(M)\nset(V ON)\nelse()\nset(V OFF)\nendif()\n" + LIBRARY + "if(V)" + SOURCE + "\nendif()",
        "M of CMake",
    ),
    "overwritten in a branch": (BOTH + "if(M)\nset(S b.cpp)\nendif()" + ADD, "not M of CMake"),
    "the name of a variable": ("set(N S)\nset(${N} ops.cpp)" + ADD, "always"),
    "a nested name": ("set(N S)\nset(S_x ops.cpp)\nset(S b.cpp)\nadd_library(a SHARED b.cpp ${${N}_x})", "always"),
    "a part of a name": ("set(N ops)\nadd_library(a SHARED ${N}.cpp)", "always"),
    "a name of each branch": (
        "if(M)\nset(N ops)\nelse()\nset(N b)\nendif()\nadd_library(a SHARED ${N}.cpp)",
        "M of CMake",
    ),
    "a list in quotes": ('set(S "b.cpp;ops.cpp")' + ADD, "always"),
    "a list in brackets": ("set(S [[b.cpp;ops.cpp]])" + ADD, "always"),
    "an absolute path": ("get_filename_component(S ops.cpp ABSOLUTE)" + ADD, "always"),
    "a path": ("cmake_path(SET S ops.cpp)" + ADD, "always"),
    "a path that is not used": (LIBRARY + "get_filename_component(S ops.cpp NAME)", "never"),
    "a text that is made": ('string(APPEND S "ops.cpp;" "b.cpp")' + ADD, "always"),
    "words of a text": ('separate_arguments(S UNIX_COMMAND "b.cpp ops.cpp")' + ADD, "always"),
    "a property": ("set_property(GLOBAL PROPERTY P ops.cpp)\nget_property(S GLOBAL PROPERTY P)" + ADD, "always"),
    "a text with a replaced part": ('set(S ops.cpp)\nstring(REPLACE "ops" "b" S ${S})' + ADD, "never"),
    "a text with another part replaced": ('set(S ops.cpp)\nstring(REPLACE "b" "c" S ${S})' + ADD, "always"),
    "a list with a replaced part": ('set(S b.cpp x.cpp)\nstring(REPLACE "x" "ops" S "${S}")' + ADD, "always"),
    "an upper case": ('string(TOUPPER "ops" S)\nadd_library(a SHARED b.cpp ${S}.cpp)', "never"),
    "a lower case": ('string(TOLOWER "OPS" S)\nadd_library(a SHARED b.cpp ${S}.cpp)', "always"),
    "parts of a text": ('string(CONCAT S "op" "s.cpp")' + ADD, "always"),
    "a text with an end": ('set(S b.cpp op)\nstring(APPEND S "s.cpp")' + ADD, "always"),
    "a text with a beginning": ('set(S ps.cpp)\nstring(PREPEND S "b.cpp;o")' + ADD, "always"),
    "an undefined variable": ("add_library(a SHARED b.cpp ${T})\nset(T ops.cpp)", "never"),
}
TESTS = {
    "a constant and an unknown": (LIBRARY + "if(FALSE AND M)" + SOURCE + "\nendif()", "never"),
    "a constant or an unknown": (LIBRARY + "if(TRUE OR M)" + SOURCE + "\nendif()", "always"),
    "an option that is off": ('option(M "" OFF)\n' + LIBRARY + "if(M)" + SOURCE + "\nendif()", "M of CMake"),
    "an option without a value": ('option(M "")\n' + LIBRARY + "if(M)" + SOURCE + "\nendif()", "M of CMake"),
    "an option that is on": ('option(M "" ON)\n' + LIBRARY + "if(M)" + SOURCE + "\nendif()", "always"),
    "unless an option that is off": ('option(M "" OFF)\n' + LIBRARY + "if(NOT M)" + SOURCE + "\nendif()", "always"),
    "unless an option that is on": (
        'option(M "" ON)\n' + LIBRARY + "if(NOT M)" + SOURCE + "\nendif()",
        "not M of CMake",
    ),
    "a cached value": ('set(M OFF CACHE BOOL "")\n' + LIBRARY + "if(M)" + SOURCE + "\nendif()", "M of CMake"),
    "both branches": (LIBRARY + "if(M)" + SOURCE + "\nelse()" + SOURCE + "\nendif()", "always"),
    "NOT and parentheses": (LIBRARY + "if(NOT (M AND TRUE))" + SOURCE + "\nendif()", "not M of CMake"),
    "equal texts": ("set(N x)\n" + LIBRARY + 'if(N STREQUAL "y")' + SOURCE + "\nendif()", "never"),
    "equal texts of references": ("set(N x)\n" + LIBRARY + 'if("${N}" STREQUAL "x")' + SOURCE + "\nendif()", "always"),
    "a list that is not empty": (BOTH + LIBRARY + "if(S)" + SOURCE + "\nendif()", "always"),
    "elseif": (LIBRARY + "if(OFF)\nelseif(M)" + SOURCE + "\nendif()", "M of CMake"),
    "an error before": ('message(FATAL_ERROR "x")\nadd_library(a SHARED ops.cpp)', "never"),
    "an error of another build": (
        LIBRARY + 'if(M)\nmessage(FATAL_ERROR "x")\nendif()\nif(NOT M)' + SOURCE + "\nendif()",
        "always",
    ),
    "an error of every build": (
        'if(M)\nmessage(FATAL_ERROR "x")\nelse()\nmessage(SEND_ERROR "y")\nendif()\nadd_library(a SHARED ops.cpp)',
        "never",
    ),
    "behind a return": (LIBRARY + "if(M)\nreturn()\nendif()" + SOURCE, "not M of CMake"),
}
LISTS = {
    "a part": (BOTH + "list(SUBLIST S 0 1 S)" + ADD, "never"),
    "another part": (BOTH + "list(SUBLIST S 1 -1 S)" + ADD, "always"),
    "an item": (BOTH + "list(GET S 0 S)" + ADD, "never"),
    "another item": (BOTH + "list(GET S -1 T)\nadd_library(a SHARED b.cpp ${T})", "always"),
    "an item of a branch": (BOTH + "if(M)\nlist(GET S 0 S)\nendif()" + ADD, "not M of CMake"),
    "appended": ("set(S b.cpp)\nlist(APPEND S ops.cpp)" + ADD, "always"),
    "removed": (BOTH + "list(REMOVE_ITEM S ops.cpp)" + ADD, "never"),
    "removed as another text": (BOTH + "list(REMOVE_ITEM S ${CMAKE_CURRENT_SOURCE_DIR}/ops.cpp)" + ADD, "always"),
    "removed at an index": (BOTH + "list(REMOVE_AT S 1)" + ADD, "never"),
    "removed at an index from the end": (BOTH + "list(REMOVE_AT S -1)" + ADD, "never"),
    "another one removed": (BOTH + "list(REMOVE_AT S 0)" + ADD, "always"),
    "removed from an end": (BOTH + "list(POP_BACK S)" + ADD, "never"),
    "removed from a reversed list": (BOTH + "list(REVERSE S)\nlist(POP_FRONT S)" + ADD, "never"),
    "inserted": ("set(S b.cpp)\nlist(INSERT S 0 ops.cpp)" + ADD, "always"),
    "filtered": (BOTH + 'list(FILTER S EXCLUDE REGEX "^ops")' + ADD, "never"),
    "kept by a filter": (BOTH + 'list(FILTER S INCLUDE REGEX "\\\\.cpp$")' + ADD, "always"),
    "not kept by a filter": (BOTH + "list(FILTER S INCLUDE REGEX b)" + ADD, "never"),
    "an end that is added": ("set(S b ops)\nlist(TRANSFORM S APPEND .cpp)" + ADD, "always"),
    "a pattern": ("file(GLOB S *.cpp)" + ADD, "always"),
    "a pattern that is filtered": (
        'file(GLOB S CONFIGURE_DEPENDS *.cpp)\nlist(FILTER S EXCLUDE REGEX ".*ops.*")' + ADD,
        "never",
    ),
    "a pattern without a relative path": ("file(GLOB S *.cpp)\nlist(REMOVE_ITEM S ops.cpp)" + ADD, "always"),
    "a pattern without an absolute path": (
        "file(GLOB S *.cpp)\nlist(REMOVE_ITEM S ${CMAKE_CURRENT_SOURCE_DIR}/ops.cpp)" + ADD,
        "never",
    ),
    "a relative pattern": (
        "file(GLOB S RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)\nlist(REMOVE_ITEM S ops.cpp)" + ADD,
        "never",
    ),
    "a pattern under an option": ("set(S b.cpp)\nif(M)\nfile(GLOB S *.cpp)\nendif()" + ADD, "M of CMake"),
    "a folder": ("aux_source_directory(. S)" + ADD, "always"),
    "a folder that is not used": (LIBRARY + "aux_source_directory(. S)", "never"),
}
BLOCKS = {
    "a loop that never runs": ("set(S b.cpp)\nwhile(FALSE)\nset(S ops.cpp)\nendwhile()" + ADD, "never"),
    "a scope": ("set(S b.cpp)\nblock()\nset(S ops.cpp)\nendblock()" + ADD, "never"),
    "the target of a scope": ("block()\nset(S b.cpp ops.cpp)" + ADD + "\nendblock()", "always"),
    "a scope of policies": (
        "set(S b.cpp)\nblock(SCOPE_FOR POLICIES)\nset(S b.cpp ops.cpp)\nendblock()" + ADD,
        "always",
    ),
    "a variable that leaves its scope": (
        "set(S b.cpp)\nblock(PROPAGATE S)\nset(S b.cpp ops.cpp)\nendblock()" + ADD,
        "always",
    ),
    "a variable of the scope around": (
        "set(S b.cpp)\nblock()\nset(S b.cpp ops.cpp PARENT_SCOPE)\nendblock()" + ADD,
        "always",
    ),
    "a function that is called": (LIBRARY + "function(f)" + SOURCE + "\nendfunction()\nf()", "always"),
    "a function that is not called": (LIBRARY + "function(f)" + SOURCE + "\nendfunction()", "never"),
    "a macro that is not called": (LIBRARY + "macro(f)" + SOURCE + "\nendmacro()", "never"),
    "a function under an option": (
        LIBRARY + "function(f)" + SOURCE + "\nendfunction()\nif(M)\nf()\nendif()",
        "M of CMake",
    ),
    "a parameter": ("function(f n s)\nadd_library(${n} SHARED ${s})\nendfunction()\n" + BOTH + 'f(a "${S}")', "always"),
    "a parameter that is cut off": (
        "function(f n s)\nadd_library(${n} SHARED ${s})\nendfunction()\n" + BOTH + "f(a ${S})",
        "never",
    ),
    "further arguments": ("macro(f n)\nadd_library(${n} SHARED ${ARGN})\nendmacro()\nf(a b.cpp ops.cpp)", "always"),
    "a local variable": ("set(S b.cpp)\nfunction(f)\nset(S ops.cpp)\nendfunction()\nf()" + ADD, "never"),
    "a variable of the caller": (
        "set(S b.cpp)\nfunction(f)\nset(S ops.cpp PARENT_SCOPE)\nendfunction()\nf()" + ADD,
        "always",
    ),
    "a variable of a macro": ("set(S b.cpp)\nmacro(f)\nset(S ops.cpp)\nendmacro()\nf()" + ADD, "always"),
    "keywords": (
        KEYWORDS + "f(a DEPS ops.cpp SRCS b.cpp)",
        "never",
    ),
    "sources by keyword": (
        KEYWORDS + "f(a DEPS x SRCS b.cpp ops.cpp)",
        "always",
    ),
    "a return of a function": (LIBRARY + "function(f)\nreturn()" + SOURCE + "\nendfunction()\nf()", "never"),
    "behind a function that returns": (LIBRARY + "function(f)\nreturn()\nendfunction()\nf()" + SOURCE, "always"),
    "behind a macro that returns": (LIBRARY + "macro(f)\nreturn()\nendmacro()\nf()" + SOURCE, "never"),
    "a loop": ("foreach(n b ops)\nlist(APPEND S ${n}.cpp)\nendforeach()" + ADD, "always"),
    "a loop over lists": (
        BOTH + "foreach(n IN LISTS S)\nlist(APPEND T ${n})\nendforeach()\nadd_library(a SHARED ${T})",
        "always",
    ),
    "a loop over other items": (
        BOTH + "foreach(n IN ITEMS b)\nlist(APPEND T ${n}.cpp)\nendforeach()\nadd_library(a SHARED ${T})",
        "never",
    ),
    "a loop over a range": (LIBRARY + "foreach(n RANGE 2)" + SOURCE + "\nendforeach()", "always"),
    "a turn that is left out": (
        'foreach(n b ops)\nif("${n}" STREQUAL "ops")\ncontinue()\nendif()\nlist(APPEND S ${n}.cpp)\nendforeach()' + ADD,
        "never",
    ),
    "a loop that ends": ("foreach(n b ops)\nlist(APPEND S ${n}.cpp)\nbreak()\nendforeach()" + ADD, "never"),
}
TARGETS = {
    "left out of a build": (LIBRARY + "add_library(m SHARED EXCLUDE_FROM_ALL ops.cpp)", "a build makes `m`"),
    "left out but linked": (
        LIBRARY + "add_library(m STATIC EXCLUDE_FROM_ALL ops.cpp)\ntarget_link_libraries(a PRIVATE m)",
        "always",
    ),
    "left out by a property": (
        LIBRARY + "add_library(m SHARED ops.cpp)\nset_target_properties(m PROPERTIES EXCLUDE_FROM_ALL ON)",
        "a build makes `m`",
    ),
    "objects that are used": (
        LIBRARY + "add_library(m OBJECT ops.cpp)\ntarget_sources(a PRIVATE $<TARGET_OBJECTS:m>)",
        "always",
    ),
    "a header only": (
        "add_library(a SHARED b.cpp ops.cpp)\nset_source_files_properties(ops.cpp PROPERTIES HEADER_FILE_ONLY ON)",
        "never",
    ),
    "no header only": (
        "add_library(a SHARED b.cpp ops.cpp)\nset_property(SOURCE ops.cpp PROPERTY HEADER_FILE_ONLY OFF)",
        "always",
    ),
    "no header only by another value": (
        "add_library(a SHARED b.cpp ops.cpp)\nset_property(SOURCE ops.cpp PROPERTY HEADER_FILE_ONLY x-NOTFOUND)",
        "always",
    ),
    "a header only by one property": (
        "add_library(a SHARED b.cpp ops.cpp)\nset_property(SOURCE ops.cpp PROPERTY HEADER_FILE_ONLY 1)",
        "never",
    ),
    "sources of users": (LIBRARY + "target_sources(a INTERFACE ops.cpp)", "never"),
    "sources of a user": (
        LIBRARY
        + "add_library(i INTERFACE)\ntarget_sources(i INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/ops.cpp)\n"
        + "target_link_libraries(a PRIVATE i)",
        "always",
    ),
    "sources of an interface": (LIBRARY + "add_library(i INTERFACE)", "never"),
    "public sources": (LIBRARY + "target_sources(a PUBLIC ops.cpp)", "always"),
    "a property that is replaced": (
        "add_library(a SHARED b.cpp ops.cpp)\nset_property(TARGET a PROPERTY SOURCES b.cpp)",
        "never",
    ),
    "a property that replaces": (LIBRARY + "set_property(TARGET a PROPERTY SOURCES b.cpp ops.cpp)", "always"),
    "a property that is replaced in a branch": (
        "add_library(a SHARED b.cpp ops.cpp)\nif(M)\nset_property(TARGET a PROPERTY SOURCES b.cpp)\nendif()",
        "not M of CMake",
    ),
    "a property": (LIBRARY + "set_property(TARGET a APPEND PROPERTY SOURCES ops.cpp)", "always"),
    "a command by its name": ("cmake_language(CALL add_library a SHARED ops.cpp)", "always"),
    "code": ('cmake_language(EVAL CODE "add_library(a SHARED ops.cpp)")', "always"),
    "a comment in brackets": (LIBRARY + "#[==[" + SOURCE + "\n#[[ ]]\n]==]", "never"),
    "a custom target": (LIBRARY + "add_custom_target(f COMMAND clang-format ops.cpp)", "never"),
    "installed only": (LIBRARY + "install(FILES ops.cpp DESTINATION x)", "never"),
}
GENERATORS = {
    "a choice": ("add_library(a SHARED b.cpp $<IF:1,ops.cpp,b.cpp>)", "always"),
    "the other choice": ("add_library(a SHARED b.cpp $<IF:0,ops.cpp,b.cpp>)", "never"),
    "a choice of a variable": ("set(M ON)\nadd_library(a SHARED b.cpp $<IF:$<BOOL:${M}>,ops.cpp,b.cpp>)", "always"),
    "a choice within another": ("add_library(a SHARED b.cpp $<IF:0,b.cpp,$<IF:1,b.cpp,ops.cpp>>)", "never"),
    "lines": ("add_library(a SHARED b.cpp $<$<BOOL:0>:\n  ops.cpp\n  b.cpp>)", "never"),
    "lines that count": ("add_library(a SHARED b.cpp $<$<BOOL:1>:\n  b.cpp\n  ops.cpp>)", "always"),
    "all of them": ("add_library(a SHARED b.cpp $<$<AND:1,$<BOOL:0>>:ops.cpp>)", "never"),
    "one of them": ("add_library(a SHARED b.cpp $<$<OR:0,$<BOOL:1>>:ops.cpp>)", "always"),
    "equal texts": ("add_library(a SHARED b.cpp $<$<STREQUAL:a,a>:ops.cpp>)", "always"),
    "different texts": ("add_library(a SHARED b.cpp $<$<STREQUAL:a,b>:ops.cpp>)", "never"),
    "1": ("add_library(a SHARED b.cpp $<1:ops.cpp>)", "always"),
    "0": ("add_library(a SHARED b.cpp $<0:ops.cpp>)", "never"),
    "a list": ('add_library(a SHARED "$<1:b.cpp;ops.cpp>")', "always"),
    "of a build": ("add_library(a SHARED b.cpp $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/ops.cpp>)", "always"),
    "of a variable": ("set(M OFF)\nadd_library(a SHARED b.cpp $<$<BOOL:${M}>:ops.cpp>)", "never"),
    "not of a variable": ("set(M OFF)\nadd_library(a SHARED b.cpp $<$<NOT:$<BOOL:${M}>>:ops.cpp>)", "always"),
}
CASES = {
    f"{kind}: {name}": case
    for kind, cases in [
        ("variable", VARIABLES),
        ("test", TESTS),
        ("list", LISTS),
        ("block", BLOCKS),
        ("target", TARGETS),
        ("generator", GENERATORS),
    ]
    for name, case in cases.items()
}
PRODUCT = {
    "a static library": (LIBRARY + "add_library(m STATIC ops.cpp)", "a target links `m`"),
    "objects": (LIBRARY + "add_library(m OBJECT ops.cpp)", "a target links `m`"),
    "a static library that is linked": (
        LIBRARY + "add_library(m STATIC ops.cpp)\ntarget_link_libraries(a PRIVATE m)",
        "always",
    ),
    "by another name": (
        LIBRARY + "add_library(m STATIC ops.cpp)\nadd_library(n::m ALIAS m)\ntarget_link_libraries(a PRIVATE n::m)",
        "always",
    ),
    "linked under an option": (
        LIBRARY + "add_library(m STATIC ops.cpp)\nif(M)\ntarget_link_libraries(a PRIVATE m)\nendif()",
        "M of CMake, or a target links `m`",
    ),
    "a static library that is installed": ("add_library(m STATIC ops.cpp)\ninstall(TARGETS m DESTINATION x)", "always"),
    "a static library that other files may link": ("add_library(m STATIC ops.cpp)\nadd_subdirectory(${L})", "always"),
    "a static library that a submodule does not link": (
        "add_library(m STATIC ops.cpp)\nadd_subdirectory(lib)",
        "a target links `m`",
    ),
    "a program": (LIBRARY + "add_executable(t ops.cpp)", "the program is `t`"),
    "a library of a function of another file": ("include(x.cmake)\npybind11_add_module(a ops.cpp)", "always"),
    "a loop over an unknown list": (
        LIBRARY + "foreach(n IN LISTS M)" + SOURCE + "\nendforeach()",
        "M of CMake has items",
    ),
    "a comment without an end": (LIBRARY + "#[==[" + SOURCE, "always"),
    "next to flags": ('set(S ops.cpp "-O2 -g")' + ADD, "always"),
    "inserted items of each branch": (
        "if(WIN32)\nset(X ops.cpp)\nelse()\nset(X c.cpp)\nendif()\nset(S b.cpp)\nlist(INSERT S 0 ${X})" + ADD,
        "WIN32 of CMake",
    ),
    "removed at an unknown position": ("set(S b.cpp ops.cpp)\nlist(REMOVE_AT S 0 ${N})" + ADD, "always"),
    "a position that the list lacks": ("set(S ops.cpp)\nlist(GET S 5 X)" + ADD, "always"),
    "the side of a known choice": ("set(U 0)\nset(S b.cpp $<IF:${U},ops.cpp,c.cpp>)" + ADD, "never"),
    "a generator expression without an end": ("set(S b.cpp $<1:ops.cpp)" + ADD, "always"),
    "joined items of a list": ("set(L o ps.cpp)\nstring(CONCAT S ${L})" + ADD, "always"),
    "joined items of a list in quotes": ('set(L o ps.cpp)\nstring(CONCAT S "${L}")' + ADD, "never"),
    "the sources of the users of a target": (
        "add_library(o OBJECT b.cpp)\ntarget_sources(o INTERFACE ops.cpp)\n"
        "set_property(TARGET o PROPERTY SOURCES c.cpp)\n" + LIBRARY + "target_link_libraries(a PRIVATE o)",
        "always",
    ),
    "words of a text": ('set(S "b.cpp -O2 ops.cpp")\nseparate_arguments(S)' + ADD, "always"),
    "a platform": (LIBRARY + "if(WIN32)" + SOURCE + "\nendif()", "WIN32 of CMake"),
}


def builds_of(text):
    return built_trees.builds_of({"csrc/CMakeLists.txt": START + text})


@pytest.mark.parametrize(("text", "condition"), [*CASES.values(), *PRODUCT.values()], ids=[*CASES, *PRODUCT])
def test_a_source_is_compiled_under_the_condition_of_its_target(text, condition):
    builds = builds_of(text)
    assert (show(builds.compiles(PATH)), [*builds.remarks()]) == (condition, [])


ANY_SOURCE = {
    "file": "file(STRINGS l.txt S)",
    "execute_process": "execute_process(COMMAND ls OUTPUT_VARIABLE S)",
    "string": 'string(REGEX REPLACE "x" "ops" S "x.cpp")',
    "get_property": "get_property(S GLOBAL PROPERTY P)",
    "collect": "collect(S)",
    "get_target_property": "get_target_property(T a SOURCES)\nforeach(n ${T})\nlist(APPEND S src/${n})\nendforeach()",
}


@pytest.mark.parametrize(("command", "text"), ANY_SOURCE.items(), ids=ANY_SOURCE)
def test_a_command_that_is_not_followed_may_list_any_source(command, text):
    builds = builds_of(f"\n{text}\nset(T ${{S}})\nadd_library(a SHARED b.cpp ${{T}})")
    assert show(builds.compiles(PATH)) == "always"
    assert [(remark.origin.line, remark.facts["reason"]) for remark in builds.remarks()] == [
        (4, f"`{command}()` may list sources, so `{PATH}` is taken for compiled")
    ]


OVERWRITTEN = (
    "string(REGEX MATCH b.* S b.cpp)",
    "string(REGEX REPLACE b c S b.cpp)",
    "get_filename_component(S b.cpp NAME)",
)


@pytest.mark.parametrize("text", OVERWRITTEN)
def test_the_result_of_an_operation_that_is_not_followed_replaces_the_value_before(text):
    builds = builds_of(f"set(S ops.cpp)\n{text}{ADD}")
    assert show(builds.compiles(PATH)) == "always"
    assert [remark.origin.line for remark in builds.remarks()] == [4]


def test_the_results_of_the_turns_of_a_loop_do_not_pile_up():
    names = " ".join(f"a{number}.cpp" for number in range(3_000))
    builds = builds_of(f"foreach(n {names})\nstring(REPLACE / - T ${{n}})\nendforeach()\n{LIBRARY}{SOURCE}")
    assert (show(builds.compiles(PATH)), [*builds.remarks()]) == ("always", [])


def test_a_command_that_cannot_be_evaluated_is_unknown(monkeypatch):
    monkeypatch.setitem(ASSIGNMENTS, "string", (lambda *_: next(map(int, "x")), 0))
    builds = builds_of("string(APPEND S b.cpp)\nadd_library(a SHARED b.cpp)")
    assert show(builds.compiles(PATH)) == "always"
    assert [remark.origin.line for remark in builds.remarks()] == [3]


MALFORMED = {
    "file": "file(GLOB)",
    "set": "set(CACHE)",
    "set without a value": 'set(X CACHE STRING "")',
    "cmake_parse_arguments": "cmake_parse_arguments()",
    "no argument": "".join(f"{name}()\n" for name in sorted({*ASSIGNMENTS, *TARGET_COMMANDS})),
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_a_command_with_too_few_arguments_changes_nothing(text):
    builds = builds_of(f"{text}\n{LIBRARY}if(X){SOURCE}\nendif()")
    assert (show(builds.compiles(PATH)), [*builds.remarks()]) == ("X of CMake", [])


MAKERS = (
    "set(B ${A})",
    "list(APPEND B ${A})",
    "list(TRANSFORM A PREPEND x/ OUTPUT_VARIABLE B)",
    "list(GET A 0 B)",
    'string(APPEND B "${A};")',
    'string(REPLACE "x" "y" B "${A}")',
    "get_filename_component(B ${A} ABSOLUTE)",
    "get_filename_component(B ${A} NAME)",
    "cmake_path(SET B ${A})",
    'separate_arguments(B UNIX_COMMAND "${A} -O2")',
    "collect(B ${A})",
    "foreach(n ${A})\nlist(APPEND B ${n})\nendforeach()",
    "set_property(GLOBAL PROPERTY P ${A})\nget_property(B GLOBAL PROPERTY P)",
)
NAMES = (*ASSIGNMENTS, *TARGET_COMMANDS, "foreach", "if", "while", "function", "macro", "cmake_language", "other")
ARGUMENTS = (
    *(
        "V",
        "${V}",
        "${W}",
        "${${V}}",
        "b.cpp",
        "*.cpp",
        '""',
        '"b.cpp c.cpp"',
        "$<1:b.cpp>",
        "$<${V}:${W}>",
        "[[b.cpp]]",
    ),
    *("CACHE", "PARENT_SCOPE", "APPEND", "FILTER", "EXCLUDE", "REGEX", "INSERT", "REMOVE_AT", "-1", "GLOB", "RELATIVE"),
    *("TARGET", "PROPERTY", "SOURCES", "PROPERTIES", "ALIAS", "STATIC", "INTERFACE", "CALL", "PARSE_ARGV", "ON", "a"),
    *("a{9999999999}", "(a", "[", "NOT", "(", ")", "IN", "LISTS", "RANGE", "TRANSFORM", "REMOVE_ITEM", "SORT", "#[["),
)


@pytest.mark.parametrize("seed", range(60))
def test_a_source_stays_compiled_through_several_commands(seed):
    random = Random(seed)  # noqa: S311 - the same commands in each run
    names = [f"V{index}" for index in range(5)]
    steps = [
        random.choice(MAKERS).replace("${A}", f"${{{before}}}").replace(" A ", f" {before} ").replace("B", name)
        for before, name in pairwise(names)
    ]
    text = "\n".join(["set(V0 ops.cpp)", *steps, "add_library(a SHARED ${V4})"])
    assert (text, show(builds_of(text).compiles(PATH))) == (text, "always")


@pytest.mark.parametrize("seed", range(60))
def test_random_commands_are_evaluated_and_an_unknown_command_compiles_its_source(seed):
    random = Random(seed)  # noqa: S311 - the same commands in each run
    lines = []
    for _ in range(12):
        name = random.choice(NAMES)
        arguments = " ".join(random.choices(ARGUMENTS, k=random.randrange(6)))
        lines += [f"{name}({arguments})", *([f"end{name}()"] if name in BLOCK_COMMANDS else [])]
    text = "\n".join(["unknown_command(x ops.cpp)", *lines])
    assert (text, show(builds_of(text).compiles(PATH))) == (text, "always")


def test_linked_libraries_have_their_conditions_evaluated_once(monkeypatch):
    evaluated = Counter()
    find = Targets._find_condition
    monkeypatch.setattr(
        Targets, "_find_condition", lambda self, name, kinds: evaluated.update([name]) or find(self, name, kinds)
    )
    libraries = [
        f"add_library(t{index} STATIC f{index}.cpp)\n"
        f"target_link_libraries(t{index} {' '.join(f't{before}' for before in range(index))})"
        for index in range(30)
    ]
    builds = builds_of("\n".join([*libraries, "add_library(a SHARED ops.cpp)"]))
    assert show(builds.compiles(PATH)) == "always"
    assert {*evaluated.values()} == {1}


HOSTILE = {
    "blocks": "if(X)\n" * 3000 + "endif()\n" * 3000,
    "parentheses": "if(" + "(" * 3000 + "X" + ")" * 3000 + ")\nendif()",
    "generators": "add_library(b " + "$<1:" * 3000 + "x" + ">" * 3000 + ")",
    "a list": "set(S x)\n" + "set(S ${S} ${S})\n" * 60,
    "an appended list": "set(S x)\n" + "list(APPEND S ${S} ${S})\n" * 60,
    "a text": "set(S x)\n" + "set(S ${S}${S})\n" * 60,
    "a loop": "foreach(a RANGE 9)\n" * 6 + "foreach(b 1 2 3 4 5 6 7 8 9)\n" * 7 + "endforeach()\n" * 13,
    "an inserted list": "set(S x)\n" + "list(INSERT S 0 ${S})\n" * 60,
    "a list in front": "set(S x)\n" + "list(PREPEND S ${S})\n" * 60,
    "longer texts": "set(S x)\n" + "list(TRANSFORM S APPEND ${S})\n" * 60,
    "a regex": "set(S " + "a" * 60 + "!)\nlist(FILTER S EXCLUDE REGEX ^(a+)+$)",
    "a large block": f"foreach(n {'x ' * 900})\nif(0)\n{'x()' * 900}\nendif()\nendforeach()",
    "targets that need each other": "add_library(b STATIC c.cpp)\nadd_library(c STATIC d.cpp)\n"
    "target_link_libraries(b c)\ntarget_link_libraries(c b)",
    "a function of itself": "function(f)\nf()\nf()\nendfunction()\nf()",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_text_that_grows_or_is_nested_too_deep_ends_and_leaves_a_named_source_compiled(text):
    assert show(builds_of(f"{text}\nadd_library(a SHARED ops.cpp)").compiles(PATH)) == "always"


@pytest.mark.compiler
@pytest.mark.parametrize(("text", "condition"), CASES.values(), ids=CASES)
def test_cmake_compiles_a_source_under_its_condition(text, condition, tmp_path):
    if not (shutil.which("cmake") and shutil.which("ninja")):
        pytest.skip("CMake is not installed")
    for name in ("ops.cpp", "b.cpp"):
        (tmp_path / name).touch()
    (tmp_path / "CMakeLists.txt").write_text(START + text)
    variable = re.fullmatch(r"(not )?(\w+) of CMake", condition)
    if variable is None:
        assert compiles(tmp_path, "ops.cpp") == (condition == "always")
    else:
        results = [compiles(tmp_path, "ops.cpp", f"-D{variable[2]}={value}") for value in ("ON", "OFF")]
        assert results == ([False, True] if variable[1] else [True, False])
