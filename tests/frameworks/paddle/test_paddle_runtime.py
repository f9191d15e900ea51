from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from opspec_lint.cli import main
from opspec_lint.frameworks.paddle.sources.runtime import probe
from opspec_lint.interpreters.runner import Limits
from opspec_lint.kit.errors import FAILED, InputError
from opspec_lint.sources import interpreter
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.references import resolve
from opspec_lint.spec.model import UNKNOWN
from tests.support import paths
from tests.support.programs import run
from tests.support.wheels import python_with

DATA = paths.DATA / "paddle"
PYTHON_2 = Path.home() / ".pyenv/versions/2.7.18/bin/python"

FRAMEWORK = """
class Proto:
    class DESCRIPTOR:
        fields_by_name = {}

    def __init__(self, **fields):
        self.__dict__.update(fields)
        self.DESCRIPTOR = type("DESCRIPTOR", (), {"fields_by_name": fields})


def get_all_op_protos():
    def variable(name, duplicable=False, dispensable=False, intermediate=False):
        return Proto(
            name=name, duplicable=duplicable, dispensable=dispensable, intermediate=intermediate, **LATE
        )

    def attr(name, type, generated=False):
        return Proto(name=name, type=type, generated=generated, **LATE)

    return [
        Proto(
            type="trace",
            inputs=[variable("X", duplicable=True), variable("Y", dispensable=True)],
            outputs=[variable("Out", intermediate=True)],
            attrs=[attr("axis", 0), attr("names", 5), attr("block", 8, generated=True), attr("limit", 15)],
        ),
        Proto(type="abs", inputs=[], outputs=[], attrs=[]),
    ]
"""

CORE = """
def get_op_attrs_default_value(op):
    assert isinstance(op, bytes)
    return {"axis": -2, "names": ["\\u00e9"], "limit": 0.8999999761581421} if op == b"trace" else {}
"""

REGISTRY = """
class Get:
    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, name, lambda value=value: value)


class Type:
    def __init__(self, number, name="???"):
        self.number, self.name = number, name

    def __int__(self):
        return self.number


class Unset(Get):
    def default_value(self):
        raise TypeError("Unable to convert function return value to a Python type!")


UPDATES = [
    Get(type=Type(2, "kNewAttr"), info=Get(name="axis", remark="new", default_value=-2)),
    Get(type=Type(2, "kNewAttr"), info=Unset(name="names", remark="no default")),
    Get(type=Type(3, "kNewInput"), info=Get(name="Y", remark="")),
    Get(type=Type(5, "kBugfixWithBehaviorChanged"), info=Get(remark="rounds")),
    Get(type=Type(100), info=Unset(name="dim", remark="gone")),
    Get(type=Type(101), info=Get(name="X", remark="")),
    Get(type=Type(102), info=Get(name="Out", remark="")),
    Get(type=Type(103), info=Get(name="In", remark="")),
    Get(type=Type(104), info=Get(name="Mask", remark="")),
]


def get_op_version_map():
    empty = Get(note="none", version_desc=Get(infos=[]))
    last = Get(note="all", version_desc=Get(infos=UPDATES))
    return {"trace": Get(version_id=2, checkpoints=[empty, last])}
"""

FLAGS = {"duplicable": False, "dispensable": False, "intermediate": False}
LATE = {"extra": True, "quant": False}


def op_desc(late: dict[str, bool]) -> str:
    return json.dumps(
        {
            "trace": {
                "Inputs": {"X": FLAGS | {"duplicable": True} | late, "Y": FLAGS | {"dispensable": True} | late},
                "Outputs": {"Out": FLAGS | {"intermediate": True} | late},
                "Attrs": {
                    "axis": {"type": 0, "generated": False, "default_value": -2, **late},
                    "names": {"type": 5, "generated": False, "default_value": ["é"], **late},
                    "block": {"type": 8, "generated": True, "default_value": None, **late},
                    "limit": {"type": 15, "generated": False, "default_value": 0.8999999761581421, **late},
                },
            },
            "abs": {"Inputs": {}, "Outputs": {}, "Attrs": {}},
        }
    )


class FakePaddle:
    """A package named paddle, on the PYTHONPATH of the interpreter that is asked."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, base: str = "base", init: str = "", late: dict[str, bool] = LATE, registry: str = REGISTRY) -> None:
        package = self.root / "paddle"
        (package / base).mkdir(parents=True)
        (package / "__init__.py").write_text(f"__version__ = '9.8.7'\nfrom . import version\n{init}\n")
        (package / "version.py").write_text(f"commit = '{'c0ffee' * 6}0000'\n")
        (package / base / "__init__.py").touch()
        (package / base / "core.py").write_text(CORE + registry)
        (package / base / "framework.py").write_text(f"LATE = {late!r}\n{FRAMEWORK}")


@pytest.fixture
def paddle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePaddle:
    """Return a fake that is not written yet; the current directory is another, empty one."""
    root, here = tmp_path / "site", tmp_path / "here"
    root.mkdir()
    here.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(root))
    monkeypatch.chdir(here)
    return FakePaddle(root)


def failure(python: str | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        probe(python, os.environ)
    error = caught.value
    assert error.file == f"paddle-runtime:{python or sys.executable}"
    assert error.exit_code == FAILED
    assert error.advice
    assert error.message.isprintable()
    return error


def test_every_field(paddle: FakePaddle) -> None:
    paddle.write()
    assert probe("", os.environ) == {
        "version": "9.8.7",
        "commit": "c0ffee" * 6 + "0000",
        "op_desc": op_desc(LATE),
        "unprinted_flags": {},
        "op_versions": {
            "trace": {
                "version_id": 2,
                "checkpoints": [
                    {"note": "none", "updates": []},
                    {
                        "note": "all",
                        "updates": [
                            {"type": "kNewAttr", "name": "axis", "remark": "new", "default": -2},
                            {"type": "kNewAttr", "name": "names", "remark": "no default", "default": None},
                            {"type": "kNewInput", "name": "Y", "remark": "", "default": None},
                            {"type": "kBugfixWithBehaviorChanged", "name": None, "remark": "rounds", "default": None},
                            {"type": "kDeleteAttr", "name": "dim", "remark": "gone", "default": None},
                            {"type": "kModifyInput", "name": "X", "remark": "", "default": None},
                            {"type": "kModifyOutput", "name": "Out", "remark": "", "default": None},
                            {"type": "kDeleteInput", "name": "In", "remark": "", "default": None},
                            {"type": "kDeleteOutput", "name": "Mask", "remark": "", "default": None},
                        ],
                    },
                ],
            }
        },
    }


def test_which_attrs_may_be_tensors_is_requested_and_not_printed(paddle: FakePaddle) -> None:
    paddle.write()
    framework = paddle.root / "paddle/base/framework.py"
    reported_attrs = ("**LATE)\n\n    return", "**LATE, support_tensor=name == 'axis')\n\n    return")
    framework.write_text(framework.read_text().replace(*reported_attrs))
    answer = probe("", os.environ)
    assert answer["unprinted_flags"] == {"attrs": {"support_tensor": {"trace": ["axis"]}}}
    assert answer["op_desc"] == op_desc(LATE)
    spec = resolve("paddle-runtime", Reading(environment=os.environ)).spec
    assert {attr.name: attr.get("support_tensor") for attr in spec.ops["trace"].attrs} == {
        "axis": True,
        "names": False,
        "block": False,
        "limit": False,
    }


def test_a_release_that_does_not_state_which_attrs_may_be_tensors(paddle: FakePaddle) -> None:
    paddle.write()
    spec = resolve("paddle-runtime", Reading(environment=os.environ)).spec
    assert {attr.get("support_tensor") for attr in spec.ops["trace"].attrs} == {UNKNOWN}


def test_the_program_prints_what_the_package_declares(paddle: FakePaddle, tmp_path: Path) -> None:
    paddle.write()
    messages = probe("", os.environ)
    file = tmp_path / "versions.json"
    ran = run("--op-versions", file, program=main.print_op_desc)
    assert (ran.code, ran.out, ran.err) == (0, f"{messages['op_desc']}\n", "")
    assert json.loads(file.read_text(encoding="utf-8")) == messages["op_versions"]
    assert run(program=main.print_op_desc).out == ran.out


def test_the_interpreter_can_be_named(paddle: FakePaddle) -> None:
    paddle.write()
    assert probe(sys.executable, os.environ) == probe("", os.environ)


def test_names_are_those_of_the_current_directory(paddle: FakePaddle, monkeypatch: pytest.MonkeyPatch) -> None:
    paddle.write()
    monkeypatch.setenv("PYTHONPATH", os.path.relpath(paddle.root))
    assert probe(os.path.relpath(sys.executable), os.environ) == probe("", os.environ)


@pytest.mark.parametrize("late", [{}, {"extra": True}], ids=["neither", "extra"])
def test_flags_that_the_release_lacks_are_not_written(paddle: FakePaddle, late: dict[str, bool]) -> None:
    paddle.write(late=late)
    assert probe("", os.environ)["op_desc"] == op_desc(late)


def test_an_old_paddle_is_fluid_and_has_no_op_versions(paddle: FakePaddle) -> None:
    paddle.write(base="fluid", late={}, registry="")
    messages = probe("", os.environ)
    assert messages["op_desc"] == op_desc({})
    assert messages["op_versions"] is None


def test_a_commit_may_be_missing(paddle: FakePaddle) -> None:
    paddle.write(init="del version.commit")
    assert probe("", os.environ)["commit"] is None


@pytest.mark.parametrize(
    "init",
    [
        "import sys, os; print('{}'); sys.stderr.write('W'); os.write(1, b'\\xff'); os.write(2, b'\\0' * 1000000)",
        "import atexit, os, signal; atexit.register(os.kill, os.getpid(), signal.SIGSEGV)",
    ],
    ids=["prints", "crashes at exit"],
)
def test_what_else_a_paddle_does_is_no_matter(paddle: FakePaddle, init: str) -> None:
    paddle.write(init=init)
    assert probe("", os.environ)["op_desc"] == op_desc(LATE)


def test_nothing_is_read_from_the_terminal(paddle: FakePaddle) -> None:
    paddle.write(init="import sys; assert sys.stdin.read() == ''")
    own, (source, sink) = os.dup(0), os.pipe()
    try:
        os.write(sink, b"typed")
        os.close(sink)
        os.dup2(source, 0)
        assert probe("", os.environ)["version"] == "9.8.7"
    finally:
        os.dup2(own, 0)
        os.close(source)
        os.close(own)


def test_nothing_in_the_current_directory_is_executed(paddle: FakePaddle, monkeypatch: pytest.MonkeyPatch) -> None:
    paddle.write(init="import subprocess, sys; subprocess.check_call([sys.executable, '-c', 'import json, cv2'])")
    (paddle.root / "cv2.py").touch()
    for module in ("json", "paddle", "cv2", "sitecustomize", "usercustomize", "importlib", "subprocess"):
        Path(module + ".py").write_text("open('executed', 'w')")
    monkeypatch.setenv("PYTHONPATH", f"{os.pathsep}{paddle.root}{os.pathsep}")
    assert probe("", os.environ)["version"] == "9.8.7"
    assert not Path("executed").exists()


@pytest.mark.parametrize(
    ("init", "problem"),
    [
        ("raise ImportError('x' * 9999)", f"ImportError: {'x' * 487}"),
        ("raise ImportError('libpaddle.so:\\ncannot open \\033[31m')", "ImportError: libpaddle.so: | cannot open [31m"),
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("del __version__", "AttributeError: module 'paddle' has no attribute '__version__'"),
    ],
)
def test_an_import_that_fails(paddle: FakePaddle, init: str, problem: str) -> None:
    paddle.write(init=init)
    error = failure()
    assert error.problem.startswith(f"has a Paddle that cannot be inspected: {problem}")
    assert len(error.problem) < 600
    assert "-c 'import paddle'" in error.advice


@pytest.mark.parametrize(
    ("init", "problem"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV; its last output: 3 | 4 | 5 | 6 | 7"),
        ("os.kill(os.getpid(), 40)", "killed by signal 40; its last output: 3 | 4 | 5 | 6 | 7"),
        ("os._exit(0)", "exit status 0; its last output: 3 | 4 | 5 | 6 | 7"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="numbers of signals are Linux's")
def test_an_import_that_kills_the_interpreter(paddle: FakePaddle, init: str, problem: str) -> None:
    paddle.write(init=f"import os, signal; print(*range(8), sep='\\n', flush=True)\n{init}")
    assert failure().problem == f"crashed while importing Paddle: {problem}"


def test_an_import_that_does_not_end(paddle: FakePaddle, monkeypatch: pytest.MonkeyPatch) -> None:
    paddle.write(init="import time; print('waiting', flush=True); time.sleep(600)")
    monkeypatch.setattr(interpreter, "TIMEOUT", 1)
    assert failure().problem == "did not answer within 1 s; its last output: waiting"


def test_an_import_that_prints_without_end(paddle: FakePaddle, monkeypatch: pytest.MonkeyPatch) -> None:
    paddle.write(init="while True: print('talk')")
    monkeypatch.setattr(interpreter, "Limits", lambda **given: Limits(**given, file=1 << 20))
    assert failure().problem.startswith("was stopped while importing Paddle: it printed 1 MiB, the most that it may; ")


@pytest.mark.parametrize("message", ["Descriptors cannot be created directly.", "Descriptors cannot not be created"])
def test_a_protobuf_that_is_too_new(paddle: FakePaddle, message: str) -> None:
    paddle.write(init=f"raise TypeError('{message}\\nIf this call came from a _pb2.py file, ...')")
    error = failure()
    assert error.problem == "has a protobuf that is too new for its Paddle"
    assert "'protobuf<3.21'" in error.advice


def test_no_paddle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = tmp_path / "sitecustomize.py"
    hidden.write_text("import sys\nclass No:\n def find_spec(self, name, *_):\n  if name == 'paddle':")
    with hidden.open("a") as stream:
        stream.write("\n   raise ModuleNotFoundError(\"No module named 'paddle'\")\nsys.meta_path.insert(0, No())\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    error = failure()
    assert error.problem == "has no Paddle"
    assert error.advice.startswith(f"run `{sys.executable} -m pip install paddlepaddle`")
    assert "paddle-runtime:PYTHON" in error.advice


@pytest.mark.parametrize(
    "answer",
    [
        "{",
        "null",
        "[]",
        "{}",
        '{"error": 1}',
        "[" * 100000,
        '{"version": 1, "commit": 1, "op_desc": 1, "op_versions": 1}',
    ],
    ids=["cut", "null", "list", "empty", "error", "deep", "types"],
)
def test_a_malformed_answer(paddle: FakePaddle, answer: str) -> None:
    paddle.write(init=f"import os, sys; open(sys.argv[1], 'w').write({answer!r}); os._exit(3)")
    assert failure().problem == "returned malformed data: exit status 3"


@pytest.mark.parametrize(
    ("python", "problem"),
    [
        ("no-such-python", "cannot be run: No such file or directory"),
        ("./no/such/python", "cannot be run: No such file or directory"),
        ("nul\0", "cannot be run: embedded null byte"),
        (".", "is a directory; expected a Python interpreter"),
        (__file__, "cannot be run: Permission denied"),
        ("/bin/ls", "does not run as a Python interpreter: exit status "),
        ("/bin/true", "does not run as a Python interpreter: exit status 0"),
        ("/bin/sh", "does not run as a Python interpreter: exit status "),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="the programs and the words of POSIX")
def test_what_is_no_interpreter(paddle: FakePaddle, python: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        probe(python, os.environ)
    assert caught.value.problem.startswith(problem)
    assert caught.value.file == f"paddle-runtime:{python}"
    assert len(caught.value.problem) < 600
    assert list(paddle.root.iterdir()) == list(Path().iterdir()) == []


@pytest.mark.skipif(not PYTHON_2.exists(), reason="there is no Python 2.7")
def test_a_python_that_is_too_old() -> None:
    error = failure(str(PYTHON_2))
    assert error.problem == "is a Python older than 3.6"
    assert "3.6 or later" in error.advice


@pytest.mark.wheel
@pytest.mark.parametrize(("version", "ops"), [("1.8.5", 437), ("2.6.2", 784), ("3.0.0", 725), ("3.3.1", 764)])
def test_released_wheels(version: str, ops: int) -> None:
    messages = probe(python_with("paddle", version), os.environ)
    assert messages["version"] == version
    assert re.fullmatch("[0-9a-f]{40}", messages["commit"] or "")
    assert len(json.loads(messages["op_desc"])) == ops
    assert (messages["op_versions"] is None) == (version == "1.8.5")
    if version != "3.3.1":
        golden = DATA / f"paddle-{version}.json"
        assert messages["op_desc"] == golden.read_text(encoding="utf-8").removesuffix("\n")
        assert (messages["op_versions"] or {}) == json.loads(golden.with_suffix(".opversions.json").read_text("utf-8"))
