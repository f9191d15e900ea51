"""Builds archives in the manner of PyTorch's without PyTorch."""

from __future__ import annotations

import io
import json
import zipfile

BOMB = b"\x80\x02cos\nsystem\nX\x09\x00\x00\x00touch PWN\x85R."
"""A pickle that runs a command when it is opened."""

SCRIPT = """class M(Module):
  __parameters__ = ["w", ]
  __buffers__ = ["k", ]
  w : Tensor
  k : Tensor
  lin : __torch__.nn.Linear
  __annotations__["0"] = __torch__.nn.Linear
  def forward(self: __torch__.M,
    x: Tensor,
    n: Dict[str, Tensor]=None) -> Tuple[Tensor, int]:
    lin = self.lin
    _0 = torch.div(torch.gelu((lin).forward(x, )), 2.)
    print("torch.no(1)", 'torch.not')  # torch.neither(
    return (ops.mine.twice(_0), torch.len(n))
  def other(self: __torch__.M) -> None:
    return None
"""
LINEAR = """class Linear(Module):
  __parameters__ = ["weight", ]
  __buffers__ = []
  weight : Tensor
  def forward(self: __torch__.nn.Linear,
    input: Tensor) -> Tensor:
    return torch.linear(input, self.weight, None)
def helper(x: Tensor) -> Tensor:
  return torch.relu(x)
"""


def archive(**entries):
    """Return a zip archive with the folder `m`; two underscores in a name become a slash."""
    return zipped({f"m/{name.replace('__', '/')}": data for name, data in entries.items()})


def zipped(entries):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, data in entries.items():
            made.writestr(name, data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


CODE = {"m/code/__torch__.py": SCRIPT, "m/code/__torch__/nn.py": LINEAR}


def script(**more):
    files = {
        **CODE,
        "m/code/__torch__.py.debug_pkl": BOMB,
        "m/data.pkl": BOMB,
        "m/constants.pkl": BOMB,
        "m/traced_inputs.pkl": BOMB,
        "m/data/0": bytes(16),
        "m/.data/version": "10\n",
    }
    return zipped(files | more)


def weights():
    return zipped({"m/data.pkl": BOMB, "m/data/0": bytes(16), "m/data/1": bytes(8), "m/version": "3\n"})


def tensor(name):
    return {"as_tensor": {"name": name}}


def node(target, inputs, outputs=("y",)):
    given = [{"name": name, "arg": arg, "kind": 1} for name, arg in inputs.items()]
    return {
        "target": target,
        "inputs": given,
        "outputs": [tensor(name) for name in outputs],
        "metadata": {"stack_trace": "/home/author/secret.py"},
        "name": outputs[0],
    }


def graph(*nodes):
    size = [{"as_expr": {"expr_str": "s0"}}, {"as_int": 4}]
    tensor_values = {"x": {"dtype": 7, "sizes": size}, "p_w": {"dtype": 13, "sizes": [{"as_int": 3}]}}
    return {"inputs": [tensor("x")], "outputs": [tensor("y")], "nodes": list(nodes), "tensor_values": tensor_values}


def program(*nodes, **more):
    specs = {
        "input_specs": [
            {"parameter": {"arg": {"name": "p_w"}, "parameter_name": "lin.weight"}},
            {"user_input": {"arg": tensor("x")}},
        ],
        "output_specs": [{"user_output": {"arg": tensor("y")}}],
    }
    made = {
        "graph_module": {"graph": graph(*nodes), "signature": specs},
        "opset_version": {"aten": 10},
        "schema_version": {"major": 8, "minor": 20},
        "torch_version": "2.13.0",
    }
    return made | more


def branching():
    """Return a program with a branch."""
    branch = {"as_graph": {"name": "true_graph_0", "graph": graph(node("torch.ops.aten.neg.default", {}))}}
    return program(
        node("torch.ops.aten.add.Tensor", {"self": tensor("x"), "other": {"as_int": 2}}),
        node("torch.ops.higher_order.cond", {"": branch}, ["z"]),
    )


def exported(document=None):
    document = branching() if document is None else document
    return zipped(
        {
            "m/models/model.json": document if isinstance(document, (str, bytes)) else json.dumps(document),
            "m/archive_format": "pt2",
            "m/data/weights/weight_0": bytes(16),
            "m/data/sample_inputs/model.pt": BOMB,
        }
    )


def written(path, text):
    """Write an archive of TorchScript whose module returns what an expression of `x` says."""
    code = f"class M(Module):\n  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    return {text}\n"
    records = {"data.pkl": b"", "constants.pkl": b"", "version": "3", "code/__torch__.py": code, ".data/version": "10"}
    path.write_bytes(zipped({f"m/{name}": data for name, data in records.items()}))
