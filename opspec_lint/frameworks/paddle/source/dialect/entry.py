"""What an entry of a YAML file says, as far as the dialect goes."""

from __future__ import annotations

import re

from opspec_lint.frameworks.paddle.source.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.source.yaml.ops import (
    COMMA,
    Argument,
    arguments_of,
    has_own_form,
    is_input,
    name_of,
    names_of,
    outputs_of,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from opspec_lint.frameworks.paddle.source.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.source.yaml.ops import YamlSource

    ArgumentRecord: TypeAlias = tuple[str, str, "str | None", tuple[int, int]]
    """The type of an argument, its name and default as they are written, its line and column."""

    Kernel: TypeAlias = tuple[str, "list[str] | None", "list[str] | None"]
    """What a kernel is called, and the kinds of tensors that it takes and gives, None for any."""

    EntryRecord: TypeAlias = tuple[
        str,
        tuple[int, int],
        list[ArgumentRecord],
        list[ArgumentRecord],
        list[ArgumentRecord],
        frozenset[str],
        frozenset[str],
        frozenset[str],
        str,
        "dict[str, str] | None",
        bool,
        list[Kernel],
    ]
    """What the constructor of `Entry` takes, in its order, as plain data."""  # fmt: skip

_KERNEL = re.compile(r"(\w+)\s*(\{[^}]+\})?")
_FORWARD = re.compile(r"([a-z][a-z0-9_]+)\s*\(")


class Entry:
    """An entry.

    Args:
        name: the op.
        place: its line and column.
        inputs: the inputs.
        attrs: the attrs, mutable ones too.
        outputs: the outputs.
        optional: the names of what is optional.
        intermediate: those of intermediate outputs.
        marked: those of attrs that it makes mutable itself.
        forward: the op that it is the backward of, "" for none.
        inplace: the inputs whose place outputs take, by the output; None where it does not speak of that.
        has_view: whether outputs are views of inputs.
        kernels: the kernels.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - all that an entry says
        self,
        name: str,
        place: tuple[int, int],
        inputs: Iterable[ArgumentRecord],
        attrs: Iterable[ArgumentRecord],
        outputs: Iterable[ArgumentRecord],
        optional: frozenset[str],
        intermediate: frozenset[str],
        marked: frozenset[str],
        forward: str,
        inplace: dict[str, str] | None,
        has_view: bool,
        kernels: list[Kernel],
    ) -> None:
        self.name = name
        self.place = place
        self.inputs, self.attrs, self.outputs = (
            [Argument(*each) for each in group] for group in (inputs, attrs, outputs)
        )
        self.optional = optional
        self.intermediate = intermediate
        self.marked = marked
        self.forward = forward
        self.inplace = inplace
        self.has_view = has_view
        self.kernels = kernels


def entry_record(entry: YamlEntry, source: YamlSource) -> EntryRecord:
    """Return what an entry says, as plain data.

    Raises:
        UnresolvedError: it is of another form.
    """
    name = name_of(entry)
    declared = arguments_of(entry, source)
    outputs = outputs_of(entry, source)
    marked = entry.get("support_tensor")
    forward = _FORWARD.search(str(entry.get("forward", "")))
    is_base = has_own_form(entry)
    return (
        name,
        source.find(name, entry.start, len(source.text)),
        [_argument(each) for each in declared if is_input(each.type)],
        [_argument(each) for each in declared if not is_input(each.type)],
        [_argument(each) for each in outputs],
        names_of(entry, "optional"),
        names_of(entry, "intermediate"),
        frozenset(map(str, marked)) if isinstance(marked, list) else frozenset(),
        forward[1] if forward else "",
        _pairs(entry, "inplace") if is_base else None,
        is_base and "view" in entry,
        list(_kernels(entry)) if is_base else [],
    )


def _argument(each: Argument) -> ArgumentRecord:
    return each.type, each.name, each.default, each.place


def _pairs(entry: YamlEntry, key: str) -> dict[str, str] | None:
    """Return the inputs whose place outputs take, by the output; None where the entry has no such pairs."""
    if key not in entry:
        return None
    found: dict[str, str] = {}
    for pair in COMMA.split(text_of(entry, key).strip().lstrip("(").rstrip(")")):
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
            yield name, None, None
            continue
        takes, arrow, gives = signature[1:-1].partition("->")
        if not arrow:
            raise UnresolvedError(f"the kernel {name} is not of the form NAME {{INPUTS -> OUTPUTS}}")
        yield name, [kind.strip() for kind in takes.split(",")], [kind.strip() for kind in gives.split(",")]
