"""Values that are kept by the identity of their objects, and dropped with them."""

from opspec_lint.kit.per_object import PerObject
from opspec_lint.kit.record import Record


class Owner(Record):
    name: str


def test_equal_objects_have_values_of_their_own():
    store, owners = PerObject(), [Owner(name="a"), Owner(name="a")]
    for number, owner in enumerate(owners):
        store.set(owner, number)
    assert [store.get(owner) for owner in owners] == [0, 1]


def test_a_value_is_dropped_with_its_object():
    store, values = PerObject(), []
    for number in range(100):
        # Each object is freed in the next turn, and its id is given to another one.
        owner = Owner(name="a")
        values.append(store.get(owner))
        store.set(owner, number)
        del owner
    assert values == [None] * 100
