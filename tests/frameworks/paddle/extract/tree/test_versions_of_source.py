from __future__ import annotations

from opspec_lint.spec.model import Update
from tests.support.trees.paddle_trees import history_of, read_maker, reasons


def test_a_registered_history():
    after = """
    constexpr int kOne = 1;
    REGISTER_OP_VERSION(f)
        .AddCheckpoint(
            R"ROC(
              Upgrade f ; with (signs)
            )ROC",
            paddle::framework::compatible::OpVersionDesc()
                .NewAttr("a", "text "
                              "more", true)
                .NewAttr<std::vector<int>>("b", "", std::vector<int>{kOne, 2})
                .NewAttr("f", "", 1.23f)
                .NewAttr("g", "", paddle::none)
                .NewAttr("h", "", boost::none)
                .DeleteInput("X", "gone"))
        .AddCheckpoint("again", paddle::framework::compatible::OpVersionDesc().BugfixWithBehaviorChanged("why"));
    """
    result = read_maker('AddInput("Y", "");', after=after)
    assert reasons(result) == {}
    (first, second), origins = history_of(result)
    assert "Upgrade f ; with (signs)" in first.note
    assert [
        (update.action, update.kind, update.name, update.remark, update.default_value) for update in first.updates
    ] == [
        ("new", "attr", "a", "text more", True),
        ("new", "attr", "b", "", (1, 2)),
        ("new", "attr", "f", "", 1.2300000190734863),
        ("new", "attr", "g", "", None),
        ("new", "attr", "h", "", None),
        ("delete", "input", "X", "gone", None),
    ]
    assert second.updates == (Update(action="bugfix", remark="why"),)
    start = origins[0][0].line
    assert [[place.line - start for place in origin] for origin in origins] == [[0, 5, 7, 8, 9, 10, 11], [12, 12]]


def test_an_update_that_is_not_known_is_unresolved():
    after = 'REGISTER_OP_VERSION(f).AddCheckpoint("n", OpVersionDesc().Renamed("a", "b"));'
    result = read_maker("", after=after)
    assert sorted(result.ops) == ["f"]
    assert "the update Renamed is not known" in reasons(result)["f (op version)"]
