"""The model format of torch.export (`.pt2`): an archive of programs. Weights and sample inputs are not opened."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.saved import layout
from opspec_lint.kit.errors import InputError
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.archive import Archive
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import MetaGraph, Model

_WHAT = "program of torch.export"


def claims(candidate: Candidate) -> bool:
    """Return whether a file is an archive with a program."""
    return bool(layout.programs(layout.entries(candidate)))


def read(candidate: Candidate) -> Model:
    """Return the model, with a meta graph for each program of the archive.

    Raises:
        InputError: the file cannot be read.
    """
    from opspec_lint.models.archive import Archive
    from opspec_lint.models.model import Model

    path = candidate.path
    with Archive(candidate) as archive:
        entries = layout.inner(archive.names())
        programs = layout.programs(entries)
        if not programs:
            raise InputError(path, f"holds no {_WHAT}", advice="name an archive of torch.export.save")
        metas = tuple(_meta_graph(archive, name, entry) for name, entry in sorted(programs.items()))
    return Model(
        file=path,
        measure=lambda: layout.sizes(archive, entries, programs.values()),
        meta_graphs=metas,
    )


def _meta_graph(archive: Archive, name: str, entry: str) -> MetaGraph:
    """Return the meta graph of the program in an entry of the archive; an old archive has one without a name."""
    from opspec_lint.frameworks.pytorch.saved import exported
    from opspec_lint.models import json_file

    document = json_file.decode_json(archive.read(entry, json_file.MAX_BYTES), archive.path, _WHAT, part=entry)
    try:
        return exported.describe_program(document, (name,) if name else ())
    except ValueError as error:
        raise InputError(
            archive.path, f"'{entry}' is not a {_WHAT}: {error}", advice="it may be truncated: copy it again"
        ) from None


MODEL_FORMAT = ModelFormat(
    summary="PyTorch's program of torch.export (NAME.pt2)",
    claims=claims,
    read=read,
    endings=(".pt2",),
)
