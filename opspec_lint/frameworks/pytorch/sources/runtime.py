"""The source `pytorch-runtime`: the PyTorch of an interpreter, in which `_runtime_probe` runs as a separate process.

It has every registered schema, including TorchScript and custom classes, and the upgraders. It lacks the tags
of ops. `pytorch-runtime:PYTHON,torchvision` imports modules that register more ops.
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
        argument: the interpreter, "" for the one of this program; names of modules follow behind commas.
        reading: how sources are read.

    Raises:
        InputError: the interpreter does not run, or has no working PyTorch.
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
    answer = run_query(query, python, reading.environment)
    schemas, upgraders = answer["schemas"], answer["upgraders"]
    if not schemas or not all(isinstance(schema, str) for schema in schemas) or not _are_upgraders(upgraders):
        raise InputError(file, "returned malformed data", advice="name an interpreter with an unmodified PyTorch")
    version = answer["operator_version"]
    return spec_of(
        (Line(text=schema) for schema in schemas),
        file,
        Provenance(framework="pytorch", version=answer["version"], made_by=SCHEME),
        loading={
            "upgraders": {op: tuple(map(tuple, entries)) for op, entries in upgraders.items()},
            **({} if version is None else {"operator_version": version}),
            **limits.read_limits({path: answer["export"].get(name) for name, path in _MODULES.items()}),
        },
    )


def _are_upgraders(upgraders: dict[Any, Any]) -> bool:
    """Return whether the answer of the probe has a list of [name, schema, version] for each op."""
    return all(
        isinstance(entries, list)
        and all(isinstance(entry, list) and list(map(type, entry)) == [str, str, int] for entry in entries)
        for entries in upgraders.values()
    )


SOURCE = Source(
    summary="the PyTorch installed here, or that of another interpreter: pytorch-runtime:PYTHON[,MODULE...]",
    extract=extract,
    runs_code=True,
)
