"""The detection of changes of time that are not noise."""

import random

import pytest

from benchmarks import noise


def test_the_interval_of_a_median_is_that_of_the_sign_test():
    values = list(range(1, 22))
    low, high, confidence = noise.median_interval(values, 0.99)
    assert (low, high) == (5, 17)  # tables of the sign test: for n = 21, the fifth value from either end
    assert confidence == pytest.approx(0.9928, abs=1e-4)


def test_too_few_values_yield_the_whole_range_with_its_own_confidence():
    assert noise.median_interval([3.0, 1.0, 2.0], 0.99) == (1.0, 3.0, 0.75)
    assert noise.median_interval([2.0], 0.99) == (2.0, 2.0, 0.0)


def test_the_interval_holds_the_median_as_often_as_it_states():
    source = random.Random(0)  # noqa: S311 - the same numbers each time
    rounds = 4000
    missed = 0
    for _ in range(rounds):
        low, high, confidence = noise.median_interval([source.expovariate(1) for _ in range(21)], 0.9)
        missed += not low <= 0.6931 <= high  # ln 2 is the median of this distribution
    assert missed / rounds == pytest.approx(1 - confidence, abs=0.015)


def times(source, factor=1.0, drift=0.0):
    """Return 21 times around 100 ms with 4 % of noise on a machine that becomes slower, times a factor."""
    return [0.1 * factor * (1 + drift * at) * source.gauss(1, 0.04) for at in range(21)]


def test_the_same_program_twice_is_noise():
    source = random.Random(1)  # noqa: S311 - the same numbers each time
    reported = [noise.change(times(source), times(source), jobs=30) for _ in range(1000)]
    false_alarms = sum(change.is_significant for change in reported)
    assert false_alarms < 1000 * noise.FALSE_ALARMS / 30 * 4
    assert {change.verdict for change in reported if not change.is_significant} == {"noise"}


@pytest.mark.parametrize(("factor", "verdict"), [(1.1, "slower"), (0.9, "faster")])
def test_ten_per_cent_are_reported_on_a_machine_that_drifts(factor, verdict):
    source = random.Random(2)  # noqa: S311 - the same numbers each time
    changes = [noise.change(times(source, drift=0.02), times(source, factor, drift=0.02), jobs=30) for _ in range(200)]
    reported = [change for change in changes if change.verdict == verdict]
    assert len(reported) >= 180
    assert all(change.low < factor < change.high for change in reported[:10])


def test_a_difference_that_two_environments_may_have_is_noise():
    before = [0.1] * 21
    within = [0.1 * (1 + noise.LAYOUT / 2)] * 21
    beyond = [0.1 * (1 + noise.LAYOUT * 2)] * 21
    assert noise.change(before, within).verdict == "noise"
    assert noise.change(before, beyond).verdict == "slower"


def test_nothing_is_reported_with_too_few_repetitions():
    needed = noise.repetitions_for(7)
    assert needed == 9
    assert noise.change([0.1] * (needed - 1), [0.2] * (needed - 1), jobs=7).verdict == "noise"
    assert noise.change([0.1] * needed, [0.2] * needed, jobs=7).verdict == "slower"


def test_two_measurements_agree_if_their_intervals_meet():
    before = [0.1] * 21
    changes = [noise.change(before, [0.1 * factor] * 21) for factor in (1, 1.015, 1.1)]
    assert changes[0].agrees(changes[1])
    assert changes[1].agrees(changes[0])
    assert not changes[0].agrees(changes[2])
    assert not changes[2].agrees(changes[0])
