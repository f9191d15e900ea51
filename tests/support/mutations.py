"""Random damage to a decoded document, for tests that compare two validators."""

from __future__ import annotations

import copy

from hypothesis import strategies as st

NAMES = st.sampled_from(("X", "", "name", "type", "extra", "unknown", "dispensible", "Inputs")) | st.sampled_from(
    ("attrs", "float", "kind", "note", "ä", "axis", "deprecation")
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, 17, 18, -1, 1.0, 0.5, 1e300, float("nan"), float("inf"), -(1 << 63) - 1, 1 << 64, 10**600])
    | st.sampled_from(["", "X", "true", "NaN", "Infinity", "bugfix", "new", "attr", "type", "extra", "deprecation"])
)


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


GARBAGE = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=6
) | st.integers(62, 67).map(nested)


def containers(value):
    """Yield every object and list of a document."""
    if isinstance(value, (dict, list)):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)


@st.composite
def mutated(draw, document):
    """Return a copy of a document with up to three members replaced, removed, renamed, added or repeated."""
    document = copy.deepcopy(document)
    for _ in range(draw(st.integers(0, 3))):
        container = draw(st.sampled_from(list(containers(document))))
        _damage(draw, container)
    return document


def _damage(draw, container):
    how = draw(st.sampled_from(["replace", "remove", "rename", "add"]))
    if how == "add" or not container:
        value = draw(GARBAGE)
        if isinstance(container, dict):
            container[draw(NAMES)] = value
        elif container and draw(st.booleans()):
            container.append(copy.deepcopy(container[0]))
        else:
            container.append(value)
        return
    key = draw(st.sampled_from(list(container) if isinstance(container, dict) else range(len(container))))
    if how == "replace":
        container[key] = draw(GARBAGE)
    else:
        value = container.pop(key)
        if how == "rename" and isinstance(container, dict):
            container[draw(NAMES)] = value


def count_keys(value):
    """Return how many keys all objects of a document have."""
    return sum(len(container) for container in containers(value) if isinstance(container, dict))
