"""Ops of modules that a package imports always, under a condition, or not at all; Python itself is the oracle."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from opspec_lint.frameworks.pytorch.extract.python.imports import Imports
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.condition import ALWAYS, show
from tests.support.limited import processor_time

SOURCE = SOURCES.load("pytorch-source")
OPS = "import torch\ntorch.library.define('n::x', '() -> ()')\n"
TORCH = "class library:\n    defined = []\n    define = staticmethod(lambda name, *_: library.defined.append(name))\n"

IMPORTED = {
    "by name": "from . import ops",
    "by a full name": "import pkg.ops",
    "with others in brackets": "from . import (\n    other,  # first\n    ops as _ops,\n)",
    "a name of it": "from .ops import torch",
    "all of it": "from pkg.ops import *",
    "by another module": "from .other import ops",
    "by a package within": "import pkg.inner",
    "in a try": "try:\n    from . import ops\nexcept ImportError:\n    pass",
    "in a try behind torch": (
        "try:\n    import torch\n\n    # then\n    from . import other, ops\nexcept ImportError:\n    pass"
    ),
    "with suppressed errors": "import contextlib\nwith contextlib.suppress(ImportError):\n    from . import ops",
    "in a with": (
        "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    from . import ops"
    ),
    "in a true branch": "if True:\n    from . import ops",
    "by a call": "import importlib\nimportlib.import_module('pkg.ops')",
    "by a call for a relative name": "from importlib import import_module\nops = import_module('.ops', __name__)",
    "by a call for a formatted name": "import importlib\nimportlib.import_module(f'{__name__}.ops')",
    "by calls for listed names": "import importlib\nfor n in ['ops']:\n    importlib.import_module('pkg.' + n)",
    "behind a text": '"""\nfrom . import other\n"""\nfrom . import ops',
    "with CRLF": "import sys\r\nfrom . import ops\r\n",
}
NOT_IMPORTED = {
    "nowhere": "import torch",
    "by type checkers": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import ops",
    "in a false branch": "if False:\n    from . import ops",
    "in a function": "def load():\n    from . import ops",
    "in a method": (
        "class Loader:\n    def load(self):\n        import importlib\n        importlib.import_module('pkg.ops')"
    ),
    "by __getattr__": (
        "import importlib\ndef __getattr__(name):\n    return importlib.import_module('.' + name, __name__)"
    ),
    "behind an exit": "import sys\nsys.exit(0)\nfrom . import ops",
    "behind a raise": "raise SystemExit\nfrom . import ops",
    "in a text": '"""\nfrom . import ops\n"""',
    "in a comment": "# from . import ops",
    "in a try behind what fails": "try:\n    import no_such\n    from . import ops\nexcept ImportError:\n    pass",
    "with suppressed errors behind what fails": (
        "import contextlib\nwith contextlib.suppress(ImportError):\n    import no_such\n    from . import ops"
    ),
}


def tree(init):
    return {
        "pkg/__init__.py": init,
        "pkg/ops.py": OPS,
        "pkg/other.py": "from . import ops" if ".other" in init else "",
        "pkg/inner/__init__.py": "from ..ops import torch" if "inner" in init else "",
    }


def read(folder, files):
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    return SOURCE.spec(str(folder), Reading(environment=os.environ))


def condition(spec):
    return show(spec.ops["n::x"].declared_if or ((),))


@pytest.mark.parametrize("kind", IMPORTED)
def test_an_imported_module_declares_its_ops_without_a_condition(tmp_path, kind):
    assert condition(read(tmp_path, tree(IMPORTED[kind]))) == "always"


@pytest.mark.parametrize("kind", NOT_IMPORTED)
def test_the_ops_of_another_module_have_its_import_as_a_condition(tmp_path, kind):
    spec = read(tmp_path, tree(NOT_IMPORTED[kind]))
    assert (condition(spec), spec.remarks) == ("pkg.ops is imported", ())


def test_python_imports_what_the_reader_takes_for_imported(tmp_path):
    inits = [*IMPORTED.values(), *NOT_IMPORTED.values()]
    for number, init in enumerate(inits):
        for path, text in {**tree(init), "torch.py": TORCH}.items():
            place = tmp_path / str(number) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode())
    program = (
        "import json, sys\nresult = []\nfor folder in sys.argv[1:]:\n    sys.path[0] = folder\n"
        "    for name in [n for n in sys.modules if n.partition('.')[0] in ('pkg', 'torch')]:\n"
        "        del sys.modules[name]\n"
        "    try:\n        import pkg\n    except SystemExit:\n        pass\n"
        "    import torch\n    result.append('n::x' in torch.library.defined)\nprint(json.dumps(result))"
    )
    folders = [str(tmp_path / str(number)) for number in range(len(inits))]
    done = subprocess.run([sys.executable, "-c", program, *folders], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [True] * len(IMPORTED) + [False] * len(NOT_IMPORTED)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("ops.py", "always"),
        ("src/ops.py", "always"),
        ("other/__init__.py", "always"),
        ("python/setup.py|python/ops.py", "always"),
        ("test_ops.py", "test_ops is imported"),
        ("conftest.py", "conftest is imported"),
        ("pkg/test_ops.py", "pkg.test_ops is imported"),
        ("benchmarks/ops.py", "benchmarks.ops is imported"),
        ("benchmarks/__init__.py", "benchmarks is imported"),
        ("examples/more/__init__.py|examples/more/ops.py", "more.ops is imported"),
        ("pkg/sub/__init__.py|pkg/sub/ops.py", "pkg.sub.ops is imported"),
        ("pkg/plain/ops.py", "pkg.plain.ops is imported"),
    ],
)
def test_the_folder_and_name_of_a_module_decide_its_condition(tmp_path, path, expected):
    *empty, last = path.split("|")
    spec = read(tmp_path, {"pkg/__init__.py": "", **dict.fromkeys(empty, ""), last: OPS})
    assert condition(spec) == expected


def test_a_package_whose_import_is_enough_is_named(tmp_path):
    files = {"pkg/__init__.py": "", "pkg/sub/__init__.py": "from . import ops", "pkg/sub/ops.py": OPS}
    assert condition(read(tmp_path, files)) == "pkg.sub is imported"


def test_another_package_of_the_tree_imports_a_module(tmp_path):
    files = {"src/pkg/__init__.py": "from ext.ops import torch", "src/ext/__init__.py": "", "src/ext/ops.py": OPS}
    assert condition(read(tmp_path, files)) == "always"


def test_the_module_that_calls_a_function_decides(tmp_path):
    function = "import torch\ndef register_all(): torch.library.define('n::x', '() -> ()')\n"
    called = {"pkg/__init__.py": "from . import ops\nops.register_all()\n", "pkg/ops.py": function}
    assert condition(read(tmp_path, called)) == "always"
    elsewhere = {"pkg/__init__.py": "", "pkg/more.py": "from .ops import register_all\nregister_all()\n"}
    assert condition(read(tmp_path, {**called, **elsewhere})) == "pkg.more is imported"
    uncalled = {"pkg/__init__.py": "", "pkg/more.py": ""}
    assert condition(read(tmp_path, {**called, **uncalled})) == "register_all() is called"


LONG = {
    "dots": "from " + "." * 50_000 + "\n",
    "open brackets": "from . import (\n" * 20_000,
    "open brackets in a block": "try:\n" + "    from . import (\n" * 20_000,
    "imports": "import a\n" * 50_000,
    "calls in one statement": "if x:\n" + " y\n" * 10_000 + " import_module(z)\n" * 20_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_long_files_of_imports_take_a_single_pass(text):
    files = {"pkg/__init__.py": f"from . import ops\n{text}".encode(), "pkg/ops.py": b""}

    with processor_time():
        assert Imports(files).condition_of("pkg/ops.py") == ALWAYS
