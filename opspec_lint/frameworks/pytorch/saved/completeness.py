"""What `torch.jit.load` asks of an archive before it looks at any op: its records, code that parses, and every type.

TorchScript's text is a subset of Python's, so Python's own parser reads it. Nothing of it is run, and no pickle opened.
"""

from __future__ import annotations

import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.pytorch.saved.torchscript import Script

_RECORDS = ("version", "data.pkl", "constants.pkl")
"""The entries that each archive has, in its folder; the version can stand in a folder of its own since 2.13."""
_VERSION = ".data/version"
_OLD_FORM = "model.json"
"""An archive of the first releases has this entry, and its weights in other places."""
_ONLY_PARSED = 0x400
"""`ast.PyCF_ONLY_AST`, which would cost the import of `ast`."""
_DEFINITIONS = ("ClassDef", "FunctionDef", "Import")
"""What stands in a file of code."""
_LONGEST = 1 << 20
"""Characters of a file that is parsed: the tree of `a;a;a;...` takes 900 times as many bytes, and of a million 3 s."""
_MOST = 2 << 20
"""Characters of all files that are parsed."""
_REGISTERED = "__torch__.torch.classes."
"""Classes of the release itself, or of a library that registers them."""


def problems(entries: Mapping[str, str], texts: Mapping[str, str], scripts: list[Script]) -> Iterator[tuple[str, str]]:
    """Yield what of an archive is refused, whatever its ops are, and why.

    Args:
        entries: the names of entries by what they are within the archive's folder.
        texts: the code, by the name of its entry.
        scripts: what the code defines.
    """
    if _OLD_FORM not in entries:
        missing = (each for each in _RECORDS if each not in entries)
        yield from ((each, f"it has no '{each}'") for each in missing if each != "version" or _VERSION not in entries)
    unparsed = too_long(texts)
    errors = {entry: why for entry, text in texts.items() if entry not in unparsed and (why := _syntax_error(text))}
    yield from ((entry, f"'{entry}' is no TorchScript: {why}") for entry, why in errors.items())
    if not errors:
        yield from _undefined(scripts)


def too_long(texts: Mapping[str, str]) -> set[str]:
    """Return the entries of code that are not parsed: the longest ones, if all together are too long."""
    found: set[str] = set()
    left = _MOST
    for entry in sorted(texts, key=lambda entry: len(texts[entry])):
        if len(texts[entry]) > min(left, _LONGEST):
            found.add(entry)
        else:
            left -= len(texts[entry])
    return found


def _syntax_error(text: str) -> str:
    """Return the line that does not parse, and why, or "".

    A text that nests deeper than Python's parser goes may parse all the same.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(text, "code", "exec", _ONLY_PARSED, dont_inherit=True)
    except SyntaxError as error:
        return "" if "too many" in error.msg else f"line {error.lineno or 1}: {error.msg}"
    except ValueError as error:
        return str(error)
    except (RecursionError, MemoryError):
        return ""
    others = (each for each in tree.body if type(each).__name__ not in _DEFINITIONS)
    return next((f"line {each.lineno}: neither a class nor a function" for each in others), "")


def _undefined(scripts: list[Script]) -> Iterator[tuple[str, str]]:
    """Yield the types that the code names and does not define; a name can go on to a method, or to a value."""
    defined = {each.name for script in scripts for each in script.classes}
    if not defined:
        yield "code", "its code defines no class, so that it has no module"
    named = {name for script in scripts for name in script.types if not name.startswith(_REGISTERED)}
    functions = {each.name for script in scripts for each in script.methods if not each.owner}
    known = defined | functions
    missing = sorted(each for each in named if each not in known and each.rpartition(".")[0] not in known)
    yield from ((each, f"its code does not define '{each}'") for each in missing)
