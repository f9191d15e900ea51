"""The calls of Python scripts in a CMakeLists.txt, with their options as paths in the tree."""

from __future__ import annotations

import posixpath

from opspec_lint.kit.pattern import pattern

_COMMENT = pattern(r"#[^\n]*")
_SET = pattern(r"\bset\s*\(\s*(\w+)\s+([^\s()]+)[^()]*\)")
_VARIABLE = pattern(r"\$\{(\w+)\}")
_FOLDER = pattern(r"WORKING_DIRECTORY\s+([^\s()]+)")
_OPTION = pattern(r"--(\w+)((?:\s+(?!--)[^\s()]+)*)")
_CALL_END = pattern(r"\bCOMMAND\b|\bRESULT_VARIABLE\b|\bRESULTS_VARIABLE\b|\)")
# The value of a variable may contain variables; the limit stops those that refer to themselves.
_MAX_EXPANSIONS = 8
# Variables that name the root of the tree, and the folder of the CMakeLists.txt.
_ROOTS = dict.fromkeys(("CMAKE_SOURCE_DIR", "PADDLE_SOURCE_DIR", "CMAKE_BINARY_DIR", "PADDLE_BINARY_DIR"), "/")
_CURRENT_FOLDER = ("CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_BINARY_DIR")
_PARSED = pattern(r"--(?:op|api)_yaml_path\b")


class ScriptCalls:
    """The calls of scripts in one CMakeLists.txt, given its text and its path in the tree."""

    def __init__(self, script: str, path: str) -> None:
        self.text = _COMMENT.sub("", script)
        # Folders of the build are taken for those of the sources: parse_op.py writes its copies there, under the same
        # paths.
        here = dict.fromkeys(_CURRENT_FOLDER, f"/{posixpath.dirname(path)}")
        self._variables = _ROOTS | here | {name: value.strip('"') for name, value in _SET.findall(self.text)}

    def options(self, at: int) -> dict[str, str]:
        """Return the options of the call behind an offset, each value as a path from the root."""
        # An execute_process() may run several scripts; `COMMAND` begins the next one.
        end = _CALL_END.search(self.text, at)
        call = self.text[at : end.start() if end else len(self.text)]
        process = self.text.rfind("execute_process", 0, at)
        folder = self._path(_last(_FOLDER.findall(self.text, max(process, 0), at)))
        return {name: self._path(value, folder) for name, value in _OPTION.findall(call)}

    def parsed_files(self) -> dict[str, str]:
        """Return the YAML file of each copy that parse_op.py writes, by the path of the copy."""
        sources: dict[str, str] = {}
        for match in _PARSED.finditer(self.text):
            options = self.options(match.start())
            source = options.get("op_yaml_path") or options.get("api_yaml_path")
            if source and options.get("output_path"):
                sources[options["output_path"]] = source
        return sources

    def _path(self, text: str, folder: str = "") -> str:
        """Return the path in the first word of a text, relative to `folder`, with variables replaced."""
        parts = text.split()
        path = parts[0].strip('"') if parts else ""
        for _ in range(_MAX_EXPANSIONS):
            path = _VARIABLE.sub(lambda match: self._variables.get(match[1], match[0]), path)
        if not path or path.startswith("$"):
            return path
        if path.startswith("/"):
            return path.lstrip("/")
        return posixpath.normpath(posixpath.join(folder, path))


def _last(values: list[str]) -> str:
    """Return the last of some values; "" for none."""
    return values[-1] if values else ""
