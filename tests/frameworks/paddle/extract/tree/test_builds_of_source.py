from __future__ import annotations

import pytest

from opspec_lint.cpp.conditions import is_true
from opspec_lint.frameworks.paddle.extract.build.builds import BUILDS
from opspec_lint.frameworks.paddle.extract.build.cmake import CMake, CMakeLists
from opspec_lint.frameworks.paddle.extract.tree import extraction
from tests.support.trees.paddle_trees import (
    CLASS,
    OPERATORS,
    Memory,
    lost,
    maker_file,
    read,
    read_maker,
    reasons,
    shown,
    spec,
)

OP = "class FOp : public framework::OperatorBase {};"


def op(name, body=""):
    return f"{OP}{CLASS.format(name='FOpMaker', body=body)}REGISTER_OPERATOR({name}, FOp, FOpMaker);"


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("defined(A)", True),
        ("defined A && !defined(B)", True),
        ("B", False),
        ("A", True),
        ("A >= 2 || 0", True),
        ("A > 2", False),
        ("(A == 2) && (1 + 2 * 3 == 7)", True),
        ("A == 0x2", True),
        ("STRANGE(1, (2)) || A", True),
        ("", False),
        ("(((", False),
        ("!" * 100_000 + "A", False),
        ("(" * 100_000, False),
        ("9" * 100_000, False),
    ],
)
def test_conditions(condition, holds):
    assert is_true(condition, {"A": "2"}) is holds


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("OR && ZERO", True),  # 1 || 0 && 0
        ("TWO * 2 == 3", True),  # 1 + 1 * 2
        ("OWN == 1", True),  # a macro is not expanded in what it expands to
        ("OWN + OWN == 2", True),
        ("ONE == 1 && OTHER == 1", True),
    ],
)
def test_a_macro_in_a_condition_is_text_in_its_place(condition, holds):
    macros = {"OR": "1 || ZERO", "ZERO": "0", "TWO": "1 + 1", "OWN": "OWN + 1", "ONE": "OTHER + 1", "OTHER": "ONE"}
    assert is_true(condition, macros) is holds


@pytest.mark.parametrize(("build", "inputs"), [("cpu", ["X", "Cpu"]), ("gpu", ["X", "Gpu"]), ("xpu", ["X", "Cpu"])])
def test_a_region_that_a_build_leaves_out(build, inputs):
    body = """
    AddInput("X", "");
    #ifdef PADDLE_WITH_CUDA
      AddInput("Gpu", "");
    #else
      AddInput("Cpu", "");
    #endif
    """
    assert shown(read_maker(body, build=build))[0] == inputs


def test_all_builds_have_every_form_of_an_op():
    body = """
    AddInput("X", "");
    #if defined(PADDLE_WITH_CUDA) || defined(PADDLE_WITH_HIP)
      AddInput("Gpu", "");
    #elif defined(PADDLE_WITH_MLU)
      AddInput("Mlu", "");
    #endif
    """
    result = read_maker(body, build="all")
    assert {name: op.builds or ("all",) for name, op in spec(result).ops.items()} == {
        "f": ("cpu", "xpu"),
        "f [gpu]": ("gpu",),
        "f [mlu]": ("mlu",),
    }
    assert [shown(result, name)[0] for name in result.ops] == [["X"], ["X", "Gpu"], ["X", "Mlu"]]


def test_regions_that_declare_nothing_make_no_forms():
    after = "#ifdef PADDLE_WITH_CUDA\nREGISTER_OP_CUDA_KERNEL(f, ops::K<float>);\n#endif\n"
    assert list(read_maker('AddInput("X", "");', after=after, build="all").ops) == ["f"]


def test_cmake_states_which_build_has_a_file():
    files = {
        f"{OPERATORS}/CMakeLists.txt": """
        register_operators(EXCLUDES gpu_op never_op ${MORE} DEPS x)
        set(MORE "")
        if(WITH_GPU AND NOT WIN32) # a comment with "quotes
          op_library(gpu_op DEPS y)
        elseif(WITH_XPU)
          add_subdirectory(xpu)
        endif()
        if (WITH_CINN)
          add_subdirectory(cinn)
        endif()
        """,
        f"{OPERATORS}/xpu/CMakeLists.txt": "if(NOT WITH_XPU)\n  return()\nendif()\n"
        "op_library(x_op SRCS x_op.cc DEPS z)\n",
        f"{OPERATORS}/cinn/CMakeLists.txt": 'file(GLOB OPS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*_op.cc")\n'
        'string(REPLACE ".cc" "" OPS "${OPS}")\nforeach(src ${OPS})\n  op_library(${src})\nendforeach()\n',
        f"{OPERATORS}/plain_op.cc": op("plain"),
        f"{OPERATORS}/gpu_op.cc": op("gpu"),
        f"{OPERATORS}/never_op.cc": op("never"),
        f"{OPERATORS}/xpu/x_op.cc": op("x"),
        f"{OPERATORS}/cinn/c_op.cc": op("c"),
    }
    result = read(files, "all")
    assert {name: op.builds or ("all",) for name, op in spec(result).ops.items()} == {
        "plain": ("all",),
        "gpu": ("gpu",),
        "x": ("xpu",),
        "c": ("cinn",),
        "never": ("none",),
    }
    assert sorted(read(files, "cpu").ops) == ["plain"]
    assert sorted(read(files, "gpu").ops) == ["gpu", "plain"]


def test_cmake_of_2018_with_its_own_function():
    script = """
    function(op_library TARGET)
      set(nothing ${TARGET})
    endfunction()
    file(GLOB GENERAL_OPS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*_op.cc")
    string(REPLACE "_mkldnn" "" GENERAL_OPS "${GENERAL_OPS}")
    string(REPLACE ".cc" "" GENERAL_OPS "${GENERAL_OPS}")
    set(DEPS_OPS "")
    if(NOT WITH_GPU)
      set(DEPS_OPS ${DEPS_OPS} nccl_op)
    endif()
    list(REMOVE_ITEM GENERAL_OPS "" ${DEPS_OPS})
    foreach(src ${GENERAL_OPS})
      op_library(${src})
    endforeach()
    """
    lists = CMakeLists({"ops/CMakeLists.txt": script}.get, {"ops": ["a_op.cc", "nccl_op.cc", "helper.cc"]}.get)
    cmake = CMake(lists, BUILDS["cpu"].variables)
    cmake.follow("ops")
    assert cmake.compiled == {"ops/a_op.cc"}


def test_a_cmake_file_without_end_is_followed_for_a_while():
    lists = CMakeLists(
        {"ops/CMakeLists.txt": "add_subdirectory(.)\n" * 9 + "if(A\n((((" + "set(A ${A}${A}${A})\n" * 99}.get,
        lambda _: [],
    )
    cmake = CMake(lists, {"A": "x" * 100})
    cmake.follow("ops")
    assert cmake.compiled == set()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("foreach(a 1)\n" * 200 + "endforeach()\n" * 200, "blocks are nested"),
        ("foreach(a 1)\n" * 2000, "blocks are nested"),
        ("if(TRUE)\n" * 200 + "endif()\n" * 200, "blocks are nested"),
        (
            "foreach(a 1 2 3 4 5 6 7 8 9 10)\n" * 6 + "op_library(x)\n" + "endforeach()\n" * 6,
            "more than 200,000 commands",
        ),
        (
            "foreach(a 1 2 3 4)\nif(TRUE)\n" * 20 + "set(x)\n" * 20_000 + "endif()\nendforeach()\n" * 20,
            "200,000 commands",
        ),
    ],
    ids=range(5),
)
def test_what_limits_keep_from_being_reported_is_reported(script, reason):
    cmake = CMake(CMakeLists({"ops/CMakeLists.txt": script}.get, lambda _: []), {})
    cmake.follow("ops")
    assert reason in cmake.problem.reason
    assert cmake.problem.file.endswith("CMakeLists.txt")
    spec = extraction.extract(Memory({f"{OPERATORS}/CMakeLists.txt": script}), "cpu")
    assert [(op, reason) for op, _, _, reason, _ in lost(spec)] == [("*", cmake.problem.reason)]


REFUSED = {
    "in every build": ("#error no", {}),
    "in builds for GPUs": ("#ifdef PADDLE_WITH_CUDA\n#error no\n#endif", {"f": ("cpu", "xpu")}),
    "in builds for CPUs": ("#ifndef PADDLE_WITH_CUDA\n#error no\n#endif", {"f": ("gpu",)}),
    "in no build": ("#if 0\n#error no\n#endif", {"f": ("all",)}),
    "if a macro is defined, which nothing defines": ("#ifdef NEVER\n#error no\n#endif", {"f": ("all",)}),
}


@pytest.mark.parametrize(("text", "builds"), REFUSED.values(), ids=REFUSED)
def test_a_build_that_a_file_refuses_declares_nothing(text, builds):
    result = read({f"{OPERATORS}/f_op.cc": f"{text}\n{maker_file('')}"}, build="all")
    assert {name: op.builds or ("all",) for name, op in spec(result).ops.items()} == builds
    assert reasons(result) == {}


@pytest.mark.parametrize("keyword", ["ifdef", "ifndef"])
def test_a_file_that_another_file_may_refuse_is_unresolved(keyword):
    refused = f'#include "paddle/fluid/framework/o.h"\n#{keyword} OTHER\n#error no\n#endif\n'
    files = {f"{OPERATORS}/f_op.cc": refused + maker_file(""), "paddle/fluid/framework/o.h": "#define OTHER\n"}
    assert reasons(read(files, build="all")).keys() == {"f"}
