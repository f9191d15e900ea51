"""A PIR program as its JSON has it: the header, the blocks, and the ops with their attrs and types.

An op is bound by position: it has no names of inputs and outputs. Value 0 stands for an input that is not given.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    Json: TypeAlias = dict[str, Any]
    Type: TypeAlias = tuple[str | None, tuple[int, ...] | None]
    """Dtype and shape of a value."""

PARAMETER = "builtin.parameter"
_PARAMETER = "p"
DIALECTS = {"0": "builtin", "1": "pd_op", "2": "cf", "3": "custom_op", "4": "pd_dist"}
"""The dialects by the number before the dot of an op; another number is refused when the file is loaded."""
_LONGEST_NAME = 100
"""Characters of the name of an op that its blocks are called by."""
_NAME_OF_PARAMETER = 3
"""Its place among the attrs of a parameter, which have no names."""

_TYPES = {
    **{f"t_i{size}": f"int{size}" for size in (8, 16, 32, 64)},
    "t_bool": "bool",
    "t_ui8": "uint8",
    "t_f16": "float16",
    "t_bf16": "bfloat16",
    "t_f32": "float32",
    "t_f64": "float64",
    "t_c64": "complex64",
    "t_c128": "complex128",
    "t_index": "index",
}


class Block(Record):
    """A block: its name, "" for that of the program, its ops, and the values that it is given."""

    name: str
    ops: list[Json]
    given: tuple[str, ...] = ()


class PirProgram(Record):
    """A PIR program: its `base_code` as the file has it, None where it has none, and its blocks."""

    header: Any
    blocks: Sequence[Block]


def blocks(document: Any, file: str) -> list[Block]:
    """Return the blocks of a program, that of the program first.

    Raises:
        InputError: the document has no program, or an op that is none.
    """
    if not isinstance(document, dict) or not isinstance(document.get("program"), dict):
        raise _damaged(file, "it has no `program`")
    found: list[Block] = []
    waiting = [("", document["program"])]
    for name, owner in waiting:  # grows while it is read
        for block in _blocks_of(owner, file):
            ops = _list(block, "ops", file)
            if not all(isinstance(op, dict) and isinstance(op.get("#"), str) for op in ops):
                raise _damaged(file, "an op has no name (`#`)")
            shown = name if not found else f"{name or 'block'} {len(found)}".strip()
            found.append(Block(name=shown, ops=ops, given=tuple(_given(block))))
            waiting += ((op_name(op)[:_LONGEST_NAME], op) for op in ops if op.get("regions"))
    if not found:
        raise _damaged(file, "it has no block")
    return found


def _blocks_of(owner: Json, file: str) -> Iterator[Json]:
    for region in _list(owner, "regions", file):
        if not isinstance(region, dict):
            raise _damaged(file, "a region is not an object")
        for block in _list(region, "blocks", file):
            if not isinstance(block, dict):
                raise _damaged(file, "a block is not an object")
            yield block


def _given(block: Json) -> Iterator[str]:
    for key in ("args", "kwargs"):
        for each in _listed(block.get(key)):
            if isinstance(each, dict):
                yield f"%{each.get('#')}"


def _list(owner: Json, key: str, file: str) -> list[Any]:
    found = owner.get(key)
    if not isinstance(found, list):
        raise _damaged(file, f"`{key}` is not a list")
    return found


def _damaged(file: str, problem: str) -> InputError:
    return InputError(file, f"is not a PIR program: {problem}", advice="is it complete?")


def dialect(op: Json) -> str | None:
    """Return the number of an op's dialect; None where its name has none, as that of a parameter."""
    number, dot, _ = str(op["#"]).partition(".")
    return number if dot else None


def op_name(op: Json) -> str:
    """Return the name of an op: `1.gelu` is pd_op.gelu. One of an unknown dialect is as the file has it."""
    name = str(op["#"])
    if name == _PARAMETER:
        return PARAMETER
    number, _, rest = name.partition(".")
    return f"{DIALECTS[number]}.{rest}" if rest and number in DIALECTS else name


def inputs(op: Json) -> tuple[str, ...]:
    """Return the values that an op takes, in their order."""
    return tuple(_value(each) for each in _listed(op.get("I")))


def outputs(op: Json) -> tuple[str, ...]:
    """Return the values that an op gives, in their order."""
    return tuple(_value(each) for each in _listed(op.get("O")))


def _value(each: Any) -> str:
    return f"%{each.get('%')}" if isinstance(each, dict) else "%?"


def _listed(found: Any) -> list[Any]:
    """Return a list; of what is one thing alone, as the output of a parameter is, a list of it."""
    if isinstance(found, list):
        return found
    return [] if found is None else [found]


def attrs(op: Json) -> dict[str, Any]:
    """Return the attrs of an op by name, as plain values; a parameter's have no names."""
    found = {}
    for each in _listed(op.get("A")):
        if isinstance(each, dict) and isinstance(each.get("N"), str):
            found[each["N"]] = _attr_value(each.get("AT"))
    return found


def _attr_value(attr: Any) -> Any:
    """Return the value of an attr: of a list, those of its items."""
    value = attr.get("D") if isinstance(attr, dict) else None
    if isinstance(value, list):
        return [each.get("D") if isinstance(each, dict) else each for each in value]
    return value


def parameter_name(op: Json) -> str | None:
    """Return the name of a parameter, None where it has none."""
    found = _listed(op.get("A"))
    name = found[_NAME_OF_PARAMETER] if len(found) > _NAME_OF_PARAMETER else None
    return name if isinstance(name, str) else None


def types(op: Json) -> list[Type]:
    """Return dtype and shape of what an op gives, None where it is no dense tensor."""
    return [_type(each.get("TT") if isinstance(each, dict) else None) for each in _listed(op.get("O"))]


def _type(found: Any) -> Type:
    described = found.get("D") if isinstance(found, dict) and found.get("#") == "0.t_dtensor" else None
    if not isinstance(described, list) or len(described) < 2:
        return None, None
    element, shape = described[:2]
    name = str(element.get("#")) if isinstance(element, dict) else ""
    plain = _TYPES.get(name.rpartition(".")[2], name) or None
    is_shape = isinstance(shape, list) and all(type(size) is int for size in shape)
    return plain, tuple(shape) if is_shape else None
