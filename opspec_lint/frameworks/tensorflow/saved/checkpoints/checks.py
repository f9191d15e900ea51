"""The checks of a checkpoint: its files, and the tensors that a model restores from it."""

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


def byte_faults(saved: Checkpoint, *, checksums: bool) -> Iterator[Fact]:
    """Yield missing or truncated data files, and with `checksums` a tensor whose bytes were changed."""
    lost = checkpoint.missing_shard(saved)
    if lost is not None:
        yield checkpoint_fault("model_checkpoint_missing", os.path.basename(lost), "is not there")
        return
    pointers = [path for path in checkpoint.shard_files(saved) if is_pointer(path)]
    if pointers:
        yield from map(not_fetched, pointers)
        return
    short = checkpoint.truncated_shard(saved)
    if short is not None:
        yield checkpoint_fault(
            "model_checkpoint_corrupt", os.path.basename(short), "is too short for a tensor that it should contain"
        )
        return
    wrong = checkpoint.tensor_with_wrong_checksum(saved) if checksums else None
    if wrong is not None:
        yield checkpoint_fault("model_checkpoint_corrupt", wrong, "does not match its checksum")


def read_fault(error: InputError, *, is_missing: bool) -> Fact:
    """Return the fault for a checkpoint that cannot be read, by the error of reading it."""
    event: EventId = "model_checkpoint_missing" if is_missing else "model_checkpoint_corrupt"
    return checkpoint_fault(event, os.path.basename(error.file), error.problem)


def tensor_faults(saved: Checkpoint, expected: Iterable[Tensor], *, at_shape: Effect) -> Iterator[Fact]:
    """Yield the expected tensors that a checkpoint lacks, or has with another dtype or shape.

    Args:
        saved: the checkpoint.
        expected: the tensors to restore, named by their keys; a dtype or shape of None matches any.
        at_shape: the effect of another shape.
    """
    for tensor in expected:
        entry = saved.entries.get(tensor.name)
        if entry is None:
            yield checkpoint_fault("model_checkpoint_key", tensor.name, "is not in the checkpoint")
        elif tensor.dtype is not None and entry.dtype != tensor.dtype:
            problem = f"is of type {entry.dtype} in the checkpoint, and {tensor.dtype} in the graph"
            yield checkpoint_fault("model_checkpoint_dtype", tensor.name, problem).replace(
                old=entry.dtype, new=tensor.dtype
            )
        elif not _shapes_fit(entry.shape, tensor.shape):
            saved_shape, expected_shape = _shape_text(entry.shape), _shape_text(tensor.shape)
            problem = f"has the shape {saved_shape} in the checkpoint, and {expected_shape} in the graph"
            yield checkpoint_fault("model_checkpoint_shape", tensor.name, problem, at_shape)


def _shapes_fit(saved: tuple[int, ...] | None, expected: tuple[int, ...] | None) -> bool:
    """Return whether a saved shape has the expected dimensions, where -1 is any; an unknown shape fits."""
    if saved is None or expected is None:
        return True
    return len(saved) == len(expected) and all(want in (-1, have) for have, want in zip(saved, expected, strict=True))


def _shape_text(shape: tuple[int, ...] | None) -> str:
    return "unknown" if shape is None else str(list(shape))


def checkpoint_fault(event: EventId, name: str, problem: str, effect: Effect = "refused") -> Fact:
    """Return a fault of a checkpoint; `name` is the key or file that has the problem."""
    return model_fault(event, name, effect, event.removeprefix("model_"), problem=problem)
