"""The pairs to compare in a repository: each spec file, or each configured source, at base and at head."""

from __future__ import annotations

from opspec_lint.kit.errors import NothingToCheckError, UsageError
from opspec_lint.project import file_pairs, source_pairs, spec_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.pair import Pair, Selection
    from opspec_lint.sources.reading import Reading


def find_pairs(bases: Sequence[Snapshot], head: Snapshot, selection: Selection, reading: Reading) -> list[Pair]:
    """Return the pairs to compare, in order of path; `bases` has the files of each merge base, at least one.

    Raises UsageError if there is nothing to compare, or a configuration names missing files, InputError if a spec file
    cannot be read.
    """
    # After a criss-cross merge, a file may be unchanged since one merge base, and changed since another.
    first, *more = [_find_for_base(base, head, selection, reading) for base in bases]
    united = {pair.path: pair for pair in first}
    for pair in (pair for pairs_of_base in more for pair in pairs_of_base):
        known = united.get(pair.path)
        united[pair.path] = pair if known is None or known.is_unchanged else _with_further_base(known, pair)
    return [united[path] for path in sorted(united)] if more else first


def _with_further_base(known: Pair, pair: Pair) -> Pair:
    """Add the base of `pair` to a pair with the same path and another merge base."""
    if known.base is None:
        return known.replace(base=pair.base, from_elsewhere=(*known.from_elsewhere, *pair.from_elsewhere))
    further = known.further_bases if pair.base is None else (*known.further_bases, pair.base)
    return known.replace(further_bases=further, from_elsewhere=(*known.from_elsewhere, *pair.from_elsewhere))


def _find_for_base(base: Snapshot, head: Snapshot, selection: Selection, reading: Reading) -> list[Pair]:
    """Return the pairs for one base: of named sources, or else of the configuration, or else recognised ones."""
    in_force = selection.in_force
    if selection.sources:
        from opspec_lint.project import recognition

        contracts = list(
            dict.fromkeys(
                path for tree in (head, base) for path in recognition.contracts_of(selection.sources, tree.files())
            )
        )
        named_pairs = source_pairs.find_named(base, head, selection.sources, reading)
        return named_pairs + file_pairs.find_contracts(base, head, selection.tip, contracts)
    named = () if in_force is None else in_force.trees
    pairs = list(source_pairs.find_configured(base, head, selection, reading))
    if in_force is not None and named and not in_force.specs:
        return pairs
    contained: list[str] = []
    if in_force is None and selection.recognises:
        pairs, contained = source_pairs.find_recognised(base, head, selection, reading)
    pairs += file_pairs.find_file_pairs(base, head, selection, contained)
    if not pairs:
        raise _nothing_to_check(selection, head.files())
    return sorted(pairs, key=lambda pair: pair.path)


def _nothing_to_check(selection: Selection, files: list[str]) -> UsageError:
    """Return the error for a repository without contracts; its advice depends on what there is instead."""
    in_force = selection.in_force
    kind = UsageError if in_force else NothingToCheckError
    if not spec_files.spec_set((selection.base_config, selection.head_config)).is_default:
        message = "the configuration names no spec file that exists"
    elif in_force is None:
        message = f"there is no configuration, and no spec file under {spec_files.FOLDER}/"
    else:
        message = f"{in_force.file} names no spec file, and there is none under {spec_files.FOLDER}/"
    from opspec_lint.project import recognition

    tree = None if in_force else recognition.source_tree(files)
    if tree is not None:
        advice = f"this is a source tree: `opspec-lint check {tree}` checks it, `opspec-lint init` sets it up"
        return kind(message, advice=advice)
    return kind(
        message,
        advice="put a spec there: `opspec-lint extract SOURCE --output specs/NAME.json`, "
        "or name the files in opspec-lint.toml: specs = [...]",
    )
