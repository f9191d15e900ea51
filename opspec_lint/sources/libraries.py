"""Libraries: ops that are registered in a release once a library is loaded, such as `tf.contrib` or torchvision."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError
from opspec_lint.sources import references
from opspec_lint.spec import op_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

OPTION = "--library"


class Libraries:
    """The specs of the libraries that are loaded together with each release.

    Args:
        libraries: each spec of a library, with its name on the command line.
    """

    def __init__(self, libraries: Iterable[tuple[str, Spec]] = ()) -> None:
        self._libraries = tuple(libraries)
        # Reversed, so that a message names the first library of a framework.
        self._unused = {spec.provenance.framework: name for name, spec in reversed(self._libraries)}

    def __bool__(self) -> bool:
        return bool(self._libraries)

    def added_to(self, release: Spec) -> Spec:
        """Return the spec of a release with the ops of its framework's libraries.

        An op of the release has priority: the op list of a library often contains all ops of the process that wrote it.
        Of two libraries with an op, the first one declares it.
        """
        framework = release.provenance.framework
        self._unused.pop(framework, None)
        for _, library in self._libraries:
            if library.provenance.framework == framework:
                release = release.replace(
                    ops=op_table.merge(release.ops, library.ops), earlier={**library.earlier, **release.earlier}
                )
        return release

    def require_used(self) -> None:
        """Refuse libraries of a framework without any release.

        Raises:
            UsageError: there is such a library.
        """
        for framework, name in self._unused.items():
            raise UsageError(
                f"{OPTION} {name} has ops of {framework}, and no spec of {framework} is given",
                advice="name a library of the framework of the specs",
            )


def read_libraries(names: Iterable[str], reading: Reading) -> Libraries:
    """Return the libraries of references.

    Raises:
        InputError: a reference names no spec, or one that cannot be read.
    """
    return Libraries((name, references.resolve(name, reading).spec) for name in names)
