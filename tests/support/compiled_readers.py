"""The readers of C++, each with a program that makes its registrations, so that g++ tells which take effect.

A case is the text of a function body. The text of a file around it is what the reader reads, and what is compiled:
each case in a namespace of one program, which forks for each case.
"""

from __future__ import annotations

import subprocess
from typing import NamedTuple

from opspec_lint.frameworks.pytorch.extract.cpp import Registrations
from opspec_lint.frameworks.pytorch.extract.cpp_source import Tree
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.frameworks.tflite.extract import resolvers
from opspec_lint.frameworks.tflite.sources import source as tflite_source
from opspec_lint.kit.errors import NothingThereError
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.condition import ALWAYS, disjunction
from tests.support.patience import PATIENCE
from tests.support.trees import onnx_trees, paddle_trees
from tests.support.unreached import ALIVE, DEAD, UNKNOWN, with_statement

COMMON = """#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <mutex>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static int current = -1;
static void added() { std::printf("%d\\n", current); std::fflush(stdout); }
static bool chosen = false;
static bool at_run_time() { return chosen; }
#define SOME_CHECK(x) do { if (!(x)) throw 1; } while (0)
#define SOME_THROW(x) throw x
"""
REFUSING = ("#error", "static_assert")
"""Texts without which the compiler refuses no case."""
MAIN = """
int main(int count, char**) {
  chosen = count > 1;
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);  // a case that aborts leaves no file
  void (*cases[])() = {CASES};
  for (auto run : cases) {
    ++current;
    if (pid_t child = fork()) { waitpid(child, nullptr, 0); continue; }
    try { run(); } catch (int) {}
    std::_Exit(0);
  }
}
"""


class CppReader(NamedTuple):
    """A reader: its registration, the file around a body, the program around the file, and the reading of the file.

    `stubs` declare what the files of all cases use, `before` what the file of a case does, and `call` runs it.
    `settings` are the flags of the compiler in the builds that the reader knows.
    """

    name: str
    statement: str
    file: str
    stubs: str
    before: str
    call: str
    read: object
    settings: tuple[tuple[str, ...], ...] = ((), ("-DSWITCH=1",))

    def text(self, body, before=""):
        """Return the file with a body, and a text before the function."""
        return f"{before}\n{self.file.replace('BODY', with_statement(body, self.statement))}"


def _of_condition(condition):
    return ALIVE if condition in (None, ALWAYS) else UNKNOWN


def _read_tflite(text, _):
    tflite_source._READ_FILES.clear()
    ranges, odd = resolvers.read(text, "register.cc", lambda name: name == "SWITCH")
    assert odd == []
    return _of_condition(ranges["ADD"][3]) if "ADD" in ranges else DEAD


def _read_pytorch(text, _):
    lines = Registrations(text, "f.cpp", Tree({}, lambda name: name == "SWITCH")).read()
    conditions = [line.condition or ALWAYS for line in lines if isinstance(line, Line)]
    return _of_condition(disjunction(conditions)) if conditions else DEAD


def _read_onnx(text, folder):
    tree = {**onnx_trees.TREE, onnx_trees.SETS: text, "onnx/config.h": "#define SWITCH 1\n"}
    del tree[onnx_trees.ML_SETS]
    try:
        spec = SOURCES.load("onnx-source").spec(str(onnx_trees.write(folder, tree)), Reading(caches=False))
    except NothingThereError:
        return DEAD
    return _of_condition(spec.ops["F@1"].declared_if) if "F@1" in spec.ops else DEAD


def _read_paddle(text, _):
    declarations = paddle_trees.read({f"{paddle_trees.OPERATORS}/f_op.cc": text})
    if "f" not in declarations.ops:
        return UNKNOWN
    return ALIVE if paddle_trees.shown(declarations)[0] else DEAD


READERS = (
    CppReader(
        name="tflite",
        statement="AddBuiltin(BuiltinOperator_ADD, Register_ADD(), 1, 2);",
        file="namespace tflite { namespace ops { namespace builtin {\n"
        "BuiltinOpResolver::BuiltinOpResolver() {\nBODY\n}\n} } }\n",
        stubs="enum BuiltinOperator { BuiltinOperator_ADD };\nstatic void* Register_ADD() { return nullptr; }\n"
        "struct MutableOpResolver { void AddBuiltin(BuiltinOperator, void*, int, int) { added(); } };\n",
        before="namespace tflite { namespace ops { namespace builtin {\n"
        "struct BuiltinOpResolver : MutableOpResolver { BuiltinOpResolver(); };\n} } }\n",
        call="tflite::ops::builtin::BuiltinOpResolver resolver;",
        read=_read_tflite,
    ),
    CppReader(
        name="pytorch",
        statement='m.def("f(Tensor x) -> Tensor");',
        file="TORCH_LIBRARY(a, m) {\nBODY\n}\n",
        stubs="struct Library { void def(const char*) { added(); } void id() {} };\n"
        "#define TORCH_LIBRARY(name, m) static void define_##name(Library& m)\n",
        before="",
        call="Library library; define_a(library);",
        read=_read_pytorch,
    ),
    CppReader(
        name="onnx",
        statement="fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 1, F)>());",
        file="namespace ONNX_NAMESPACE {\nclass OpSet_Onnx_ver1 {\n public:\n"
        "  static void ForEachSchema(std::function<void(OpSchema&&)> fn) {\n"
        "fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 1, G)>());\nBODY\n  }\n};\n"
        "inline void RegisterOnnxOperatorSetSchema() {\n  RegisterOpSetSchema<OpSet_Onnx_ver1>();\n}\n}\n",
        stubs="struct OpSchema { bool counts; };\nstruct Onnx_ver1_F { static constexpr bool counts = true; };\n"
        "struct Onnx_ver1_G { static constexpr bool counts = false; };\n"
        "#define ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(domain, version, name) domain##_ver##version##_##name\n"
        "template <class T> OpSchema GetOpSchema() { return {T::counts}; }\n"
        "template <class T> void RegisterOpSetSchema() {\n"
        "  T::ForEachSchema([](OpSchema&& schema) { if (schema.counts) added(); });\n}\n",
        before="",
        call="ONNX_NAMESPACE::RegisterOnnxOperatorSetSchema();",
        read=_read_onnx,
    ),
    CppReader(
        name="paddle",
        statement='AddInput("X", "an input");',
        file=paddle_trees.maker_file("BODY"),
        stubs="namespace framework {\nstruct OperatorWithKernel {};\n"
        "struct OpProtoAndCheckerMaker {\n  void AddInput(const char*, const char*) { added(); }\n"
        "  void AddComment(const char*) {}\n  virtual void Make() = 0;\n};\n}\n"
        "#define PADDLE_THROW(...) throw 1\n"
        "#define PADDLE_ENFORCE(x, ...) do { if (!(x)) throw 1; } while (0)\n"
        "#define PADDLE_ENFORCE_EQ(x, y, ...) PADDLE_ENFORCE((x) == (y))\n"
        "#define LOG(level) LOG_##level\n#define LOG_INFO std::cerr\n#define LOG_FATAL std::exit(0), std::cerr\n"
        "#define REGISTER_OPERATOR(op, base, maker) static void make() { FOpMaker().Make(); }\n",
        before="",
        call="make();",
        read=_read_paddle,
        settings=((),),  # the reader knows the builds of Paddle, of which none defines SWITCH
    ),
)


def verdict(reader, body, folder, before=""):
    """Return what a reader says of the registration in a body: alive, dead, or unknown."""
    return reader.read(reader.text(body, before), folder)


def outcomes(reader, bodies, folder, before=None):
    """Return, for each body, whether its registration takes effect, in each build and under two settings at run time.

    `before` has the text before the function of each body.
    A text that the compiler refuses, with `#error` or a failed assertion, takes no effect; it is compiled alone.
    """
    folder.mkdir()
    results = [set() for _ in bodies]
    texts = [reader.text(*parts) for parts in zip(bodies, before or [""] * len(bodies), strict=True)]
    together = [number for number, text in enumerate(texts) if not any(mark in text for mark in REFUSING)]
    for flags in reader.settings:
        for numbers in (together, *([number] for number in range(len(bodies)) if number not in together)):
            program = _compile(reader, [texts[number] for number in numbers], flags, folder)
            for arguments in ((), ("x",)):
                done = set(_run(program, arguments)) if program else set()
                for index, number in enumerate(numbers):
                    results[number].add(index in done)
    return results


def _compile(reader, texts, flags, folder):
    """Return a program of some files, None if `#error` or an assertion ends the compilation."""
    cases = [
        f"namespace case_{number} {{\n{reader.before}{text}\nvoid run() {{ {reader.call} }}\n}}\n#undef HERE\n"
        for number, text in enumerate(texts)
    ]
    listed = ", ".join(f"case_{number}::run" for number in range(len(texts)))
    text = "\n".join([COMMON, reader.stubs, *cases, MAIN.replace("CASES", listed)])
    (folder / "cases.cc").write_text(text, encoding="utf-8")
    # What cannot be reached ends the process, as no program says otherwise what it does there.
    traps = ["-fsanitize=unreachable", "-fsanitize-undefined-trap-on-error"]
    command = ["g++", "-std=c++17", "-w", "-O0", *traps, *flags, "cases.cc", "-o", "cases"]
    compiled = subprocess.run(command, cwd=folder, capture_output=True, check=False, text=True)
    if compiled.returncode:
        assert len(texts) == 1, compiled.stderr[:3000]
        assert any(mark in text for mark in REFUSING), compiled.stderr[:3000]
        return None
    return folder / "cases"


def _run(program, arguments):
    done = subprocess.run([program, *arguments], capture_output=True, check=True, text=True, timeout=PATIENCE)
    return map(int, done.stdout.split())
