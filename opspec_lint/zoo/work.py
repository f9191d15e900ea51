"""Messages between the audit and its workers: plain tuples, which can be sent to other processes and hosts."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Batch: TypeAlias = Sequence["Job"]


class Target(NamedTuple):
    """A spec that models are checked against.

    `name` is the user's name of the spec, `key` covers all that a verdict depends on besides the model. `text` is its
    canonical text, compressed; None for a released spec, which every worker has.
    """

    name: str
    key: str
    text: bytes | None


class Setup(NamedTuple):
    """The configuration that all models of a run share: the specs, and the options of the loaders.

    `loaders` are the names of the only loaders to check with, none for all that take a model. `is_of_all`: the targets
    are all known releases, and a model is checked only under the releases that its loaders depend on. `skips_others`:
    files that are no models are skipped, even if the user named them.
    """

    targets: tuple[Target, ...]
    loaders: tuple[str, ...] = ()
    tags: tuple[str, ...] | None = None
    signature: str | None = None
    saved_by: Target | None = None
    producer_ops: Target | None = None
    checksums: bool = False
    skips_others: bool = False
    is_of_all: bool = False


class Place(NamedTuple):
    """A file that may be a model.

    `source` is the archive or URL that contains it, "" for the disk. `is_named`: the user named the file itself.
    `problem` is the reason why it cannot be read at all, or "".
    """

    path: str
    source: str = ""
    is_named: bool = False
    problem: str = ""


class Job(NamedTuple):
    """A model to audit: its place, and the indexes of the targets. A model with a tape is not read again."""

    place: Place
    targets: tuple[int, ...]
    tape: bytes | None = None


class Verdict(NamedTuple):
    """The verdict on a model under a target by a loader, "" for no loader; `findings` are JSON text.

    `failed`: a finding is an error. The text has `worker.PATH_MARK` in place of the path of the model.
    """

    target: int
    loader: str
    verdict: str
    reason: str | None
    failed: bool
    findings: str


class Use(NamedTuple):
    """An op that a model uses, with an attr and its value; both "" for the op as a whole, `value` "" for the attr."""

    framework: str
    op: str
    attr: str
    value: str


class Row(NamedTuple):
    """The result of auditing one model.

    `stamps` change when a file of the model changes, and `hash` covers all bytes that its reader used. `format` is ""
    for a file that is no model. `tape` is None where the model has to be read again for another spec.
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
