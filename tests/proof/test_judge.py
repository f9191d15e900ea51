"""The judgement on a finding by the trials with its models."""

from __future__ import annotations

import pytest

from opspec_lint.proof.judge import Attempt, Claim, Releases, is_same, judge
from opspec_lint.proof.trial import Trial
from tests.support.findings import finding

RELEASES = Releases(saver="1", reader="2")
LOADS = Trial(outcome="loads")


def refused(output, outcome="refused"):
    return Trial(outcome=outcome, error=output)


def shown(*tried, kind="attr", own=("axis",), others=("x", "out"), is_declared=True, names=("axis", "axis")):
    """Return verdict and reason; each model is (kind, saver's trial, reader's trial)."""
    claim = Claim(
        finding=finding(kind=kind, op="trace", name="axis"),
        direction="backward",
        names=names,
        own=frozenset(own),
        others=frozenset(others),
        is_declared=is_declared,
    )
    models = [Attempt(kind=kind, saved=saved, loaded=loaded) for kind, saved, loaded in tried]
    findings = judge(claim, models, RELEASES, lambda error: error)
    return findings.verdict, findings.reason, findings.model, findings.is_final


def test_a_message_that_names_the_argument_shows_it():
    assert shown((0, LOADS, refused("no attr 'axis'"))) == ("confirmed", "2 refuses it: no attr 'axis'", 0, True)


@pytest.mark.parametrize(
    ("outcome", "texts"), [("crashed", "crashes"), ("hung", "hangs"), ("out_of_memory", "takes all memory")]
)
def test_a_loader_that_dies_shows_it(outcome, texts):
    actual = shown((0, LOADS, LOADS), (0, LOADS, refused("killed", outcome)))
    assert actual == ("confirmed", f"2 {texts}: killed", 1, True)


def test_a_model_that_its_own_release_refuses_shows_nothing():
    actual = shown((0, refused("rank"), refused("no attr 'axis'")))
    assert actual == ("not_provable", "1 itself takes none of the models that were tried (1): rank", 0, False)


def test_models_that_are_taken_refute_it():
    assert shown((0, LOADS, LOADS), (1, LOADS, LOADS))[:2] == ("refuted", "2 takes 2 models that 1 takes")
    ignored = "2 takes the model that 1 takes, and ignores what they say of 'axis'"
    assert shown((0, LOADS, LOADS), is_declared=False)[:2] == ("refuted", ignored)


def test_a_message_that_names_another_argument_shows_nothing():
    result = shown((0, LOADS, refused("input x is not set")))
    assert result[:2] == (
        "not_provable",
        "something else in the op stops every model: 2 refuses it: input x is not set",
    )
    assert shown((0, LOADS, refused("input x is not set")), (1, LOADS, LOADS))[0] == "refuted"


def test_a_name_is_a_word_of_the_message():
    assert shown((0, LOADS, refused("axis_of is not set")), others=("axis_of",))[0] == "not_provable"


def test_a_message_without_names_needs_one_that_is_taken_and_differs_in_nothing_else():
    stopped = refused("value is not allowed")
    assert shown((0, LOADS, LOADS), (0, LOADS, stopped)) == ("confirmed", "2 refuses it: value is not allowed", 1, True)
    assert shown((0, LOADS, LOADS), (1, LOADS, stopped))[0] == "refuted"
    assert shown((0, LOADS, stopped), (1, LOADS, stopped)) == (
        *("confirmed", "2 refuses it: value is not allowed", 0),
        False,
    )
    assert shown((0, LOADS, stopped), (0, LOADS, stopped))[:2] == (
        "not_provable",
        "something else in the op stops every model: 2 refuses it: value is not allowed",
    )


def test_models_that_do_not_show_refute_nothing():
    claim = Claim(finding=finding(), direction="backward", names=("axis", "axis"))
    tried = [
        Attempt(kind=0, saved=LOADS, loaded=LOADS),
        Attempt(kind=0, is_decisive=True, saved=refused("no padding"), loaded=LOADS),
    ]
    findings = judge(claim, tried, RELEASES, lambda error: error)
    assert (findings.verdict, findings.model) == ("not_provable", 1)
    assert findings.reason == "1 itself takes none of the models that would tell: no padding"
    tried.append(Attempt(kind=1, is_decisive=True, saved=LOADS, loaded=LOADS))
    assert judge(claim, tried, RELEASES, lambda error: error).verdict == "refuted"


def test_what_concerns_the_whole_op_needs_no_name():
    assert shown((0, LOADS, refused("not registered")), kind="op")[3] is True


# Models that were run


def ran(*tried, kind="attr", own=("axis",), others=("x", "out"), rule="attr_added"):
    """Return verdict and reason; each model is (kind, saver's trial, reader's trial, that of the control)."""
    claim = Claim(
        finding=finding(rule=rule, kind=kind, op="trace", name="axis"),
        direction="backward",
        names=("axis", "axis"),
        own=frozenset(own),
        others=frozenset(others),
    )
    models = [Attempt(kind=kind, saved=saved, loaded=loaded, control=control) for kind, saved, loaded, control in tried]
    findings = judge(claim, models, RELEASES.replace(step="run"), lambda error: error)
    return findings.verdict, findings.reason


def gives(*values):
    return Trial(outcome="loads", attrs={"0": " ".join(["float32", "(2,)", *map(str, values)])})


CRASHES = refused("killed by SIGSEGV", "crashed")


def test_models_that_both_run_with_the_same_results_refute_it():
    assert ran((0, gives(1, 2), gives(1, 2.0001), None)) == ("refuted", "2 runs the model that 1 runs")


def test_an_attr_that_is_ignored_is_refuted_only_where_it_has_another_value_than_its_default():
    claim = Claim(finding=finding(kind="attr"), direction="backward", names=("axis", "axis"), is_declared=False)

    def reason(*states):
        tried = [Attempt(kind=0, differs_from_default=item, saved=gives(1), loaded=gives(1)) for item in states]
        findings = judge(claim, tried, RELEASES.replace(step="run"), lambda error: error)
        return findings.verdict, findings.reason

    assert reason(False, False) == (
        "not_provable",
        "no model in which 'axis' has another value than its default has results",
    )
    assert reason(False, True)[0] == "refuted"
    drawn = Attempt(kind=0, saved=LOADS, loaded=LOADS)
    assert judge(claim, [drawn], RELEASES.replace(step="run"), lambda error: error).verdict == "not_provable"


def test_models_that_their_own_release_does_not_run_refute_nothing():
    reason = "both take the models, and 1 itself runs none of them (2): killed by SIGSEGV"
    assert ran((0, CRASHES, gives(1), None), (1, CRASHES, CRASHES, None)) == ("not_provable", reason)


def test_a_kernel_that_crashes_shows_it_where_the_control_runs():
    shown_by = ("confirmed", "2 takes it and crashes when it runs: killed by SIGSEGV")
    assert ran((0, gives(1), CRASHES, gives(3)), (0, gives(2), CRASHES, gives(3))) == shown_by
    assert ran((0, gives(1), CRASHES, CRASHES), (0, gives(2), CRASHES, CRASHES))[0] == "not_provable"
    assert ran((0, gives(1), gives(1), None), (0, gives(2), CRASHES, None)) == shown_by


def test_another_result_shows_it_where_the_control_gives_the_same_as_before():
    reason = "1 computes float32 (2,) 1, 2 float32 (2,) 3"
    assert ran((0, gives(1), gives(3), gives(1))) == ("confirmed", reason)
    unsure = ("not_provable", f"something else may be the cause: {reason}")
    assert ran((0, gives(1), gives(3), gives(3))) == unsure
    assert ran((0, gives(1), gives(3), None)) == unsure
    assert ran((0, gives(1), gives(3), None), (1, gives(1), gives(1), None)) == unsure


def test_results_of_another_type_or_shape_are_others():
    assert ran((0, gives(1), Trial(outcome="loads", attrs={"0": "int64 (2,) 1"}), None))[0] == "not_provable"
    assert ran((0, gives("nan"), gives("nan"), None))[0] == "refuted"


# Values


def test_a_claim_on_a_value_is_refuted_by_values_alone():
    claim = Claim(
        finding=finding(rule="attr_default_changed", kind="attr", name="axis"),
        direction="backward",
        names=("axis", "axis"),
        own=frozenset(["axis"]),
    )
    first, two = (Trial(outcome="loads", attrs={"axis": value}) for value in ("1", "2"))

    def verdict(saved, loaded):
        findings = judge(claim, [Attempt(kind=0, saved=saved, loaded=loaded)], RELEASES, lambda error: error)
        return findings.verdict, findings.reason

    assert verdict(first, two)[0] == "confirmed"
    assert verdict(first, first)[0] == "refuted"
    assert verdict(first, LOADS) == (
        "not_provable",
        "2 takes the models; which value 'axis' has under both is not known",
    )
    assert verdict(first, refused("no attr 'axis'"))[0] == "not_provable"


def test_an_attr_with_another_value_is_a_change_of_meaning():
    taken = [Trial(outcome="loads", attrs={"axis": value}) for value in ("1", "2")]
    assert shown((0, *taken)) == ("confirmed", "1 takes it as 1, 2 as 2", 0, True)
    assert shown((0, taken[0], taken[0]))[0] == "refuted"
    assert shown((0, taken[0], LOADS))[0] == "refuted"
    assert shown((0, *taken), names=("axis", "dim"))[0] == "refuted"
    assert shown((0, *taken), kind="input")[0] == "refuted"


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("1", "1.0", True),
        ("[1, 2]", "[1.0, 2.0]", True),
        ("0.5", "0", False),
        ("'a'", "'b'", False),
        ("type: DT_FLOAT", "type: DT_FLOAT", True),
        ("type: DT_FLOAT", "type: DT_INT32", False),
        ("<object>", "1", False),
    ],
)
def test_a_value_of_another_type_may_be_the_same(before, after, same):
    assert is_same(before, after) is same
