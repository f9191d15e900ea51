"""Between which releases a model loads: the oldest and the newest of those whose specs are known by name."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.models import loader as loaders
from opspec_lint.models.audit import of_model
from opspec_lint.models.files import LfsPointerError
from opspec_lint.models.recognise import read_model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from opspec_lint.models.loader import Asked, Loader
    from opspec_lint.models.model import Model
    from opspec_lint.spec.model import Spec


class Reach(Record):
    """The oldest and the newest release under which a model loads by a loader, None where there is none.

    What was not asked for is None as well. `problem` says why the model cannot be read; `is_pointer` that it is one of
    git-lfs, and was not fetched.
    """

    model: str
    loader: str | None = None
    oldest: str | None = None
    newest: str | None = None
    problem: str | None = None
    is_pointer: bool = False


class Releases:
    """The releases that are known by name.

    Args:
        names: their names, such as `tensorflow@2.15.1`, older ones first.
        resolve: returns the spec of one.
    """

    def __init__(self, names: Sequence[str], resolve: Callable[[str], Spec]) -> None:
        self._names = names
        self._resolve = resolve
        self._specs: dict[str, Spec] = {}

    def of(self, framework: str) -> list[str]:
        """Return the names of those of a framework, older ones first."""
        return [name for name in self._names if name.partition("@")[0] == framework]

    def spec(self, name: str) -> Spec:
        """Return the spec of one."""
        if name not in self._specs:
            self._specs[name] = self._resolve(name)
        return self._specs[name]


def reach(
    path: str, releases: Releases, wanted: Sequence[Loader], asked: Asked, ends: Collection[str]
) -> Iterator[Reach]:
    """Yield for each loader the `ends` that are asked for, `oldest` and `newest`, of the releases where a model loads.

    Releases between the two are not looked at. A model that loads and means something else does not load here.

    Raises:
        UsageError: no loader of such models is known.
    """
    try:
        model = read_model(path, sorted({name for each in wanted for name in each.formats}))
    except InputError as error:
        said = error.message if error.message.startswith(path) else f"{path}: {error.message}"
        yield Reach(model=path, problem=said, is_pointer=isinstance(error, LfsPointerError))
        return
    chosen = list(wanted) or loaders.of_format(model.format)
    if not chosen:
        raise loaders.unknown_for(model)
    for each in chosen:
        names = releases.of(each.judged_by)
        yield Reach(
            model=path,
            loader=each.name,
            oldest=_first(model, names, releases, each, asked) if "oldest" in ends else None,
            newest=_first(model, names[::-1], releases, each, asked) if "newest" in ends else None,
        )


def _first(model: Model, names: Iterable[str], releases: Releases, loader: Loader, asked: Asked) -> str | None:
    return next((name for name in names if _loads(model, name, releases.spec(name), loader, asked)), None)


def _loads(model: Model, name: str, spec: Spec, loader: Loader, asked: Asked) -> bool:
    return all(each.verdict == "loads" for each in of_model(model, [(name, spec)], [loader], asked))
