"""The marks of source trees of PyTorch and of its extensions."""

from __future__ import annotations

from opspec_lint.sources.marks import TreeMark

MARKS = {
    "pytorch-source": TreeMark(
        path=r"()(?:.*/)?[^/]+\.(?:cpp|cc|cxx|cu|py|yaml)$",
        line="TORCH_LIBRARY(_FRAGMENT)?\\(|RegisterOperators\\(|torch\\.library|^- func: ",
    ),
}
