"""The audit of one batch in a worker: reads each model once, or plays its tape, and checks it against all targets."""

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

PATH_MARK = "\\u0000"
"""Placeholder for the path of the model in the JSON of findings: models with equal contents share their verdicts."""
STRICTNESS = "//"
"""Key among the stamps for how strictly a file was read; no file can have this name."""
_TRIES = 3
"""Attempts to read a model that changes while it is read."""
_MOST = 16 << 20
"""Bytes of a packed tape that is kept."""


def audit_batch(setup: Setup, jobs: Sequence[Job]) -> list[Row]:
    """Return one row for each job."""
    return [_audit_job(setup, job) for job in jobs]


def _audit_job(setup: Setup, job: Job) -> Row:
    """Return the row of a model: from its tape if the audit reads nothing else, or else from its files."""
    if job.place.problem:
        return unreadable_row(setup, job, InputError(job.place.path, job.place.problem, advice="name the file itself"))
    if job.tape is not None:
        try:
            return _audit_tape(setup, job, job.tape)
        except (NotRecordedError, ValueError):
            pass  # the tape lacks a file, or was written by an older version: read the files again
    return _audit_files(setup, job)


def unreadable_row(setup: Setup, job: Job, error: InputError, stamps: str = "", hashed: str = "") -> Row:
    """Return the row of a model that cannot be read."""
    path = job.place.path
    audits = audit_unreadable(path, _named_specs(setup, job.targets), _requested_loaders(setup), error)
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


def _audit_files(setup: Setup, job: Job) -> Row:
    """Read and audit a model; a model that changes during each attempt gets the row of an unreadable model."""
    for _ in range(_TRIES):
        recorder = Recorder(storage_of(job.place.source), job.place.path)
        try:
            with use_storage(recorder):
                row = _audit_model(setup, job)
            if recorder.is_unchanged():
                return _with_tape(row, recorder)
        except OSError:
            continue  # a file was removed or changed between two accesses
    error = InputError(job.place.path, "was changed while it was read", advice="audit it again when it is complete")
    return unreadable_row(setup, job, error)


def _with_tape(row: Row, recorder: Recorder) -> Row:
    """Return a row with the hash, the size and the recording of what the audit read."""
    recorded = recorder.tape()
    data = recorded.encode()
    packed = tape.compress(data) if row.format or row.verdicts else None
    path = row.place.path
    is_plain = json.dumps(path) == f'"{path}"'
    own = data if is_plain else data + path.encode("utf-8", "surrogateescape")  # the findings name it
    stamps = dict(recorded.stamps)
    if not row.format:
        stamps[STRICTNESS] = strictness(row.place)
        own += strictness(row.place).encode()
    return row._replace(
        hash=specs.digest(own),
        stamps=json.dumps(stamps),
        size=sum(file.size for file in recorded.files.values()),
        tape=packed if packed is not None and len(packed) <= _MOST else None,
    )


def strictness(place: Place) -> str:
    """Return how a file that is no model counts: "named", as an error, or "found", where it is skipped."""
    return "named" if place.is_named else "found"


def _audit_tape(setup: Setup, job: Job, packed: bytes) -> Row:
    data = tape.decompress(packed)
    with use_storage(Player(tape.decode(data), job.place.path)):
        return _audit_model(setup, job)._replace(hash="", stamps="")


def _audit_model(setup: Setup, job: Job) -> Row:
    """Return the row of an audit; an error in a model is a row as well, except one in the storage."""
    path, loaders = job.place.path, _requested_loaders(setup)
    try:
        model = read_model(path)
        formats = {name for loader in loaders for name in loader.formats}
        targets: list[tuple[str, Spec]] = []
        if not formats or model.format in formats:
            targets = _named_specs(setup, _relevant_targets(setup, job, model.format))
        audits = list(audit_model(model, targets, loaders, _load_options(setup), skip_foreign=True))
        return _row_of(setup, job, model, audits)
    except InputError as error:
        if not job.place.is_named and is_no_model(path, error):
            return unreadable_row(setup, job._replace(targets=()), error)
        return unreadable_row(setup, job, error)
    except (MemoryError, RecursionError) as error:
        kind = "takes more memory than there is" if isinstance(error, MemoryError) else "is nested too deep"
        return unreadable_row(setup, job, InputError(path, kind))
    except (OSError, NotRecordedError, ValueError):
        raise
    except Exception as error:
        return unreadable_row(setup, job, InputError(path, internal_error(error).line))


def _row_of(setup: Setup, job: Job, model: Model, audits: Sequence[Audit]) -> Row:
    """Return the row of a model that could be read; what depends on its recording is added by `_with_tape`."""
    writer = next((meta_graph.written_by for meta_graph in model.meta_graphs if meta_graph.written_by), None)
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
        uses=uses.collect_uses(model) if job.tape is None else (),
    )


def _verdicts(setup: Setup, path: str, audits: Iterable[Audit]) -> Iterator[Verdict]:
    """Yield the verdicts of audits; in their findings, a mark replaces the path, as copies of a model share them."""
    numbers = {target.name: number for number, target in enumerate(setup.targets)}
    own = json.dumps(path)[1:-1]  # without its quotes: a finding has it within a text
    for audit in audits:
        text = json.dumps([audit_json.finding_record(finding) for finding in audit.findings], separators=(",", ":"))
        yield Verdict(
            target=numbers[audit.against],
            loader=audit.loader or "",
            verdict=audit.verdict,
            reason=audit.reason,
            failed=audit.failed,
            findings=text.replace(own, PATH_MARK),
        )


def _relevant_targets(setup: Setup, job: Job, model_format: str) -> list[int]:
    """Return the targets of a job that can judge models of a format; the specs of other targets are never decoded."""
    if not setup.is_of_all:
        return list(job.targets)
    families = spec_families(model_format)
    return [number for number in job.targets if specs.may_belong_to(setup.targets[number].name, families)]


def _named_specs(setup: Setup, targets: Iterable[int]) -> list[tuple[str, Spec]]:
    return [(setup.targets[number].name, specs.spec_of(setup.targets[number])) for number in targets]


def _requested_loaders(setup: Setup) -> list[Loader]:
    return [LOADERS.load(name) for name in setup.loaders]


def _load_options(setup: Setup) -> LoadOptions:
    """Return the options for the loaders, with the specs of the release that saved the models."""
    saved_by, producer_ops = (
        None if target is None else specs.spec_of(target) for target in (setup.saved_by, setup.producer_ops)
    )
    return LoadOptions(
        tags=setup.tags,
        signature=setup.signature,
        producer_ops=producer_ops,
        saved_by=saved_by,
        released=specs.released_spec,
        checksums=setup.checksums,
    )
