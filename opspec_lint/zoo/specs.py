"""The specs of a setup: as they are sent to workers, and as a worker has them."""

from __future__ import annotations

import json
from functools import lru_cache

from opspec_lint.models import tape
from opspec_lint.sources import references, released
from opspec_lint.sources.cache import identity_of_code
from opspec_lint.sources.reading import Reading
from opspec_lint.zoo.work import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from opspec_lint.spec.model import Spec


def target(name: str, resolve: Callable[[], Spec], asked: object, *, is_as_released: bool = True) -> Target:
    """Return a spec as it is sent.

    Args:
        name: what the user calls it.
        resolve: returns the spec; a released one need not be decoded.
        asked: what else a verdict depends on, as JSON has it.
        is_as_released: whether `resolve` returns the spec of the release that `name` names, without further ops.
    """
    from opspec_lint.spec import canonical

    text = (
        None if is_as_released and _is_released(name) else canonical.dumps(resolve()).encode("utf-8", "surrogatepass")
    )
    content = released.read(released.full_name(name)) if text is None else text
    key = digest(json.dumps([name, digest(content), _tool(), asked], sort_keys=True).encode())
    return Target(name=name, key=key, text=None if text is None else tape.compress(text))


def spec_of(sent: Target) -> Spec:
    """Return the spec that was sent; the same one for the same target."""
    return _spec_of(sent.name, sent.key, sent.text)


@lru_cache(maxsize=256)
def _spec_of(name: str, _key: str, text: bytes | None) -> Spec:
    if text is None:
        return references.resolve(name, Reading()).spec
    from opspec_lint.sources import recognise

    return recognise.load_spec(recognise.document_of(tape.decompress(text), f"{name}.json"), name).spec.replace(
        file=name
    )


@lru_cache(maxsize=256)
def released_spec(name: str) -> Spec | None:
    """Return the spec of a release that is included, None for another release."""
    return references.resolve(name, Reading()).spec if name in _released() else None


@lru_cache(maxsize=1)
def _released() -> frozenset[str]:
    return frozenset(released.names())


def _is_released(name: str) -> bool:
    import os

    return released.is_name(name) and not os.path.lexists(name)


def is_of(name: str, families: Container[str]) -> bool:
    """Tell whether a spec, by the user's name for it, may belong to one of some families; a file may belong to any."""
    return not released.is_name(name) or released.family(name) in families


def _tool() -> str:
    import os

    import opspec_lint

    return identity_of_code((os.path.dirname(opspec_lint.__file__),))


def digest(data: bytes) -> str:
    """Return the digest of bytes, which names them."""
    from hashlib import blake2b

    return blake2b(data, digest_size=20).hexdigest()
