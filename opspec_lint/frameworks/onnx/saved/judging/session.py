"""`onnxruntime.InferenceSession`: versions, names, nodes and types, and a kernel for each node.

It takes `ai.onnx` for the default domain, and checks types (measured with 1.16.3 to 1.32.0 on the CPU). What a kernel
says to values and shapes when it is made, and shape inference, is not part of any schema.
"""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import DEFAULT, shown
from opspec_lint.frameworks.onnx.saved.files.reading import qualified
from opspec_lint.frameworks.onnx.saved.judging import conformity
from opspec_lint.frameworks.onnx.saved.judging.faults import of_model, of_node
from opspec_lint.frameworks.onnx.saved.judging.place import Release, functions, is_whole
from opspec_lint.frameworks.onnx.saved.judging.recursion import Calls
from opspec_lint.frameworks.onnx.saved.judging.running import Kernels
from opspec_lint.frameworks.onnx.saved.judging.types import Types
from opspec_lint.frameworks.onnx.saved.judging.wiring import Names
from opspec_lint.models.files import BrokenModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.frameworks.onnx.saved.files.reading import ModelFile
    from opspec_lint.frameworks.onnx.saved.judging.place import Place
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_SAME = {DEFAULT: ""}


def faults_of(model: Model[ModelFile], spec: Spec) -> Iterator[Fact]:
    """Yield what stops the model.

    Raises:
        BrokenModelError: a node cannot be decoded.
    """
    found = model.content
    release, names, types = Release(spec, _SAME), Names(found), Types(found)
    yield from _header(found, release, spec)
    kernels, own, calls = Kernels(), functions(found), Calls(found)
    for graph in found.graphs:
        try:
            places = list(release.places(graph, found))
        except ValueError as error:
            raise BrokenModelError(model.file, str(error), advice="is it complete?") from None
        types.enter(graph)
        calls.enter(graph, places)
        yield from names.faults_of(graph, places)
        for place in places:
            yield from _of_node(place, types, kernels, own)
    yield from calls.refused_by_session(spec)


def _header(model: ModelFile, release: Release, spec: Spec) -> Iterator[Fact]:
    version, most = model.ir_version or 0, spec.loading.get("ir_version")
    if type(most) is int and version > most:
        problem = f"has IR version {version}, and the release takes {most} at most"
        yield of_model("model_graph_version", "ir_version", "ir_version", problem)
    if not model.opsets:
        yield of_model("model_header", "opset_import", "opset", "it imports no opset")
    if not is_whole(model):
        yield of_model("model_header", "graph", "parse", "it has no graph")
    told = spec.loading.get("opsets")
    limits = told if isinstance(told, dict) else {}
    for domain, opset in release.imports(model.opsets).items():
        limit = limits.get(shown(domain))
        if type(limit) is int and opset > limit:
            problem = f"imports opset {opset} of {shown(domain)}, and the release takes {limit} at most"
            yield of_model("model_graph_version", f"opset of {shown(domain)}", "opset", problem)


def _of_node(place: Place, types: Types, kernels: Kernels, own: Collection[str]) -> Iterator[Fact]:
    node = place.node
    if qualified(node.domain, node.op, node.overload) in own:
        return
    if place.schema is None or place.schema.get("deprecated") is True:
        yield of_node(place, "model_op_unknown", "unknown_op")
        return
    faults = [*conformity.own_faults(place), *conformity.faults_of(place, place.schema)]
    bound, misfits = types.bind(place, place.schema)
    faults += misfits
    yield from faults
    if not faults:
        yield from kernels.faults_of(place, place.schema, bound)
