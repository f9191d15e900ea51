from opspec_lint.api.functions import audit as audit
from opspec_lint.api.functions import check as check
from opspec_lint.api.functions import load as load
from opspec_lint.api.functions import releases as releases
from opspec_lint.api.functions import render as render
from opspec_lint.api.results import Audit as Audit
from opspec_lint.api.results import Finding as Finding
from opspec_lint.api.results import ModelVerdict as ModelVerdict
from opspec_lint.api.results import Report as Report
from opspec_lint.api.spec import Spec as Spec
from opspec_lint.kit.errors import InputError as InputError
from opspec_lint.kit.errors import UsageError as UsageError

__version__: str
__all__ = [
    "Audit",
    "Finding",
    "InputError",
    "ModelVerdict",
    "Report",
    "Spec",
    "UsageError",
    "audit",
    "check",
    "load",
    "releases",
    "render",
]
