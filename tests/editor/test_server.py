"""The language server under a real client: what it shows is what `check` says."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from opspec_lint.cli.main import main
from opspec_lint.editor import processes
from opspec_lint.kit.errors import OpspecError
from tests.support.histories import build, tree
from tests.support.projects import FILE, config, text
from tests.support.repositories import Repository

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
from lsprotocol import types

from opspec_lint.editor import progress
from tests.support.editing import editing, expected

FIRST = text("f(X) -> (Out) [axis: INT = 1]", "g(X, Y) -> (Out)")
CHANGED = text("f(X) -> (Out) [axis: INT = 2]", "g(X, Y) -> (Out)")
MAKER = "paddle/fluid/operators/f_op.cc"


@pytest.fixture
def repository(tmp_path):
    made = Repository.make(tmp_path / "top", {FILE: FIRST})
    made.environment |= {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    return made


@pytest.fixture
def paddle(tmp_path):
    """A tree of Paddle, in a folder of a repository."""
    body = 'AddInput("X", ""); AddAttr<int>("axis", "where").SetDefault(1);'
    files = {f"vendor/{path}": content for path, content in tree(f=body, g='AddInput("X", "");').items()}
    settings = {"opspec-lint.yaml": config(source="paddle-source:vendor")}
    made = Repository.make(tmp_path / "top", {**files, **settings})
    made.environment |= {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    return made


def session(repository, steps, *args, **options):
    """Take some steps in an editor of a repository, and return what they return."""

    async def run():
        async with editing(repository.top, repository.environment, *args, **options) as editor:
            return await steps(editor)

    return asyncio.run(run())


def checked(repository, *args):
    """Return the findings of `check` for a repository, as an editor should show them."""
    command = [sys.executable, "-m", "opspec_lint", "check", "--format", "rdjson", *args]
    ran = repository.run(*command)
    assert ran.returncode in (0, 1), ran.stderr
    return expected(ran.stdout, repository.top)


def line_of(content, part):
    return next(number for number, line in enumerate(content.split("\n")) if part in line)


def test_what_is_shown_on_opening_and_saving_is_what_check_states(repository):
    repository.write({FILE: CHANGED})

    async def steps(editor):
        (opened,) = await editor.open(FILE)
        await editor.save(FILE, FIRST)
        nothing = editor.shown_findings()
        await editor.save(FILE, CHANGED)
        return opened, nothing, editor.shown_findings()

    opened, nothing, actual = session(repository, steps)
    assert (opened.code, opened.source) == ("attr_default_changed", "opspec-lint")
    assert opened.code_description is None
    assert opened.range.start.line == line_of(CHANGED, '"axis"')
    assert not nothing
    assert actual == checked(repository)
    assert len(actual) == 1


def test_a_text_that_is_not_saved_is_read(repository):
    async def steps(editor):
        before = await editor.open(FILE)
        return before, await editor.change(FILE, CHANGED), await editor.change(FILE, FIRST)

    before, result, after = session(repository, steps)
    assert [problem.code for problem in result] == ["attr_default_changed"]
    assert before == after == []
    assert repository.files() == {FILE: repository.files()[FILE]}
    assert repository.git("status", "--porcelain") == ""


def test_a_maker_is_read_with_the_file_next_to_it(paddle):
    path = f"vendor/{MAKER}"
    maker = (paddle.top / path).read_text()

    async def steps(editor):
        await editor.open(path)
        unsaved = await editor.change(path, maker.replace('"axis"', '"axes"'))
        await editor.save(path, maker.replace('"axis"', '"axes"'))
        return unsaved, editor.shown_findings()

    unsaved, actual = session(paddle, steps)
    assert "attr_renamed" in {problem.code for problem in unsaved}
    assert {item[3] for item in actual} == {(paddle.top / path).as_uri()}
    assert actual == checked(paddle)


def test_text_that_cannot_represent_its_file_is_named(repository):
    new = "specs/new.json"
    latin = "specs/latin.json"
    repository.commit({latin: b'{"\xe9": 1}'})

    async def steps(editor):
        await editor.open(FILE)
        return await editor.open(new, CHANGED), await editor.open(latin, "{}")

    messages = session(repository, steps)
    assert ["does not exist yet" in messages[0][0].message, "is not in UTF-8" in messages[1][0].message] == [True, True]


def test_columns_count_units_of_utf_16(repository):
    path = "specs/flow.json"
    first, two = (text(f"f() -> () [axis: INT = {number}]").replace("\n", " ") for number in (1, 2))
    first, two = (item.replace('{"framework"', '{"version": "😀", "framework"') for item in (first, two))
    repository.commit({path: first})

    async def steps(editor):
        await editor.open(path)
        return await editor.change(path, two)

    (step,) = session(repository, steps)
    column = step.range.start.character
    assert two.encode("utf-16-le")[2 * column :].decode("utf-16-le").startswith('{"name": "axis"')


def test_hovering_shows_of_findings_and_of_declarations(repository):
    async def steps(editor):
        await editor.open(FILE)
        await editor.change(FILE, CHANGED)
        here = line_of(CHANGED, '"axis"')
        await asyncio.sleep(1)  # declarations come after findings
        return [await editor.hover(FILE, line) for line in (here, line_of(CHANGED, '"Y"'), 0)]

    finding, declaration, nothing = session(repository, steps)
    assert "Why it breaks:" in finding
    assert "**input Y** of `g`" in declaration
    assert nothing == ""


def test_hovering_states_since_when_it_is_so(repository):
    repository.commit({FILE: text("f(X) -> (Out) [axis: INT = 0]", "g(X, Y) -> (Out)")}, "Another default (#7)")
    repository.commit({"opspec-lint.yaml": config(specs=[FILE], history="history.db")})
    build(f"{repository.top}/{FILE}", str(repository.top / "history.db"))

    async def steps(editor):
        await editor.open(FILE)
        await asyncio.sleep(1)
        return await editor.hover(FILE, line_of(FIRST, '"axis"'))

    assert "#7" in session(repository, steps)


def test_an_action_for_a_text_that_was_changed_since_is_not_offered(repository):
    path = "specs/t.fbs"
    repository.commit({path: SCHEMA})

    async def steps(editor):
        await editor.open(path)
        await editor.change(path, SCHEMA.replace(" c: int;", ""))
        before = await editor.actions(path, 0)
        editor.send(path, "\n" + editor.texts[path])
        return before, await editor.actions(path, 0)

    before, after = session(repository, steps)
    assert (len(before), after) == (1, [])


def test_a_change_outside_of_the_editor_counts_when_the_editor_reports_it(repository):
    async def steps(editor):
        await editor.open(FILE)
        editor.send(FILE, FIRST)
        repository.write({"specs/other.json": CHANGED})
        repository.git("add", "-A")
        repository.git("commit", "-qm", "x")
        repository.write({"specs/other.json": FIRST})
        editor.files_changed(["specs/other.json", ".git/HEAD"])
        uri = editor.uri("specs/other.json")
        await editor.until(lambda: uri in editor.published)
        return editor.shown_findings()

    assert session(repository, steps) == checked(repository) != []


def test_without_pygls_it_is_a_single_message(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert main(["lsp"]) == 2
    assert "pip install 'opspec-lint[lsp]'" in capsys.readouterr().err


def test_the_declaration_at_base_is_a_document(repository):
    async def steps(editor):
        await editor.open(FILE)
        await editor.change(FILE, "\n" + CHANGED)
        result = await editor.base(FILE, line_of(CHANGED, '"axis"') + 1)
        return result, await editor.text_at_base(result.uri)

    result, at_base = session(repository, steps)
    assert result.uri.startswith("opspec-lint-base:")
    assert at_base == FIRST
    assert result.range.start.line == line_of(FIRST, '"axis"')


SCHEMA = "table T { a: int; c: int; }\nroot_type T;\n"


def test_an_action_is_an_edit_of_the_text_in_the_editor(repository):
    path = "specs/t.fbs"
    changed = SCHEMA.replace(" c: int;", "")
    repository.commit({path: SCHEMA})

    async def steps(editor):
        await editor.open(path)
        await editor.change(path, changed)
        (action,) = await editor.actions(path, 0)
        left = await editor.change(path, editor.applied(path, action))
        return action, left, editor.texts[path]

    action, left, after = session(repository, steps)
    assert (action.kind, action.is_preferred) == ("quickfix", True)
    assert after == SCHEMA.replace("c: int", "c: int (deprecated)")
    assert "slot_deprecated" in {problem.code for problem in left} - {"slot_removed"}
    assert repository.git("status", "--porcelain") == ""


def test_what_cannot_be_read_is_at_its_file(repository):
    async def steps(editor):
        await editor.open(FILE)
        broken = await editor.change(FILE, CHANGED.replace("}", "", 1))
        mended = await editor.change(FILE, CHANGED)
        repository.write({"opspec-lint.yaml": "unknown: 1\n"})
        wrong = await editor.open("opspec-lint.yaml")
        return broken, mended, wrong, editor.messages

    broken, mended, wrong, messages = session(repository, steps)
    assert [item.severity for item in broken] == [1]
    assert [problem.code for problem in mended] == ["attr_default_changed"]
    assert "unknown" in wrong[0].message
    assert messages == []


def test_of_changes_in_a_row_the_last_one_is_read(repository):
    async def steps(editor):
        await editor.open(FILE)
        seen = []
        editor.published.pop(editor.uri(FILE))
        for number in range(20):
            editor.send(FILE, CHANGED.replace("2", str(number + 2)))
            await asyncio.sleep(0.02)
            seen += [value.version for value in editor.published.values()]
        return seen, await editor.diagnostics(FILE)

    seen, (result,) = session(repository, steps)
    assert len(set(seen)) <= 3
    assert "changed from 1 to 21" in result.message


def test_a_crash_is_a_single_message_and_the_next_check_goes_on(repository):
    """A process that is killed, as for want of memory, is told of; what is opened next is checked."""

    async def steps(editor):
        await editor.open(FILE)
        editor.send(FILE, CHANGED)
        while not editor.messages:
            for pid in workers(editor.client._server.pid):
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(0.001)
        return editor.messages, await editor.change(FILE, CHANGED + " ")

    messages, (result,) = session(repository, steps)
    assert ["the process that reads " in message for message in messages] == [True]
    assert result.code == "attr_default_changed"


def test_a_process_that_ends_while_it_is_started_is_reported_of(monkeypatch):
    def start(_):
        raise EOFError

    monkeypatch.setattr(processes._context().Process, "start", start)
    with pytest.raises(OpspecError, match="could not be started: EOFError"):
        processes.ReadingProcess(None)


def workers(pid):
    """The processes that were forked for checks: those below a child of the server."""
    return [number for child in children(pid) for number in children(child)]


def children(pid):
    with suppress(OSError):
        return [int(part) for part in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def slow(repository, folder):
    """Have the next run of git in a repository take longer than is waited before progress is shown."""
    folder.mkdir()
    path = repository.environment["PATH"]
    (folder / "git").write_text(
        f'#!/bin/sh\n! mkdir "{folder}/ran" || sleep {progress._PATIENCE + 1}\nPATH="{path}" exec git "$@"\n'
    )
    (folder / "git").chmod(0o755)
    repository.environment["PATH"] = f"{folder}:{path}"


SHOWS_PROGRESS = types.ClientCapabilities(window=types.WindowClientCapabilities(work_done_progress=True))


def test_reading_that_takes_a_while_is_reported(repository, tmp_path):
    async def steps(editor):
        await editor.open(FILE)
        return editor.progress

    quick = session(repository, steps, capabilities=SHOWS_PROGRESS)
    slow(repository, tmp_path / "slow")
    (step,) = session(repository, steps, capabilities=SHOWS_PROGRESS).values()
    assert quick == {}
    assert [item["kind"] for item in step] == ["begin", "end"]
    assert str(repository.top) in step[0]["message"]
    slow(repository, tmp_path / "slow again")
    assert session(repository, steps) == {}  # to a client that shows none


def test_reading_that_is_ended_is_reported_no_more(repository, tmp_path):
    slow(repository, tmp_path / "bin")

    async def steps(editor):
        editor.begin(FILE)
        await editor.until(lambda: [len(value) for value in editor.progress.values()] == [1])
        editor.close(FILE)
        await editor.until(lambda: [len(value) for value in editor.progress.values()] == [2])

    session(repository, steps, capabilities=SHOWS_PROGRESS)


def test_a_repository_without_specs_is_left_in_peace(tmp_path):
    made = Repository.make(tmp_path / "top", {"a.yaml": "a: 1\n"})

    async def steps(editor):
        return await editor.open("a.yaml"), editor.messages, editor.logged

    result, messages, logged = session(made, steps)
    assert (result, messages) == ([], [])
    assert "no configuration" in logged[0]


def test_a_source_tree_needs_no_configuration(tmp_path):
    """Without a configuration, the server checks the source trees that `check` recognises in a repository."""
    made = Repository.make(tmp_path / "top", tree(f='AddAttr<int>("axis", "where").SetDefault(1);'))
    made.environment |= {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    changed = (made.top / MAKER).read_text(encoding="utf-8").replace("SetDefault(1)", "SetDefault(2)")

    async def steps(editor):
        await editor.open(MAKER)
        await editor.save(MAKER, changed)
        return editor.shown_findings()

    actual = session(made, steps)
    assert actual == checked(made)
    assert "attr_default_changed" in [finding[0] for finding in actual]


def test_an_invalid_file_hides_no_findings_of_others(repository):
    second = "specs/other.json"
    repository.commit({second: text("h(X) -> (Out)")})
    repository.write({FILE: CHANGED})

    async def steps(editor):
        (finding,) = await editor.open(FILE)
        await editor.open(second)
        (problem,) = await editor.change(second, text("h(X) -> (Out)").replace("}", "", 1))
        kept = editor.published[editor.uri(FILE)].diagnostics
        (invalid,) = await editor.change(FILE, CHANGED.replace('"provenance"', '"prove\tnance"', 1))
        return finding, problem, kept, invalid

    finding, problem, kept, invalid = session(repository, steps)
    assert problem.code is None
    assert [diagnostic.message for diagnostic in kept] == [finding.message]
    assert "is not valid JSON: invalid control character (" in invalid.message


def test_a_finding_carries_its_fingerprint_and_the_command_that_waives_it(repository):
    repository.write({FILE: CHANGED})

    async def steps(editor):
        (finding,) = await editor.open(FILE)
        return finding.data, await editor.hover(FILE, line_of(CHANGED, '"axis"'))

    data, hover = session(repository, steps)
    ran = repository.run(sys.executable, "-m", "opspec_lint", "check", "--format", "json")
    (finding,) = json.loads(ran.stdout)["findings"]
    assert data == {"fingerprint": finding["fingerprint"]}
    assert f"`opspec-lint waive {finding['fingerprint']} --reason WHY --owner WHO`" in hover


def test_edits_of_a_text_are_read_without_the_whole_text(repository):
    """The client may send ranges; columns count units of UTF-16 by default."""
    changed = FIRST.replace('"f"', '"f\U0001d400"', 1)
    line = line_of(changed, '"f\U0001d400"')

    async def steps(editor):
        await editor.open(FILE)
        await editor.change(FILE, changed)
        column = changed.split("\n")[line].index("\U0001d400")
        await editor.edit(FILE, (line, column, line, column + 2), "")
        same = await editor.diagnostics(FILE)
        end = line_of(FIRST, '"axis"')
        start = FIRST.split("\n")[end].index("1")
        await editor.edit(FILE, (end, start, end, start + 1), "2")
        return editor.offered.text_document_sync.change, same, await editor.diagnostics(FILE)

    kind, same, findings = session(repository, steps)
    assert kind == types.TextDocumentSyncKind.Incremental
    assert same == []
    assert [finding.code for finding in findings] == ["attr_default_changed"]


def test_a_release_is_no_base(repository):
    """A difference from a release alone has no declaration in base to go to."""
    repository.commit({"specs/old.json": text("f(X) -> (Out) [axis: INT = 0]", "g(X, Y) -> (Out)")})
    repository.commit({"opspec-lint.yaml": config(specs=[FILE], against=["specs/old.json"])})

    async def steps(editor):
        (result,) = await editor.open(FILE)
        return (
            result,
            await editor.hover(FILE, result.range.start.line),
            await editor.base(FILE, result.range.start.line),
        )

    result, messages, base = session(repository, steps)
    assert "changed from 0 to 1" in result.message
    assert "changed from 0 to 1" in messages
    assert base is None or base.uri.endswith(f"{FILE}?{repository.head}")


def test_outside_of_a_repository_nothing_is_checked(tmp_path):
    (tmp_path / "top").mkdir()
    outside = Repository(tmp_path / "top")
    outside.write({FILE: FIRST})

    async def steps(editor):
        editor.begin(FILE)
        return await editor.hover(FILE, 0), editor.published, editor.messages

    assert session(outside, steps) == ("", {}, [])


def test_a_session_of_edits_drawn_by_chance_shows_what_check_states(repository):
    draw = random.Random(33)  # noqa: S311
    document = json.loads(FIRST)

    async def steps(editor):
        await editor.open(FILE)
        for _ in range(10):
            changed = json.loads(json.dumps(document))
            for _ in range(draw.randrange(1, 3)):
                mutate(changed, draw)
            await editor.save(FILE, json.dumps(changed, indent=draw.choice([None, 1, 4])))
            assert editor.shown_findings() == checked(repository)
        editor.close(FILE)
        await editor.until(lambda: not editor.shown_findings())

    session(repository, steps)


def mutate(document, draw):
    """Change a spec by chance: remove an op or an argument, or rename it."""
    name = draw.choice(sorted(document["ops"]))
    op = document["ops"][name]
    section = draw.choice([text for text in ("inputs", "outputs", "attrs") if op.get(text)])
    kind = draw.randrange(4)
    if kind == 0 and len(document["ops"]) > 1:
        del document["ops"][name]
    elif kind == 1:
        op[section].pop()
    elif kind == 2:
        op[section][0]["name"] += "New"
    else:
        document["ops"][f"{name}_new"] = document["ops"].pop(name)
