"""What is said of the declarations of a model's interface."""

from __future__ import annotations

from opspec_lint.spec.fields import Framework
from opspec_lint.spec.interface.declarations import INTERFACE, INTERFACE_FIELDS

FRAMEWORK = Framework(name=INTERFACE, title="Interface of a saved model", fields=INTERFACE_FIELDS)
