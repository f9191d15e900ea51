"""Specs on their way to workers: encoded once in the parent process, decoded once in each worker process."""

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


def make_target(name: str, resolve: Callable[[], Spec], options: object, *, is_as_released: bool = True) -> Target:
    """Return the target for a spec, with a key that covers everything verdicts under it depend on.

    `name` is the user's name of the spec, `resolve` returns it; a released spec is not sent, so it is not decoded here.
    `options` is other data that verdicts depend on, as JSON. `is_as_released`: `resolve` returns the released spec that
    `name` names, without further ops.
    """
    from opspec_lint.spec import canonical

    text = (
        None if is_as_released and _is_released(name) else canonical.dumps(resolve()).encode("utf-8", "surrogatepass")
    )
    content = released.read(released.full_name(name)) if text is None else text
    # The code is a part of the key: another version of this program may judge the same model in another way.
    key = digest(json.dumps([name, digest(content), _code_identity(), options], sort_keys=True).encode())
    return Target(name=name, key=key, text=None if text is None else tape.compress(text))


def spec_of(target: Target) -> Spec:
    """Return the spec of a target; the same object for the same target."""
    return _spec_of(target.name, target.key, target.text)


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
    """Return the spec of a release that this package includes; None for another release."""
    return references.resolve(name, Reading()).spec if name in _released() else None


@lru_cache(maxsize=1)
def _released() -> frozenset[str]:
    return frozenset(released.names())


def _is_released(name: str) -> bool:
    import os

    return released.is_name(name) and not os.path.lexists(name)


def may_belong_to(name: str, families: Container[str]) -> bool:
    """Return whether a spec may belong to one of the families, by its name; a spec file may belong to any."""
    return not released.is_name(name) or released.family(name) in families


def _code_identity() -> str:
    import os

    import opspec_lint

    return identity_of_code((os.path.dirname(opspec_lint.__file__),))


def digest(data: bytes) -> str:
    """Return a hexadecimal hash that identifies the bytes."""
    from hashlib import blake2b

    return blake2b(data, digest_size=20).hexdigest()
