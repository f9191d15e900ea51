"""Reading of a checkpoint, V1 or V2, by its prefix: names, types and shapes of tensors, and checks of their bytes.

V2 is a table `PREFIX.index` and data files `PREFIX.data-00000-of-00001`; V1 is one table, or several (shards).
"""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, python_name
from opspec_lint.frameworks.tensorflow.saved.checkpoints import crc32c, table
from opspec_lint.frameworks.tensorflow.saved.checkpoints.table import CorruptTableError
from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.models import wire
from opspec_lint.models.files import NoModelError, cannot_read, file_size, is_file, names_in, open_file
from opspec_lint.models.model import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
"""The key whose value maps the variables of an object-based checkpoint to their keys (TrackableObjectGraph)."""
_INDEX = ".index"
_CHUNK = 1 << 20
"""Bytes that are read at once for a checksum."""
_MAX_SHARDS = 1 << 20
_FILE_SUFFIX = pattern(r"|\.index|\.data-\d+-of-\d+|-\d{5}-of-\d{5}")
"""Suffixes of the files of a checkpoint after its prefix: V1, index, data file, shard of V1."""
_SHARD_OF_V1 = pattern(r"-\d{5}-of-\d{5}$")


class StoredTensor(Record):
    """A tensor of a checkpoint: dtype, shape, and the location and checksum of its bytes (None in V1)."""

    dtype: str
    shape: tuple[int, ...] | None
    shard: int = 0
    offset: int = 0
    size: int = 0
    crc: int | None = None
    is_sliced: bool = False


class Checkpoint(Record):
    """The content of a checkpoint's table.

    `version` is 1 or 2, `entries` are the tensors by name, `slices` the parts of partitioned variables.
    """

    prefix: str
    version: int
    shards: int
    producer: int = 0
    min_consumer: int = 0
    entries: Mapping[str, StoredTensor] = {}
    slices: tuple[StoredTensor, ...] = ()

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The tensors, sorted by name."""
        return tuple(
            Tensor(name=name, dtype=python_name(entry.dtype), shape=entry.shape)
            for name, entry in sorted(self.entries.items())
        )

    @property
    def facts(self) -> dict[str, Any]:
        """The header of the checkpoint, for `show`."""
        return {
            "version": self.version,
            "shards": self.shards,
            "producer": self.producer,
            "min_consumer": self.min_consumer,
        }


def find_files(prefix: str) -> list[str]:
    """Return the files with the tables of a checkpoint: the index of V2, or the files of V1; [] for none."""
    if is_file(prefix + _INDEX):
        return [prefix + _INDEX]
    if is_file(prefix):
        return [prefix]
    folder, name = os.path.split(prefix)
    try:
        files = sorted(names_in(folder or "."))
    except OSError:
        return []
    shards_of_v1 = (file for file in files if file.startswith(name) and _SHARD_OF_V1.fullmatch(file[len(name) :]))
    return [os.path.join(folder, file) for file in shards_of_v1]


def read(prefix: str) -> Checkpoint:
    """Read the checkpoint with this prefix; raises NoModelError if there is none, CorruptTableError if damaged."""
    paths = find_files(prefix)
    if not paths:
        raise NoModelError(
            prefix, "there is no checkpoint with that prefix", advice="name the prefix of an `.index` file"
        )
    if paths == [prefix + _INDEX]:
        return _read_v2(prefix, paths[0])
    return _read_v1(prefix, paths)


def _read_v2(prefix: str, path: str) -> Checkpoint:
    """Read the index of a V2 checkpoint: a header under the key "", then an entry per tensor."""
    entries = iter(table.entries(path))
    key, value = next(entries, (None, b""))
    if key != b"":
        raise CorruptTableError(path, "is damaged: it has no header", advice="restore it from a copy")
    header = _parse_entry("BundleHeaderProto", value, path)
    # The number becomes a loop over file names: a damaged header must not make it endless.
    if not 0 <= header.num_shards <= _MAX_SHARDS:
        raise CorruptTableError(path, f"is damaged: its header counts {header.num_shards} shards")
    named: dict[str, StoredTensor] = {}
    slices = []
    for key, value in entries:
        entry = _stored_tensor(_parse_entry("BundleEntryProto", value, path))
        # The key of a part of a partitioned variable is an ordered encoding of name and slice, which begins with 0.
        if key[:1] == b"\0":
            slices.append(entry)
        else:
            named[key.decode("utf-8", "backslashreplace")] = entry
    return Checkpoint(
        prefix=prefix,
        version=2,
        shards=header.num_shards,
        producer=header.version.producer,
        min_consumer=header.version.min_consumer,
        entries=named,
        slices=tuple(slices),
    )


def _stored_tensor(entry: Any) -> StoredTensor:
    """Return the tensor in a BundleEntryProto."""
    return StoredTensor(
        dtype=data_type(entry.dtype),
        shape=None if entry.shape.unknown_rank else tuple(dim.size for dim in entry.shape.dim),
        shard=entry.shard_id,
        offset=entry.offset,
        size=entry.size,
        crc=entry.crc32c,
        is_sliced=bool(entry.slices),
    )


def _read_v1(prefix: str, paths: list[str]) -> Checkpoint:
    """Read a V1 checkpoint; the value of the key "" of each file lists all its tensors."""
    named: dict[str, StoredTensor] = {}
    versions = None
    for path in paths:
        key, value = next(iter(table.entries(path, only_first=True)), (None, b""))
        if key != b"" or wire.leading_fields(value, 1) != [(1, wire.BYTES)]:
            raise CorruptTableError(path, "is damaged: the list of tensors is missing")
        meta = _parse_entry("SavedTensorSlices", value, path).meta
        versions = meta.versions
        for tensor in meta.tensor:
            shape = None if tensor.shape.unknown_rank else tuple(dim.size for dim in tensor.shape.dim)
            named[tensor.name] = StoredTensor(dtype=data_type(tensor.type), shape=shape)
    return Checkpoint(
        prefix=prefix,
        version=1,
        shards=len(paths),
        producer=versions.producer if versions is not None else 0,
        min_consumer=versions.min_consumer if versions is not None else 0,
        entries=named,
    )


def _parse_entry(name: str, data: bytes, path: str) -> Any:
    """Parse the value of an entry as the named message."""
    from google.protobuf.message import DecodeError

    try:
        return message(name).FromString(data)
    except DecodeError:
        raise CorruptTableError(path, "is damaged: an entry cannot be decoded") from None


def shard_file(checkpoint: Checkpoint, number: int) -> str:
    """Return the path of a data file of a V2 checkpoint."""
    return f"{checkpoint.prefix}.data-{number:05d}-of-{checkpoint.shards:05d}"


def total_size(prefix: str) -> int:
    """Return the total size of the existing files of a checkpoint."""
    folder, name = os.path.split(prefix)
    try:
        names = [file for file in names_in(folder or ".") if _FILE_SUFFIX.fullmatch(file.removeprefix(name))]
    except OSError:
        return 0
    paths = (os.path.join(folder, file) for file in names if file.startswith(name))
    return sum(file_size(path) for path in paths if is_file(path))


def missing_shard(checkpoint: Checkpoint) -> str | None:
    """Return the first data file of a V2 checkpoint that does not exist, None if all exist."""
    return next((path for path in shard_files(checkpoint) if not is_file(path)), None)


def shard_files(checkpoint: Checkpoint) -> Iterator[str]:
    """Return the paths of the data files of a V2 checkpoint, whether they exist or not; none for V1."""
    return (shard_file(checkpoint, number) for number in range(checkpoint.shards if checkpoint.version == 2 else 0))


def truncated_shard(checkpoint: Checkpoint) -> str | None:
    """Return the first data file of a V2 checkpoint that is too short for its tensors, None if there is none."""
    ends: dict[int, int] = {}
    for entry in (*checkpoint.entries.values(), *checkpoint.slices):
        # Protobuf's integers are signed, so that a damaged entry may have a negative offset.
        if entry.offset < 0 or entry.size < 0 or not 0 <= entry.shard < max(checkpoint.shards, 1):
            return shard_file(checkpoint, entry.shard)
        ends[entry.shard] = max(ends.get(entry.shard, 0), entry.offset + entry.size)
    if checkpoint.version != 2:
        return None
    for number, end in sorted(ends.items()):
        if file_size(shard_file(checkpoint, number)) < end:
            return shard_file(checkpoint, number)
    return None


def tensor_with_wrong_checksum(checkpoint: Checkpoint) -> str | None:
    """Return the first tensor of a V2 checkpoint whose bytes do not match its checksum, None if all match."""
    if checkpoint.version != 2:
        return None
    for name, entry in checkpoint.entries.items():
        if entry.dtype in ("string", "variant") or entry.is_sliced or entry.crc is None:
            # The checksum of strings and variants is of other bytes than those in the file; slices have their own.
            continue
        value = 0
        for part in _read_chunks(shard_file(checkpoint, entry.shard), entry.offset, entry.size):
            value = crc32c.extend(value, part)
        if crc32c.mask(value) != entry.crc:
            return name
    return None


def _read_chunks(path: str, offset: int, size: int) -> Iterator[bytes]:
    """Yield a range of bytes of a file in chunks of 1 MB; fewer bytes if the file ends."""
    try:
        with open_file(path) as stream:
            stream.seek(offset)
            while size > 0:
                part = stream.read(min(size, _CHUNK))
                if not part:
                    return
                size -= len(part)
                yield part
    except OSError as error:
        raise cannot_read(path, error) from None


def read_string(checkpoint: Checkpoint, name: str) -> bytes | None:
    """Return the value of a scalar string tensor, None if it is another tensor or its bytes are incomplete.

    Its bytes in the data file are the length as a varint, a checksum of 4 bytes, and the string.
    """
    entry = checkpoint.entries.get(name)
    if entry is None or entry.dtype != "string" or entry.shape or checkpoint.version != 2:
        return None
    # The object graph of a large model has some megabytes; the limit is for damaged entries.
    data = b"".join(_read_chunks(shard_file(checkpoint, entry.shard), entry.offset, min(entry.size, 512 << 20)))
    try:
        length, at = wire.varint(data, 0)
    except ValueError:
        return None
    text = data[at + 4 : at + 4 + length]
    return text if len(text) == length else None


def keys_by_full_name(checkpoint: Checkpoint) -> dict[str, str]:
    """Return the keys of an object-based checkpoint by the graph names of variables, without ambiguous names."""
    graph = read_object_graph(checkpoint)
    names: dict[str, str] = {}
    shared = set()
    for node in () if graph is None else graph.nodes:
        for attribute in node.attributes:
            if names.setdefault(attribute.full_name, attribute.checkpoint_key) != attribute.checkpoint_key:
                shared.add(attribute.full_name)
    return {name: key for name, key in names.items() if name and name not in shared}


def read_object_graph(checkpoint: Checkpoint) -> Any:
    """Return the TrackableObjectGraph of a checkpoint, None if it is absent or cannot be decoded."""
    from google.protobuf.message import DecodeError

    data = read_string(checkpoint, OBJECT_GRAPH)
    try:
        return None if data is None else message("TrackableObjectGraph").FromString(data)
    except DecodeError:
        return None
