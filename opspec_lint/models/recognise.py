"""Model files: which format a path is in, decided by its content, and the model that it holds."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.models.files import UnknownKindError, require_fetched, require_present
from opspec_lint.models.format import MODEL_FORMATS, Candidate
from opspec_lint.models.loader import LOADERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.models.format import ModelFormat
    from opspec_lint.models.model import Model


def read_model(path: str, formats: Sequence[str] = ()) -> Model:
    """Return the model that a path names.

    Args:
        path: a file, a folder, or the prefix of a checkpoint.
        formats: the formats that it may be in; none for any. Where there is but one, the path is read as that.

    Raises:
        LfsPointerError: the file is a pointer of git-lfs.
        NoModelError: there is no model.
        UnknownKindError: the file is in no known format.
        InputError: the model cannot be read.
    """
    candidate = Candidate(path)
    if candidate.is_file:
        require_fetched(path, candidate.head)
    claimed = _claimed(candidate, formats)
    if claimed is not None:
        return _read(claimed, candidate)
    unwanted = _claimed(candidate) if formats else None
    if unwanted is not None:
        raise _not_for_loader(path, unwanted, formats)
    if len(formats) == 1:
        return _read(MODEL_FORMATS.load(formats[0]), candidate)
    require_present(path)
    raise _of_no_kind(candidate)


def format_of(candidate: Candidate) -> ModelFormat | None:
    """Return the format that a candidate is in, None where that is no known one.

    Raises:
        LfsPointerError: the file is a pointer of git-lfs.
    """
    if candidate.is_file:
        require_fetched(candidate.path, candidate.head)
    return _claimed(candidate)


def _read(found: ModelFormat, candidate: Candidate) -> Model:
    return found.read(candidate).replace(format=found.name, framework=found.framework)


def _not_for_loader(path: str, own: ModelFormat, formats: Sequence[str]) -> InputError:
    """Return the error for a model whose format the requested loader does not take."""
    loaders = [loader.name for loader in LOADERS.every() if own.name in loader.formats]
    needed = " or ".join(MODEL_FORMATS.load(name).summary for name in formats)
    advice = f"use --loader {' or '.join(loaders)}" if loaders else "`opspec-lint show` shows its contents"
    return UnknownKindError(path, f"is {own.summary}, and the loader takes {needed}", advice=advice)


def _of_no_kind(candidate: Candidate) -> InputError:
    """Return the error for a file or folder that no format claims: why the one it is named for does not."""
    path = candidate.path
    for model_format in MODEL_FORMATS.every() if candidate.head else ():
        if model_format.endings and path.endswith(model_format.endings):
            try:
                model_format.read(candidate)
            except InputError as error:
                return error
    from opspec_lint.models import unread_kinds

    return unread_kinds.error_of(candidate, lambda inner: _claimed(inner) is not None)


def is_named_as_model(path: str) -> bool:
    """Tell whether a path has a name that only models have."""
    return any(path.endswith(each.endings) for each in MODEL_FORMATS.every())


def _claimed(candidate: Candidate, formats: Sequence[str] = ()) -> ModelFormat | None:
    """Return the first format, of some or of all, that a candidate is in."""
    of_some = (each for each in MODEL_FORMATS.every() if not formats or each.name in formats)
    return next((each for each in of_some if each.claims(candidate)), None)
