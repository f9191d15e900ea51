"""What an entry of a YAML file says, as far as the dialect goes."""

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
        """A kernel: what it is called, and the kinds of tensors that it takes and gives, None for any."""

        name: str
        takes: Sequence[str] | None
        gives: Sequence[str] | None

    class DialectEntry(TypedDict):
        """An entry: the op, and where it stands.

        `attrs` has the mutable ones too, and `marked` the names of those that the entry makes mutable itself.
        `forward` is the op that this one is the backward of, "" for none. `inplace` has the inputs whose place outputs
        take, by the output; None where the entry does not speak of that. `has_view` says that outputs are views of
        inputs.
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


def read(entry: YamlEntry, source: YamlSource) -> DialectEntry:
    """The content of an entry.

    Raises:
        UnresolvedError: the entry is of another form.
    """
    name = entry_name(entry)
    declared = parse_arguments(entry, source)
    marked = entry.get("support_tensor")
    forward = _FORWARD.search(str(entry.get("forward", "")))
    is_base = is_self_contained(entry)
    line, column = source.find(name, entry.start, len(source.text))
    return {
        "name": name,
        "line": line,
        "column": column,
        "inputs": [each for each in declared if is_input(each["type"])],
        "attrs": [each for each in declared if not is_input(each["type"])],
        "outputs": parse_outputs(entry, source),
        "optional": sorted(listed_names(entry, "optional")),
        "intermediate": sorted(listed_names(entry, "intermediate")),
        "marked": sorted(map(str, marked)) if isinstance(marked, list) else (),
        "forward": forward[1] if forward else "",
        "inplace": _pairs(entry, "inplace") if is_base else None,
        "has_view": is_base and "view" in entry,
        "kernels": list(_kernels(entry)) if is_base else (),
    }


def _pairs(entry: YamlEntry, key: str) -> dict[str, str] | None:
    """Return the inputs whose place outputs take, by the output; None where the entry has no such pairs."""
    if key not in entry:
        return None
    found: dict[str, str] = {}
    for pair in COMMA.split(required_text(entry, key).strip().lstrip("(").rstrip(")")):
        source, arrow, target = (word.strip(" ()") for word in pair.partition("->"))
        if not arrow:
            raise UnresolvedError(f"its {key} is not of the form INPUT -> OUTPUT")
        found[target] = source
    return found


def _kernels(entry: YamlEntry) -> Iterator[Kernel]:
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
    return [kind.strip() for kind in text.split(",")]
