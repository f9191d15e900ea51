"""The attrs that the framework itself adds to every op, in `OpProtoAndCheckerMaker::operator()`."""

from __future__ import annotations

from opspec_lint.cpp.classes import Body
from opspec_lint.cpp.tokens import closing_brace
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.fluid.makers import Maker
from opspec_lint.frameworks.paddle.extract.fluid.resolver import Resolvers
from opspec_lint.frameworks.paddle.extract.fluid.scope import ROOT
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.classes import Class
    from opspec_lint.frameworks.paddle.extract.fluid.workspace import Workspace
    from opspec_lint.spec.records import LocatedAttr

PATHS = ("paddle/fluid/framework/op_proto_maker.cc", "paddle/framework/op_proto_maker.cc")
"""The file with the code, at present and until 2018; the first that exists counts."""

_CALL = pattern(rf"\b{ROOT}\s*::\s*operator\s*\(\s*\)\s*\([^()]*\)\s*\{{")


def framework_attrs(workspace: Workspace) -> list[LocatedAttr]:
    """Return the attrs that the framework adds to every op; none for a tree without such code.

    Raises UnresolvedError if the code cannot be evaluated.
    """
    for path in PATHS:
        code = workspace.files.code(path, workspace.defined)
        match = None if code is None else _CALL.search(code.bare)
        if code is None or match is None:
            continue
        body = Body(name="operator()", code=code, start=match.end(), end=closing_brace(code.bare, match.end() - 1))
        # The constructor of no op runs here, so only statements that declare are followed (`is_framework`).
        chain = [(_root_class(workspace, path), dict[str, str]())]
        maker = Maker(chain, Resolvers(workspace).for_path(path), is_framework=True)
        maker.follow(body)
        return [*maker.declared.attrs]
    return []


def _root_class(workspace: Workspace, path: str) -> Class:
    """Return the root class of all makers, from the header of the file that defines its methods."""
    header = f"{path.removesuffix('.cc')}.h"
    code = workspace.files.code(header, workspace.defined)
    classes = [] if code is None else workspace.classes_in(code, ROOT)
    if not classes:
        raise UnresolvedError(f"the class {ROOT} is not in {header}", path, 1)
    return classes[0]
