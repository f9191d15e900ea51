"""The recognition of model files: the format of a path, decided by its content, and the model in it."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError, PluginError
from opspec_lint.models.files import UnknownKindError, require_fetched, require_present
from opspec_lint.models.format import MODEL_FORMATS, Candidate
from opspec_lint.models.loader import loaders_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.models.format import ModelFormat
    from opspec_lint.models.model import Model


def read_model(path: str, formats: Sequence[str] = ()) -> Model:
    """Return the model at a path: a file, a folder, or the prefix of a checkpoint.

    Args:
        path: the path.
        formats: the accepted formats, empty for any. If there is exactly one, the path is read as that format.

    Raises:
        LfsPointerError: the file is a pointer of git-lfs.
        NoModelError: there is no model.
        UnknownKindError: the file is in no known format.
        InputError: the model cannot be read.
    """
    candidate = Candidate(path)
    if candidate.is_file:
        require_fetched(path, candidate.head)
    claimed = _claiming_format(candidate, formats) or _format_of_plugin(candidate, formats)
    if claimed is not None:
        return _read(claimed, candidate)
    # An intact model of another format gets a clearer message than the errors of the wrong reader.
    unwanted = _claiming_format(candidate) if formats else None
    if unwanted is not None:
        raise _wrong_format_error(path, unwanted, formats)
    if len(formats) == 1:
        return _read(MODEL_FORMATS.load(formats[0]), candidate)
    require_present(path)
    raise _unclaimed_error(candidate)


def format_of(candidate: Candidate) -> ModelFormat | None:
    """Return the format of a candidate, None if it is unknown. Raises LfsPointerError for a pointer of git-lfs."""
    if candidate.is_file:
        require_fetched(candidate.path, candidate.head)
    return _claiming_format(candidate)


def _read(model_format: ModelFormat, candidate: Candidate) -> Model:
    """Return the model of a candidate in a given format."""
    return model_format.read(candidate).replace(format=model_format.name, framework=model_format.framework)


def _wrong_format_error(path: str, own: ModelFormat, formats: Sequence[str]) -> InputError:
    """Return the error for a model whose format the requested loader does not take."""
    loaders = [loader.name for loader in loaders_of(own.name)]
    needed = " or ".join(MODEL_FORMATS.load(name).summary for name in formats)
    advice = f"use --loader {' or '.join(loaders)}" if loaders else "`opspec-lint show` shows its contents"
    return UnknownKindError(path, f"is {own.summary}, and the loader takes {needed}", advice=advice)


def _unclaimed_error(candidate: Candidate) -> InputError:
    """Return the error for a file or folder that no format claims."""
    path = candidate.path
    # A file that is named like a model but damaged at its beginning: the reader of this format explains it best.
    possible = MODEL_FORMATS.every() if candidate.head else ()
    for model_format in possible:
        if model_format.endings and path.endswith(model_format.endings):
            try:
                model_format.read(candidate)
            except InputError as error:
                return error
    from opspec_lint.models import unread_kinds

    unknown = unread_kinds.unknown_kind_error(candidate, lambda inner: _claiming_format(inner) is not None)
    hint = MODEL_FORMATS.failure_hint()
    return type(unknown)(path, unknown.problem, advice=f"{unknown.advice}. {hint}") if hint else unknown


def is_named_as_model(path: str) -> bool:
    """Return True if a path has an ending that only models have."""
    return any(path.endswith(model_format.endings) for model_format in MODEL_FORMATS.every())


def _claiming_format(candidate: Candidate, formats: Sequence[str] = ()) -> ModelFormat | None:
    """Return the first of the given formats (default: all) that claims a candidate, or None."""
    return _first_claiming(MODEL_FORMATS.every(), candidate, formats)


def _format_of_plugin(candidate: Candidate, formats: Sequence[str]) -> ModelFormat | None:
    """Return the first format of a plug-in that claims a candidate, or None. Plug-ins are looked up for it."""
    from opspec_lint.kit import plugins

    plugins.activate()
    return _first_claiming(MODEL_FORMATS.plugged(), candidate, formats)


def _first_claiming(every: Iterable[ModelFormat], candidate: Candidate, formats: Sequence[str]) -> ModelFormat | None:
    requested = (model_format for model_format in every if not formats or model_format.name in formats)
    return next((model_format for model_format in requested if _claims(model_format, candidate)), None)


def _claims(model_format: ModelFormat, candidate: Candidate) -> bool:
    """Return True if a format claims a candidate; one of a plug-in that fails leaves it to the others."""
    try:
        return model_format.claims(candidate)
    except PluginError:
        return False
