"""A checkpoint, V1 or V2, by its prefix: names, types and shapes of its tensors, and whether their bytes are there."""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, python_name
from opspec_lint.frameworks.tensorflow.saved.checkpoints import crc, table
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
"""The key under which an object-based checkpoint keeps which of its keys belongs to which variable."""
_INDEX = ".index"
_CHUNK = 1 << 20
_MOST_SHARDS = 1 << 20
_OWN = pattern(r"|\.index|\.data-\d+-of-\d+|-\d{5}-of-\d{5}")
"""What stands behind the prefix in the names of a checkpoint's files."""
_SHARD_OF_V1 = pattern(r"-\d{5}-of-\d{5}$")


class StoredTensor(Record):
    """A tensor of a checkpoint: its type, its shape, and where its bytes are; `crc` is None where nothing says it."""

    dtype: str
    shape: tuple[int, ...] | None
    shard: int = 0
    offset: int = 0
    size: int = 0
    crc: int | None = None
    is_sliced: bool = False


class Checkpoint(Record):
    """A checkpoint.

    `version` is 1 or 2; `entries` are its tensors by name, `slices` the parts of those that are cut into parts.
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
        """Its tensors, in order of their names."""
        return tuple(
            Tensor(name=name, dtype=python_name(each.dtype), shape=each.shape)
            for name, each in sorted(self.entries.items())
        )

    @property
    def facts(self) -> dict[str, Any]:
        """What it says of itself."""
        return {
            "version": self.version,
            "shards": self.shards,
            "producer": self.producer,
            "min_consumer": self.min_consumer,
        }


def files(prefix: str) -> list[str]:
    """Return the files that a prefix stands for; none where there is no such checkpoint."""
    if is_file(prefix + _INDEX):
        return [prefix + _INDEX]
    if is_file(prefix):
        return [prefix]
    folder, name = os.path.split(prefix)
    try:
        every = sorted(names_in(folder or "."))
    except OSError:
        return []
    ours = (each for each in every if each.startswith(name) and _SHARD_OF_V1.fullmatch(each[len(name) :]))
    return [os.path.join(folder, each) for each in ours]


def read(prefix: str) -> Checkpoint:
    """Return the checkpoint of a prefix.

    Raises:
        NoModelError: there is none.
        CorruptTableError: its table is damaged.
        InputError: the checkpoint cannot be read.
    """
    found = files(prefix)
    if not found:
        raise NoModelError(prefix, "there is no checkpoint with that prefix", advice="it has no `.index` file")
    if found == [prefix + _INDEX]:
        return _version_2(prefix, found[0])
    return _version_1(prefix, found)


def _version_2(prefix: str, path: str) -> Checkpoint:
    every = iter(table.entries(path))
    key, value = next(every, (None, b""))
    if key != b"":
        raise CorruptTableError(path, "is damaged: it has no header", advice="restore it from a copy")
    header = _message("BundleHeaderProto", value, path)
    if not 0 <= header.num_shards <= _MOST_SHARDS:
        raise CorruptTableError(path, f"is damaged: its header counts {header.num_shards} shards")
    named: dict[str, StoredTensor] = {}
    slices = []
    for key, value in every:
        entry = _entry(_message("BundleEntryProto", value, path))
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


def _entry(found: Any) -> StoredTensor:
    return StoredTensor(
        dtype=data_type(found.dtype),
        shape=None if found.shape.unknown_rank else tuple(dim.size for dim in found.shape.dim),
        shard=found.shard_id,
        offset=found.offset,
        size=found.size,
        crc=found.crc32c,
        is_sliced=bool(found.slices),
    )


def _version_1(prefix: str, found: list[str]) -> Checkpoint:
    named: dict[str, StoredTensor] = {}
    versions = None
    for path in found:
        key, value = next(iter(table.entries(path, only_first=True)), (None, b""))
        if key != b"" or wire.leading_fields(value, 1) != [(1, wire.BYTES)]:
            raise CorruptTableError(path, "is damaged: the list of tensors is missing")
        meta = _message("SavedTensorSlices", value, path).meta
        versions = meta.versions
        for each in meta.tensor:
            shape = None if each.shape.unknown_rank else tuple(dim.size for dim in each.shape.dim)
            named[each.name] = StoredTensor(dtype=data_type(each.type), shape=shape)
    return Checkpoint(
        prefix=prefix,
        version=1,
        shards=len(found),
        producer=versions.producer if versions is not None else 0,
        min_consumer=versions.min_consumer if versions is not None else 0,
        entries=named,
    )


def _message(name: str, data: bytes, path: str) -> Any:
    from google.protobuf.message import DecodeError

    try:
        return message(name).FromString(data)
    except DecodeError:
        raise CorruptTableError(path, "is damaged: an entry cannot be decoded") from None


def shard(found: Checkpoint, number: int) -> str:
    """Return the file of a shard of a V2 checkpoint."""
    return f"{found.prefix}.data-{number:05d}-of-{found.shards:05d}"


def size(prefix: str) -> int:
    """Return the bytes of the files of a checkpoint, as far as they are there."""
    folder, name = os.path.split(prefix)
    try:
        ours = [each for each in names_in(folder or ".") if _OWN.fullmatch(each.removeprefix(name))]
    except OSError:
        return 0
    paths = (os.path.join(folder, each) for each in ours if each.startswith(name))
    return sum(file_size(path) for path in paths if is_file(path))


def missing_shard(found: Checkpoint) -> str | None:
    """Return the first file of a V2 checkpoint that is not there, None where all are."""
    return next((path for path in shards(found) if not is_file(path)), None)


def shards(found: Checkpoint) -> Iterator[str]:
    """Yield the files of the shards of a V2 checkpoint, there or not."""
    return (shard(found, each) for each in range(found.shards if found.version == 2 else 0))


def short_shard(found: Checkpoint) -> str | None:
    """Return the first file of a V2 checkpoint that ends before a tensor does, None where none does."""
    ends: dict[int, int] = {}
    for each in (*found.entries.values(), *found.slices):
        if each.offset < 0 or each.size < 0 or not 0 <= each.shard < max(found.shards, 1):
            return shard(found, each.shard)
        ends[each.shard] = max(ends.get(each.shard, 0), each.offset + each.size)
    for number, end in sorted(ends.items()) if found.version == 2 else ():
        if file_size(shard(found, number)) < end:
            return shard(found, number)
    return None


def wrong_checksum(found: Checkpoint) -> str | None:
    """Return the name of the first tensor of a V2 checkpoint whose bytes are not those that were written.

    The bytes are read as a stream. Tensors of strings and variants are left out: their checksum is of other bytes.
    """
    for name, each in found.entries.items() if found.version == 2 else ():
        if each.dtype in ("string", "variant") or each.is_sliced or each.crc is None:
            continue
        value = 0
        for part in _parts(shard(found, each.shard), each.offset, each.size):
            value = crc.extend(value, part)
        if crc.masked(value) != each.crc:
            return name
    return None


def _parts(path: str, offset: int, size: int) -> Iterator[bytes]:
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


def value_of_string(found: Checkpoint, name: str) -> bytes | None:
    """Return the value of a tensor that is one string, None where it is none or its bytes are not there.

    Its bytes are the length as a varint, four bytes of checksum, and the text.
    """
    entry = found.entries.get(name)
    if entry is None or entry.dtype != "string" or entry.shape or found.version != 2:
        return None
    data = b"".join(_parts(shard(found, entry.shard), entry.offset, min(entry.size, 512 << 20)))
    try:
        length, at = wire.varint(data, 0)
    except ValueError:
        return None
    text = data[at + 4 : at + 4 + length]
    return text if len(text) == length else None


def full_names(found: Checkpoint) -> dict[str, str]:
    """Return the keys of an object-based checkpoint by the names that its variables have in a graph.

    A name that several variables have is left out.
    """
    graph = object_graph(found)
    names: dict[str, str] = {}
    shared = set()
    for node in () if graph is None else graph.nodes:
        for each in node.attributes:
            if names.setdefault(each.full_name, each.checkpoint_key) != each.checkpoint_key:
                shared.add(each.full_name)
    return {name: key for name, key in names.items() if name and name not in shared}


def object_graph(found: Checkpoint) -> Any:
    """Return the TrackableObjectGraph of a checkpoint, None where it has none that can be decoded."""
    from google.protobuf.message import DecodeError

    data = value_of_string(found, OBJECT_GRAPH)
    try:
        return None if data is None else message("TrackableObjectGraph").FromString(data)
    except DecodeError:
        return None
