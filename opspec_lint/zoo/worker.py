"""Audits the models of a batch: reads each once, or plays its tape, and checks it against all targets."""

from __future__ import annotations

import json

from opspec_lint.kit.errors import InputError, internal_error
from opspec_lint.models import audit_json, tape
from opspec_lint.models.audit import audit_model, audit_unreadable, is_no_model
from opspec_lint.models.loader import LOADERS, LoadOptions, spec_families
from opspec_lint.models.recognise import read_model
from opspec_lint.models.storage import use_storage
from opspec_lint.models.tape import NotRecordedError, Player, Recorder
from opspec_lint.zoo import specs, uses
from opspec_lint.zoo.places import storage_of
from opspec_lint.zoo.work import Row, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.loader import Loader
    from opspec_lint.models.model import Model
    from opspec_lint.spec.model import Spec
    from opspec_lint.zoo.work import Job, Place, Setup

HERE = "\\u0000"
"""What stands in the JSON of findings for the path of the model."""
STRICTNESS = "//"
"""The name among the stamps that stands for how strictly a file was read; no file has it."""
_TRIES = 3
"""How often a model is read that changes while it is read."""
_MOST = 16 << 20
"""Bytes of a packed tape that is kept."""


def audited(setup: Setup, jobs: Sequence[Job]) -> list[Row]:
    """Return a row for each model."""
    return [_row(setup, job) for job in jobs]


def _row(setup: Setup, job: Job) -> Row:
    if job.place.problem:
        return unread(setup, job, InputError(job.place.path, job.place.problem, advice="name the file itself"))
    if job.tape is not None:
        try:
            return _played(setup, job, job.tape)
        except (NotRecordedError, ValueError):
            pass  # its files are read again
    return _read(setup, job)


def unread(setup: Setup, job: Job, error: InputError, stamps: str = "", hashed: str = "") -> Row:
    """Return the row of a model that cannot be read."""
    path = job.place.path
    audits = audit_unreadable(path, _specs(setup, job.targets), _wanted(setup), error)
    return Row(
        place=job.place,
        targets=job.targets,
        stamps=stamps,
        hash=hashed or specs.digest(json.dumps([path, error.message]).encode()),
        size=0,
        format="",
        framework="",
        writer="",
        tape=None,
        verdicts=tuple(_verdicts(setup, path, audits)),
        uses=(),
    )


def _read(setup: Setup, job: Job) -> Row:
    """Read a model, and return its row; one that is another one each time cannot be read."""
    for _ in range(_TRIES):
        recorder = Recorder(storage_of(job.place.source), job.place.path)
        try:
            with use_storage(recorder):
                row = _judged(setup, job)
            if recorder.is_unchanged():
                return _with_tape(row, recorder)
        except OSError:
            continue  # it went, or changed, between two looks at it
    error = InputError(job.place.path, "was changed while it was read", advice="audit it when it is written")
    return unread(setup, job, error)


def _with_tape(row: Row, recorder: Recorder) -> Row:
    found = recorder.tape()
    data = found.encode()
    packed = tape.compress(data) if row.format or row.verdicts else None
    path = row.place.path
    is_plain = json.dumps(path) == f'"{path}"'
    own = data if is_plain else data + path.encode("utf-8", "surrogateescape")  # the findings name it
    stamps = dict(found.stamps)
    if not row.format:
        stamps[STRICTNESS] = strictness(row.place)
        own += strictness(row.place).encode()
    return row._replace(
        hash=specs.digest(own),
        stamps=json.dumps(stamps),
        size=sum(each.size for each in found.files.values()),
        tape=packed if packed is not None and len(packed) <= _MOST else None,
    )


def strictness(place: Place) -> str:
    """Return a word for how a file counts that is no model: as an error where the user named it."""
    return "named" if place.is_named else "found"


def _played(setup: Setup, job: Job, packed: bytes) -> Row:
    data = tape.decompress(packed)
    with use_storage(Player(tape.decode(data), job.place.path)):
        return _judged(setup, job)._replace(hash="", stamps="")


def _judged(setup: Setup, job: Job) -> Row:
    path, wanted = job.place.path, _wanted(setup)
    try:
        model = read_model(path)
        formats = {name for each in wanted for name in each.formats}
        targets = [] if formats and model.format not in formats else _specs(setup, _fitting(setup, job, model.format))
        audits = list(audit_model(model, targets, wanted, _asked(setup), skip_foreign=True))
        return _row_of(setup, job, model, audits)
    except InputError as error:
        if not job.place.is_named and is_no_model(path, error):
            return unread(setup, job._replace(targets=()), error)
        return unread(setup, job, error)
    except (MemoryError, RecursionError) as error:
        kind = "takes more memory than there is" if isinstance(error, MemoryError) else "is nested too deep"
        return unread(setup, job, InputError(path, kind))
    except (OSError, NotRecordedError, ValueError):
        raise
    except Exception as error:
        return unread(setup, job, InputError(path, internal_error(error).line))


def _row_of(setup: Setup, job: Job, model: Model, audits: Sequence[Audit]) -> Row:
    writer = next((each.written_by for each in model.meta_graphs if each.written_by), None)
    return Row(
        place=job.place,
        targets=job.targets,
        stamps="",
        hash="",
        size=0,
        format=model.format,
        framework=model.framework,
        writer=writer or "",
        tape=None,
        verdicts=tuple(_verdicts(setup, job.place.path, audits)),
        uses=uses.of_model(model) if job.tape is None else (),
    )


def _verdicts(setup: Setup, path: str, audits: Iterable[Audit]) -> Iterator[Verdict]:
    numbers = {target.name: number for number, target in enumerate(setup.targets)}
    own = json.dumps(path)[1:-1]
    for each in audits:
        text = json.dumps([audit_json.finding_record(finding) for finding in each.findings], separators=(",", ":"))
        yield Verdict(
            target=numbers[each.against],
            loader=each.loader or "",
            verdict=each.verdict,
            reason=each.reason,
            failed=each.failed,
            findings=text.replace(own, HERE),
        )


def _fitting(setup: Setup, job: Job, model_format: str) -> list[int]:
    """Return the targets of a job that judge models of a format; others need not be decoded."""
    if not setup.is_of_all:
        return list(job.targets)
    families = spec_families(model_format)
    return [number for number in job.targets if specs.is_of(setup.targets[number].name, families)]


def _specs(setup: Setup, targets: Iterable[int]) -> list[tuple[str, Spec]]:
    return [(setup.targets[each].name, specs.spec_of(setup.targets[each])) for each in targets]


def _wanted(setup: Setup) -> list[Loader]:
    return [] if setup.loader is None else [LOADERS.load(setup.loader)]


def _asked(setup: Setup) -> LoadOptions:
    saved_by, producer_ops = (
        None if each is None else specs.spec_of(each) for each in (setup.saved_by, setup.producer_ops)
    )
    return LoadOptions(
        tags=setup.tags,
        signature=setup.signature,
        producer_ops=producer_ops,
        saved_by=saved_by,
        released=specs.released_spec,
        checksums=setup.checksums,
    )
