from __future__ import annotations

import pytest

from opspec_lint.diff.graph_versions import refusal, version_changes
from opspec_lint.spec.model import GraphVersions


@pytest.mark.parametrize(
    ("graphs", "reader", "reason"),
    [
        (GraphVersions(producer=8), GraphVersions(producer=8), None),
        (GraphVersions(producer=9), GraphVersions(producer=8), None),
        (GraphVersions(producer=9, min_consumer=8), GraphVersions(producer=8), None),
        (GraphVersions(producer=9, min_consumer=9), GraphVersions(producer=8), "min_consumer"),
        (GraphVersions(producer=7), GraphVersions(producer=9, min_producer=7), None),
        (GraphVersions(producer=6), GraphVersions(producer=9, min_producer=7), "min_producer"),
        (GraphVersions(producer=9, bad_consumers=(7, 8)), GraphVersions(producer=8), "bad_consumers"),
        (GraphVersions(producer=9, bad_consumers=(7,)), GraphVersions(producer=8), None),
    ],
)
def test_who_reads_whose_graphs(graphs, reader, reason):
    assert refusal(graphs, reader) == reason


def events(before, after):
    return {change.event for change in version_changes(GraphVersions(**before), GraphVersions(**after))}


def test_a_new_version_alone_is_all_that_is_reported_of_a_release():
    assert events({"producer": 987}, {"producer": 1395}) == {"graph_version_raised"}


def test_what_a_release_no_longer_reads_is_a_fact_of_its_own():
    assert events({"producer": 8}, {"producer": 20, "min_producer": 9}) == {
        "graph_version_raised",
        "min_producer_raised",
        "old_graphs_refused",
    }
    assert events({"producer": 8}, {"producer": 20, "min_consumer": 9}) == {
        "graph_version_raised",
        "min_consumer_raised",
        "new_graphs_refused",
    }


@pytest.mark.parametrize(
    ("since", "until", "lowest", "early"),
    [
        ("2024-01-01", "2024-06-30", 9, True),
        ("2024-01-01", "2024-07-01", 9, False),
        ("2024-01-01", "2024-01-15", 8, True),  # the guide's example: version 8 is two weeks old when 4 to 7 go
        ("2024-01-01", "2024-07-01", 8, False),
        ("2024-01-01", "2024-01-02", 7, False),  # version 7 is older than base, nobody can say by how much
        (None, "2024-01-02", 9, False),
        ("2024-01-01", None, 9, False),
    ],
)
def test_half_a_year_lies_between_a_version_and_the_end_of_those_before_it(since, until, lowest, early):
    before = GraphVersions(producer=8, producer_since=since)
    after = GraphVersions(producer=20, min_producer=lowest, producer_since=until)
    raised = [change for change in version_changes(before, after) if change.event == "min_producer_raised"]
    assert [change.facts["too_early"] for change in raised] == [early]


def test_a_head_of_bases_own_version_does_not_state_when_it_gave_the_others_up():
    before = GraphVersions(producer=8, min_producer=4, producer_since="2024-01-01")
    (change, *_) = version_changes(before, before.replace(min_producer=8))
    assert (change.event, change.facts["too_early"]) == ("min_producer_raised", False)
