"""A checkpoint checked against what is to be restored from it: its files, and keys, types and shapes."""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint
from opspec_lint.models.fault import model_fault, not_fetched
from opspec_lint.models.files import is_pointer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.frameworks.tensorflow.saved.checkpoints.checkpoint import Checkpoint
    from opspec_lint.kit.errors import InputError
    from opspec_lint.models.model import Tensor
    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.ids import EventId


def byte_faults(found: Checkpoint, *, checksums: bool) -> Iterator[Fact]:
    """Yield why the bytes of a checkpoint are not all there; with `checksums`, or are not those that were written."""
    lost = checkpoint.missing_shard(found)
    if lost is not None:
        yield fault("model_checkpoint_missing", os.path.basename(lost), "is not there")
        return
    pointers = [path for path in checkpoint.shards(found) if is_pointer(path)]
    if pointers:
        yield from map(not_fetched, pointers)
        return
    short = checkpoint.short_shard(found)
    if short is not None:
        yield fault(
            "model_checkpoint_corrupt", os.path.basename(short), "is too short for a tensor that it should contain"
        )
        return
    wrong = checkpoint.wrong_checksum(found) if checksums else None
    if wrong is not None:
        yield fault("model_checkpoint_corrupt", wrong, "does not match its checksum")


def unread(error: InputError, *, is_missing: bool) -> Fact:
    """Return the fault of a checkpoint that cannot be read."""
    event: EventId = "model_checkpoint_missing" if is_missing else "model_checkpoint_corrupt"
    return fault(event, os.path.basename(error.file), error.problem)


def tensor_faults(found: Checkpoint, wanted: Iterable[Tensor], *, at_shape: Effect) -> Iterator[Fact]:
    """Yield which tensors are not in a checkpoint as they are to be restored.

    Args:
        found: the checkpoint.
        wanted: the tensors by their keys; a type or a shape that is None is any.
        at_shape: what another shape leads to.
    """
    for each in wanted:
        entry = found.entries.get(each.name)
        if entry is None:
            yield fault("model_checkpoint_key", each.name, "is not in the checkpoint")
        elif each.dtype is not None and entry.dtype != each.dtype:
            problem = f"is of type {entry.dtype} in the checkpoint, and {each.dtype} in the graph"
            yield fault("model_checkpoint_dtype", each.name, problem).replace(old=entry.dtype, new=each.dtype)
        elif not _fits(entry.shape, each.shape):
            problem = f"has the shape {_shown(entry.shape)} in the checkpoint, and {_shown(each.shape)} in the graph"
            yield fault("model_checkpoint_shape", each.name, problem, at_shape)


def _fits(saved: tuple[int, ...] | None, wanted: tuple[int, ...] | None) -> bool:
    if saved is None or wanted is None:
        return True
    return len(saved) == len(wanted) and all(want in (-1, have) for have, want in zip(saved, wanted, strict=True))


def _shown(shape: tuple[int, ...] | None) -> str:
    return "unknown" if shape is None else str(list(shape))


def fault(event: EventId, name: str, problem: str, effect: Effect = "refused") -> Fact:
    """Return a fault of a checkpoint: the key or file that it is about, and what of it."""
    return model_fault(event, name, effect, event.removeprefix("model_"), problem=problem)
