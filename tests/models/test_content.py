"""A loader is chosen by the format of a model at run time, where no type checker compares their contents."""

import pytest

from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.loader import LOADERS

PAIRS = [(loader, name) for loader in LOADERS.every() for name in loader.formats]


@pytest.mark.parametrize(("loader", "name"), PAIRS, ids=[f"{loader.name} {name}" for loader, name in PAIRS])
def test_a_loader_takes_the_content_that_its_formats_read(loader, name):
    read = MODEL_FORMATS.load(name).read
    assert loader.audit.__annotations__["model"] == read.__annotations__["return"]
