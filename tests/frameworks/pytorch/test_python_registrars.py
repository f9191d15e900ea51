"""Ops that Python code defines on behalf of other code, and conditions under which it does; no code is run."""

from __future__ import annotations

import os
import textwrap

import pytest

from opspec_lint.frameworks.pytorch.formats.schemas import dumps
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.condition import show

SOURCE = SOURCES.load("pytorch-source")
SCHEMA = "(Tensor x) -> Tensor"
HEAD = (
    "import sys\nimport functools\nimport torch\nfrom torch.library import Library, custom_op, define, infer_schema\n"
)


def read(folder, text="", **files):
    if text:
        files["ops"] = HEAD + textwrap.dedent(text)
    for name, content in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else textwrap.dedent(content).encode())
    return SOURCE.spec(str(folder), Reading(environment=os.environ))


def names(spec):
    return [name.removeprefix("n::") for name in sorted(spec.ops)]


def conditions(spec):
    return {name.removeprefix("n::"): show(op.declared_if) for name, op in spec.ops.items() if op.declared_if}


REGISTRARS = {
    "a function": """
        def register(name, schema="(Tensor x) -> Tensor"):
            define("n::" + name, schema)
        register("a")
        register(name="b")
        """,
    "a function of its library": """
        lib = Library("n", "FRAGMENT")
        def register(op_name, op_func, target=None):
            schema = infer_schema(op_func, mutates_args=[])
            (target or lib).define(op_name + schema)
        def a(x: torch.Tensor) -> torch.Tensor: ...
        def b(x: torch.Tensor) -> torch.Tensor: ...
        register("a", a)
        register(op_name="b", op_func=b)
        """,
    "a decorator": """
        def op(name):
            def decorate(function):
                return custom_op(f"n::{name}", mutates_args=())(function)
            return decorate
        @op("a")
        def _a(x: torch.Tensor) -> torch.Tensor: ...
        @op("b")
        def _b(x: torch.Tensor) -> torch.Tensor: ...
        """,
    "a decorator that takes the name of the function": """
        def op(library):
            def decorate(function):
                library.define(function.__name__[1:] + infer_schema(function, mutates_args={}))
                return function
            return decorate
        register = op(Library("n", "DEF"))
        @register
        def _a(x: torch.Tensor) -> torch.Tensor: ...
        @register
        def _b(x: torch.Tensor) -> torch.Tensor: ...
        """,
    "a method": """
        class Ops:
            SPACE = "n"
            def __init__(self, kind="DEF"):
                self.lib = Library(self.SPACE, kind)
            def add(self, name):
                self.lib.define(name + "(Tensor x) -> Tensor")
        ops = Ops()
        ops.add("a")
        ops.add("b")
        """,
    "a class method": """
        class Ops:
            @classmethod
            def add(cls, name): define(f"{cls.space}::{name}", "(Tensor x) -> Tensor")
        class Own(Ops):
            space = "n"
        Own.add("a")
        Own().add("b")
        """,
    "a loop over a list": """
        for name in ["a", "b"]:
            define(f"n::{name}", "(Tensor x) -> Tensor")
        """,
    "a loop over pairs": """
        SCHEMAS = {"a": "(Tensor x) -> Tensor", "b": "(Tensor x) -> Tensor"}
        for name, schema in SCHEMAS.items():
            define("n::{}".format(name), schema)
        """,
    "a comprehension": """
        [define("n::%s" % name, "(Tensor x) -> Tensor") for name in ("a", "b", "c") if name != "c"]
        """,
    "a partial": """
        make = functools.partial(custom_op, mutates_args=())
        @make("n::a")
        def _a(x: torch.Tensor) -> torch.Tensor: ...
        functools.partial(define, "n::b")("(Tensor x) -> Tensor")
        """,
    "another name": """
        make = torch.library.custom_op
        put = Library("n", "DEF").define
        @make("n::a", mutates_args=())
        def _a(x: torch.Tensor) -> torch.Tensor: ...
        put("b(Tensor x) -> Tensor")
        """,
    "constants": """
        class Names:
            SPACE = "n::"
            FIRST = SPACE + "a"
        KIND = torch.Tensor
        @custom_op(Names.FIRST, mutates_args=())
        def _a(x: KIND) -> KIND: ...
        SUFFIX: str = "(Tensor x)"
        SUFFIX += " -> Tensor"
        define(Names.SPACE + "b", SUFFIX)
        """,
}


@pytest.mark.parametrize("kind", REGISTRARS)
def test_a_call_of_a_registrar_declares_an_op(tmp_path, kind):
    spec = read(tmp_path, REGISTRARS[kind])
    assert (dumps(spec), spec.remarks) == (f"n::a{SCHEMA}\nn::b{SCHEMA}\n", ())
    assert not conditions(spec)


def test_the_place_of_an_op_is_the_call_that_names_it(tmp_path):
    text = (
        'def register(name):\n    define("n::" + name, "() -> ()")\n    define("n::fixed", "() -> ()")\nregister("a")\n'
    )
    spec = read(tmp_path, text)
    assert {name: op.origin.line for name, op in spec.ops.items()} == {"n::a": 8, "n::fixed": 7}


def test_an_imported_registrar_is_evaluated(tmp_path):
    spec = read(
        tmp_path,
        pack____init__="",
        pack__names='SPACE = "n"\n',
        pack__registry="""
            from torch.library import Library
            from .names import SPACE
            lib = Library(SPACE, "FRAGMENT")
            def register(schema): lib.define(schema)
            """,
        pack__sub__a='from ..registry import register\nregister("a() -> ()")\n',
        pack__sub__b='import pack.registry as registry\nregistry.register("b() -> ()")\n',
        other='from pack.registry import *\nregister("c() -> ()")\n',
    )
    assert names(spec) == ["a", "b", "c"]
    assert spec.ops["n::a"].origin.place == "pack/sub/a.py:2"


def test_what_a_call_leaves_open_is_named_with_its_line(tmp_path):
    spec = read(
        tmp_path,
        """
        lib = Library("n", "FRAGMENT")
        def register(op_name, op_func):
            lib.define(op_name + infer_schema(op_func, mutates_args=[]))
        def good(x: torch.Tensor) -> torch.Tensor: ...
        def bad(x: dict) -> torch.Tensor: ...
        register("good", good)
        register("bad", bad)
        register(sys.argv[1], good)
        register_elsewhere = torch.compile(print)
        @somebody.custom_op("n::foreign")
        def foreign(x: torch.Tensor) -> torch.Tensor: ...
        """,
    )
    assert names(spec) == ["good"]
    assert [(remark.origin.line, remark.op, remark.name) for remark in spec.remarks] == [
        (12, "n::bad", "n::bad"),
        (13, None, "register"),
        (15, "n::foreign", "n::foreign"),
    ]


DEAD = {
    "a false condition": 'if False:\n    define("n::x", "() -> ()")',
    "the else of a true one": 'if 1:\n    pass\nelse:\n    define("n::x", "() -> ()")',
    "a constant": 'ENABLED = False\nif ENABLED and f():\n    define("n::x", "() -> ()")',
    "the main program": 'if __name__ == "__main__":\n    define("n::x", "() -> ()")',
    "type checkers": 'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    define("n::x", "() -> ()")',
    "a loop over nothing": 'for n in ():\n    define("n::x", "() -> ()")',
    "a while that is never true": 'while 0:\n    define("n::x", "() -> ()")',
    "the end of the program": 'sys.exit()\ndefine("n::x", "() -> ()")',
    "behind a raise": 'raise SystemExit\ndefine("n::x", "() -> ()")',
    "behind a failed assertion": 'assert 0\ndefine("n::x", "() -> ()")',
    "behind a return": 'def f():\n    return\n    define("n::x", "() -> ()")\nf()',
    "behind a break": 'for n in "ab":\n    break\n    define("n::x", "() -> ()")',
    "a private function that nobody calls": 'def _f():\n    define("n::x", "() -> ()")',
    "a lambda that nobody calls": 'f = lambda: define("n::x", "() -> ()")',
    "a nested function that nobody calls": 'def f():\n    def g():\n        define("n::x", "() -> ()")\nf()',
    "a redefinition": 'def f():\n    define("n::x", "() -> ()")\ndef f(): pass\nf()',
    "a deleted library": 'lib = Library("n", "DEF")\nlib.define("x() -> ()")\ndel lib',
    "a shadowed function": 'def define(*a): pass\ndefine("n::x", "() -> ()")',
    "a shadowed decorator": (
        "def custom_op(*a, **k):\n    return lambda f: f\n"
        '@custom_op("n::x", mutates_args=())\ndef x(t: torch.Tensor) -> None: ...'
    ),
    "a string": '"""\ndefine("n::x", "() -> ()")\n"""',
    "a library for a block": 'with torch.library._scoped_library("n", "DEF") as lib:\n    lib.define("x() -> ()")',
}


@pytest.mark.parametrize("kind", DEAD)
def test_code_that_python_does_not_execute_declares_nothing(tmp_path, kind):
    spec = read(tmp_path, first='import torch\ntorch.library.define("n::a", "() -> ()")\n', second=HEAD + DEAD[kind])
    assert (names(spec), spec.remarks) == (["a"], ())


CONDITIONS = {
    "a version of PyTorch": (
        'if torch.__version__ >= "2.4":\n    define("n::x", "() -> ()")',
        "torch.__version__ >= '2.4'",
    ),
    "a version of Python": (
        'if sys.version_info < (3, 10):\n    pass\nelse:\n    define("n::x", "() -> ()")',
        "not sys.version_info < (3, 10)",
    ),
    "an import that may fail": (
        'try:\n    import triton\n    define("n::x", "() -> ()")\nexcept ImportError:\n    pass',
        "try: import triton",
    ),
    "an import that failed": (
        'try:\n    import triton\nexcept ImportError:\n    define("n::x", "() -> ()")',
        "not try: import triton",
    ),
    "the result of an import": (
        'try:\n    import triton\n    H = 1\nexcept ImportError:\n    H = 0\nif H:\n    define("n::x", "() -> ()")',
        "try: import triton",
    ),
    "an early return": (
        'def f():\n    if not torch.cuda.is_available():\n        return\n    define("n::x", "() -> ()")\nf()',
        "torch.cuda.is_available()",
    ),
    "an exit": (
        'if torch.version.hip:\n    sys.exit()\ndefine("n::x", "() -> ()")',
        "not torch.version.hip",
    ),
    "a decorator that depends": (
        'op = custom_op if torch.__version__ >= "2.4" else g\n@op("n::x", mutates_args=())\ndef x() -> None: ...',
        "torch.__version__ >= '2.4'",
    ),
    "a list that depends": (
        'L = ["n::a"]\nif torch.cuda.is_available():\n    L.append("n::x")\nfor n in L:\n    define(n, "() -> ()")',
        "torch.cuda.is_available()",
    ),
    "a function that nobody calls": ('def f():\n    define("n::x", "() -> ()")', "f() is called"),
    "an unknown loop": ('for n in sys.argv:\n    define("n::x", "() -> ()")', "for n in sys.argv"),
}


@pytest.mark.parametrize("kind", CONDITIONS)
def test_an_unknown_condition_is_recorded(tmp_path, kind):
    text, condition = CONDITIONS[kind]
    spec = read(tmp_path, first='import torch\ntorch.library.define("n::a", "() -> ()")\n', second=HEAD + text)
    assert conditions(spec) == {"x": condition}
    assert names(spec) == ["a", "x"]


def test_an_op_of_both_branches_has_no_condition(tmp_path):
    spec = read(
        tmp_path,
        """
        if torch.cuda.is_available():
            define("n::x", "() -> ()")
        else:
            define("n::x", "() -> ()")
        try:
            import triton
            name = "y"
        except ImportError:
            name = "y"
        define("n::" + name, "() -> ()")
        """,
    )
    assert (names(spec), conditions(spec)) == (["x", "y"], {})


def test_a_file_is_decoded_by_its_encoding(tmp_path):
    text = '# coding: utf-7\nimport torch\n# +AAo-torch.library.define("n::x", "() +AC0APg- ()")\n'
    assert names(read(tmp_path, ops=text.encode())) == ["x"]
    spec = read(tmp_path, ops=b"# coding: no-such\nimport torch\ntorch.library.define('n::y', '() -> ()')\n")
    assert [remark.name for remark in spec.remarks] == ["ops.py"]


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    define('n::x', '() -> ()')\n    f(n)\n    f(n)\nf(1)",
        "x = 'a' * 10000\nx = x * 10000\ndefine(x, '() -> ()')\ndefine('n::x', '() -> ()')",
        "x = '{:99999999}'.format(1)\ndefine('n::x', '() -> ()')",
        "while True:\n    y = 1\n" + "define('n::x', '() -> ()')",
        "".join(f"if torch.c{n}():\n    y{n} = {n}\n" for n in range(300)) + "define('n::x', '() -> ()')",
        "".join(" " * n + f"if torch.c{n}():\n" for n in range(60)) + " " * 60 + "define('n::x', '() -> ()')",
    ],
)
def test_code_that_would_take_long_ends(tmp_path, text):
    spec = read(tmp_path, first='import torch\ntorch.library.define("n::a", "() -> ()")\n', second=HEAD + text)
    assert "n::a" in spec.ops
