"""Reading of a SavedModel from its folder: meta graphs, variables and assets."""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.saved.callables import functions
from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint
from opspec_lint.frameworks.tensorflow.saved.graphs import describe, metas, recognition, sizes, text_fields
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
    """A SavedModel: its meta graphs, and the folder with its variables and assets.

    `file` is the path of saved_model.pb or saved_model.pbtxt, `newer_fields` the fields of a text that some releases do
    not know (`graphs.text_fields`), none for a binary file.
    """

    folder: str
    meta_graphs: Sequence[StoredMeta]
    file: str = ""
    newer_fields: Mapping[str, int] = {}

    def require_known_to(self, version: int | None) -> None:
        """Raise an InputError if the model is a text with a field that the release of this graph version lacks."""
        name = text_fields.first_unknown_field(self.newer_fields, version)
        if name is not None:
            problem = f"the release cannot parse the text: it does not know the field {name}"
            raise InputError(self.file, problem, advice="save the model in the binary format, which has no such limit")

    @property
    def prefix(self) -> str:
        """The prefix of the checkpoint with the variables."""
        return os.path.join(self.folder, "variables", "variables")

    @property
    def has_variables(self) -> bool:
        """True if the model has a checkpoint."""
        return bool(checkpoint.find_files(self.prefix))

    def checkpoint(self) -> Checkpoint:
        """Read the variables; raises OutsideError if one of their files is a link to the outside of the folder."""
        self._require_inside(checkpoint.find_files(self.prefix))
        variables = checkpoint.read(self.prefix)
        self._require_inside(checkpoint.shard_files(variables))
        return variables

    def _require_inside(self, paths: Iterable[str]) -> None:
        """Refuse files outside of the folder of the model."""
        # A model from elsewhere must not make an audit read other files of this machine.
        for path in paths:
            if not self.has_inside(path):
                raise OutsideError(path, "is outside the model's folder, and is not read")

    def has_inside(self, path: str) -> bool:
        """Return whether a path is in the folder of the model after links are resolved."""
        return is_inside(path, self.folder)

    def asset_path(self, name: str) -> str:
        """Return the path of an asset."""
        return os.path.join(self.folder, "assets", name)

    @property
    def is_version_2(self) -> bool:
        """True for a single meta graph with an object graph: `tf.saved_model.load` then restores objects."""
        return len(self.meta_graphs) == 1 and self.meta_graphs[0].HasField("object_graph_def")


def read(path: str, files: tuple[str, str]) -> Model[SavedModel]:
    """Read a SavedModel by its folder or a file in it.

    `files` are the names of the binary and the text file; as in TensorFlow, the binary one is read if both exist.
    """
    folder = path if is_folder(path) else os.path.dirname(path)
    present = [file for file in files if exists(os.path.join(folder, file))]
    if not present or not (exists(path) or is_link(path)):
        raise NoModelError(path, f"has neither {' nor '.join(files)}", advice="name the folder of a SavedModel")
    file = os.path.join(folder, present[0])
    stored = FileBytes(file)
    require_fetched(file, stored.read(0, HEAD))
    content = (_load_binary if present[0] == files[0] else _load_text)(folder, stored, file)
    described = tuple(map(_describe_meta, content.meta_graphs))
    variables, remarks = _read_checkpoint(content)
    if not described:
        remarks = ("it has no meta graph, so that no loader finds a graph in it", *remarks)
    return Model(
        file=path,
        meta_graphs=described,
        remarks=remarks,
        find_remarks=lambda: describe.denylist_remarks(described),
        checkpoint=None if variables is None else variables.tensors,
        checkpoint_facts={} if variables is None else variables.facts,
        measure=lambda: _sizes(content, stored.size),
        content=content,
    )


def _load_binary(folder: str, stored: ByteSource, file: str) -> SavedModel:
    return SavedModel(folder=folder, meta_graphs=metas.meta_graphs(stored, file), file=file)


def _load_text(folder: str, stored: ByteSource, file: str) -> SavedModel:
    whole = recognition.parse_text("SavedModel", stored.read(0, stored.size), file)
    binary = ByteSource(whole.SerializeToString(deterministic=True))
    return _load_binary(folder, binary, file).replace(newer_fields=text_fields.newer_fields(whole))


def _describe_meta(meta: StoredMeta) -> MetaGraph:
    return describe.describe_meta_graph(meta).replace(examine=lambda: _describe_details(meta))


def _describe_details(meta: StoredMeta) -> Details:
    objects = functions.ObjectGraph(meta.object_graph_def)
    return describe.describe_details(meta).replace(functions=objects.functions(), traces=objects.signatures())


def _read_checkpoint(content: SavedModel) -> tuple[Checkpoint | None, tuple[str, ...]]:
    """Return the variables, None if there are none or they are damaged, and a remark about the damage."""
    if not content.has_variables:
        return None, ()
    try:
        return content.checkpoint(), ()
    except InputError as error:  # `show` can print the graph nevertheless; a loader reports the fault
        return None, (f"its variables cannot be shown: {error}",)


def _sizes(content: SavedModel, whole: int) -> dict[str, int]:
    """Return the sizes of graph, variables and assets; the file of the meta graphs has `whole` bytes."""
    named = dict.fromkeys(asset.file for meta in content.meta_graphs for asset in describe.describe_assets(meta))
    paths = (content.asset_path(name) for name in named)
    return {
        **sizes.sizes((meta.graph_def for meta in content.meta_graphs), whole),
        "variables": checkpoint.total_size(content.prefix),
        "assets": sum(file_size(path) for path in paths if content.has_inside(path) and is_file(path)),
    }
