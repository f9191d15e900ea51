"""The data in the shape of browser-compat-data."""

from __future__ import annotations

import json

from opspec_lint.documents import schema
from tests.site.test_loads import ANOTHER, PLAIN
from tests.support.sites import site


def data(*texts):
    document = json.loads(site(*texts)["compat/paddle.json"])
    assert schema.faults(document, schema.load("compat")) == []
    return document


def support(thing):
    return thing["__compat"]["support"]["paddle"]


def test_what_is_there_states_since_when():
    result = data(PLAIN, "f(X) -> (Out) [axis: INT = 1, new: INT = 3]")
    assert list(result["frameworks"]["paddle"]["releases"]) == ["1.0", "2.0"]
    f, g = result["ops"]["f"], result["ops"]["g"]
    assert support(f) == {"version_added": "≤1.0"}
    assert support(f["attrs"]["new"]) == {"version_added": "2.0"}
    assert support(g) == {"version_added": "≤1.0", "version_removed": "2.0"}
    assert f["attrs"]["new"]["__contract"] == [
        {"version_first": "2.0", "version_last": "2.0", "type": "INT", "default_value": 3}
    ]


def test_what_does_not_load_older_models_is_partial():
    assert support(data(PLAIN, ANOTHER)["ops"]["f"]) == {
        "version_added": "≤1.0",
        "partial_implementation": True,
        "notes": "2.0 does not load models of 1.0: the type of the attr 'axis' changed from INT to STRING",
    }


def test_what_came_again_has_a_statement_for_every_time():
    assert support(data(PLAIN, "g(X) -> ()", PLAIN)["ops"]["f"]) == [
        {"version_added": "3.0"},
        {"version_added": "≤1.0", "version_removed": "2.0"},
    ]


def test_declarations_come_newest_first():
    contracts = data(PLAIN, PLAIN.replace("1", "2"), PLAIN)["ops"]["f"]["attrs"]["axis"]["__contract"]
    assert [(contract["version_first"], contract["default_value"]) for contract in contracts] == [
        ("3.0", 1),
        ("2.0", 2),
        ("1.0", 1),
    ]


def test_the_schema_is_part_of_the_site():
    assert json.loads(site(PLAIN)["compat/compat.schema.json"]) == schema.load("compat")


def test_the_files_of_the_frameworks_are_listed():
    pages = site(PLAIN, ANOTHER)
    assert json.loads(pages["compat/index.json"]) == {
        "version": 1,
        "frameworks": {"paddle": {"name": "Paddle", "file": "paddle.json", "newest_release": "2.0"}},
    }
