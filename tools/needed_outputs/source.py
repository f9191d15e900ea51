"""Reader of a Paddle tree: which outputs the C++ code of an op uses without asking whether they are there.

A missing output is a null pointer to both the InferMeta function of an op and its kernels. InferMeta functions that
dereference it crash; kernels that allocate it fail (`DeviceContext::Alloc`). Code in a block, which may be the block
of a check, and code that hands the pointer to another function say nothing. Outputs are parameters in the
order of the entry in YAML.
"""

from __future__ import annotations

import re
import subprocess

from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry, parse_entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

YAML = "paddle/phi/ops/yaml"
FILES = {
    **{f"{YAML}/{name}.yaml": "" for name in ("ops", "fused_ops", "inconsistent/static_ops")},
    f"{YAML}/sparse_ops.yaml": "sparse_",
}
"""The files with entries of ops, with the prefix of their ops."""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_OUTPUT = re.compile(r"Tensor(?:\[\])?\s*(?:\(([\w@]+)\))?")
_POINTER = re.compile(r"(?:MetaTensor|DenseTensor|SparseCooTensor|SparseCsrTensor)\s*\*\s*(\w+)")


class Tree:
    """A revision of Paddle in a git repository."""

    def __init__(self, repository: str, revision: str = "HEAD") -> None:
        self._repository = repository
        self._revision = revision
        listed = self._git("ls-tree", "-r", "--name-only", revision, "paddle/phi/infermeta").split()
        self._metas = [self.text(path) for path in listed if path.endswith(".cc")]

    def text(self, path: str) -> str:
        """Return the text of a file without comments; "" if there is none."""
        return _COMMENT.sub("", self._git("show", f"{self._revision}:{path}"))

    def needs(self, op: str) -> dict[str, str]:
        """Return the outputs that an op of YAML needs, by name, each with the function that uses it unchecked."""
        entry = self._entry(op)
        if entry is None:
            return {}
        names = [match or "out" for match in _OUTPUT.findall(str(entry.get("output", "")))]
        users: dict[str, str] = {}
        for function, body in (*self._infer_metas(entry), *self._kernels(entry)):
            pointers = _POINTER.findall(body.partition("{")[0])
            for name, pointer in zip(names, pointers, strict=False):
                if uses_unchecked(body, pointer):
                    users.setdefault(name, function)
        return users

    def _entry(self, op: str) -> YamlEntry | None:
        """Return the entry of an op."""
        for path, prefix in FILES.items():
            for entry in self._entries(path):
                if op == prefix + str(entry.get("op", "")).rstrip("_"):
                    return entry
        return None

    def _entries(self, path: str) -> list[YamlEntry]:
        """Return the entries of a file, parsed once."""
        cached = self.__dict__.setdefault("_parsed", {})
        if path not in cached:
            cached[path] = parse_entries(self._git("show", f"{self._revision}:{path}"), path)
        return list(cached[path])

    def _infer_metas(self, entry: YamlEntry) -> Iterator[tuple[str, str]]:
        """Yield the InferMeta function of an entry, with its text from its parameters on."""
        meta = entry.get("infer_meta")
        name = str(meta.get("func", "")).rpartition(":")[2] if isinstance(meta, dict) else ""
        for text in self._metas if name else ():
            yield from ((name, body) for body in bodies(text, name))

    def _kernels(self, entry: YamlEntry) -> Iterator[tuple[str, str]]:
        """Yield the kernels of an entry for CPU and GPU, each with its text from its parameters on."""
        kernel = entry.get("kernel")
        for name in (
            re.findall(r"(\w+)\s*(?:\{[^}]*\})?", str(kernel.get("func", ""))) if isinstance(kernel, dict) else ()
        ):
            pattern = rf"PD_REGISTER_KERNEL\(\s*{name}\b"
            paths = self._git(
                "grep", "-lE", rf"^ *(PD_REGISTER_KERNEL\()? *{name}\b", self._revision, "--", "paddle/phi/kernels"
            )
            for path in (line.partition(":")[2] for line in paths.split()):
                text = self.text(path)
                match = re.search(rf"{pattern}[^,]*,\s*(?:CPU|GPU|GPUDNN)\s*,\s*\w+\s*,\s*([\w:]+)", text)
                for body in bodies(text, match[1].rpartition(":")[2]) if match else ():
                    yield match[1].rpartition(":")[2], body

    def _git(self, *arguments: str) -> str:
        """Return the output of a git command; "" if it fails."""
        command = ["git", "-C", self._repository, *arguments]
        return subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")


def bodies(text: str, function: str) -> Iterator[str]:
    """Yield the definitions of a function, from its parameters to its end."""
    for match in re.finditer(rf"\bvoid\s+{function}\s*\(", text):
        opening = re.compile(r"[{;]").search(text, match.end())
        if opening is not None and opening[0] == "{":
            yield text[match.end() : _end(text, opening.start())]


def uses_unchecked(body: str, pointer: str) -> bool:
    """Tell whether a body always dereferences or allocates a pointer: outside of every block."""
    inner = body[body.find("{") + 1 : body.rfind("}")]
    while (opening := inner.find("{")) >= 0:
        inner = inner[:opening] + inner[_end(inner, opening) :]
    return re.search(rf"\b{pointer}->|Alloc(?:<[^;()]*>)?\(\s*{pointer}\s*[,)]", inner) is not None


def _end(text: str, start: int) -> int:
    """Return the index behind the brace that closes the one at `start`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.end()
    return len(text)
