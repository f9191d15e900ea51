"""The site of all specs that opspec-lint brings, built once."""

from __future__ import annotations

import time

import pytest

from opspec_lint.sources import released
from tests.support.released_specs import released as spec_of
from tests.support.sites import files


@pytest.fixture(scope="session")
def whole():
    """The pages, and the seconds of a processor that they took."""
    start = time.process_time()
    pages = files((name, spec_of(name.replace("@", "-"))) for name in released.names())
    return pages, time.process_time() - start


@pytest.fixture(scope="session")
def pages(whole):
    return whole[0]
