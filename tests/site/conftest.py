"""The site of specs that opspec-lint brings, built once for a module: it takes too much memory to be kept."""

from __future__ import annotations

import os
from itertools import groupby
from zlib import crc32

import pytest

from opspec_lint.sources import released
from tests.support.made_once import made_once
from tests.support.released_specs import released as spec_of
from tests.support.sites import files, serve, written

WHOLE = ("paddle", "paddle-pir")
"""Frameworks of which all ops are needed: what becomes of an op of one depends on ops of the other."""


def _some():
    """Return the oldest release of each kind, one between, and the newest two."""
    result = []
    for _, group in groupby(released.names(), key=lambda name: name.partition("@")[0]):
        names = list(group)
        result += dict.fromkeys((names[0], names[len(names) // 2], *names[-2:]))
    return result


@pytest.fixture(
    scope="module", params=[_some, pytest.param(released.names, marks=pytest.mark.exhaustive)], ids=["some", "all"]
)
def names(request):
    """The names of the releases of a site."""
    return request.param()


@pytest.fixture(scope="module")
def specs(names):
    """The specs of a site by their names: whole ones of all releases, or a sample of ops of some releases."""
    is_whole = len(names) == len(released.names())
    return {name: spec if is_whole else _thinned(spec) for name, spec in _released(names)}


@pytest.fixture(scope="module")
def pages(specs):
    return files(specs.items())


def _released(names):
    """Return names with their specs."""
    return ((name, spec_of(name.replace("@", "-"))) for name in names)


def _thinned(spec):
    """Return a spec with a quarter of its ops; of an op all versions or none."""
    if spec.provenance.framework in WHOLE:
        return spec
    return spec.replace(
        ops={name: op for name, op in spec.ops.items() if crc32(name.partition("@")[0].encode()) % 4 == 0}
    )


@pytest.fixture(scope="session")
def whole_site(tmp_path_factory):
    """Return a folder with the site of all released specs; OPSPEC_LINT_SITE names one that has it already.

    It is made once for all processes of a test run, as that takes minutes.
    """
    if folder := os.environ.get("OPSPEC_LINT_SITE"):
        return folder
    with made_once(tmp_path_factory, "whole-site") as (folder, is_made):
        if not is_made:
            written(files(_released(released.names())), folder)
    return folder


@pytest.fixture(scope="session")
def served(whole_site):
    """The address of the site of all released specs."""
    with serve(whole_site) as address:
        yield address


@pytest.fixture
def visit(chromium):
    """Open a page of a site. It fails if the console says anything, or if anything of elsewhere is asked for."""
    faults, contexts = [], []

    def opened(address, *, top=None, scheme="light", script=True, width=1400):
        context = chromium.new_context(
            color_scheme=scheme, java_script_enabled=script, viewport={"width": width, "height": 900}
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
        own = (top or address[: address.find("/", 8) + 1], "data:,")
        page.on("request", lambda request: None if request.url.startswith(own) else faults.append(request.url))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []
