"""The declaration of a format of saved models: the `MODEL_FORMAT` of a module in a framework's `models/`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.models.files import HEAD, is_file, is_folder, names_in, open_file, read_file, view_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from opspec_lint.models.model import Model

MODEL_FORMATS: Catalogue[ModelFormat] = Catalogue(
    "frameworks/*/models", offers="MODEL_FORMAT", results={"claims": "", "read": "Model"}
)


class Candidate:
    """A path that may be a model: a file, a folder, or the common prefix of several files.

    `data` are the bytes of a file that exists only in memory, such as one from a git revision.
    """

    def __init__(self, path: str, data: bytes | None = None) -> None:
        self.path = path
        self.is_folder = data is None and is_folder(path)
        self.is_file = data is not None or is_file(path)
        self._data = data
        self._view = None if data is None else memoryview(data)

    @property
    def entries(self) -> frozenset[str]:
        """The names of the entries of the folder, empty if the path is no folder."""
        if not self.is_folder:
            return frozenset()
        try:
            return frozenset(names_in(self.path))
        except OSError as error:
            raise InputError(self.path, f"cannot be listed: {error.strerror}", advice="check the folder") from None

    @property
    def head(self) -> bytes:
        """The first bytes of the file, empty if the path is no file."""
        return bytes(self.view[:HEAD]) if self.is_file else b""

    @property
    def view(self) -> memoryview:
        """A memory map of the file. Raises InputError if it cannot be read."""
        if self._view is None:
            self._view = view_file(self.path)
        return self._view

    @property
    def data(self) -> bytes:
        """The bytes of the file.

        Raises:
            InputError: the file cannot be read, or is larger than any such file can be.
        """
        if self._data is None:
            self._data = read_file(self.path)
        return self._data

    def open(self) -> BinaryIO:
        """Return a stream of the file's bytes. Raises OSError if it cannot be opened."""
        if self._data is None:
            return open_file(self.path)
        import io

        return io.BytesIO(self._data)

    def take(self) -> bytes:
        """Return the bytes of the file and drop them from the cache, so that the caller can free them."""
        data, self._data = self.data, None
        return data


class ModelFormat(Record):
    """A format of saved models.

    `claims` returns True if a candidate is in this format. It looks at few bytes and never raises because of their
    content. `read` returns the model of a candidate, and raises InputError if it cannot be read. Every candidate is
    shown to every format, so a module must import what only `read` needs inside of `read`. `endings` are the file name
    endings that only this format has. `without_loader` states why no loader takes its models and, after its last
    semicolon, what to do; it is "" for a format that a loader takes. `value_name` returns the name of a number that an
    attr has, by the name of the attr, such as `int64` for the 3 of `dtype`; None for all others.
    """

    name: str = ""
    framework: str = ""
    summary: str
    claims: Callable[[Candidate], bool]
    read: Callable[[Candidate], Model]
    endings: tuple[str, ...] = ()
    without_loader: str = ""
    value_name: Callable[[str, object], str | None] = lambda _name, _value: None
