"""The format of `torch.save`: weights in a pickle, and no program. It is recognised, and the pickle is not opened."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.saved import layout
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model

_PICKLE = "data.pkl"
_OLD_FORM = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e"
"""The first bytes of the form before 1.6, which is no archive: the pickled number 0x1950a86a20f9469cfc6c."""
_WITHOUT_PROGRAM = (
    "torch.save wrote it: it holds weights or a pickled module, and no program; torch.load reads it, "
    "torch.jit.load and torch.export.load do not; save the model with torch.jit.save or torch.export.save"
)


def claims(candidate: Candidate) -> bool:
    """Return whether a file is an archive with a pickle and no program, or has the form before archives."""
    if candidate.is_file and candidate.head.startswith(_OLD_FORM):
        return True
    entries = layout.entries(candidate)
    return _PICKLE in entries and not layout.code(entries) and not layout.programs(entries)


def read(candidate: Candidate) -> Model:
    """Return a model without graphs, with remarks about the weights.

    Raises:
        InputError: the file is no archive.
    """
    from opspec_lint.models.archive import Archive
    from opspec_lint.models.model import Model

    if candidate.head.startswith(_OLD_FORM):
        return Model(file=candidate.path, remarks=("the file consists of pickles, which are not opened",))
    with Archive(candidate) as archive:
        weights = [name for inside, name in layout.inner(archive.names()).items() if inside.startswith("data/")]
        count, size = len(weights), sum(map(archive.size, weights))
    holds = f"the file holds {count} storages of weights, {size} bytes, and no graph"
    pickled = "their names are in a pickle, which is not opened, since a pickle can run any code"
    return Model(
        file=candidate.path,
        remarks=(f"{holds}: {pickled}",),
    )


MODEL_FORMAT = ModelFormat(
    summary="PyTorch's weights (torch.save)", claims=claims, read=read, without_loader=_WITHOUT_PROGRAM
)
