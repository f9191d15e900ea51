"""The conditions under which the modules of a tree are imported.

`import pkg` executes `pkg/__init__.py`, the modules that it certainly imports, those that these import, and so on. An
op of any other module exists only after that module is imported as well. The statements are found in the text of files,
as parsing all files would take longer than the rest of the reader.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from posixpath import basename, dirname

from opspec_lint.spec.condition import ALWAYS, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from opspec_lint.spec.condition import Condition

_INIT = "__init__.py"
_NOT_SHIPPED = frozenset(
    """
    benchmark benchmarks bin build ci conftest doc docs documentation example examples exercise exercises fabfile manage
    noxfile scripts setup tasks test tests toxfile tutorials unit_test unit_tests
    """.split()  # noqa: SIM905 - a list would have a line for each
)
"""Folders and modules beside a package that setuptools leaves out (`FlatLayoutPackageFinder` in its discovery.py)."""
_SOURCE_FOLDERS = frozenset(("src", "python", "lib"))
"""Folders that hold packages and are none themselves."""
_STATEMENT = (
    # A line of a list in brackets begins no statement: without that, each bracket left open would be read to the end.
    rb"from[ \t]+(?P<module>[\w.]*)[ \t]+import[ \t]*"
    rb"(?P<names>\([^)\n]*(?:\n(?![ \t]*(?:from|import)[ \t])[^)\n]*)*\)|(?:[^\n\\;]|\\\n)*)"
    rb"|import[ \t]+(?P<modules>[\w., \t]+)"
)
_IMPORT = re.compile(rb"\n(?:%s)" % _STATEMENT)
_BLOCK = re.compile(rb"\n(try[ \t]*:|with\b[^\n]*:|if[ \t]+(?:True|1)[ \t]*:)[ \t]*(?:#[^\n]*)?(?=\n)")
_BLOCK_LINE = re.compile(rb"\n(?:[ \t]*(?:#[^\n]*)?(?=\n|\Z)|[ \t]+(?:%s|(?P<other>[^\n]+)))" % _STATEMENT)
_END = re.compile(rb"\n(?:raise\b|(?:sys\.)?exit\(|quit\(|os\.(?:_exit|abort)\()")
"""A statement at the top of a file behind which nothing is executed."""
_CALL = re.compile(rb"\b(?:import_module|__import__)\(\s*(?:(f?)[\"']([^\"'\n]+)[\"']\s*[,)])?")
_DEFERRED = (b"def ", b"class ", b"async ", b"@", b"if ", b"elif ", b"else", b"except")
"""Beginnings of statements whose blocks are not certainly executed; a class is one as its methods hold most calls."""
_TOP = re.compile(rb"\n(?=[^ \t\n#)\]}])")
"""The end of the line before a statement at the top of a file."""
_NAME = re.compile(rb"(\w+)(?:\s+as\s+\w+)?")
_COMMENT = re.compile(rb"#[^\n]*")


class _LongTexts:
    """The texts in triple quotes of a file."""

    def __init__(self, data: bytes) -> None:
        self._quotes = [[quote.end() for quote in re.finditer(sign, data)] for sign in (b'"""', b"'''")]

    def contain(self, place: int) -> bool:
        """Return whether a place is within one of the texts."""
        return any(bisect_right(ends, place) % 2 for ends in self._quotes)


class Imports:
    """The imports that the files of a tree execute, by path."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._imported: dict[str, frozenset[str]] = {}
        self._reached: dict[str, frozenset[str]] = {}
        self._roots: dict[str, list[str]] = {}
        for path in files:
            top = self._packages_of(path)[:1] if basename(path) == _INIT else []
            if top == [dirname(path)]:
                self._roots.setdefault(basename(top[0]), []).append(dirname(top[0]))
        self._certain: Collection[str] | None = None

    def condition_of(self, path: str) -> Condition:
        """Return the condition under which a module is imported where its package is: ALWAYS for most."""
        if self._certain is None:
            tops = (f"{root}/{name}".lstrip("/") for name, roots in self._roots.items() for root in roots)
            self._certain = self._reach(f"{top}/{_INIT}" for top in tops if _NOT_SHIPPED.isdisjoint(top.split("/")))
        packages = self._packages_of(path)
        if path in self._certain or (not packages and self._is_top_module(path)):
            return ALWAYS
        root = dirname(packages[0]) if packages else ""
        for package in packages:
            if path in self._reach_of(f"{package}/{_INIT}"):
                return requirement(f"{_dotted(package, root)} is imported")
        return requirement(f"{_dotted(path, root)} is imported")

    def _packages_of(self, path: str) -> list[str]:
        """Return the folders of the packages that a file is in, the outermost first."""
        folders = []
        folder = dirname(path)
        while folder:
            folders.append(folder)
            folder = "" if f"{folder}/setup.py" in self._files else dirname(folder)
        return [folder for folder in reversed(folders) if f"{folder}/{_INIT}" in self._files]

    def _is_top_module(self, path: str) -> bool:
        """Return whether a file in no package is a module that a user imports by its name alone."""
        folder, stem = dirname(path), basename(path).removesuffix(".py")
        if stem in _NOT_SHIPPED or stem.startswith("test_") or stem.endswith("_test"):
            return False
        return not folder or folder in _SOURCE_FOLDERS or f"{folder}/setup.py" in self._files

    def _reach_of(self, path: str) -> frozenset[str]:
        if path not in self._reached:
            self._reached[path] = self._reach([path])
        return self._reached[path]

    def _reach(self, starts: Iterable[str]) -> frozenset[str]:
        """Return the files that are executed after files, and those files."""
        waiting = list(starts)
        reached = set(waiting)
        while waiting:
            path = waiting.pop()
            if path not in self._imported:
                self._imported[path] = frozenset(self._imports_of(path))
            waiting += self._imported[path] - reached
            reached |= self._imported[path]
        return frozenset(reached)

    def _imports_of(self, path: str) -> Iterator[str]:
        """Yield the files of the modules that a file imports outside of functions, up to a statement that ends it."""
        data = b"\n" + self._files[path].replace(b"\r\n", b"\n")
        end = _END.search(data)
        data = data[: end.start()] if end else data
        texts = _LongTexts(data)
        # The pattern is slow where it matches nothing.
        imports = _IMPORT.finditer(data) if b"\nfrom " in data or b"\nimport " in data else ()
        for statement in imports:
            if not texts.contain(statement.start()):
                yield from self._targets(statement, path)
        for block in _BLOCK.finditer(data):
            if not texts.contain(block.start()):
                yield from self._block_imports(data, block, path)
        if b"import_module(" in data or b"__import__(" in data:
            yield from self._called_imports(data, path, texts)

    def _block_imports(self, data: bytes, block: re.Match[bytes], path: str) -> Iterator[str]:
        """Yield the files that a block imports; in one that catches errors, those before anything that may fail."""
        catches = block[1].startswith(b"try") or b"suppress(" in block[1]
        end = block.end()
        while line := _BLOCK_LINE.match(data, end):
            end = line.end()
            imported = set(self._targets(line, path))
            yield from imported
            # An extension is of use with PyTorch only, so that its import does not fail.
            can_fail = line["other"] or (_names_module(line) and not _names_module(line).startswith("torch"))
            if catches and can_fail and not imported:
                return

    def _called_imports(self, data: bytes, path: str, texts: _LongTexts) -> Iterator[str]:
        """Yield the files that `import_module` imports outside of functions; all of a package for an unknown name."""
        package = dirname(path)
        statements = [statement.end() for statement in _TOP.finditer(data)]
        for call in _CALL.finditer(data):
            place = bisect_left(statements, call.start() + 1)
            if (place and data.startswith(_DEFERRED, statements[place - 1])) or texts.contain(call.start()):
                continue
            name = (call[2] or b"").decode("utf-8", "replace")
            name = re.sub(r"^\{__(?:name|package)__\}(?=\.)", "", name) if call[1] else name
            if name and "{" not in name:
                yield from self._files_of(self._absolute(name, path))
            else:
                yield from (file for file in self._files if file.startswith(f"{package}/"))

    def _targets(self, statement: re.Match[bytes], path: str) -> Iterator[str]:
        """Yield the files that an import statement executes."""
        for name in _names_module(statement).split():
            folders = self._absolute(name, path)
            yield from self._files_of(folders)
            names = _COMMENT.sub(b"", statement["names"] or b"")
            for item in _NAME.findall(names) if names else ():
                # `from package import module`
                yield from self._files_of([f"{folder}/{item.decode()}".lstrip("/") for folder in folders], own=True)

    def _absolute(self, name: str, path: str) -> list[str]:
        """Return the paths, without `.py`, that a dotted name in a file may have."""
        if name.startswith("."):
            folder = dirname(path)
            inner = name.lstrip(".")
            for _ in range(len(name) - len(inner) - 1):
                folder = dirname(folder)
            return ["/".join(filter(None, (folder, *inner.split("."))))]
        first = name.partition(".")[0]
        roots = self._roots.get(
            first, [dirname(path)] if f"{dirname(path)}/{first}.py".lstrip("/") in self._files else []
        )
        return ["/".join(filter(None, (root, *name.split(".")))) for root in roots]

    def _files_of(self, modules: Iterable[str], *, own: bool = False) -> Iterator[str]:
        """Yield the files that the imports of modules execute: theirs, and the ones of the packages around them."""
        for module in modules:
            path = next((path for path in (f"{module}/{_INIT}", f"{module}.py") if path in self._files), None)
            if path:
                yield path
            if path or not own:
                yield from (f"{package}/{_INIT}" for package in self._packages_of(f"{module}/{_INIT}")[:-1])


def _names_module(statement: re.Match[bytes]) -> str:
    """Return the names of the modules in an import statement, separated by spaces."""
    names = statement["module"] or statement["modules"]
    return (
        " ".join(item.split()[0] for item in names.decode("utf-8", "replace").split(",") if item.split())
        if names
        else ""
    )


def _dotted(path: str, root: str) -> str:
    """Return the dotted name of a file or folder below a folder."""
    name = path.removesuffix(".py").removesuffix("/__init__")
    return name.removeprefix(f"{root}/" if root else "").replace("/", ".")
