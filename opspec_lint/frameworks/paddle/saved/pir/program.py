"""The JSON of a PIR program: its header, blocks, and ops with attrs and types.

Ops are bound by position: inputs and outputs have no names. Value 0 means that an input is not given.

The keys of an op: `#` is its name, `I` and `O` are its inputs and outputs, `A` its attrs. A value has a number `%` and
a type `TT`, an attr a name `N` and a typed value `AT`. Of a type or typed value, `#` is the code and `D` the content.
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
"""The dialects by the number before the dot of an op; the loader refuses other numbers."""
_MAX_NAME_LENGTH = 100
"""The length to which the name of an op is cut in the names of its blocks."""
_PARAMETER_NAME_INDEX = 3
"""The index of the name among the attrs of a parameter, which are not named."""

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
    """A block: its name ("" for the program's own), its ops, and the values that it receives.

    `within` is the index of the block of its op, and `holder` the index of the op there; both None for the outermost.
    """

    name: str
    ops: list[Json]
    given: tuple[str, ...] = ()
    within: int | None = None
    holder: int | None = None


class PirProgram(Record):
    """A PIR program: its `base_code` (None if it is missing) and its blocks."""

    header: Any
    blocks: Sequence[Block]


def blocks(document: Any, file: str) -> list[Block]:
    """Return the blocks of a program, its own first, and nested ones after their op.

    Raises InputError for a document without a program, or with damaged ops.
    """
    if not isinstance(document, dict) or not isinstance(document.get("program"), dict):
        raise _damaged(file, "it has no `program`")
    blocks: list[Block] = []
    # The name of an owner of blocks, its JSON, and the indexes of the block that has it and of the op there.
    pending: list[tuple[str, Json, int | None, int | None]] = [("", document["program"], None, None)]
    # The list grows while it is iterated: nested blocks are appended.
    for name, owner, within, holder in pending:
        for block in _blocks_of(owner, file):
            ops = _required_list(block, "ops", file)
            if not all(isinstance(op, dict) and isinstance(op.get("#"), str) for op in ops):
                raise _damaged(file, "an op has no name (`#`)")
            block_name = name if not blocks else f"{name or 'block'} {len(blocks)}".strip()
            index = len(blocks)
            blocks.append(
                Block(name=block_name, ops=ops, given=tuple(_block_arguments(block)), within=within, holder=holder)
            )
            # Blocks are listed breadth first, so that nesting cannot exhaust the stack.
            pending += (
                (op_name(op)[:_MAX_NAME_LENGTH], op, index, at) for at, op in enumerate(ops) if op.get("regions")
            )
    if not blocks:
        raise _damaged(file, "it has no block")
    return blocks


def _blocks_of(owner: Json, file: str) -> Iterator[Json]:
    """Yield the blocks in the regions of an op or of the program."""
    for region in _required_list(owner, "regions", file):
        if not isinstance(region, dict):
            raise _damaged(file, "a region is not an object")
        for block in _required_list(region, "blocks", file):
            if not isinstance(block, dict):
                raise _damaged(file, "a block is not an object")
            yield block


def _block_arguments(block: Json) -> Iterator[str]:
    """Yield the values that a block receives from its op."""
    for key in ("args", "kwargs"):
        for argument in _as_list(block.get(key)):
            if isinstance(argument, dict):
                yield f"%{argument.get('#')}"


def _required_list(owner: Json, key: str, file: str) -> list[Any]:
    """Return a list that has to be under a key."""
    value = owner.get(key)
    if not isinstance(value, list):
        raise _damaged(file, f"`{key}` is not a list")
    return value


def _damaged(file: str, problem: str) -> InputError:
    """Return the error on a file that is no PIR program."""
    return InputError(file, f"is not a PIR program: {problem}", advice="it may be truncated: copy it again")


def dialect(op: Json) -> str | None:
    """Return the number of an op's dialect; None for a parameter, whose name has none."""
    number, dot, _ = str(op["#"]).partition(".")
    return number if dot else None


def op_name(op: Json) -> str:
    """Return the name of an op: `pd_op.gelu` for `1.gelu`; names of unknown dialects stay as they are."""
    name = str(op["#"])
    if name == _PARAMETER:
        return PARAMETER
    number, _, rest = name.partition(".")
    return f"{DIALECTS[number]}.{rest}" if rest and number in DIALECTS else name


def inputs(op: Json) -> tuple[str, ...]:
    """Return the values that an op takes, in order."""
    return tuple(_value(value) for value in _as_list(op.get("I")))


def outputs(op: Json) -> tuple[str, ...]:
    """Return the values that an op returns, in order."""
    return tuple(_value(value) for value in _as_list(op.get("O")))


def _value(value: Any) -> str:
    """Return the name of a value: `%` and its number."""
    return f"%{value.get('%')}" if isinstance(value, dict) else "%?"


def _as_list(value: Any) -> list[Any]:
    """Return a list; a single value, such as the output of a parameter, becomes a list of one."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def attrs(op: Json) -> dict[str, Any]:
    """Return the attrs of an op as plain values by name; the attrs of a parameter have no names."""
    values = {}
    for attr in _as_list(op.get("A")):
        if isinstance(attr, dict) and isinstance(attr.get("N"), str):
            values[attr["N"]] = _attr_value(attr.get("AT"))
    return values


def _attr_value(attr: Any) -> Any:
    """Return the value of an attr, or of each item of an array."""
    value = attr.get("D") if isinstance(attr, dict) else None
    if isinstance(value, list):
        return [item.get("D") if isinstance(item, dict) else item for item in value]
    return value


def parameter_name(op: Json) -> str | None:
    """Return the name of a parameter; None if it has none."""
    attr_values = _as_list(op.get("A"))
    name = attr_values[_PARAMETER_NAME_INDEX] if len(attr_values) > _PARAMETER_NAME_INDEX else None
    return name if isinstance(name, str) else None


def types(op: Json) -> list[Type]:
    """Return dtype and shape of an op's outputs; None for values that are no dense tensors."""
    return [_type(output.get("TT") if isinstance(output, dict) else None) for output in _as_list(op.get("O"))]


def _type(value_type: Any) -> Type:
    """Return dtype and shape of a value's type; None for another type than a dense tensor."""
    description = value_type.get("D") if isinstance(value_type, dict) and value_type.get("#") == "0.t_dtensor" else None
    if not isinstance(description, list) or len(description) < 2:
        return None, None
    element, shape = description[:2]
    name = str(element.get("#")) if isinstance(element, dict) else ""
    plain = _TYPES.get(name.rpartition(".")[2], name) or None
    is_shape = isinstance(shape, list) and all(type(size) is int for size in shape)
    return plain, tuple(shape) if is_shape else None
