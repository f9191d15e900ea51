"""A summary as a page of one file, with charts, and a table that filters."""

from __future__ import annotations

from opspec_lint.zoo import page
from opspec_lint.zoo.view import View

VIEW = View(render=page.render)
