"""The format of TorchScript archives, of `torch.jit.save` or for the lite interpreter. Only code is read, no pickle."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.saved import layout
from opspec_lint.kit.errors import InputError
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.pytorch.saved.torchscript import Code
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model

_MAX_CODE = 32 << 20
"""Bytes of one file of code."""


def claims(candidate: Candidate) -> bool:
    """Return whether a file is an archive with code."""
    return bool(layout.code(layout.entries(candidate)))


def read(candidate: Candidate) -> Model[Code]:
    """Return the model, with a graph for each method.

    Raises:
        InputError: the file cannot be read.
    """
    from opspec_lint.frameworks.pytorch.saved import completeness, torchscript
    from opspec_lint.models.archive import Archive
    from opspec_lint.models.model import Model

    path = candidate.path
    with Archive(candidate) as archive:
        entries = layout.inner(archive.names())
        code = layout.code(entries)
        if not code:
            raise InputError(path, "holds no TorchScript", advice="name an archive of torch.jit.save")
        version = layout.version(archive, entries)
        texts = {entry: archive.read(entry, _MAX_CODE).decode("utf-8", "replace") for entry in code.values()}
    scripts = [torchscript.read(texts[entry], module) for module, entry in sorted(code.items())]
    return Model(
        file=path,
        meta_graphs=(torchscript.describe_archive(scripts, version),),
        content=torchscript.Code(
            calls=tuple(torchscript.calls(scripts)), problems=tuple(completeness.problems(entries, texts, scripts))
        ),
        measure=lambda: layout.sizes(archive, entries, code.values()),
        remarks=(*_remarks(entries), *map(_unparsed_remark, sorted(completeness.unparsed_entries(texts)))),
    )


def _remarks(entries: dict[str, str]) -> Iterator[str]:
    """Yield remarks about what the archive does not show: branches, bytecode, and types of weights."""
    if "traced_inputs.pkl" in entries:
        yield "the model was traced: branches that depended on input values are fixed"
    if "bytecode.pkl" in entries:
        yield "the model was saved for the lite interpreter; its bytecode is not shown"
    yield "types and shapes of weights are in pickles, which are not opened"


def _unparsed_remark(entry: str) -> str:
    """Return the remark about a file of code that is too long to be parsed."""
    return f"'{entry}' is too long to be parsed: an error of its syntax is not found"


MODEL_FORMAT = ModelFormat(summary="PyTorch's TorchScript (torch.jit.save)", claims=claims, read=read)
