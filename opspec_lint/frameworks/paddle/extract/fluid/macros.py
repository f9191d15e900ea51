"""What macros are at a place of a C++ file, and what a part of it is with its macros expanded."""

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
_WORD = pattern(r"[A-Za-z_]\w*")


class Macros(VisibleMacros):
    """The macros that one file sees.

    Args:
        workspace: the tree and the build.
        path: the file.
    """

    def __init__(self, workspace: Workspace, path: str) -> None:
        super().__init__(workspace.files, workspace.defined, path)
        self._workspace = workspace

    def is_kept(self, name: str) -> bool:
        """Return whether a macro registers an op, or checks a value: these are read by their names."""
        return name in REGISTERING or is_check(name)

    def in_class(self, this: Class) -> str:
        """Return the name of a macro that stands among the members of a class; "" where none does."""
        bare = this.code.bare
        outside: list[str] = []
        at = this.start
        while at < this.end:
            opening = bare.find("{", at, this.end)
            outside.append(bare[at : this.end if opening < 0 else opening])
            at = this.end if opening < 0 else closing_brace(bare, opening) + 1
        names = (
            {name for text in outside for name in _WORD.findall(text)}
            - (COMMON - self._workspace.redefined - self._files.defines(self._path))
            - _MEMBERS
        )
        return next(iter(sorted(self.suspects(names))), "")

    def candidates(self, words: Tokens) -> set[str]:
        """Return the names that may be macros and are not left as they are."""
        own = self._files.defines(self._path) | self._workspace.redefined
        names = {text for kind, text, _ in words if kind == NAME}
        more = names - COMMON
        if own:
            more |= names.intersection(own)
        # The variables of a checker are no macros: to look for them would read all that the file includes.
        for at, (_, text, _) in enumerate(words):
            if text == "AddCustomChecker" and at + 1 < len(words) and words[at + 1][1] == "(":
                inside = words[at + 2 : words.closing(at + 1)]
                outside = {word[1] for word in (*words[:at], *words[words.closing(at + 1) :])}
                more -= {text for _, text, _ in inside if text.islower() and text not in outside and text not in own}
        return {name for name in more if not is_check(name)}
