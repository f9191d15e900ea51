"""What a declaration of an op comes to, whether C++ or YAML declares it, before it is a record."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.bounds import Bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Update: TypeAlias = tuple[str, "str | None", "str | None", str, Any, int]
    """The action, the kind and the name of what it is about, the remark, the default, and the line."""

    Checkpoint: TypeAlias = tuple[str, "list[Update]", int]
    """The note, the updates, and the line."""


class Declaration:
    """An input, output or attr that was declared: its fields, and where."""

    __slots__ = ("bounds", "column", "default", "file", "flags", "generated", "line", "name", "type")

    def __init__(self, name: str, file: str, line: int, column: int, kind: str | None = None) -> None:
        self.name = name
        self.file = file
        self.line = line
        self.column = column
        self.type = kind
        self.flags: set[str] = set()
        self.default: Any = None
        self.generated = False
        self.bounds = Bounds()


class Proto:
    """What a maker declares, in its order."""

    __slots__ = ("attrs", "inputs", "outputs")

    def __init__(self) -> None:
        self.inputs: list[Declaration] = []
        self.outputs: list[Declaration] = []
        self.attrs: list[Declaration] = []


class History:
    """The checkpoints of an op, and where they are registered."""

    __slots__ = ("checkpoints", "column", "file", "line", "op")

    def __init__(self, op: str, checkpoints: list[Checkpoint], file: str, line: int, column: int) -> None:
        self.op = op
        self.checkpoints = checkpoints
        self.file = file
        self.line = line
        self.column = column
