"""What an entry of a YAML file says, as far as the dialect goes."""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError
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
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.paddle.source.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.source.yaml.ops import YamlSource

_KERNEL = pattern(r"(\w+)\s*(\{[^}]+\})?")
_FORWARD = pattern(r"([a-z][a-z0-9_]+)\s*\(")


class Kernel(Record):
    """A kernel: what it is called, and the kinds of tensors that it takes and gives, None for any."""

    name: str = ""
    takes: tuple[str, ...] | None = None
    gives: tuple[str, ...] | None = None


class DialectEntry(Record):
    """An entry: the op, and where it stands.

    `attrs` has the mutable ones too, and `marked` the names of those that the entry makes mutable itself. `forward` is
    the op that this one is the backward of, "" for none. `inplace` has the inputs whose place outputs take, by the
    output; None where the entry does not speak of that. `has_view` says that outputs are views of inputs.
    """

    name: str
    line: int
    column: int
    inputs: tuple[Argument, ...]
    attrs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    optional: frozenset[str]
    intermediate: frozenset[str]
    marked: frozenset[str]
    forward: str
    inplace: Mapping[str, str] | None
    has_view: bool
    kernels: tuple[Kernel, ...]


def read(entry: YamlEntry, source: YamlSource) -> DialectEntry:
    """The content of an entry.

    Raises:
        UnresolvedError: the entry is of another form.
    """
    name = name_of(entry)
    declared = arguments_of(entry, source)
    marked = entry.get("support_tensor")
    forward = _FORWARD.search(str(entry.get("forward", "")))
    is_base = has_own_form(entry)
    line, column = source.find(name, entry.start, len(source.text))
    return DialectEntry(
        name=name,
        line=line,
        column=column,
        inputs=tuple(each for each in declared if is_input(each.type)),
        attrs=tuple(each for each in declared if not is_input(each.type)),
        outputs=tuple(outputs_of(entry, source)),
        optional=names_of(entry, "optional"),
        intermediate=names_of(entry, "intermediate"),
        marked=frozenset(map(str, marked)) if isinstance(marked, list) else frozenset(),
        forward=forward[1] if forward else "",
        inplace=_pairs(entry, "inplace") if is_base else None,
        has_view=is_base and "view" in entry,
        kernels=tuple(_kernels(entry)) if is_base else (),
    )


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
            yield Kernel(name=name)
            continue
        takes, arrow, gives = signature[1:-1].partition("->")
        if not arrow:
            raise UnresolvedError(f"the kernel {name} is not of the form NAME {{INPUTS -> OUTPUTS}}")
        kinds = (tuple(kind.strip() for kind in part.split(",")) for part in (takes, gives))
        yield Kernel(name=name, takes=next(kinds), gives=next(kinds))
