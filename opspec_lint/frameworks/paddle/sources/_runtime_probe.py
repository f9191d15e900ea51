"""The probe of the source `paddle-runtime`: runs in the interpreter of a Paddle, and returns the facts about its ops.

It needs Python 3.6 or later, and the standard library only. `_probe_main`, which runs after it, writes its answer:
{"version", "commit", "op_desc", "op_versions", "unprinted_flags"}. The text before it defines PRINTED and UNPRINTED:
the flags of newer releases that Paddle's tools/print_op_desc.py prints, and by section those that it does not print.
"""

import json
from importlib import import_module
from importlib.util import find_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    PRINTED: list[str]
    UNPRINTED: dict[str, list[str]]

# The members of Paddle's OpUpdateType that its Python binding leaves out, so that they print as "???".
UNBOUND_UPDATE_TYPES = {
    100: "kDeleteAttr",
    101: "kModifyInput",
    102: "kModifyOutput",
    103: "kDeleteInput",
    104: "kDeleteOutput",
}


def probe() -> "dict[str, Any]":
    """Import Paddle and return its version, commit, op descs (as text) and op versions (None if it has none)."""
    paddle = import_module("paddle")
    base = "paddle.base" if find_spec("paddle.base") else "paddle.fluid"
    core = import_module(base + ".core")
    framework = import_module(base + ".framework")
    return {
        "version": paddle.__version__,
        "commit": getattr(getattr(paddle, "version", None), "commit", None),
        "op_desc": json.dumps({str(op.type): op_desc(op, core) for op in framework.get_all_op_protos()}),
        "unprinted_flags": unprinted_flags(framework.get_all_op_protos()),
        "op_versions": op_versions(core),
    }


def op_desc(op: "Any", core: "Any") -> "dict[str, Any]":
    """Return the desc of one op from its OpProto, with keys in the order of Paddle's tools/print_op_desc.py."""
    return {"Inputs": variables(op.inputs), "Outputs": variables(op.outputs), "Attrs": attrs(op, core)}


def variables(protos: "Iterable[Any]") -> "dict[str, Any]":
    """Return the descs of inputs or of outputs by name."""
    return {
        str(proto.name): {
            "duplicable": proto.duplicable,
            "dispensable": proto.dispensable,
            "intermediate": proto.intermediate,
            **late_flags(proto),
        }
        for proto in protos
    }


def attrs(op: "Any", core: "Any") -> "dict[str, Any]":
    """Return the descs of the attrs of an op by name."""
    defaults = core.get_op_attrs_default_value(op.type.encode())
    return {
        str(proto.name): {
            "type": proto.type,
            "generated": proto.generated,
            "default_value": defaults.get(str(proto.name)),
            **late_flags(proto),
        }
        for proto in op.attrs
    }


def late_flags(proto: "Any") -> "dict[str, Any]":
    """Return the flags of newer releases, if this release has them."""
    return {flag: getattr(proto, flag) for flag in PRINTED if flag in proto.DESCRIPTOR.fields_by_name}  # noqa: F821 - defined before


def unprinted_flags(protos: "Iterable[Any]") -> "dict[str, dict[str, dict[str, list[str]]]]":
    """Return the arguments for which a flag is set, by section, flag and op; without flags that this release lacks."""
    result: dict[str, dict[str, dict[str, list[str]]]] = {}
    for op in protos:
        for section, flags in UNPRINTED.items():  # noqa: F821 - defined before
            for proto in getattr(op, section):
                for flag in flags:
                    if flag in proto.DESCRIPTOR.fields_by_name:
                        arguments_by_op = result.setdefault(section, {}).setdefault(flag, {})
                        if getattr(proto, flag):
                            arguments_by_op.setdefault(str(op.type), []).append(str(proto.name))
    return result


def op_versions(core: "Any") -> "dict[str, Any] | None":
    """Return the op version registry; None if this release has none."""
    if not hasattr(core, "get_op_version_map"):
        return None
    return {
        op: {
            "version_id": version.version_id(),
            "checkpoints": [checkpoint(version_checkpoint) for version_checkpoint in version.checkpoints()],
        }
        for op, version in core.get_op_version_map().items()
    }


def checkpoint(registered: "Any") -> "dict[str, Any]":
    """Return a checkpoint of an op's version history."""
    return {"note": registered.note(), "updates": [update(info) for info in registered.version_desc().infos()]}


def update(registered: "Any") -> "dict[str, Any]":
    """Return one update of a checkpoint; a bugfix has no name."""
    info = registered.info()
    return {
        "type": UNBOUND_UPDATE_TYPES.get(int(registered.type()), registered.type().name),
        "name": info.name() if hasattr(info, "name") else None,
        "remark": info.remark(),
        "default": default_value(info),
    }


def default_value(info: "Any") -> "Any":
    """Return the default in an update of an attr; None if it sets none, which Paddle's binding cannot express."""
    try:
        return info.default_value() if hasattr(info, "default_value") else None
    except TypeError:
        return None
