"""Writes down the schemas that PyTorch has registered: what of `pytorch-runtime` runs in its interpreter.

Python 3.6 or later, and its standard library. `EXTENSIONS` are modules that register ops when they are imported.
`_probe_main`, which is executed behind it, writes down what it answers:
{"version", "schemas", "upgraders", "operator_version", "export"}.
"""

from contextlib import suppress
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def probe() -> "dict[str, Any]":
    """Import PyTorch and return its version, its schemas, and the upgraders of each op."""
    torch = import_module("torch")
    for module in globals().get("EXTENSIONS", ()):
        import_module(module)
    core = torch._C  # noqa: SLF001 - what it registers has no public name
    schemas = core._jit_get_all_schemas() + getattr(core, "_jit_get_custom_class_schemas", list)()  # noqa: SLF001
    newest = getattr(core, "_get_max_operator_version", None)
    return {
        "version": str(torch.__version__),
        "schemas": [str(each) for each in schemas],
        "upgraders": upgraders(getattr(core, "_get_operator_version_map", dict)()),
        "operator_version": newest() if newest else None,
        "export": export_files(),
    }


def export_files() -> "dict[str, str]":
    """Return the files that state which archives of torch.export the release reads, by the names of their modules."""
    texts = {}
    for name in ("torch._export.serde.schema", "torch.export", "torch._export"):
        with suppress(ImportError, OSError):  # of a release without torch.export
            path = import_module(name).__file__
            with open(str(path), encoding="utf-8") as stream:
                texts[name] = stream.read()
    return texts


def upgraders(entries: "dict[str, Any]") -> "dict[str, list[list[Any]]]":
    """Return the upgraders of each op: the name of each, the schema that it upgrades, and from when it does not."""
    return {
        op: [[each.upgrader_name, str(each.old_schema), each.bumped_at_version] for each in found]
        for op, found in entries.items()
    }
