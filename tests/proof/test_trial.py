"""Models are loaded elsewhere; whatever one does to its process, the others get what becomes of them."""

from __future__ import annotations

import os
import sys

import pytest

from opspec_lint.interpreters.messages import Package
from opspec_lint.kit.errors import InputError
from opspec_lint.proof.trial import TrialSetup, try_all
from tests.support.patience import PATIENCE

PROBE = """
import os, time
poisoned = []
def start():
    return "1.2.3"
def load(data):
    word = data.decode()
    if word == "refuse":
        raise ValueError("no op of that name")
    if word == "crash" or (word == "victim" and poisoned):
        os.abort()
    if word == "poison":
        poisoned.append(1)
    if word == "exit":
        raise SystemExit(0)
    if word == "vanish":
        os._exit(0)
    if word == "hang":
        while True:
            time.sleep(1)
    if word == "eat":
        held = []
        while True:
            held.append(bytearray(1 << 22))
    if word == "child":
        import subprocess
        subprocess.Popen(["sleep", "300"])
    if word == "kill":
        os.kill(os.getpid(), 9)
    return {"axis": word}
"""


def setup(probe=PROBE, python=sys.executable, **limits):
    return TrialSetup(
        python=python,
        probe=probe,
        package=Package(title="Fake", name="fake", requirement="fake"),
        environment=dict(os.environ),
        **{"seconds": PATIENCE, "memory": 256 << 20} | limits,
    )


def tried(tmp_path, *args, **how):
    paths = []
    for number, text in enumerate(args):
        paths.append(tmp_path / f"{number}.model")
        paths[-1].write_bytes(text.encode())
    messages = []
    result = try_all(setup(**how), paths, messages.append)
    assert result.version == "1.2.3"
    return result.trials, messages


def outcomes(trials):
    return [trial.outcome for trial in trials]


def test_every_model_has_its_outcome_in_order(tmp_path):
    trials, messages = tried(tmp_path, "a", "refuse", "b", "exit")
    assert outcomes(trials) == ["loads", "refused", "loads", "refused"]
    assert trials[0].attrs == {"axis": "a"}
    assert trials[1].error == "ValueError: no op of that name"
    assert messages == []


@pytest.mark.parametrize(
    ("text", "outcome", "error"),
    [
        ("crash", "crashed", "killed by SIGABRT"),
        ("vanish", "crashed", "exit status 0"),
        ("eat", "out_of_memory", "MemoryError"),
        ("kill", "out_of_memory", "killed by SIGKILL"),
    ],
)
def test_a_model_that_ends_its_process_takes_no_other_with_it(tmp_path, text, outcome, error):
    trials, _ = tried(tmp_path, "a", text, "b", "refuse")
    assert outcomes(trials) == ["loads", outcome, "loads", "refused"]
    assert error in trials[1].error


def test_a_model_that_hangs_takes_no_other_with_it(tmp_path):
    trials, _ = tried(tmp_path, "a", "hang", "b", "refuse", seconds=2)
    assert outcomes(trials) == ["loads", "hung", "loads", "refused"]
    assert trials[1].error == "not loaded in 2 s"


def test_the_first_model_and_several_may_end_their_process(tmp_path):
    trials, messages = tried(tmp_path, "crash", "crash", "a", "vanish")
    assert outcomes(trials) == ["crashed", "crashed", "loads", "crashed"]
    assert len(messages) == 3


def test_a_model_is_not_blamed_for_what_an_earlier_one_did(tmp_path):
    trials, _ = tried(tmp_path, "poison", "victim", "a")
    assert outcomes(trials) == ["loads", "loads", "loads"]


def test_what_a_model_starts_ends_with_it(tmp_path):
    trials, _ = tried(tmp_path, "child", "a")
    assert outcomes(trials) == ["loads", "loads"]


def test_a_release_that_dies_of_every_model_is_no_proof(tmp_path, monkeypatch):
    monkeypatch.setattr("opspec_lint.proof.trial._MOST_DEATHS", 3)
    with pytest.raises(InputError, match="died of 4 models, one after the other: killed by SIGABRT"):
        tried(tmp_path, *["crash"] * 9)


@pytest.mark.parametrize(
    ("probe", "problem"),
    [
        ("def start(): raise ModuleNotFoundError(\"No module named 'fake'\")\ndef load(data): ...", "has no Fake"),
        ("def start(): raise OSError('libfake.so')\ndef load(data): ...", "cannot be inspected: OSError: libfake.so"),
        ("import os\ndef start(): os.abort()\ndef load(data): ...", "crashed while importing Fake: killed by SIGABRT"),
        ("this is no Python", "crashed while importing Fake: exit status 1"),
    ],
)
def test_an_interpreter_without_the_framework_is_an_error(tmp_path, probe, problem):
    with pytest.raises(InputError, match=problem):
        tried(tmp_path, "a", probe=probe)


RUNS = (
    PROBE
    + """
def run(data):
    return {"0": data.decode()} if len(data) < 3 else load(data)
"""
)


def test_models_are_run_apart_and_end_no_other(tmp_path):
    texts = ("a", "crash", "refuse", "vanish", "exit", "eat", "kill", "b")
    trials, messages = tried(tmp_path, *texts, probe=RUNS, step="run")
    expected = ["loads", "crashed", "refused", "crashed", "refused", "out_of_memory", "out_of_memory", "loads"]
    assert outcomes(trials) == expected
    assert (trials[0].attrs, trials[1].error) == ({"0": "a"}, "killed by SIGABRT")
    assert messages == []


def test_a_model_whose_run_hangs_ends_no_other(tmp_path):
    trials, messages = tried(tmp_path, "a", "hang", "b", probe=RUNS, step="run", seconds=2)
    assert outcomes(trials) == ["loads", "hung", "loads"]
    assert trials[1].error == "not run in 2 s"
    assert messages == []


def test_what_a_single_model_does_to_its_process_no_later_one_sees(tmp_path):
    trials, _ = tried(tmp_path, "poison", "victim", probe=RUNS, step="run")
    assert outcomes(trials) == ["loads", "loads"]


def test_the_import_of_a_framework_has_a_limit_of_time(tmp_path):
    with pytest.raises(InputError, match="did not import Fake in 1 s; its last output: slow") as caught:
        tried(
            tmp_path,
            "a",
            probe="import time\ndef start():\n print('slow', flush=True)\n time.sleep(600)\nload = 0",
            import_seconds=1,
        )
    assert "--seconds" in caught.value.advice


def test_an_import_that_ignores_its_alarm_is_ended_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr("opspec_lint.proof.trial._SLACK", 0)
    probe = "import signal, time\ndef start():\n signal.alarm(0)\n time.sleep(600)\nload = 0"
    with pytest.raises(InputError, match="did not import Fake in 1 s"):
        tried(tmp_path, "a", probe=probe, import_seconds=1, seconds=1)


def test_a_model_that_ignores_its_alarm_hangs(tmp_path, monkeypatch):
    monkeypatch.setattr("opspec_lint.proof.trial._SLACK", 0)
    probe = PROBE.replace(
        "    while True:\n            time.sleep(1)", "    import signal; signal.alarm(0); time.sleep(600)", 1
    )
    trials, _ = tried(tmp_path, "a", "hang", "b", probe=probe, import_seconds=1, seconds=2)
    assert outcomes(trials) == ["loads", "hung", "loads"]


def test_models_that_print_much_fill_no_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("opspec_lint.interpreters.runner.FILE", 1 << 20)
    probe = "import os\ndef start(): return '1.2.3'\ndef load(data): os.system('yes'); return {}"
    trials, _ = tried(tmp_path, "a", "b", probe=probe)
    assert outcomes(trials) == ["loads", "loads"]


def test_an_interpreter_that_is_none_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be run: No such file or directory"):
        tried(tmp_path, "a", python=str(tmp_path / "python"))
    with pytest.raises(InputError, match="crashed while importing Fake"):
        tried(tmp_path, "a", python="/bin/sh")
