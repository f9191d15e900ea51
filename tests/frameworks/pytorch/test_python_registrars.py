"""Ops that Python code defines on behalf of other code, and conditions under which it does; no code is run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest

from opspec_lint.frameworks.pytorch.formats.schemas import dumps
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.condition import show
from tests.support.unreached_python import CONDITIONS, DEAD, HEAD, SOUND, UNDECIDED

SOURCE = SOURCES.load("pytorch-source")
SCHEMA = "(Tensor x) -> Tensor"


def read(folder, text="", **files):
    if text:
        files["ops"] = HEAD + textwrap.dedent(text)
    for name, content in files.items():
        parts = name.replace("__init__", "*").split("__")
        path = folder / f"{'/'.join(parts).replace('*', '__init__')}.py"
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


SIGNATURES = {
    "def deco(f):\n    def g(x: torch.Tensor, k: int) -> None: ...\n    return g": "(Tensor x, SymInt k) -> ()",
    "def deco(f):\n    @functools.wraps(f)\n    def g(*a): return f(*a)\n    return g": "(Tensor x) -> Tensor",
    "def deco(f):\n    @functools.wraps(f)\n    def g(*a): ...\n    return g if C() else f": "(Tensor x) -> Tensor",
    "def deco(f):\n    def g(*a): return f(*a)\n    return functools.update_wrapper(g, f)": "(Tensor x) -> Tensor",
    "deco = torch.no_grad()": "(Tensor x) -> Tensor",
}


@pytest.mark.parametrize("decorator", SIGNATURES)
def test_the_schema_is_inferred_from_what_a_decorator_returns(tmp_path, decorator):
    op = '@custom_op("n::a", mutates_args=())\n@deco\ndef a(x: torch.Tensor) -> torch.Tensor: ...\n'
    spec = read(tmp_path, first=f"{HEAD}{decorator}\n{op}")
    assert dumps(spec) == f"n::a{SIGNATURES[decorator]}\n"


@pytest.mark.parametrize(
    "text",
    [
        "def deco(f):\n    return lambda *a: f(*a)\n@custom_op('n::a', mutates_args=())\n@deco\ndef a() -> None: ...",
        (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from torch import Tensor\n"
            "@custom_op('n::a', mutates_args=())\ndef a(x: 'Tensor') -> None: ..."
        ),
        "torch.library.custom_op = f",
        "torch.library.Library.define = f",
        "setattr(torch.library, 'define', f)",
        "lib = Library('n', 'DEF')\nlib.__getattribute__('define')('a() -> ()')",
        "from torch.utils.cpp_extension import load_inline\nload_inline('x', ['TORCH_LIBRARY(n, m) { m.def(s); }'])",
    ],
)
def test_a_signature_or_function_that_is_not_known_is_named(tmp_path, text):
    spec = read(tmp_path, first=HEAD + text)
    assert [(remark.event, remark.origin.file) for remark in spec.remarks] == [("op_unresolved", "first.py")]


def test_a_package_calls_the_function_of_its_module(tmp_path):
    spec = read(
        tmp_path,
        pack____init__="from . import ops\nops.register_all()\n",
        pack__ops="""
            import torch
            def register_all(): torch.library.define("n::a", "() -> ()")
            """,
    )
    assert (names(spec), conditions(spec)) == (["a"], {})


REGISTRY = """
    import torch
    OPS = {}
    def op(name): return lambda function: OPS.setdefault(name, function)
    def register_all():
        for name in OPS: torch.library.define(name, "() -> ()")
    """


def test_a_decorator_of_another_file_collects_ops(tmp_path):
    first = 'from .registry import op\n@op("n::a")\ndef a(): ...\n'
    spec = read(
        tmp_path,
        pack____init__="from . import first, last",
        pack__first=first,
        pack__last="from .registry import register_all\nregister_all()",
        pack__registry=REGISTRY,
    )
    assert (names(spec), conditions(spec), spec.remarks) == (["a"], {}, ())


def test_a_loop_that_runs_before_the_decorators_of_another_file_is_named(tmp_path):
    first = "from . import second\nfrom .registry import register_all\nregister_all()\n"
    second = 'from .registry import op\n@op("n::a")\ndef a(): ...\n'
    spec = read(tmp_path, pack__first=first, pack__second=second, pack__registry=REGISTRY)
    assert [remark.origin.place for remark in spec.remarks] == ["pack/registry.py:6"]


@pytest.mark.parametrize(
    "text",
    [
        'L = [sys.argv[0]]\nL += ["n::a"]\n{}',
        'L = ["n::a"]\nL.extend(sys.argv)\n{}',
        "L = dict()\nL[sys.argv[1]] = 1\n{}",
        'L = {{"n::a": 1}}\nL.update(sys.argv)\n{}',
        'L = ["n::a", "n::b"]\nif torch.cuda.is_available():\n    L.pop()\n{}',
        "L = []\n{}\nL.append('n::b')",
        "L = []\n{}\ndef add(s):\n    L.append(s)\nadd('n::b')",
    ],
)
def test_items_that_are_not_known_are_named_with_the_loop(tmp_path, text):
    spec = read(tmp_path, first=HEAD + text.format('for s in L:\n    define(s, "() -> ()")'))
    assert [remark.event for remark in spec.remarks] == ["op_unresolved"]


@pytest.mark.parametrize("kind", DEAD)
def test_code_that_python_does_not_execute_declares_nothing(tmp_path, kind):
    spec = read(tmp_path, first='import torch\ntorch.library.define("n::a", "() -> ()")\n', second=HEAD + DEAD[kind])
    assert (names(spec), spec.remarks) == (["a"], ())


@pytest.mark.parametrize("kind", SOUND)
def test_code_that_python_executes_declares_an_op_without_a_condition(tmp_path, kind):
    spec = read(tmp_path, SOUND[kind])
    assert (names(spec), conditions(spec), spec.remarks) == (["x"], {}, ())


PROGRAM = """
import json, sys, types
SETTINGS = [
    dict(version="2.9", python=(3, 12), triton=True, cuda=True, hip="6.0", argv=["n::x"]),
    dict(version="2.0", python=(3, 9), triton=False, cuda=False, hip=None, argv=[]),
]
defined = set()
class Library:
    def __init__(self, namespace, kind):
        self.namespace, self.kind, self.names, self.defined = namespace, kind, set(), defined
    def define(self, schema):
        assert self.kind != "IMPL"
        self.names.add(self.namespace + "::" + schema.partition("(")[0])
        self.defined.update(self.names)
    def close(self): self.defined.difference_update(self.names)
    __del__ = _destroy = close
    __enter__ = lambda self: self
    __exit__ = lambda self, *_: self.close()
def define(name, _, lib=None): lib.define(name.partition("::")[2]) if lib else defined.add(name)
def custom_op(name, **_): return lambda function: defined.add(name) or function
def run(text, setting):
    global defined
    defined = set()
    torch, library, cuda = (types.ModuleType(name) for name in ("torch", "torch.library", "torch.cuda"))
    torch.library, torch.cuda, torch.Tensor, torch.__version__ = library, cuda, object, setting["version"]
    cuda.is_available, torch.version = lambda: setting["cuda"], types.SimpleNamespace(hip=setting["hip"])
    library.Library, library.custom_op, library._scoped_library = Library, custom_op, Library
    library.define, library.infer_schema = define, lambda *_, **__: "() -> ()"
    sys.modules.update({"torch": torch, "torch.library": library})
    sys.modules["triton"] = types.ModuleType("triton") if setting["triton"] else None
    sys.version_info, sys.argv = setting["python"], setting["argv"]
    scope = {"__name__": "ops", "f": lambda: False, "g": lambda *_, **__: lambda function: function}
    try:
        exec(compile(text, "ops.py", "exec"), scope)
    except BaseException:
        pass
    return "n::x" in defined
print(json.dumps([[run(text, setting) for setting in SETTINGS] for text in json.load(sys.stdin)]))
"""


def test_python_executes_what_the_reader_takes_for_executed():
    kinds = {**{text: {False} for text in DEAD.values()}, **{text: {True} for text in SOUND.values()}}
    kinds |= {text: {False} if name in UNDECIDED else {True, False} for name, (text, _) in CONDITIONS.items()}
    texts = json.dumps([HEAD + text for text in kinds])
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=texts, capture_output=True, text=True, check=True)
    assert [set(outcomes) for outcomes in json.loads(done.stdout)] == [*kinds.values()]


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
