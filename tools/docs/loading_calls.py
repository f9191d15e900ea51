"""The tables of public calls that load files, for docs/reference/loaders.md."""

from __future__ import annotations

import json

from opspec_lint.kit.version import numbers
from tools.loading_calls.__main__ import FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT = (
    "`python -m tools.loading_calls` lets each release save a file of each kind, and load those of all by each public "
    "call: `all` loads them all, `-` none, and a list is that of the releases whose files load. A call that the "
    "release does not have is empty. The loader is the one of `audit` that follows the call; `-` where `audit` follows "
    "none, or does not read such files."
)
HEADS = ("file", "call", "loader")
LOADERS = {
    "paddle": {
        "static.load_inference_model": "`static.load_inference_model`, `pir_json`",
        "static.load_inference_model, OldIrGuard": "`legacy_executor`",
        "jit.load": "`static.load_inference_model`, `pir_json`",
        "inference.create_predictor": "`inference_predictor`, `pir_predictor`",
    },
    "tensorflow": {
        "saved_model.load": "`saved_model.load`",
        "v1.saved_model.loader.load": "`v1.saved_model.loader.load`",
        "keras.models.load_model": "`keras.models.load_model`",
        "v1.train.import_meta_graph": "`v1.train.import_meta_graph`",
        "train.load_checkpoint": "`train.load_checkpoint`",
        "import_graph_def": "`import_graph_def`",
    },
    "tflite": {"Interpreter": "`tflite.Interpreter`"},
    "onnx": {"onnx.checker.check_model(model)": "`onnx.checker`", "InferenceSession(path)": "`InferenceSession`"},
    "pytorch": {"jit.load": "`torch.jit.load`", "export.load": "`torch.export.load`"},
}
"""The loaders of `audit` by framework, and the call that they follow."""
UNREAD = {
    "paddle": ("weights",),
    "tensorflow": ("HDF5 of Keras", "zip of Keras"),
    "pytorch": ("weights", "weights, legacy format", "pickled module", "TorchScript, lite"),
}
"""The kinds of files that no loader of `audit` takes, by framework."""
ABSENT = ("AttributeError", "ModuleNotFoundError", "ImportError")
"""The errors of a call that the release does not have."""


def measured() -> list[str]:
    """Return the frameworks whose calls were measured."""
    return list(_recorded())


def releases(framework: str) -> list[str]:
    """Return the releases that loaded files of a framework."""
    return sorted({row[3] for row in _rows(framework)}, key=_key)


def rows(framework: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table: file, call, loader, and a cell for each release."""
    recorded = _rows(framework)
    for kind, call in dict.fromkeys((row[0], row[1]) for row in recorded):
        cells = (
            _cell({saved: error for k, c, saved, loaded, error in recorded if (k, c, loaded) == (kind, call, release)})
            for release in releases(framework)
        )
        is_read = kind not in UNREAD.get(framework, ())
        loader = LOADERS[framework].get(call, "-") if is_read else "-"
        yield kind, f"`{call}`", loader, *cells


def _rows(framework: str) -> list[list[str]]:
    """Return the recorded rows of a framework: file, call, saving release, loading release, error."""
    return _recorded()[framework]


def _recorded() -> dict[str, list[list[str]]]:
    """Return the recorded rows by framework."""
    return json.loads(FILE.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def _cell(errors: dict[str, str]) -> str:
    """Return the outcome of a call in one release, given the errors by saving release."""
    if not errors:
        return ""
    loaded = sorted((saved for saved, error in errors.items() if not error), key=_key)
    if len(loaded) == len(errors):
        return "all"
    if loaded:
        return ", ".join(loaded)
    return "" if all(error.startswith(ABSENT) for error in errors.values()) else "-"


def _key(release: str) -> tuple[str, tuple[int, ...]]:
    """Return the sort key of a release, whose name may begin with its package."""
    package, _, version = release.rpartition(" ")
    return package, numbers(version) or ()
