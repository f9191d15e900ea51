"""Python files whose evaluation Python itself would not finish, and random damage to registrars: nothing raises."""

from __future__ import annotations

import random

import pytest

from opspec_lint.frameworks.pytorch.extract.python.program import Program
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.python_text import parse_module, show_syntax, walk
from tests.frameworks.pytorch.test_python_registrars import REGISTRARS
from tests.support.unreached_python import CONDITIONS, HEAD, SOUND

LIBRARY = f'{HEAD}import operator, os, other\nlib = Library("n", "DEF")\n'


def read(text):
    results = list(Program({"m.py": f"{LIBRARY}{text}\n".encode()}).definitions())
    ops = [(result.text, result.condition) for result in results if isinstance(result, Line)]
    return ops, [result.facts["reason"] for result in results if not isinstance(result, Line)]


def defined(text):
    ops, reasons = read(text)
    return sorted({name.removeprefix("n::").partition("(")[0] for name, _ in ops}), reasons


RAISING = {
    "setattr without a name": "setattr(other.x, *other.y)",
    "methodcaller without an object": 'operator.methodcaller("define")()',
    "a text that is too deep for the parser": 'exec("-" * 30000 + "1")',
    "a key that cannot be hashed": "x = {(1, [2]): 1}\nx.get([1])\nx.setdefault([1], 2)\nx[[1]] = 2",
    "a number of too many digits": f"x = {{0x{'f' * 5000}: 1}}\nf(**x)\nif f(0x{'f' * 5000}):\n    pass",
}


@pytest.mark.parametrize("text", RAISING.values(), ids=RAISING.keys())
def test_refused_code_keeps_further_ops(text):
    assert defined(f'{text}\nlib.define("x() -> ()")') == (["x"], [])


def test_a_text_that_is_too_deep_for_the_evaluation_is_named_or_refused_by_the_parser():
    """Let a text be nested more deeply than the parsers of Python 3.11 to 3.13 take, which others parse."""
    names, reasons = defined('exec("a" + ".b" * 9000)\nlib.define("x() -> ()")')

    assert names == ["x"]
    assert all("nested too deep" in reason for reason in reasons)


UNEVALUATED = {
    "an object that calls itself": "class A: ...\na = A()\na.__call__ = a\nname = a()",
    "an annotation that is an alias of itself": (
        'X = list["X"]\n@custom_op("n::a", mutates_args=())\ndef f(x: X) -> None: ...'
    ),
}


@pytest.mark.parametrize("text", UNEVALUATED.values(), ids=UNEVALUATED.keys())
def test_a_statement_that_cannot_be_evaluated_is_named_once(text):
    names, reasons = defined(f'for n in "ab":\n    {text.replace(chr(10), chr(10) + "    ")}\nlib.define("x() -> ()")')

    assert names == ["x"]
    assert [reason for reason in reasons if "cannot be evaluated" in reason and "too deep" in reason] == reasons[:1]


def test_the_values_that_an_unevaluated_statement_assigns_are_unknown():
    names, reasons = defined(
        'class A: ...\na = A()\na.__call__ = a\nname = "x"\nname = a()\nlib.define(name + "() -> ()")'
    )

    assert not names
    assert len(reasons) == 2


GROWING = {
    "a list that is extended by itself": 'x = ["a"]\n' + "x.extend(x)\n" * 40,
    "a list that is added to itself": 'x = ["a"]\n' + "x += x\n" * 40,
    "a list that is unpacked into itself": 'x = ["a"]\n' + "x = [*x, *x]\n" * 40,
    "a product": 'x = "a" * 30000 * 30000\nx = b"a" * 30000 * 30000\nx = b"%999999999d" % 1',
    "lists of lists": "x = [1, 1, 1, 1, 1, 1, 1, 1]\n" + "x = [x, x, x, x, x, x, x, x]\n" * 9 + "x = x + x",
    "bases of bases": "class A0: ...\n"
    + "".join(f"class A{n}({', '.join(f'A{base}' for base in reversed(range(n)))}): ...\n" for n in range(1, 40))
    + "A39.f()",
    "a lambda that calls itself twice": "f = lambda x: (f(x), f(x))\nf(define)",
}


@pytest.mark.parametrize("text", GROWING.values(), ids=GROWING.keys())
def test_growing_values_become_unknown(text):
    assert defined(f'{text}\nlib.define("x() -> ()")') == (["x"], [])


EVALUATED = {
    "a namespace of its own": ('name = "x"\nexec("name = \'h\'", {})\nlib.define(name + "() -> ()")', ["x"], 0),
    "a namespace that is known": ('ns = {"o": "x"}\nexec("p = o", ns)\nlib.define(ns["p"] + "() -> ()")', ["x"], 0),
    "the namespace of the file": ("exec(\"lib.define('x() -> ()')\", globals())", ["x"], 0),
    "a namespace that is not known": ("exec(\"lib.define('x() -> ()')\", other.x)", [], 1),
    "no items": 'for n in map(str, []):\n    lib.define("x() -> ()")',
    "items that are not known": ("lib.define(*other.x)", [], 1),
    "more turns than are followed": ('for n in range(20000):\n    lib.define(f"{n}() -> ()")', [], 1),
    "the second base": (
        'class A: ...\nclass B:\n    def __init_subclass__(cls):\n        lib.define("x() -> ()")\nclass C(A, B): ...',
        ["x"],
        0,
    ),
}
EVALUATED["no items"] = (EVALUATED["no items"], [], 0)


@pytest.mark.parametrize(("text", "names", "unknown"), EVALUATED.values(), ids=EVALUATED.keys())
def test_calls_have_the_effect_that_python_gives_them(text, names, unknown):
    names_read, reasons = defined(text)

    assert (names_read, len(reasons)) == (names, unknown)


def test_branches_share_no_generator():
    branches = 'g = (lib.define(x) for x in ["x() -> ()"])\nif os.environ.get("A"):\n    list(g)\n'

    both, _ = read(f"{branches}else:\n    list(g)")
    behind, _ = read(f"{branches}list(g)")

    assert len({condition for _, condition in both}) == len(both) == 2
    assert len({condition for _, condition in behind}) == len(behind) == 2


ODD = (
    "*other",
    "*[]",
    "**other",
    "None",
    "()",
    "-1",
    "b''",
    "1e999",
    "lib",
    "define",
    "{}",
    "[[]]",
    "lambda *a: a",
    "[" * 60 + "]" * 60,
    "...",
)
SOURCES = [text for kinds in (REGISTRARS, CONDITIONS, SOUND) for text in map(str, kinds.values())]


def damaged(rng):
    """Return the text of a registrar with arguments removed or replaced, and functions replaced."""
    import ast
    import textwrap

    tree = parse_module(textwrap.dedent(rng.choice(SOURCES)))
    calls = [part for part in walk(tree) if isinstance(part, ast.Call)]
    for call in rng.sample(calls, min(len(calls), 3)):
        kind = rng.randrange(4)
        if kind == 0 and call.args:
            del call.args[rng.randrange(len(call.args)) :]
        elif kind == 1:
            call.args.insert(
                rng.randint(0, len(call.args)), parse_module(f"f({rng.choice(ODD[:2])})").body[0].value.args[0]
            )
        elif kind == 2 and call.args:
            call.args[rng.randrange(len(call.args))] = parse_module(f"({rng.choice(ODD[3:])})").body[0].value
        else:
            call.func = parse_module(rng.choice(FUNCTIONS)).body[0].value
    return show_syntax(tree)


FUNCTIONS = (
    *("setattr", "exec", "eval", "map", "getattr", "isinstance", "operator.methodcaller", "functools.partial", "dict"),
    *("functools.wraps(f)", "functools.update_wrapper", "sorted", "sum", "range", "zip", "''.join", "{}.get", "[].pop"),
    *(
        "[].extend",
        "{}.update",
        "'{}'.format",
        "lib.define",
        "lib._destroy",
        "custom_op",
        "infer_schema",
        "(lambda a: a)",
        f"f{'.b' * 300}",
    ),
)


def test_damaged_registrars_never_raise():
    rng = random.Random(0)  # noqa: S311 - no secret

    reasons = [reason for _ in range(400) for reason in read(damaged(rng))[1]]

    assert reasons
    assert not [reason for reason in reasons if "cannot be evaluated" in reason and "too deep" not in reason]
