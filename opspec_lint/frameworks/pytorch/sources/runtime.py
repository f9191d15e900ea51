"""The PyTorch that an interpreter has installed: it is asked in a process of its own, by `_runtime_probe`.

It knows every registered schema, those of TorchScript and of custom classes too, and the upgrader map. It does not know
the tags of ops. `pytorch-runtime:PYTHON,torchvision` imports modules that register more ops.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "pytorch-runtime"

_ANSWER = {
    "version": (str,),
    "schemas": (list,),
    "upgraders": (dict,),
    "operator_version": (int, type(None)),
    "export": (dict,),
}

_MODULES = {
    "torch._export.serde.schema": "torch/_export/serde/schema.py",
    "torch.export": "torch/export/__init__.py",
    "torch._export": "torch/_export/__init__.py",
}


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of the PyTorch of an interpreter, with the ops of the extensions that it imports.

    Args:
        argument: the interpreter, "" for the one that runs this program, and the names of modules behind commas.
        reading: how sources are read.

    Raises:
        InputError: the interpreter cannot be run, or has no PyTorch that can be asked.
    """
    from opspec_lint.frameworks.pytorch.extract import limits
    from opspec_lint.frameworks.pytorch.schemas.table import Line, spec_of
    from opspec_lint.sources.interpreter import Query, run_query
    from opspec_lint.spec.model import Provenance

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    python, *extensions = argument.split(",")
    if not all(name.isidentifier() for extension in extensions for name in extension.split(".")):
        raise InputError(file, "names no modules", advice=f"write {SCHEME}:PYTHON,MODULE")
    query = Query(
        scheme=SCHEME,
        title="PyTorch",
        name="torch",
        requirement="torch",
        source=__file__,
        needed=f"EXTENSIONS = {extensions!r}\n",
        answer=_ANSWER,
    )
    told = run_query(query, python, reading.environment)
    schemas, upgraders = told["schemas"], told["upgraders"]
    if not schemas or not all(isinstance(each, str) for each in schemas) or not _are_upgraders(upgraders):
        raise InputError(file, "returned malformed data", advice="is it an ordinary PyTorch?")
    version = told["operator_version"]
    return spec_of(
        (Line(text=each) for each in schemas),
        file,
        Provenance(framework="pytorch", version=told["version"], made_by=SCHEME),
        loading={
            "upgraders": {op: tuple(map(tuple, found)) for op, found in upgraders.items()},
            **({} if version is None else {"operator_version": version}),
            **limits.of_files({path: told["export"].get(name) for name, path in _MODULES.items()}),
        },
    )


def _are_upgraders(found: dict[Any, Any]) -> bool:
    return all(
        isinstance(entries, list)
        and all(isinstance(each, list) and list(map(type, each)) == [str, str, int] for each in entries)
        for entries in found.values()
    )


SOURCE = Source(
    summary="the PyTorch installed here, or that of another interpreter: pytorch-runtime:PYTHON[,MODULE...]",
    extract=extract,
    runs_code=True,
)
