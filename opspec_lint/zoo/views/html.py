"""The summary as one HTML page, with charts and a table that can be filtered."""

from __future__ import annotations

from opspec_lint.zoo import page
from opspec_lint.zoo.view import View

VIEW = View(render=page.render)
