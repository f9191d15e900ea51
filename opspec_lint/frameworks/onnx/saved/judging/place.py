"""A node in its graph, with the schema that a release has for it."""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.onnx.identity import identity, versions
from opspec_lint.frameworks.onnx.saved.files.nodes import nodes_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.onnx.saved.files.nodes import OnnxNode
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, ModelFile
    from opspec_lint.spec.model import Op, Spec


class Place(Record):
    """A node of a model.

    `graph` is the name of its graph, `imported` the version of its domain that the graph imports, None for a domain
    that it does not import. `schema` is what the release means by it, None for an op that it does not have. `op` is
    what messages call the op.
    """

    node: OnnxNode
    graph: str
    imported: int | None
    schema: Op | None
    op: str


@lru_cache(maxsize=16)
def _versions(ops: tuple[str, ...]) -> dict[tuple[str, str], list[int]]:
    """Return the versions of each op of a release: the same for all its models."""
    return versions(ops)


class Release:
    """The schemas of a release, by what nodes say.

    Args:
        spec: the spec of the release.
        same: the domains that the release takes for another one, by their names.
    """

    def __init__(self, spec: Spec, same: Mapping[str, str] | None = None) -> None:
        self._spec = spec
        self._same = same or {}
        self._versions = _versions(tuple(spec.ops))

    def places(self, graph: GraphFile, model: ModelFile) -> Iterator[Place]:
        """Yield the nodes of a graph with their schemas.

        Raises:
            ValueError: a node cannot be decoded.
        """
        imports = self.imports(imports_of(graph, model))
        for node in nodes_of(graph):
            yield self._place(node, graph, imports)

    def imports(self, opsets: tuple[tuple[str, int], ...]) -> dict[str, int]:
        """Return the imports of a model or function, by domain; the last one of a domain counts."""
        return {self._same.get(domain, domain): version for domain, version in opsets}

    def _place(self, node: OnnxNode, graph: GraphFile, imports: Mapping[str, int]) -> Place:
        domain = self._same.get(node.domain, node.domain)
        imported = imports.get(domain)
        since = self._since(domain, node.op, imported)
        op = identity(domain, node.op, since or imported or 0)
        return Place(
            node=node, graph=graph.name, imported=imported, op=op, schema=None if since is None else self._spec.ops[op]
        )

    def _since(self, domain: str, op: str, imported: int | None) -> int | None:
        """Return the version of an op that an import means: the newest that is not above it."""
        known = self._versions.get((domain, op), ())
        return max((each for each in known if imported is not None and each <= imported), default=None)


def is_whole(model: ModelFile) -> bool:
    """Tell whether a model has a graph of its own."""
    return any(not each.name and each.opsets is None for each in model.graphs)


def functions(model: ModelFile) -> frozenset[str]:
    """Return the functions that a model has, as `reading.qualified` calls them."""
    return frozenset(each.name for each in model.graphs if each.opsets is not None)


def imports_of(graph: GraphFile, model: ModelFile) -> tuple[tuple[str, int], ...]:
    """Return the imports that hold in a graph: those of the function around it, else of the model."""
    while graph.opsets is None and graph.within is not None:
        graph = model.graphs[graph.within]
    return model.opsets if graph.opsets is None else graph.opsets
