"""The macros that a C++ file of Paddle sees, and the expansion of its parts."""

from __future__ import annotations

from opspec_lint.cpp.tokens import NAME, closing_brace
from opspec_lint.cpp.visible_macros import VisibleMacros
from opspec_lint.frameworks.paddle.extract.fluid.checking import is_check
from opspec_lint.frameworks.paddle.extract.fluid.common_names import COMMON
from opspec_lint.frameworks.paddle.extract.fluid.declaring_macros import REGISTERING
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.classes import Class
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.paddle.extract.fluid.workspace import Workspace

_MEMBERS = frozenset({"public", "protected", "private", "virtual", "override", "final", "static", "inline", "using"})
_IDENTIFIER = pattern(r"[A-Za-z_]\w*")


class Macros(VisibleMacros):
    """The macros that one file sees in the build of a workspace."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        super().__init__(workspace.files, workspace.defined, path)
        self._workspace = workspace

    def is_kept(self, name: str) -> bool:
        """Return whether a macro is read by its name: it registers an op, or only checks."""
        return name in REGISTERING or is_check(name)

    def first_in_class(self, maker_class: Class) -> str:
        """Return the name of a macro invoked among the members of a class; "" if there is none."""
        bare = maker_class.code.bare
        # The texts of the class outside of the bodies of its methods.
        outside: list[str] = []
        at = maker_class.start
        while at < maker_class.end:
            opening = bare.find("{", at, maker_class.end)
            if opening < 0:
                outside.append(bare[at : maker_class.end])
                break
            outside.append(bare[at:opening])
            at = closing_brace(bare, opening) + 1
        names = {name for text in outside for name in _IDENTIFIER.findall(text)}
        never_macros = COMMON - self._workspace.redefined - self._files.defines(self._path)
        return min(self.possible_macros(names - never_macros - _MEMBERS), default="")

    def candidates(self, tokens: Tokens) -> set[str]:
        """Return the identifiers among tokens that may be macros to expand."""
        own = self._files.defines(self._path) | self._workspace.redefined
        names = {text for kind, text, _ in tokens if kind == NAME}
        more = names - COMMON
        if own:
            more |= names.intersection(own)
        # The variables of a checker are no macros: to look for them would read all that the file includes.
        for at, (_, text, _) in enumerate(tokens):
            if text == "AddCustomChecker" and at + 1 < len(tokens) and tokens[at + 1][1] == "(":
                inside = tokens[at + 2 : tokens.closing(at + 1)]
                outside = {token[1] for token in (*tokens[:at], *tokens[tokens.closing(at + 1) :])}
                more -= {text for _, text, _ in inside if text.islower() and text not in outside and text not in own}
        return {name for name in more if not is_check(name)}
