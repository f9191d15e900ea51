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
        if code is not None and match is not None:
            resolver = Resolvers(workspace).for_path(path)
            header = f"{path[:-3]}.h"
            declared = workspace.files.code(header, workspace.defined)
            root_class = None if declared is None else next(iter(workspace.classes_in(declared, ROOT)), None)
            if root_class is None:
                raise UnresolvedError(f"the class {ROOT} is not in {header}", path, 1)
            body = Body(name="operator()", code=code, start=match.end(), end=closing_brace(code.bare, match.end() - 1))
            # The constructor of no op runs here, so only statements that declare are followed (`is_framework`).
            maker = Maker([(root_class, {})], resolver, is_framework=True)
            maker.follow(body)
            return [*maker.declared.attrs]
    return []
