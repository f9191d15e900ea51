"""What a format of saved models is: a module of a framework's `models/`, with a `MODEL_FORMAT`."""

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

MODEL_FORMATS: Catalogue[ModelFormat] = Catalogue("frameworks/*/models", offers="MODEL_FORMAT")


class Candidate:
    """A path that may be a model: a file, a folder, or the prefix of several files.

    Args:
        path: the path.
        data: the bytes of a file that is not there; None for a path.
    """

    def __init__(self, path: str, data: bytes | None = None) -> None:
        self.path = path
        self.is_folder = data is None and is_folder(path)
        self.is_file = data is not None or is_file(path)
        self._data = data
        self._view = None if data is None else memoryview(data)

    @property
    def entries(self) -> frozenset[str]:
        """The names of what the folder holds, none for what is no folder."""
        if not self.is_folder:
            return frozenset()
        try:
            return frozenset(names_in(self.path))
        except OSError as error:
            raise InputError(self.path, f"cannot be listed: {error.strerror}", advice="check the folder") from None

    @property
    def head(self) -> bytes:
        """The first bytes of the file, none of what is no file."""
        return bytes(self.view[:HEAD]) if self.is_file else b""

    @property
    def view(self) -> memoryview:
        """The bytes of the file where they are: what is not looked at is not read.

        Raises:
            InputError: the file cannot be read.
        """
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
        """Return a stream of the bytes of the file.

        Raises:
            OSError: the file cannot be opened.
        """
        if self._data is None:
            return open_file(self.path)
        import io

        return io.BytesIO(self._data)

    def take(self) -> bytes:
        """Return the bytes of the file, and keep them no longer.

        Raises:
            InputError: the file cannot be read, or is larger than any such file can be.
        """
        data, self._data = self.data, None
        return data


class ModelFormat(Record):
    """A format of saved models.

    `summary` is a line for people. `claims` tells whether a candidate is of this format; it never raises for what the
    candidate holds, and looks at few bytes. A module imports what `read` needs when it reads, since each file that may
    be a model is shown to every format. `read` makes its model, and raises InputError for what cannot be read.
    `endings` are how names end that only models of this format have. `without_loader` is the reason why no loader takes
    its models, and behind the last semicolon what to do; "" for a format that a loader takes.
    """

    name: str = ""
    framework: str = ""
    summary: str
    claims: Callable[[Candidate], bool]
    read: Callable[[Candidate], Model]
    endings: tuple[str, ...] = ()
    without_loader: str = ""
