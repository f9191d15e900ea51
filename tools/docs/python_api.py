"""The reference of the Python API, made of the signatures and docstrings of the public objects."""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import TYPE_CHECKING

import opspec_lint
from opspec_lint.api import results, spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATH = "docs/reference/python.md"
_INTRODUCTION = """\
`import opspec_lint` offers what this page lists, and nothing else of the package is public. [What may
change](stability.md) says for how long. Importing it costs nothing: a name is loaded when it is first used.

- A function prints nothing, never exits, and reads neither environment variables nor the working directory: a relative
  path needs `base_dir`. Interpreters and git run without the environment of the process, and nothing is cached.
- Results never change, and have the fields of the JSON formats: the pages on [reports](report.md) and
  [audits](audit.md) describe every field. `to_dict()` returns the same document as `--format json`. Results can be
  pickled.
- All functions can be called from several threads at once.
- Below, a `Path` is `str | os.PathLike[str]`, a `Level` is "error", "warning" or "note", and an `Answer` is "yes", "no"
  or "unknown".
- Expected errors are `InputError` and `UsageError`, whose text ends with the advice. An argument of a wrong type is a
  `TypeError`, which names the argument. Any other exception is a fault of opspec-lint.
- The types of all results can be imported: `opspec_lint.Comparison`.

[Recipes](../how-to/use-it-from-python.md) show it in a test, in an export script, in a model registry and in a
notebook.
"""
_SECTION = re.compile(r"^(Args|Raises):\n((?:    .*\n?|\n)+)", re.MULTILINE)
_FUNCTIONS = ("load", "check", "audit", "releases", "render")
_RESULTS = (
    (spec, ("Spec", "Op", "Argument")),
    (
        results,
        (
            "Report",
            "Finding",
            "Comparison",
            "Side",
            "Summary",
            "LevelCounts",
            "Release",
            "Origin",
            "Waiver",
            "Approval",
            "Proof",
            "Since",
            "Usage",
            "Fix",
            "Edit",
            "Position",
            "Audit",
            "ModelVerdict",
            "ModelFinding",
            "AnswerCounts",
            "Reach",
            "Refusal",
            "Doubt",
        ),
    ),
)
"""The classes of results, in the order of the page."""


def lines() -> Iterator[str]:
    """Yield the title and the lines of the page."""
    yield "# Python API"
    yield ""
    yield from _INTRODUCTION.rstrip().split("\n")
    yield from ("", "## Functions")
    for name in _FUNCTIONS:
        yield from _function(name, getattr(opspec_lint, name))
    yield from ("", "## Results")
    for module, names in _RESULTS:
        for name in names:
            yield from _class(name, getattr(module, name))
    yield from ("", "## Exceptions")
    for name in ("InputError", "UsageError"):
        yield from (
            "",
            f"### `{name}`",
            "",
            *_prose(_SECTION.sub("", inspect.getdoc(getattr(opspec_lint, name)) or "")),
        )


def _function(name: str, function: Callable[..., object]) -> Iterator[str]:
    doc = inspect.getdoc(function) or ""
    yield from ("", f"### `{name}`", "", "```python", *_signature(name, function), "```", "", *_prose(doc))


def _signature(name: str, function: Callable[..., object]) -> Iterator[str]:
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    texts = [_parameter(parameter) for parameter in parameters]
    keyword = next((i for i, parameter in enumerate(parameters) if parameter.kind is parameter.KEYWORD_ONLY), None)
    if keyword is not None:
        texts.insert(keyword, "*")
    whole = f"{name}({', '.join(texts)}) -> {signature.return_annotation}"
    if len(whole) <= 100:
        yield whole
        return
    yield f"{name}("
    yield from (f"    {text}," for text in texts)
    yield f") -> {signature.return_annotation}"


def _parameter(parameter: inspect.Parameter) -> str:
    text = f"{parameter.name}: {parameter.annotation}"
    return text if parameter.default is parameter.empty else f"{text} = {parameter.default!r}"


def _class(name: str, public: type) -> Iterator[str]:
    yield from ("", f"### `{name}`", "", *_prose(inspect.getdoc(public) or ""), "")
    kinds = {key: kind for key, kind in public.__annotations__.items() if not str(kind).startswith("ClassVar")}
    yield from ("| field | type |", "| --- | --- |")
    yield from (f"| `{field}` | `{str(kind).replace('|', chr(92) + '|')}` |" for field, kind in kinds.items())
    for key, member in vars(public).items():
        doc = inspect.getdoc(member.fget if isinstance(member, property) else member)
        if not key.startswith("_") and (isinstance(member, property) or inspect.isfunction(member)) and doc:
            call = "" if isinstance(member, property) else str(inspect.signature(member)).replace("self, ", "")
            shown = call.replace("(self)", "()").partition(" ->")[0].replace("'", "")
            yield from ("", f"`{key}{shown}`: {doc.replace(chr(10), ' ').replace('  ', ' ')}")


def _prose(doc: str) -> Iterator[str]:
    """Yield a docstring as Markdown: its sections as lists, its examples as blocks."""
    body = _SECTION.sub("", doc).strip()
    for number, paragraph in enumerate(body.split("\n\n")):
        if number:
            yield ""
        if paragraph.startswith(">>>"):
            yield from ("```pycon", *paragraph.split("\n"), "```")
        else:
            yield from paragraph.split("\n")
    for section in _SECTION.finditer(doc):
        yield from ("", {"Args": "Arguments:", "Raises": "Exceptions:"}[section[1]], "")
        yield from _items(textwrap.dedent(section[2]))


def _items(text: str) -> Iterator[str]:
    """Yield the items `name: text` of a section as a list."""
    for item in re.split(r"\n(?=\S)", text.strip()):
        name, _, text = " ".join(item.split()).partition(": ")
        yield textwrap.fill(
            f"- `{name}`: {text}", 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
