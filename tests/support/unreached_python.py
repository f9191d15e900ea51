"""Ways in which a statement of Python does or does not define the op `n::x`, each beside a sound one."""

from __future__ import annotations

HEAD = (
    "import sys\nimport functools\nimport torch\nfrom torch.library import Library, custom_op, define, infer_schema\n"
)

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
    "a library that no name refers to": 'Library("n", "DEF").define("x() -> ()")',
    "a library of a function": 'def f():\n    lib = Library("n", "DEF")\n    lib.define("x() -> ()")\nf()',
    "a library of an object": (
        'class Ops:\n    def __init__(self):\n        self.lib = Library("n", "DEF")\nOps().lib.define("x() -> ()")'
    ),
    "a library that is replaced": (
        'lib = Library("n", "DEF")\nlib.define("x() -> ()")\n'
        'lib = Library("m", "FRAGMENT")\nlib.define("y() -> ()")\nlib = 0'
    ),
    "a library of a loop": (
        'for s in ("x() -> ()", "y() -> ()"):\n    lib = Library("n", "FRAGMENT")\n    lib.define(s)\nlib = None'
    ),
    "a library that is taken out of a list": 'L = [Library("n", "DEF")]\nL[0].define("x() -> ()")\nL.pop()',
    "a destroyed library": 'lib = Library("n", "DEF")\nlib.define("x() -> ()")\nlib._destroy()',
    "a library for implementations": 'lib = Library("n", "IMPL")\nlib.define("x() -> ()")',
    "the library of an op that is deleted": ('lib = Library("n", "DEF")\ndefine("n::x", "() -> ()", lib=lib)\ndel lib'),
    "a shadowed function": 'def define(*a): pass\ndefine("n::x", "() -> ()")',
    "a shadowed decorator": (
        "def custom_op(*a, **k):\n    return lambda f: f\n"
        '@custom_op("n::x", mutates_args=())\ndef x(t: torch.Tensor) -> None: ...'
    ),
    "behind a division by zero": 'try:\n    1 / 0\n    define("n::x", "() -> ()")\nexcept ZeroDivisionError:\n    pass',
    "a case that does not match": 'match "a":\n    case "b" | "c":\n        define("n::x", "() -> ()")',
    "a generator expression that nobody consumes": 'g = (define(s, "() -> ()") for s in ["n::x"])',
    "a map that nobody consumes": 'lib = Library("n", "DEF")\nm = map(lib.define, ["x() -> ()"])',
    "a text that is executed and defines nothing": "exec(\"if False:\\n    define('n::x', '() -> ()')\")",
    "a string": '"""\ndefine("n::x", "() -> ()")\n"""',
    "a list that a function clears": (
        'L = []\ndef add(s):\n    L.append(s)\nadd("n::x")\ndef drop():\n    L.clear()\ndrop()\n'
        'for s in L:\n    define(s, "() -> ()")'
    ),
    "an item that is deleted": 'D = {"n::x": 1}\ndel D["n::x"]\nfor n in D:\n    define(n, "() -> ()")',
    "an item that is taken out": 'L = ["n::x"]\nL.pop()\nfor n in L:\n    define(n, "() -> ()")',
    "a global flag": (
        'on = True\ndef off():\n    global on\n    on = False\noff()\nif on:\n    define("n::x", "() -> ()")'
    ),
    "a global flag of a function of a function": (
        "on = True\ndef h():\n    f()\ndef f():\n    off()\ndef off():\n    global on\n    on = False\n"
        'h()\nif on:\n    define("n::x", "() -> ()")'
    ),
    "a flag of the function around it": (
        "def f():\n    on = True\n    def off():\n        nonlocal on\n        on = False\n    off()\n"
        '    if on:\n        define("n::x", "() -> ()")\nf()'
    ),
    "a handler of another error": (
        "try:\n    raise ValueError\nexcept (KeyError, OSError):\n"
        '    define("n::x", "() -> ()")\nexcept ValueError:\n    pass'
    ),
    "a handler of an error of the tree": (
        "class E(Exception): ...\ntry:\n    raise ValueError(1)\nexcept E:\n"
        '    define("n::x", "() -> ()")\nexcept Exception:\n    pass'
    ),
    "a handler that does not catch the end of the program": (
        'try:\n    sys.exit()\nexcept Exception:\n    pass\ndefine("n::x", "() -> ()")'
    ),
    "behind an error that no handler catches": (
        "try:\n    try:\n        raise ValueError\n    except KeyError:\n        pass\n"
        '    define("n::x", "() -> ()")\nexcept ValueError:\n    pass'
    ),
    "a wrapper that calls nothing": (
        "def off(f):\n    @functools.wraps(f)\n    def w():\n        return None\n    return w\n"
        '@off\ndef f():\n    define("n::x", "() -> ()")\nf()'
    ),
    "a library for a block": 'with torch.library._scoped_library("n", "DEF") as lib:\n    lib.define("x() -> ()")',
}

SOUND = {
    "plain": 'define("n::x", "() -> ()")',
    "a true condition": 'if True:\n    define("n::x", "() -> ()")',
    "the else of a false one": 'if 0:\n    pass\nelse:\n    define("n::x", "() -> ()")',
    "a constant": 'ENABLED = True\nif ENABLED:\n    define("n::x", "() -> ()")',
    "not the main program": 'if __name__ != "__main__":\n    define("n::x", "() -> ()")',
    "a loop": 'for n in ("n::x",):\n    define(n, "() -> ()")',
    "before the end of the program": 'define("n::x", "() -> ()")\nsys.exit()',
    "before a return": 'def f():\n    define("n::x", "() -> ()")\n    return\nf()',
    "before a break": 'for n in "ab":\n    define("n::x", "() -> ()")\n    break',
    "a private function that is called": 'def _f():\n    define("n::x", "() -> ()")\n_f()',
    "a lambda that is called": 'f = lambda: define("n::x", "() -> ()")\nf()',
    "a nested function that is called": 'def f():\n    def g():\n        define("n::x", "() -> ()")\n    g()\nf()',
    "a redefinition behind the call": 'def f():\n    define("n::x", "() -> ()")\nf()\ndef f(): pass',
    "a library": 'lib = Library("n", "DEF")\nlib.define("x() -> ()")',
    "a second name of a library": 'lib = Library("n", "DEF")\nlib.define("x() -> ()")\nkept = lib\ndel lib',
    "a library of a list": 'L = []\nL += (Library("n", "DEF"),)\nL[0].define("x() -> ()")',
    "a library of a dict": (
        'D = {n: Library(n, "DEF") for n in ["n"]}\nfor lib in D.values():\n    lib.define("x() -> ()")\ndel lib'
    ),
    "a global library": ('def f():\n    global lib\n    lib = Library("n", "DEF")\n    lib.define("x() -> ()")\nf()'),
    "a library of a closure": (
        'def f():\n    lib = Library("n", "DEF")\n    def add(s):\n        lib.define(s)\n    return add\n'
        'add = f()\nadd("x() -> ()")'
    ),
    "a library of a partial": (
        'def add(lib, s):\n    lib.define(s)\nadd = functools.partial(add, Library("n", "DEF"))\nadd("x() -> ()")'
    ),
    "a library of an object": (
        'class Ops:\n    def __init__(self):\n        self.lib = Library("n", "DEF")\n'
        'ops = Ops()\nops.lib.define("x() -> ()")'
    ),
    "a library of a module": (
        'def f():\n    lib = Library("n", "DEF")\n    lib.define("x() -> ()")\n    torch.kept = lib\nf()'
    ),
    "a library that a function returns": (
        'def f():\n    lib = Library("n", "DEF")\n    lib.define("x() -> ()")\n    return lib\nlib = f()'
    ),
    "a library in a cache": ('@functools.lru_cache\ndef f():\n    return Library("n", "DEF")\nf().define("x() -> ()")'),
    "a library that other code gets": (
        'def f():\n    lib = Library("n", "DEF")\n    lib.define("x() -> ()")\n    globals().update(kept=lib)\nf()'
    ),
    "a shadowed function behind it": 'define("n::x", "() -> ()")\ndef define(*a): pass',
    "a decorator": '@custom_op("n::x", mutates_args=())\ndef x(t: torch.Tensor) -> None: ...',
    "a list that a function fills": (
        'L = []\ndef add(s):\n    L.append(s)\nadd("n::x")\nfor s in L:\n    define(s, "() -> ()")'
    ),
    "a dict that a decorator fills": (
        "D = {}\ndef op(s):\n    def decorate(f):\n        D[s] = f\n        return f\n    return decorate\n"
        '@op("n::x")\ndef x(): pass\nfor s, f in D.items():\n    define(s, "() -> ()")'
    ),
    "a dict that a function updates": (
        'D = {}\ndef add(*names):\n    D.update({n: 1 for n in names})\nadd("n::x")\n'
        '[define(s, "() -> ()") for s in sorted(D)]'
    ),
    "a list of an object": (
        "class Ops:\n    def __init__(self):\n        self.todo = []\n"
        "    def add(self, s):\n        self.todo.append(s)\n"
        '    def end(self):\n        for s in self.todo:\n            define(s, "() -> ()")\n'
        'ops = Ops()\nops.add("n::x")\nops.end()'
    ),
    "a default that is set": 'D = {}\nD.setdefault("n::x", 1)\nfor n in D:\n    define(n, "() -> ()")',
    "the import of torch in a try": (
        "try:\n    import torch as t\nexcept ImportError:\n    t = None\n"
        'if t is not None:\n    define("n::x", "() -> ()")'
    ),
    "a case that matches": 'match "a":\n    case "b":\n        pass\n    case "a":\n        define("n::x", "() -> ()")',
    "a case that names the value": 'match "n::x":\n    case name if name:\n        define(name, "() -> ()")',
    "a context manager": (
        'class C:\n    def __enter__(self):\n        return "n::x"\n'
        '    def __exit__(self, *a): define(self.name, "() -> ()")\nc = C()\nwith c as name:\n    c.name = name'
    ),
    "a subclass": (
        'class C:\n    def __init_subclass__(cls):\n        define(cls.name, "() -> ()")\n'
        'class D(C):\n    name = "n::x"'
    ),
    "a metaclass": (
        'class M(type):\n    def __new__(m, name, bases, values):\n        define(values["name"], "() -> ()")\n'
        '        return super().__new__(m, name, bases, values)\nclass C(metaclass=M):\n    name = "n::x"'
    ),
    "a text without its indentation": 'import textwrap\ndefine(textwrap.dedent("  n::x"), "() -> ()")',
    "a class of texts": 'class Name(str): pass\ndefine(Name("n::x"), "() -> ()")',
    "a generator expression": 'g = (define(s, "() -> ()") for s in ["n::x"])\nlist(g)',
    "a generator expression in a loop": 'for _ in (define(s, "() -> ()") for s in ["n::x"]):\n    pass',
    "a generator expression of a function": (
        'def run(items):\n    for _ in items:\n        pass\nrun(define(s, "() -> ()") for s in ["n::x"])'
    ),
    "a map": 'lib = Library("n", "DEF")\nlist(map(lib.define, ["x() -> ()"]))',
    "a generator": 'def f():\n    define("n::x", "() -> ()")\n    yield\nnext(f())',
    "a generator of a generator": (
        'def f():\n    define("n::x", "() -> ()")\n    yield\ndef g():\n    yield from f()\nfor _ in g():\n    pass'
    ),
    "what a generator yields": 'def f():\n    yield define("n::x", "() -> ()")\na, = f()',
    "a generator as a context": (
        'import contextlib\n@contextlib.contextmanager\ndef f():\n    define("n::x", "() -> ()")\n    yield\n'
        "with f():\n    pass"
    ),
    "a coroutine": (
        'import asyncio\nasync def f():\n    define("n::x", "() -> ()")\n'
        "async def g():\n    await f()\nasyncio.run(g())"
    ),
    "a method that is passed": ('lib = Library("n", "DEF")\ndef f(put):\n    put("x() -> ()")\nf(lib.define)'),
    "a text that is executed": 'exec("""define("n::x", "() -> ()")""")',
    "a text that is evaluated": 'lib = Library("n", "DEF")\neval("lib").define("x() -> ()")',
    "a method caller": (
        'import operator\nlib = Library("n", "DEF")\noperator.methodcaller("define", "x() -> ()")(lib)'
    ),
    "a wrapper": (
        "def deco(f):\n    @functools.wraps(f)\n    def w(*a):\n        return f(*a)\n    return w\n"
        '@deco\n@deco\ndef f():\n    define("n::x", "() -> ()")\nf()'
    ),
    "a wrapper without a name": (
        'def deco(f):\n    return lambda: f()\n@deco\ndef f():\n    define("n::x", "() -> ()")\nf()'
    ),
    "a global flag": (
        'on = False\ndef f():\n    global on\n    on = True\nf()\nif on:\n    define("n::x", "() -> ()")'
    ),
    "a handler of a base of the error": (
        "class E(KeyError): ...\ntry:\n    raise E(1)\nexcept IndexError:\n    pass\n"
        'except LookupError:\n    define("n::x", "() -> ()")'
    ),
    "a handler of its error": (
        'class E(Exception): ...\nclass F(E): ...\ntry:\n    raise F()\nexcept E:\n    define("n::x", "() -> ()")'
    ),
    "behind a handler": 'try:\n    raise ValueError\nexcept ValueError:\n    pass\ndefine("n::x", "() -> ()")',
    "a name of another handler": 'try:\n    print\n    define("n::x", "() -> ()")\nexcept NameError:\n    pass',
    "behind a doubtful name": 'try:\n    missing\nexcept NameError:\n    pass\ndefine("n::x", "() -> ()")',
    "both branches": (
        'if torch.cuda.is_available():\n    define("n::x", "() -> ()")\nelse:\n    define("n::x", "() -> ()")'
    ),
}

_DEFINE = '\ndefine("n::x", "() -> ()")'
_FAIL = "def fail():\n    raise ValueError\n"
_FAIL_BY_ARGUMENT = "def fail(x):\n    if x > 2:\n        raise ValueError\n"
_SUPPRESS = "import contextlib\nwith contextlib.suppress"

_RETURN = "if torch.cuda.is_available(): return\n"
_WITH = "with contextlib.suppress(ValueError):\n"
_GET = "try:\n        return D[k]\n    except KeyError:\n"
_RAISE = "try:\n        raise ValueError\n    except ValueError:\n"

_BEHIND_ERRORS = {
    "a function that raises": f"{_FAIL}fail()",
    "a function that raises, called for its value": f"{_FAIL}x = 1 + fail()",
    "a function that raises, in an argument": f"{_FAIL}print(fail())",
    "a function that raises, as a default": f"{_FAIL}def f(x=fail()): pass",
    "a function that raises, in a list": f"{_FAIL}x = [fail() for _ in range(2)]",
    "a function that raises by its argument": f"{_FAIL_BY_ARGUMENT}fail(3)",
    "a function that calls one that raises": f"{_FAIL}def f():\n    return fail()\nf()",
    "a decorator that raises": "def fail(f):\n    raise ValueError\n@fail\ndef f(): pass",
    "a class whose body raises": f"{_FAIL}class C:\n    x = fail()",
    "a loop that tests a function that raises": f"{_FAIL}while fail(): pass",
    "an operand that raises": f"{_FAIL}True and fail()",
    "a function that ends the program": "def leave():\n    sys.exit()\nleave()",
    "an exit in an expression": "x = 1 and sys.exit()",
    "a failed assertion of a function": "def f(x):\n    assert x\nf(0)",
    "an error and a finally": f"{_FAIL}try:\n    fail()\nfinally:\n    pass",
    "an error of a function that no handler catches": f"{_FAIL}try:\n    fail()\nexcept KeyError:\n    pass",
    "a suppressed error of another class": f"{_FAIL}{_SUPPRESS}(KeyError):\n    fail()",
    "functions that call each other, of which one raises": (
        "def g(n):\n    raise ValueError\ndef a(n):\n    return b(n) if n else g(n)\ndef b(n):\n    return a(n)\n"
        "try:\n    a(0)\nexcept ValueError:\n    pass\nb(0)"
    ),
}
_BEHIND_NO_ERRORS = {
    "a function that does not raise by its argument": f"{_FAIL_BY_ARGUMENT}fail(2)",
    "an operand that is skipped": f"{_FAIL}False and fail()",
    "a side that is not chosen": f"{_FAIL}x = 1 if True else fail()",
    "a generator that raises and that nobody consumes": f"{_FAIL}x = (fail() for _ in range(2))",
    "a lambda that raises and that nobody calls": f"{_FAIL}x = lambda: fail()",
    "an error of a function that is caught": f"{_FAIL}try:\n    fail()\nexcept ValueError:\n    pass",
    "a suppressed error": f"{_FAIL}{_SUPPRESS}(ValueError):\n    fail()",
    "a name that is bound later": "def f():\n    return later\nlater = 1\nf()",
    "a name of Python": "x = len",
    "a name of each module": "x = __builtins__, __name__",
    "a name of each class": "class C:\n    x = __qualname__, __module__",
    "a missing key with a default": 'D = {"a": 1}\nD.get("b")',
    "a skipped operand with a name that nothing binds": "x = True or undefined_name",
    "an annotation that nothing binds": 'def f(x: "undefined_name" = 1): pass',
}
DEAD |= {f"behind {name}": text + _DEFINE for name, text in _BEHIND_ERRORS.items()}
SOUND |= {f"behind {name}": text + _DEFINE for name, text in _BEHIND_NO_ERRORS.items()}

_BEHIND_DOUBTS = {
    "a name that nothing binds": ("undefined_name", "`undefined_name` has a value"),
    "a call of a name that nothing binds": ("undefined_name(1)", "`undefined_name` has a value"),
    "a deleted name": ("x = 1\ndel x\nprint(x)", "`x` has a value"),
    "a name that is deleted twice": ("x = 1\ndel x\ndel x", "`x` has a value"),
    "a missing key": ('D = {"a": 1}\nD["b"]', "`D['b']` exists"),
    "a missing item": ("L = [1]\nx = L[1]", "`L[1]` exists"),
    "a function that raises at run time": (
        "def fail():\n    if torch.cuda.is_available():\n        raise ValueError\nfail()",
        "not torch.cuda.is_available()",
    ),
    "an operand that raises at run time": (
        f"{_FAIL}torch.cuda.is_available() and fail()",
        "not torch.cuda.is_available()",
    ),
}

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
    "a caught error behind an early return": (
        f"def f():\n    {_RETURN}    {_RAISE}        pass\n    {_DEFINE[1:]}\nf()",
        "not torch.cuda.is_available()",
    ),
    "the handler of an error behind an early return": (
        f"def f():\n    {_RETURN}    {_RAISE}        {_DEFINE[1:]}\nf()",
        "not torch.cuda.is_available()",
    ),
    "a suppressed error behind an early return": (
        f"import contextlib\ndef f():\n    {_RETURN}    {_WITH}        raise ValueError\n    {_DEFINE[1:]}\nf()",
        "not torch.cuda.is_available()",
    ),
    "a suppressed error behind a return in the block": (
        f"import contextlib\ndef f():\n    {_WITH}        {_RETURN}        raise ValueError\n    {_DEFINE[1:]}\nf()",
        "not torch.cuda.is_available()",
    ),
    "the handler of a value that is returned": (
        f"D = dict(a=1)\ndef f(k):\n    {_GET}        {_DEFINE[1:]}\nf('a')",
        "not try: return D[k]",
    ),
    "behind the handler of a value that is returned": (
        f"D = dict(a=1)\ndef f(k):\n    {_GET}        pass\n    {_DEFINE[1:]}\nf('a')",
        "not try: return D[k]",
    ),
    "the handler of a pass of a loop that continues": (
        f"for n in [1]:\n    try:\n        str(n)\n        continue\n    except ValueError:\n        {_DEFINE[1:]}",
        "not try: str(n)",
    ),
    "a function that nobody calls": ('def f():\n    define("n::x", "() -> ()")', "f() is called"),
    "a generator that nobody consumes": (
        'def f():\n    define("n::x", "() -> ()")\n    yield\nf()',
        "f() is called",
    ),
    "a coroutine that nobody awaits": (
        'import warnings\nwarnings.simplefilter("ignore")\nasync def f():\n    define("n::x", "() -> ()")\nf()',
        "f() is called",
    ),
    "a name that nothing binds": (
        'try:\n    missing\n    define("n::x", "() -> ()")\nexcept NameError:\n    pass',
        "try: missing",
    ),
    "a name that is deleted": (
        'flag = 1\ndel flag\ntry:\n    flag\n    define("n::x", "() -> ()")\nexcept NameError:\n    pass',
        "try: flag",
    ),
    "an item that is missing": (
        'D = {}\ntry:\n    n = D["y"]\n    define("n::x", "() -> ()")\nexcept KeyError:\n    pass',
        "try: n = D['y']",
    ),
    "an item that a list lacks": (
        'try:\n    [][0]\n    define("n::x", "() -> ()")\nexcept LookupError:\n    pass',
        "try: [][0]",
    ),
    "behind the yield of a generator": (
        'def f():\n    yield 1\n    define("n::x", "() -> ()")\nnext(f())',
        "`f` is resumed",
    ),
    "a function by the type of its argument": (
        (
            '@functools.singledispatch\ndef f(x):\n    define("n::x", "() -> ()")\n'
            "@f.register(int)\ndef g(x):\n    pass\nf(1)"
        ),
        "`f` has no other function for the type of its argument",
    ),
    "an unknown loop": ('for n in sys.argv:\n    define("n::x", "() -> ()")', "for n in sys.argv"),
}
CONDITIONS |= {f"behind {name}": (text + _DEFINE, condition) for name, (text, condition) in _BEHIND_DOUBTS.items()}

UNDECIDED = frozenset(
    {
        *("a function that nobody calls", "a generator that nobody consumes", "a coroutine that nobody awaits"),
        *("a name that nothing binds", "a name that is deleted", "an item that is missing"),
        *("the handler of a value that is returned", "behind the handler of a value that is returned"),
        "the handler of a pass of a loop that continues",
        *("behind a name that nothing binds", "behind a call of a name that nothing binds", "behind a deleted name"),
        *("behind a name that is deleted twice", "behind a missing key", "behind a missing item"),
        *("an item that a list lacks", "behind the yield of a generator", "a function by the type of its argument"),
    }
)
"""Unknown for a reader, as another program may call it or the reader may miss a value, and dead for the program."""
