"""The site of all specs that opspec-lint brings, built once."""

from __future__ import annotations

import pytest

from opspec_lint.sources import released
from tests.support.released_specs import released as spec_of
from tests.support.sites import files


@pytest.fixture(scope="session")
def pages():
    return files((name, spec_of(name.replace("@", "-"))) for name in released.names())
