"""The PyTorch that an interpreter has installed: it is asked in a process of its own, by `_runtime_probe`.

It knows every registered schema, those of TorchScript and of custom classes too, and the upgrader map. It does not know
the tags of ops.
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

_ANSWER = {"version": (str,), "schemas": (list,), "upgraders": (dict,), "operator_version": (int, type(None))}


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of the PyTorch of the interpreter `argument`; "" is the one that runs this program.

    Raises:
        InputError: the interpreter cannot be run, or has no PyTorch that can be asked.
    """
    from opspec_lint.frameworks.pytorch.schemas.table import Line, spec_of
    from opspec_lint.sources.interpreter import Query, run_query
    from opspec_lint.spec.model import Provenance

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    query = Query(scheme=SCHEME, title="PyTorch", name="torch", requirement="torch", source=__file__, answer=_ANSWER)
    told = run_query(query, argument, reading.environment)
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
        },
    )


def _are_upgraders(found: dict[Any, Any]) -> bool:
    return all(
        isinstance(entries, list)
        and all(isinstance(each, list) and list(map(type, each)) == [str, str, int] for each in entries)
        for entries in found.values()
    )


SOURCE = Source(
    summary="the PyTorch installed here, or that of another interpreter: pytorch-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
