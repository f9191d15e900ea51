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
    from collections.abc import Callable, Collection, Iterator, Sequence

    from opspec_lint.models.loader import Loader, LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.model import Spec


class Refusal(Record):
    """A known release under which a model does not load, or means something else, with the first reason."""

    release: str
    reason: str


class Reach(Record):
    """The oldest and the newest release under which a model loads by a loader, None where there is none.

    What was not asked for is None as well. If `is_claimed`, no spec of the oldest one is known: it is what the specs
    say of the versions that the model needs, and no known release contradicts it. `refusals` are the known releases
    under which the model does not load, older ones first: also those between the oldest and the newest. `problem` says
    why the model cannot be read; `is_pointer` that it is one of git-lfs, and was not fetched.
    """

    model: str
    loader: str | None = None
    oldest: str | None = None
    newest: str | None = None
    is_claimed: bool = False
    refusals: tuple[Refusal, ...] = ()
    problem: str | None = None
    is_pointer: bool = False

    def only(self, ends: Collection[str]) -> Reach:
        """Return it with the ends that were asked for, `oldest` and `newest`."""
        return self.but(
            oldest=self.oldest if "oldest" in ends else None,
            newest=self.newest if "newest" in ends else None,
            is_claimed=self.is_claimed and "oldest" in ends,
        )


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

    def of(self, families: Sequence[str]) -> list[str]:
        """Return the names of those of some families, older ones first."""
        return [name for family in families for name in self._names if name.partition("@")[0] == family]

    def spec(self, name: str) -> Spec:
        """Return the spec of one."""
        if name not in self._specs:
            self._specs[name] = self._resolve(name)
        return self._specs[name]


def reach(
    path: str, releases: Releases, wanted: Sequence[Loader], asked: LoadOptions, ends: Collection[str]
) -> Iterator[Reach]:
    """Yield for each loader the `ends` that are asked for, `oldest` and `newest`, of the releases where a model loads.

    A model that loads and means something else does not load here.

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
        yield _reach(path, model, each, releases, asked).only(ends)


def _reach(path: str, model: Model, loader: Loader, releases: Releases, asked: LoadOptions) -> Reach:
    names = releases.of(loader.families)
    reasons = {name: _refusal(model, name, releases.spec(name), loader, asked) for name in names}
    loading = [name for name, reason in reasons.items() if reason is None]
    claim = None if loader.claim is None else loader.claim(model, map(releases.spec, reversed(names)))
    claimed = claim and _claimed(f"{loader.families[0]}@{claim}", loading, names)
    return Reach(
        model=path,
        loader=loader.name,
        oldest=claimed or next(iter(loading), None),
        newest=next(reversed(loading), None),
        is_claimed=bool(claimed),
        refusals=tuple(Refusal(release=name, reason=reason) for name, reason in reasons.items() if reason is not None),
    )


def _claimed(name: str, loading: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the release that specs name as the oldest, None where a known one says otherwise, or is older."""
    family = [each for each in names if each.partition("@")[0] == name.partition("@")[0]]
    first = next((each for each in family if each in loading), None)
    refuting = (each for each in family if each not in loading and _numbers(each) >= _numbers(name))
    if first is None or _numbers(first) <= _numbers(name) or any(refuting):
        return None
    return name


def _numbers(name: str) -> list[int]:
    return [int(part) for part in name.partition("@")[2].split(".") if part.isdecimal()]


def _refusal(model: Model, name: str, spec: Spec, loader: Loader, asked: LoadOptions) -> str | None:
    """Return why a model does not load under a release, or what it does there; None where it loads."""
    for each in of_model(model, [(name, spec)], [loader], asked):
        if each.verdict != "loads":
            errors = (finding.message for finding in each.findings if finding.level == "error")
            return next(errors, each.verdict)
    return None
