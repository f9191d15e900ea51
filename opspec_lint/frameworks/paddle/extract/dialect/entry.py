"""The content of an entry of a YAML file that op_gen.py uses."""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.yaml.ops import (
    COMMA,
    entry_name,
    is_input,
    is_self_contained,
    listed_names,
    parse_arguments,
    parse_outputs,
    required_text,
)
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from typing_extensions import TypedDict

    from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.extract.yaml.ops import Argument, YamlSource

    class Kernel(TypedDict):
        """A kernel: its name, and the kinds of tensors that it takes and returns (`dense`); None for any."""

        name: str
        takes: Sequence[str] | None
        gives: Sequence[str] | None

    class DialectEntry(TypedDict):
        """The entry of one op, with its place.

        `attrs` include mutable attrs; `marked` are attrs that the entry itself makes mutable. `forward` is the op of
        which this one is the gradient, "" for none. `inplace` maps outputs to the inputs whose memory they reuse, None
        if the entry has none. `has_view`: outputs are views of inputs.
        """

        name: str
        line: int
        column: int
        inputs: Sequence[Argument]
        attrs: Sequence[Argument]
        outputs: Sequence[Argument]
        optional: Sequence[str]
        intermediate: Sequence[str]
        marked: Sequence[str]
        forward: str
        inplace: Mapping[str, str] | None
        has_view: bool
        kernels: Sequence[Kernel]


_KERNEL = pattern(r"(\w+)\s*(\{[^}]+\})?")
_FORWARD = pattern(r"(?<![a-z0-9_])([a-z][a-z0-9_]+)\s*\(")


def read_entry(entry: YamlEntry, source: YamlSource) -> DialectEntry:
    """Return the content of an entry.

    Raises UnresolvedError for an entry of another form.
    """
    name = entry_name(entry)
    arguments = parse_arguments(entry, source)
    marked = entry.get("support_tensor")
    forward = _FORWARD.search(str(entry.get("forward", "")))
    is_base = is_self_contained(entry)
    line, column = source.find(name, entry.start, len(source.text))
    return {
        "name": name,
        "line": line,
        "column": column,
        "inputs": [argument for argument in arguments if is_input(argument["type"])],
        "attrs": [argument for argument in arguments if not is_input(argument["type"])],
        "outputs": parse_outputs(entry, source),
        "optional": sorted(listed_names(entry, "optional")),
        "intermediate": sorted(listed_names(entry, "intermediate")),
        "marked": sorted(map(str, marked)) if isinstance(marked, list) else (),
        "forward": forward[1] if forward else "",
        "inplace": _inplace_pairs(entry, "inplace") if is_base else None,
        "has_view": is_base and "view" in entry,
        "kernels": list(_kernels(entry)) if is_base else (),
    }


def _inplace_pairs(entry: YamlEntry, key: str) -> dict[str, str] | None:
    """Return {output: input} of `(x -> out), (y -> more)`; None for an entry without the key."""
    if key not in entry:
        return None
    inputs_by_output: dict[str, str] = {}
    for pair in COMMA.split(required_text(entry, key).strip().lstrip("(").rstrip(")")):
        source, arrow, target = (side.strip(" ()") for side in pair.partition("->"))
        if not arrow:
            raise UnresolvedError(f"its {key} is not of the form INPUT -> OUTPUT")
        inputs_by_output[target] = source
    return inputs_by_output


def _kernels(entry: YamlEntry) -> Iterator[Kernel]:
    """Yield the kernels of an entry: `add {dense, dense -> dense}, add_sr {selected_rows -> dense}`."""
    kernel = entry.get("kernel")
    if not isinstance(kernel, dict):
        return
    for name, signature in _KERNEL.findall(str(kernel.get("func", ""))):
        if not signature:
            yield {"name": name, "takes": None, "gives": None}
            continue
        takes, arrow, gives = signature[1:-1].partition("->")
        if not arrow:
            raise UnresolvedError(f"the kernel {name} is not of the form NAME {{INPUTS -> OUTPUTS}}")
        yield {"name": name, "takes": _kinds(takes), "gives": _kinds(gives)}


def _kinds(text: str) -> list[str]:
    """Split a list of kinds of tensors."""
    return [kind.strip() for kind in text.split(",")]
