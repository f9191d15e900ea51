"""The findings that a loader settles when it loads a model, and those that only a kernel settles."""

from __future__ import annotations

from types import SimpleNamespace

from opspec_lint.lint.check import check
from opspec_lint.proof import prove, running
from opspec_lint.proof.prover import PROVERS
from opspec_lint.proof.trial import Trial, Trials, TrialSetup
from opspec_lint.proof.writer import WRITERS
from opspec_lint.spec.notation import parse_spec

TAKES = Trial(outcome="loads", attrs={"0": "float32 () 1"})
CRASHES = Trial(outcome="crashed", error="killed by SIGSEGV")


class Fakes:
    """Interpreters that take every model; what becomes of those that are run is given for each side."""

    def __init__(self, monkeypatch, base=TAKES, head=TAKES):
        self.steps = []
        self._run = {"base": base, "head": head}
        monkeypatch.setattr("opspec_lint.proof.trial.load_all", self._load_all)

    def _load_all(self, setup, models, _):
        self.steps.append((setup.python, setup.step))
        trial = self._run[setup.python] if setup.step == "run" else TAKES
        return Trials(version="1", trials=(trial,) * len(models))


def proofs(base, head, rule, loader="legacy_executor"):
    """Return verdict and reason of the proofs of a rule, and the counts of models."""
    specs = [parse_spec(text, framework="paddle", binding="name") for text in (base, head)]
    setups = [TrialSetup(python=side, probe="", package=None) for side in ("base", "head")]
    ends = prove.ReleasePair(base=specs[0], head=specs[1], base_setup=setups[0], head_setup=setups[1])
    chosen = PROVERS.load(loader)
    findings = [finding for finding in check(*specs).findings if finding.rule == rule]
    proved = prove.prove(findings, ends, chosen, WRITERS.load(chosen.writer), lambda _: None)
    return [(proof.judgement.verdict, proof.judgement.reason) for proof in proved.proofs], proved.evidence


WITH, WITHOUT = "f(X) -> (Out) [a: INT = 7]", "f(X) -> (Out)"


def test_an_attr_that_is_ignored_is_run(monkeypatch):
    fakes = Fakes(monkeypatch)
    (backward, _), evidence = proofs(WITH, WITHOUT, "attr_removed")
    assert backward[0] == "refuted"
    assert ("base", "run") in fakes.steps
    assert (evidence.run, evidence.not_run) == (5, 0)


def test_where_no_kernel_runs_nothing_is_refuted(monkeypatch):
    fakes = Fakes(monkeypatch, base=CRASHES)
    (backward, _), evidence = proofs(WITH, WITHOUT, "attr_removed")
    assert backward == (
        "not_provable",
        "both take the models, and notation itself runs none of them (2): killed by SIGSEGV",
    )
    assert (evidence.run, evidence.not_run) == (3, 2)
    assert fakes.steps.count(("head", "run")) == 1, "the models of head, and none of base"


class RequestLog:
    """Notes which models are run where; those in `stopped` stop."""

    def __init__(self, *stopped):
        self.run = []
        self._stopped = stopped

    def try_models(self, side, step, models):
        assert step == "run"
        self.run += [(side, model) for model in models]

    def trial_of(self, side, _, model):
        assert (side, model) in self.run
        return CRASHES if (side, model) in self._stopped else TAKES


def run(trials):
    """Return the result of running a model that has a control, and one that has none."""
    judged = []
    work = SimpleNamespace(
        saver="base",
        reader="head",
        loaded_by_both=[(0, b"one"), (1, b"two")],
        controls={b"one": b"control of one"},
        judge_run=judged.extend,
    )
    running.run([work], trials)
    return judged


def test_a_control_runs_under_the_release_that_loads_alone():
    trials = RequestLog()
    assert run(trials) == [(TAKES, TAKES, TAKES), (TAKES, TAKES, None)]
    assert set(trials.run) == {
        ("base", b"one"), ("base", b"two"), ("head", b"one"), ("head", b"control of one"), ("head", b"two"),
    }  # fmt: skip


def test_what_its_own_release_does_not_run_is_run_nowhere_else_and_states_nothing():
    trials = RequestLog(("base", b"one"))
    assert run(trials) == [(CRASHES, CRASHES, None), (TAKES, TAKES, None)]
    assert {item for item in trials.run if item[0] == "head"} == {("head", b"two")}


def test_where_the_control_runs_and_the_model_does_not_both_are_reported():
    assert run(RequestLog(("head", b"one")))[0] == (TAKES, CRASHES, TAKES)
    assert run(RequestLog(("head", b"control of one")))[0] == (TAKES, TAKES, CRASHES)


def test_a_loader_that_runs_no_kernel_refutes_nothing_that_a_kernel_decides(monkeypatch):
    fakes = Fakes(monkeypatch)
    (backward, forward), _ = proofs(WITH, WITHOUT, "attr_removed", "pir_translation")
    assert (backward[0], forward[0]) == ("not_provable", "not_provable")
    assert backward[1].endswith("takes the models, and no kernel is run")
    assert {step for _, step in fakes.steps} == {"load"}
