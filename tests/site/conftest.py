"""The site of specs that opspec-lint brings, built once for a module: it takes too much memory to be kept."""

from __future__ import annotations

from itertools import groupby

import pytest

from opspec_lint.sources import released
from tests.support.released_specs import released as spec_of
from tests.support.sites import files


def _some():
    """Return the oldest release of each kind and the newest two."""
    result = []
    for _, group in groupby(released.names(), key=lambda name: name.partition("@")[0]):
        names = list(group)
        result += dict.fromkeys((names[0], *names[-2:]))
    return result


@pytest.fixture(
    scope="module", params=[_some, pytest.param(released.names, marks=pytest.mark.exhaustive)], ids=["some", "all"]
)
def names(request):
    """The names of the releases of a site."""
    return request.param()


@pytest.fixture(scope="module")
def pages(names):
    return _site(names)


@pytest.fixture(scope="module")
def all_pages():
    return _site(released.names())


def _site(names):
    return files((name, spec_of(name.replace("@", "-"))) for name in names)
