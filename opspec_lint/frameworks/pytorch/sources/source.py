"""A source tree, read without a build: PyTorch's own native_functions.yaml, or what an extension registers.

Nothing of the tree is executed.
"""

from __future__ import annotations

from opspec_lint.kit.errors import NothingThereError
from opspec_lint.sources import trees
from opspec_lint.sources.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "pytorch-source"


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of a tree: `DIR@REVISION`, `DIR@:index`, or `DIR`; "" is the current folder.

    Args:
        argument: the tree. It is split at the last `@` behind which a revision stands.
        reading: the environment that git inherits, and whether a revision may be fetched.

    Raises:
        InputError: there is no such tree or revision.
        NothingThereError: the tree declares no ops.
    """
    from opspec_lint.frameworks.pytorch.declared import tree
    from opspec_lint.frameworks.pytorch.schemas.table import Line, spec_of
    from opspec_lint.spec.model import Provenance

    file = f"{SCHEME}:{argument}"
    with trees.open_tree(SCHEME, argument, tree.SUFFIXES, reading) as opened:
        found = list(tree.read(opened.files))
    if not found:
        problem = "it has no native_functions.yaml, and no TORCH_LIBRARY or torch.library.define"
        raise NothingThereError(file, problem, advice="name the root of a source tree of PyTorch or of an extension")
    lines = [each for each in found if isinstance(each, Line)]
    remarks = [each for each in found if not isinstance(each, Line)]
    provenance = Provenance(framework="pytorch", commit=opened.commit, made_by=SCHEME)
    return spec_of(lines, file, provenance, remarks=remarks)


SOURCE = Source(
    summary="a source tree of PyTorch or of an extension: pytorch-source:DIR[@REVISION], or DIR@:index",
    extract=extract,
    at=trees.at,
    mark=r"()(?:.*/)?[^/]+\.(?:cpp|cc|cxx|cu|py|yaml)$",
    mark_text="TORCH_LIBRARY(_FRAGMENT)?\\(|RegisterOperators\\(|torch\\.library|^- func: ",
)
