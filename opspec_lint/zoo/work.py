"""What a worker is given and what it returns: plain tuples, which go from process to process and from host to host."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Batch: TypeAlias = Sequence["Job"]


class Target(NamedTuple):
    """A spec that models are checked against.

    `name` is what the user called it, `key` all that a verdict depends on besides the model. `text` is its canonical
    text, compressed; None for a released spec, which every worker has.
    """

    name: str
    key: str
    text: bytes | None


class Setup(NamedTuple):
    """What is the same for all models: the specs, and what the caller says to the loaders.

    `loader` is the one that is asked, None for all that take a model. `is_of_all` tells whether the targets are all
    known releases, so that a model is judged only under those that its loaders go by. `skips_others` tells whether a
    file that is no model is passed over, also where the user named it.
    """

    targets: tuple[Target, ...]
    loader: str | None = None
    tags: tuple[str, ...] | None = None
    signature: str | None = None
    saved_by: Target | None = None
    producer_ops: Target | None = None
    checksums: bool = False
    skips_others: bool = False
    is_of_all: bool = False


class Place(NamedTuple):
    """A file that may be a model.

    `source` is the archive or URL that it is in, "" for the disk. `is_named` tells that the user named it, and
    `problem` why it is not read at all, "" for one that is.
    """

    path: str
    source: str = ""
    is_named: bool = False
    problem: str = ""


class Job(NamedTuple):
    """A model to audit: where it is, and under which of the targets. With its tape, it is not read."""

    place: Place
    targets: tuple[int, ...]
    tape: bytes | None = None


class Verdict(NamedTuple):
    """What becomes of a model under a loader ("" for none) of a target; `findings` are JSON text.

    `failed` tells whether an error is among them. In the text, `worker.HERE` stands for the path of the model.
    """

    target: int
    loader: str
    verdict: str
    reason: str | None
    failed: bool
    findings: str


class Use(NamedTuple):
    """An op that a model uses, with an attr and its value, each "" for the op, or the attr, as a whole."""

    framework: str
    op: str
    attr: str
    value: str


class Row(NamedTuple):
    """A model that was audited.

    `stamps` tell whether a file of it was changed since, and `hash` is that of all bytes that its reader used. `format`
    is "" for what is no model. `tape` is None where the model has to be read again for another spec.
    """

    place: Place
    targets: tuple[int, ...]
    stamps: str
    hash: str
    size: int
    format: str
    framework: str
    writer: str
    tape: bytes | None
    verdicts: tuple[Verdict, ...]
    uses: tuple[Use, ...]
