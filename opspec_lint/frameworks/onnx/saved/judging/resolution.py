"""The resolution of nodes: the schema of a release that a node means under the imports of its graph."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import family, identity
from opspec_lint.frameworks.onnx.saved.files.nodes import nodes_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opspec_lint.frameworks.onnx.saved.files.nodes import OnnxNode
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile
    from opspec_lint.frameworks.onnx.saved.judging.release import Release
    from opspec_lint.spec.model import Op


class ResolvedNode(Record):
    """A node of a model with its schema.

    `graph` is the name of its graph, `number` its index there. `imported` is the version of its domain that the graph
    imports, None if it imports none. `schema` is the schema in the release, None if the release has none for the node.
    `op` is the identity of the schema, or the name of the op for messages.
    """

    node: OnnxNode
    graph: str
    number: int
    imported: int | None
    schema: Op | None
    op: str

    @property
    def name(self) -> str:
        """The name of the node, `OP#INDEX` if it has none."""
        return self.node.name or f"{self.node.op}#{self.number}"


class Imports:
    """The version of each domain that a model or function imports.

    Args:
        stated: the stated imports.
        assumed: returns the version of a domain that a model means if it does not import it, or None.
    """

    def __init__(self, stated: Mapping[str, int], assumed: Callable[[str], int | None] | None = None) -> None:
        self.stated = stated
        self._assumed = assumed

    def get(self, domain: str) -> int | None:
        """Return the version of a domain, or None."""
        version = self.stated.get(domain)
        return version if version is not None or self._assumed is None else self._assumed(domain)

    def completed_by(self, *others: Imports) -> Imports:
        """Return these imports with the further domains that others state; the first of several versions counts."""
        stated = dict(self.stated)
        for imports in others:
            for domain, version in imports.stated.items():
                if self.get(domain) is None:
                    stated.setdefault(domain, version)
        return Imports(stated, self._assumed)


class ReleaseSchemas:
    """The schemas of a release, looked up for nodes.

    Args:
        release: the release.
        same: domains that the release treats as an alias of another one, by their names.
        assumed: returns the version of a domain that a model means if it does not import it, or None.
    """

    def __init__(
        self,
        release: Release,
        same: Mapping[str, str] | None = None,
        assumed: Callable[[str], int | None] | None = None,
    ) -> None:
        self._release = release
        self._same = same or {}
        self._assumed = assumed
        self._resolved: dict[tuple[str, str, int | None], tuple[str, Op | None]] = {}
        """The identities and schemas of ops by domain, op and imported version: a model repeats few of them."""

    def resolve_all(self, graph: GraphFile, imports: Imports) -> Iterator[ResolvedNode]:
        """Yield the nodes of a graph with their schemas under the given imports.

        Raises ValueError if a node cannot be decoded.
        """
        for number, node in enumerate(nodes_of(graph)):
            yield self.resolve(node, graph, number, imports)

    def imports(self, opsets: tuple[tuple[str, int], ...]) -> Imports:
        """Return the imports of a model or function by domain; of several for one domain, the last one counts."""
        return Imports({self._same.get(domain, domain): version for domain, version in opsets}, self._assumed)

    def resolve(self, node: OnnxNode, graph: GraphFile, number: int, imports: Imports) -> ResolvedNode:
        """Return a node with its schema under the given imports."""
        domain = self._same.get(node.domain, node.domain)
        imported = imports.get(domain)
        key = domain, node.op, imported
        if key not in self._resolved:
            since = self.since(domain, node.op, imported)
            # An op that the release lacks is named with the imported version, if there is one.
            version = since or imported
            op = identity(domain, node.op, version) if version else family(identity(domain, node.op, 0))
            self._resolved[key] = op, None if since is None else self._release.schema(op)
        op, schema = self._resolved[key]
        return ResolvedNode(node=node, graph=graph.name, number=number, imported=imported, op=op, schema=schema)

    def schema(self, op: str) -> Op:
        """Return the schema with an identity."""
        return self._release.schema(op)

    def versions(self, node: OnnxNode) -> tuple[int, ...]:
        """Return the versions of a node's op in the release, oldest first."""
        return self._release.versions(self._same.get(node.domain, node.domain), node.op)

    def since(self, domain: str, op: str, imported: int | None) -> int | None:
        """Return the version of an op that an import selects, the newest that is not above it, or None."""
        return None if imported is None else self._release.version_under(domain, op, imported)
