"""The probe of `pytorch-runtime`: it runs in the interpreter that has PyTorch, and returns the registered schemas.

Python 3.6 or later, and its standard library. `EXTENSIONS` are modules that register ops when they are imported.
`_probe_main`, which is executed behind it, writes the result to a file:
{"version", "schemas", "upgraders", "operator_version", "export"}.
"""

from contextlib import suppress
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def probe() -> "dict[str, Any]":
    """Import PyTorch and return its version, schemas, upgraders by op, and limits of loading."""
    torch = import_module("torch")
    for module in globals().get("EXTENSIONS", ()):
        import_module(module)
    core = torch._C  # noqa: SLF001 - what it registers has no public name
    # Releases differ in these functions; `list` and `dict` return an empty answer in place of a missing one.
    schemas = core._jit_get_all_schemas() + getattr(core, "_jit_get_custom_class_schemas", list)()  # noqa: SLF001
    newest = getattr(core, "_get_max_operator_version", None)
    return {
        "version": str(torch.__version__),
        "schemas": [str(schema) for schema in schemas],
        "upgraders": upgraders(getattr(core, "_get_operator_version_map", dict)()),
        "operator_version": newest() if newest else None,
        "export": export_files(),
    }


def export_files() -> "dict[str, str]":
    """Return the source files that state which archives of torch.export the release reads, by module."""
    texts = {}
    for name in ("torch._export.serde.schema", "torch.export", "torch._export"):
        with suppress(ImportError, OSError):  # of a release without torch.export
            path = import_module(name).__file__
            with open(str(path), encoding="utf-8") as stream:
                texts[name] = stream.read()
    return texts


def upgraders(entries: "dict[str, Any]") -> "dict[str, list[list[Any]]]":
    """Return the upgraders of each op as [name, old schema, first version of archives that needs none]."""
    return {
        op: [[entry.upgrader_name, str(entry.old_schema), entry.bumped_at_version] for entry in op_entries]
        for op, op_entries in entries.items()
    }
