from opspec_lint.api.functions import audit as audit
from opspec_lint.api.functions import check as check
from opspec_lint.api.functions import load as load
from opspec_lint.api.functions import releases as releases
from opspec_lint.api.functions import render as render
from opspec_lint.api.results import AnswerCounts as AnswerCounts
from opspec_lint.api.results import Approval as Approval
from opspec_lint.api.results import Audit as Audit
from opspec_lint.api.results import Comparison as Comparison
from opspec_lint.api.results import Doubt as Doubt
from opspec_lint.api.results import Edit as Edit
from opspec_lint.api.results import Finding as Finding
from opspec_lint.api.results import Fix as Fix
from opspec_lint.api.results import LevelCounts as LevelCounts
from opspec_lint.api.results import ModelFinding as ModelFinding
from opspec_lint.api.results import ModelVerdict as ModelVerdict
from opspec_lint.api.results import Origin as Origin
from opspec_lint.api.results import Position as Position
from opspec_lint.api.results import Proof as Proof
from opspec_lint.api.results import Reach as Reach
from opspec_lint.api.results import Refusal as Refusal
from opspec_lint.api.results import Release as Release
from opspec_lint.api.results import Report as Report
from opspec_lint.api.results import Side as Side
from opspec_lint.api.results import Since as Since
from opspec_lint.api.results import Summary as Summary
from opspec_lint.api.results import Usage as Usage
from opspec_lint.api.results import Waiver as Waiver
from opspec_lint.api.spec import Argument as Argument
from opspec_lint.api.spec import Op as Op
from opspec_lint.api.spec import Spec as Spec
from opspec_lint.kit.errors import InputError as InputError
from opspec_lint.kit.errors import UsageError as UsageError

__version__: str
__all__ = [
    "AnswerCounts",
    "Approval",
    "Argument",
    "Audit",
    "Comparison",
    "Doubt",
    "Edit",
    "Finding",
    "Fix",
    "InputError",
    "LevelCounts",
    "ModelFinding",
    "ModelVerdict",
    "Op",
    "Origin",
    "Position",
    "Proof",
    "Reach",
    "Refusal",
    "Release",
    "Report",
    "Side",
    "Since",
    "Spec",
    "Summary",
    "Usage",
    "UsageError",
    "Waiver",
    "audit",
    "check",
    "load",
    "releases",
    "render",
]
