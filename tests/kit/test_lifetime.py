import weakref

import pytest

from opspec_lint.kit import lifetime


class Spec:
    """Something large."""


@pytest.mark.parametrize("is_program", [True, False])
def test_a_program_keeps_the_last_object_of_a_kind_alive(monkeypatch, is_program):
    monkeypatch.setattr(lifetime, "_kept", None)
    if is_program:
        lifetime.end_at_once()
    first, second = Spec(), Spec()
    seen = weakref.ref(first), weakref.ref(second)
    lifetime.keep("spec", first)
    lifetime.keep("spec", second)
    del first, second
    assert [spec() is not None for spec in seen] == [False, is_program]
