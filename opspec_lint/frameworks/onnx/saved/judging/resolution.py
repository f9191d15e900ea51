"""The resolution of nodes: the schema of a release that a node means under the imports of its graph."""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.onnx.identity import DEFAULT, family, identity, versions_by_op
from opspec_lint.frameworks.onnx.saved.files.nodes import nodes_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.onnx.saved.files.nodes import OnnxNode
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile
    from opspec_lint.spec.model import Op, Spec


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


@lru_cache(maxsize=16)
def _versions_by_op(ops: tuple[str, ...]) -> dict[tuple[str, str], list[int]]:
    """Return the versions of each op of a release, cached because all models of a run share them."""
    return versions_by_op(ops)


class ReleaseSchemas:
    """The schemas of a release, looked up for nodes.

    Args:
        spec: the spec of the release.
        same: domains that the release treats as an alias of another one, by their names.
        assumed: the versions of domains that a model means if it does not import them.
    """

    def __init__(
        self, spec: Spec, same: Mapping[str, str] | None = None, assumed: Mapping[str, int] | None = None
    ) -> None:
        self._spec = spec
        self._same = same or {}
        self._assumed = assumed or {}
        self._versions = _versions_by_op(tuple(spec.ops))
        self._resolved: dict[tuple[str, str, int | None], tuple[str, Op | None]] = {}
        """The identities and schemas of ops by domain, op and imported version: a model repeats few of them."""

    def resolve_all(self, graph: GraphFile, imports: Mapping[str, int]) -> Iterator[ResolvedNode]:
        """Yield the nodes of a graph with their schemas under the given imports.

        Raises ValueError if a node cannot be decoded.
        """
        for number, node in enumerate(nodes_of(graph)):
            yield self.resolve(node, graph, number, imports)

    def imports(self, opsets: tuple[tuple[str, int], ...]) -> dict[str, int]:
        """Return the imports of a model or function by domain; of several for one domain, the last one counts."""
        return {**self._assumed, **{self._same.get(domain, domain): version for domain, version in opsets}}

    def resolve(self, node: OnnxNode, graph: GraphFile, number: int, imports: Mapping[str, int]) -> ResolvedNode:
        """Return a node with its schema under the given imports."""
        domain = self._same.get(node.domain, node.domain)
        imported = imports.get(domain)
        key = domain, node.op, imported
        if key not in self._resolved:
            since = self.since(domain, node.op, imported)
            op = identity(domain, node.op, since or imported or 0) if imported else family(identity(domain, node.op, 0))
            self._resolved[key] = op, None if since is None else self._spec.ops[op]
        op, schema = self._resolved[key]
        return ResolvedNode(node=node, graph=graph.name, number=number, imported=imported, op=op, schema=schema)

    def schema(self, op: str) -> Op:
        """Return the schema with an identity."""
        return self._spec.ops[op]

    def versions(self, node: OnnxNode) -> list[int]:
        """Return the versions of a node's op in the release, oldest first."""
        return self._versions.get((self._same.get(node.domain, node.domain), node.op), [])

    def since(self, domain: str, op: str, imported: int | None) -> int | None:
        """Return the version of an op that an import selects, the newest that is not above it, or None."""
        known = self._versions.get((domain, op), ())
        return max((version for version in known if imported is not None and version <= imported), default=None)


def release_version(spec: Spec) -> tuple[int, int] | None:
    """Return the first two numbers of the version of a release, None if it is not known."""
    numbers = (spec.provenance.version or "").split(".")[:2]
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and all(map(str.isdecimal, numbers)) else None


def embedded_onnx(spec: Spec) -> int | None:
    """Return the MINOR of the onnx 1.MINOR whose checks a release makes, None if it is not known.

    Each onnx 1.MINOR since 1.5 published opset MINOR + 5, and each ONNX Runtime takes the opset of the onnx built into
    it.
    """
    opsets = spec.loading.get("opsets")
    opset = opsets.get(DEFAULT) if isinstance(opsets, dict) else None
    return opset - _OPSET_AHEAD if type(opset) is int else None


_OPSET_AHEAD = 5
