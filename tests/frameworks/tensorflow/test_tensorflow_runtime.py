"""The TensorFlow of an interpreter: a small one of our own in Python, and real wheels where they are named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from opspec_lint.frameworks.tensorflow.extract import op_lists
from opspec_lint.frameworks.tensorflow.extract.cpu_kernels import collect, runs
from opspec_lint.frameworks.tensorflow.sources import _runtime_probe, runtime
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import recognise
from opspec_lint.sources.reading import Reading
from opspec_lint.spec import canonical
from opspec_lint.spec.model import UNKNOWN, GraphVersions, Op
from tests.frameworks.tensorflow import compiled
from tests.support.paths import SPECS
from tests.support.released_specs import text_as_extracted
from tests.support.wheels import python_with

LIBRARY = """
#include <stddef.h>
typedef struct { const void* data; size_t length; void (*deallocator)(void*, size_t); } TF_Buffer;
static TF_Buffer buffer = { "\\n\\x03\\n\\x01" "F", 5, 0 };
TF_Buffer* TF_GetAllOpList(void) { return &buffer; }
"""
INIT = """
import os, types
__version__ = "2.99.0"
_INCLUDE = os.path.join(os.path.dirname(__file__), "include")
version = types.SimpleNamespace(
    GIT_VERSION="v2.99.0-3-g0123abcdef0", GRAPH_DEF_VERSION=7, GRAPH_DEF_VERSION_MIN_CONSUMER=1,
    GRAPH_DEF_VERSION_MIN_PRODUCER=2,
)
sysconfig = types.SimpleNamespace(get_include=lambda: _INCLUDE)
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Put a TensorFlow on the path whose native module says that there is one op, F."""
    root = tmp_path / "root" / "tensorflow"
    (root / "python").mkdir(parents=True)
    (root / "__init__.py").write_text(INIT)
    (root / "python" / "__init__.py").touch()
    header = root / "include" / "tensorflow" / "core" / "public" / "version.h"
    header.parent.mkdir(parents=True)
    header.write_text("#define TF_GRAPH_DEF_VERSION 7  // Updated: 2031/4/5\n")
    source = tmp_path / "library.c"
    source.write_text(LIBRARY)
    native = root / "python" / "_pywrap_tensorflow_internal.so"
    try:
        subprocess.run(["cc", "-shared", "-fPIC", str(source), "-o", str(native)], check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no C compiler")
    monkeypatch.setenv("PYTHONPATH", str(root.parent))
    monkeypatch.chdir(tmp_path)
    return root


def failure(argument=sys.executable):
    with pytest.raises(InputError) as caught:
        runtime.SOURCE.spec(argument, Reading(environment=os.environ))
    return caught.value


@pytest.mark.usefixtures("package")
def test_what_it_states_of_itself():
    spec = runtime.SOURCE.spec(sys.executable, Reading(environment=os.environ))
    assert list(spec.ops) == ["F"]
    assert spec.binding == "signature"
    assert (spec.provenance.framework, spec.provenance.version) == ("tensorflow", "2.99.0")
    assert (spec.provenance.commit, spec.provenance.made_by) == ("0123abcdef0", "tensorflow-runtime")
    assert spec.graph_versions == GraphVersions(producer=7, min_consumer=1, min_producer=2, producer_since="2031-04-05")


KERNELS = """
from types import SimpleNamespace as N


def kernel(op, device="CPU", label="", **types):
    held = [N(name=name, allowed_values=N(list=N(type=numbers))) for name, numbers in types.items()]
    return N(op=op, device_type=device, label=label, constraint=held)


def get_all_registered_kernels():
    every = [kernel("F", T=[1], mode=[]), kernel("F", "DEFAULT", T=[2]), kernel("F", "GPU", T=[3])]
    return N(kernel=[*every, kernel("F", label="x", T=[4])])
"""


def test_the_kernels_for_the_cpu(package):
    (package / "python" / "framework").mkdir()
    (package / "python" / "framework" / "__init__.py").touch()
    (package / "python" / "framework" / "kernels.py").write_text(KERNELS)
    spec = runtime.SOURCE.spec(sys.executable, Reading(environment=os.environ))
    assert spec.ops["F"].get("cpu_kernels") == {"T": ("double", "float")}
    assert op_lists.dump(spec) == b"\n\x03\n\x01F"


@pytest.mark.usefixtures("package")
def test_without_a_list_of_kernels_they_are_unknown():
    spec = runtime.SOURCE.spec(sys.executable, Reading(environment=os.environ))
    assert spec.ops["F"].get("cpu_kernels") is UNKNOWN


def test_kernels_are_listed_by_an_attr():
    every = [{"S": ["int32"], "T": ["float"]}, {"T": ["half"], "S": ["int32"]}, {"S": ["int64"], "T": ["float"]}]
    assert collect(every, ["T", "S"]) == {"T; S=int32": ("float", "half"), "T; S=int64": ("float",)}
    assert collect(every, ["S", "T"]) == {"S; T=float": ("int32", "int64"), "S; T=half": ("int32",)}
    assert collect([{}], ["T"]) == {"any types": ()}
    assert collect([{"T": ["float", "half"]}, {"S": ["int32"]}], ["T", "S"]) == {
        "T": ("float", "half"),
        "any types; S=int32": (),
    }
    assert collect([], ["T"]) == {}


@pytest.mark.parametrize(
    ("types", "runs_it"),
    [
        ({"T": ("half",), "S": ("int32",)}, True),
        ({"T": ("half",), "S": ("int64",)}, False),
        ({"T": None, "S": ("int64",)}, True),
        ({"T": ("float", "half"), "S": ("int32",)}, True),
        ({"T": ("float", "int8"), "S": ("int32",)}, False),
        ({"T": (), "S": ("int32",)}, True),
    ],
)
def test_a_kernel_takes_all_types_of_a_list(types, runs_it):
    op = Op(name="F", own={"cpu_kernels": {"T; S=int32": ("float", "half"), "T; S=int64": ("float",)}})
    assert runs(op, types) is runs_it


def test_a_header_of_another_version_states_no_day(package):
    (package / "include/tensorflow/core/public/version.h").write_text(
        "#define TF_GRAPH_DEF_VERSION 8 // Updated: 2031/4/5\n"
    )
    assert runtime.SOURCE.spec(sys.executable, Reading(environment=os.environ)).graph_versions.producer_since is None


def test_no_tensorflow(tmp_path, monkeypatch):
    hidden = tmp_path / "sitecustomize.py"
    hidden.write_text(
        "import sys\nclass No:\n def find_spec(self, name, *_):\n  if name == 'tensorflow':"
        "\n   raise ModuleNotFoundError(\"No module named 'tensorflow'\")\nsys.meta_path.insert(0, No())"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    error = failure()
    assert error.problem == "has no TensorFlow"
    assert "pip install tensorflow" in error.advice


@pytest.mark.parametrize(
    ("init", "problem"),
    [
        ("raise ImportError('broken')", "ImportError: broken"),
        ("import os; os.abort()", "crashed while importing TensorFlow: killed by SIGABRT"),
        ("version = 1", "has a TensorFlow that cannot be inspected"),
    ],
)
def test_a_tensorflow_that_cannot_be_queried(package, init, problem):
    (package / "__init__.py").write_text(init)
    assert problem in failure().message


def test_no_native_module(package):
    (package / "python" / "_pywrap_tensorflow_internal.so").unlink()
    assert "FileNotFoundError: no _pywrap_tensorflow_internal" in failure().message


VERSIONS = {"producer": 7, "min_consumer": 1, "min_producer": 2}


@pytest.mark.parametrize(
    "answer",
    [
        {"version": "1", "commit": None, "graph_versions": {}, "op_list": "", "kernels": None},
        {"version": "1", "commit": None, "graph_versions": {"producer": "7"}, "op_list": "CgMKAUY=", "kernels": None},
        {"version": "1", "commit": None, "graph_versions": {}, "op_list": "no base64", "kernels": None},
        {"version": "1", "commit": None, "graph_versions": {}, "op_list": "CgMKAUY", "kernels": None},
        {"version": "1", "commit": None, "graph_versions": VERSIONS, "op_list": "CgMKAUY=", "kernels": ["F"]},
        {"version": "1", "commit": None, "graph_versions": VERSIONS, "op_list": "CgMKAUY=", "kernels": [["F", [1]]]},
    ],
)
def test_a_malformed_answer_is_a_single_error(monkeypatch, answer):
    monkeypatch.setattr("opspec_lint.sources.interpreter.run_query", lambda *_: answer)
    assert failure("python").problem


def test_the_probe_needs_the_standard_library_only():
    source = Path(_runtime_probe.__file__).read_text()
    assert "opspec_lint" not in source
    assert "from __future__ import annotations" not in source  # Python 3.6 knows it not


@pytest.mark.wheel
@pytest.mark.parametrize("version", compiled.RELEASES)
def test_a_real_wheel_is_the_released_spec(version):
    spec = runtime.SOURCE.spec(python_with("tensorflow", version), Reading(environment=os.environ))
    released = SPECS / f"tensorflow-{version}.json"
    assert canonical.dumps(spec) == text_as_extracted(f"tensorflow-{version}")
    assert op_lists.dump(recognise.read(str(released)).spec) == op_lists.dump(spec)
