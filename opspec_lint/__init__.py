"""opspec-lint: the contract of a framework's operators, extracted, compared and judged.

The public API of Python is what `__all__` names. All other modules are private, except for those that
`docs/reference/plugins.md` opens to plug-ins.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
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

__version__ = "0.1.0"

_MODULES = {
    "Audit": "api.results",
    "Finding": "api.results",
    "InputError": "kit.errors",
    "ModelVerdict": "api.results",
    "Report": "api.results",
    "Spec": "api.spec",
    "UsageError": "kit.errors",
    "audit": "api.functions",
    "check": "api.functions",
    "load": "api.functions",
    "releases": "api.functions",
    "render": "api.functions",
}
"""The module of each public name. It is imported when the name is first used: the command line uses none of them."""

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


def __getattr__(name: str) -> object:
    """Return a public object (PEP 562)."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import sys

    __import__(f"{__name__}.{module}")
    public = globals()[name] = getattr(sys.modules[f"{__name__}.{module}"], name)
    return public


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
