"""The checks of `torch.jit.load` on an archive that concern no op: its records, the syntax of its code, its types.

TorchScript is a subset of Python, so Python's parser checks the syntax. No code is run, and no pickle is opened.
"""

from __future__ import annotations

from opspec_lint.kit.python_text import parse_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.pytorch.saved.torchscript import Script

_REQUIRED_RECORDS = ("version", "data.pkl", "constants.pkl")
"""The entries that each archive has in its folder; the version may be in `.data/` since 2.13."""
_VERSION = ".data/version"
_OLD_MODEL = "model.json"
"""The entry of archives of the first releases, which keep their weights in other entries."""
_DEFINITIONS = ("ClassDef", "FunctionDef", "Import")
"""The statements of a file of code."""
_MAX_PARSED = 1 << 20
"""Characters of a file that is parsed: the tree of `a;a;a;...` takes 900 times as many bytes, and of a million 3 s."""
_MAX_PARSED_TOTAL = 2 << 20
"""Characters of all files that are parsed."""
_REGISTERED = "__torch__.torch.classes."
"""Classes of the release itself, or of a library that registers them."""


def problems(entries: Mapping[str, str], texts: Mapping[str, str], scripts: list[Script]) -> Iterator[tuple[str, str]]:
    """Yield the parts for which the loader refuses an archive whatever its ops are, each with the reason.

    `entries` maps names within the archive's folder to entries, `texts` entries to code, which `scripts` describe.
    """
    if _OLD_MODEL not in entries:
        missing = (record for record in _REQUIRED_RECORDS if record not in entries)
        yield from (
            (record, f"it has no '{record}'") for record in missing if record != "version" or _VERSION not in entries
        )
    unparsed = unparsed_entries(texts)
    errors = {entry: why for entry, text in texts.items() if entry not in unparsed and (why := _syntax_error(text))}
    yield from ((entry, f"'{entry}' is no TorchScript: {why}") for entry, why in errors.items())
    # The loader stops at the first syntax error, and a file with one may lack definitions only for that reason.
    if not errors:
        yield from _undefined_types(scripts)


def unparsed_entries(texts: Mapping[str, str]) -> set[str]:
    """Return the entries of code that are too long to be parsed, alone or with all shorter ones."""
    unparsed: set[str] = set()
    left = _MAX_PARSED_TOTAL
    # Shortest first, so that the limit leaves out as few files as possible.
    for entry in sorted(texts, key=lambda entry: len(texts[entry])):
        if len(texts[entry]) > min(left, _MAX_PARSED):
            unparsed.add(entry)
        else:
            left -= len(texts[entry])
    return unparsed


def _syntax_error(text: str) -> str:
    """Return the place and reason of a syntax error, "" if there is none.

    A text that is nested too deeply for Python's parser is no error: PyTorch's own parser may read it.
    """
    try:
        tree = parse_module(text)
    except SyntaxError as error:
        # Python limits nested brackets and blocks with this message; PyTorch's parser may read such a text.
        return "" if "too many" in error.msg else f"line {error.lineno or 1}: {error.msg}"
    except ValueError as error:
        return str(error)
    except (RecursionError, MemoryError):
        return ""
    others = (statement for statement in tree.body if type(statement).__name__ not in _DEFINITIONS)
    return next((f"line {statement.lineno}: neither a class nor a function" for statement in others), "")


def _undefined_types(scripts: list[Script]) -> Iterator[tuple[str, str]]:
    """Yield the types that the code names and does not define; such a name may have a method or value behind it."""
    defined = {cls.name for script in scripts for cls in script.classes}
    if not defined:
        yield "code", "its code defines no class, so that it has no module"
    named = {name for script in scripts for name in script.types if not name.startswith(_REGISTERED)}
    functions = {method.name for script in scripts for method in script.methods if not method.owner}
    known = defined | functions
    missing = sorted(name for name in named if name not in known and name.rpartition(".")[0] not in known)
    yield from ((name, f"its code does not define '{name}'") for name in missing)
