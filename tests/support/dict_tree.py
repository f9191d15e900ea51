"""A source tree of texts in memory."""

from __future__ import annotations


class DictTree:
    """The texts of a dictionary by path, which `BuildFiles` reads like a source tree."""

    def __init__(self, texts):
        self._texts = texts

    def read(self, paths):
        return {path: self._texts[path].encode() if path in self._texts else None for path in paths}
