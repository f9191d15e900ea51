"""opspec-lint: the contract of a framework's operators, extracted, compared and judged.

The public API of Python is what `__all__` names; `__init__.pyi` has its types. All other modules are private, except
for the modules that `docs/reference/plugins.md` opens to plug-ins.
"""

__version__ = "0.1.0"

_MODULES = {
    "AnswerCounts": "api.results",
    "Approval": "api.results",
    "Argument": "api.spec",
    "Audit": "api.results",
    "Comparison": "api.results",
    "Doubt": "api.results",
    "Edit": "api.results",
    "Finding": "api.results",
    "Fix": "api.results",
    "InputError": "kit.errors",
    "LevelCounts": "api.results",
    "ModelFinding": "api.results",
    "ModelVerdict": "api.results",
    "Op": "api.spec",
    "Origin": "api.results",
    "Position": "api.results",
    "Proof": "api.results",
    "Reach": "api.results",
    "Refusal": "api.results",
    "Release": "api.results",
    "Report": "api.results",
    "Side": "api.results",
    "Since": "api.results",
    "Spec": "api.spec",
    "Summary": "api.results",
    "Usage": "api.results",
    "UsageError": "kit.errors",
    "Waiver": "api.results",
    "audit": "api.functions",
    "check": "api.functions",
    "load": "api.functions",
    "releases": "api.functions",
    "render": "api.functions",
}
"""The module of each public name. It is imported when the name is first used: the command line uses none of them."""

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
