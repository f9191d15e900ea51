"""Writes down the schemas that PyTorch has registered: what of `pytorch-runtime` runs in its interpreter.

Python 3.6 or later, and its standard library. `_probe_main`, which is executed behind it, writes down what it answers:
{"version", "schemas", "upgraders", "operator_version"}.
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def probe() -> "dict[str, Any]":
    """Import PyTorch and return its version, its schemas, and the upgraders of each op."""
    torch = import_module("torch")
    core = torch._C  # noqa: SLF001 - what it registers has no public name
    schemas = core._jit_get_all_schemas() + getattr(core, "_jit_get_custom_class_schemas", list)()  # noqa: SLF001
    newest = getattr(core, "_get_max_operator_version", None)
    return {
        "version": str(torch.__version__),
        "schemas": [str(each) for each in schemas],
        "upgraders": upgraders(getattr(core, "_get_operator_version_map", dict)()),
        "operator_version": newest() if newest else None,
    }


def upgraders(entries: "dict[str, Any]") -> "dict[str, list[list[Any]]]":
    """Return the upgraders of each op: the name of each, the schema that it upgrades, and from when it does not."""
    return {
        op: [[each.upgrader_name, str(each.old_schema), each.bumped_at_version] for each in found]
        for op, found in entries.items()
    }
