"""A SavedModel as it lies in its folder: its graphs, variables and assets."""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.saved.callables import functions
from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint
from opspec_lint.frameworks.tensorflow.saved.graphs import describe, metas, reading, sizes, text_fields
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.models.byte_source import ByteSource, FileBytes
from opspec_lint.models.files import (
    HEAD,
    NoModelError,
    OutsideError,
    exists,
    file_size,
    is_file,
    is_folder,
    is_inside,
    is_link,
    require_fetched,
)
from opspec_lint.models.model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opspec_lint.frameworks.tensorflow.saved.checkpoints.checkpoint import Checkpoint
    from opspec_lint.frameworks.tensorflow.saved.graphs.metas import StoredMeta
    from opspec_lint.models.model import Details, MetaGraph


class SavedModel(Record):
    """A SavedModel as it lies in its folder: its meta graphs, and where the rest is.

    `file` is the one that describes it. `newer_fields` are those of a text that not all releases know
    (`graphs.text_fields`), none of a binary file.
    """

    folder: str
    meta_graphs: Sequence[StoredMeta]
    file: str = ""
    newer_fields: Mapping[str, int] = {}

    def require_known_to(self, version: int | None) -> None:
        """Refuse a text with a field that the release of a graph version does not know; None stands for no release.

        Raises:
            InputError: the text has such a field.
        """
        name = text_fields.unknown(self.newer_fields, version)
        if name is not None:
            problem = f"the release cannot parse the text: it does not know the field {name}"
            raise InputError(self.file, problem, advice="save the model in the binary format, which has no such limit")

    @property
    def prefix(self) -> str:
        """The prefix of its variables."""
        return os.path.join(self.folder, "variables", "variables")

    @property
    def has_variables(self) -> bool:
        """Whether it has any checkpoint."""
        return bool(checkpoint.files(self.prefix))

    def checkpoint(self) -> Checkpoint:
        """Return its variables.

        Raises:
            OutsideError: a file of theirs is a link that leads out of the folder.
            InputError: the variables are missing or damaged.
        """
        self._require_inside(checkpoint.files(self.prefix))
        found = checkpoint.read(self.prefix)
        self._require_inside(checkpoint.shards(found))
        return found

    def _require_inside(self, paths: Iterable[str]) -> None:
        for path in paths:
            if not self.has_inside(path):
                raise OutsideError(path, "is outside the model's folder, and is not read")

    def has_inside(self, path: str) -> bool:
        """Tell whether a path lies in the folder of the model, links followed."""
        return is_inside(path, self.folder)

    def asset(self, name: str) -> str:
        """Return the path of an asset."""
        return os.path.join(self.folder, "assets", name)

    @property
    def is_version_2(self) -> bool:
        """Whether it has one meta graph, with a graph of objects: `tf.saved_model.load` takes it for one of its own."""
        return len(self.meta_graphs) == 1 and self.meta_graphs[0].HasField("object_graph_def")


def read(path: str, files: tuple[str, str]) -> Model[SavedModel]:
    """Return the model of a SavedModel; the binary file counts where both are there.

    Args:
        path: its folder, or a file in it.
        files: how the file that describes it is called, in the binary and in the text format.

    Raises:
        NoModelError: the folder has neither file.
        InputError: the model cannot be read.
    """
    folder = path if is_folder(path) else os.path.dirname(path)
    there = [each for each in files if exists(os.path.join(folder, each))]
    if not there or not (exists(path) or is_link(path)):
        raise NoModelError(path, f"has neither {' nor '.join(files)}", advice="name the folder of a SavedModel")
    file = os.path.join(folder, there[0])
    stored = FileBytes(file)
    require_fetched(file, stored.read(0, HEAD))
    content = (_of_binary if there[0] == files[0] else _of_text)(folder, stored, file)
    described = tuple(map(_meta_graph, content.meta_graphs))
    found, remarks = _checkpoint(content)
    if not described:
        remarks = ("it has no meta graph, so that no loader finds a graph in it", *remarks)
    return Model(
        file=path,
        meta_graphs=described,
        remarks=remarks,
        look=lambda: describe.denied(described),
        checkpoint=None if found is None else found.tensors,
        checkpoint_facts={} if found is None else found.facts,
        measure=lambda: _sizes(content, stored.size),
        content=content,
    )


def _of_binary(folder: str, stored: ByteSource, file: str) -> SavedModel:
    return SavedModel(folder=folder, meta_graphs=metas.meta_graphs(stored, file), file=file)


def _of_text(folder: str, stored: ByteSource, file: str) -> SavedModel:
    whole = reading.whole_of_text("SavedModel", stored.read(0, stored.size), file)
    binary = ByteSource(whole.SerializeToString(deterministic=True))
    return _of_binary(folder, binary, file).replace(newer_fields=text_fields.newer(whole))


def _meta_graph(meta: StoredMeta) -> MetaGraph:
    return describe.of_meta_graph(meta).replace(examine=lambda: _details(meta))


def _details(meta: StoredMeta) -> Details:
    objects = functions.Objects(meta.object_graph_def)
    return describe.details(meta).replace(functions=objects.functions(), traces=objects.signatures())


def _checkpoint(content: SavedModel) -> tuple[Checkpoint | None, tuple[str, ...]]:
    """Return the variables, None where there are none to be read, and what is to be said of that."""
    if not content.has_variables:
        return None, ()
    try:
        return content.checkpoint(), ()
    except InputError as error:  # the graph can be shown nevertheless; a loader judges
        return None, (f"its variables cannot be shown: {error}",)


def _sizes(content: SavedModel, whole: int) -> dict[str, int]:
    """Return the bytes of a SavedModel whose message has `whole` bytes."""
    named = dict.fromkeys(each.file for meta in content.meta_graphs for each in describe.assets(meta))
    paths = (content.asset(name) for name in named)
    return {
        **sizes.sizes((each.graph_def for each in content.meta_graphs), whole),
        "variables": checkpoint.size(content.prefix),
        "assets": sum(file_size(path) for path in paths if content.has_inside(path) and is_file(path)),
    }
