"""A loader is chosen by the format of a model at run time, where no type checker compares their contents."""

import pytest

from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.loader import LOADERS, loaders_of

PAIRS = [(loader, name) for loader in LOADERS.every() for name in loader.formats]


@pytest.mark.parametrize(("loader", "name"), PAIRS, ids=[f"{loader.name} {name}" for loader, name in PAIRS])
def test_a_loader_takes_the_content_that_its_formats_read(loader, name):
    read = MODEL_FORMATS.load(name).read
    assert loader.audit.__annotations__["model"] == read.__annotations__["return"]


@pytest.mark.parametrize(("loader", "name"), PAIRS, ids=[f"{loader.name} {name}" for loader, name in PAIRS])
def test_loaders_of_a_format_belong_to_its_framework(loader, name):
    assert MODEL_FORMATS.load(name).framework == loader.framework
    assert [item.name for item in loaders_of(name)] == [item.name for item, taken in PAIRS if taken == name]
