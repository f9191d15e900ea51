"""Runs ops in the legacy executor of Paddle, each without one of its outputs; the interpreter needs only Paddle.

The argument is how often a whole node is run. Standard input is a list of nodes (`__main__.py`), standard output a line
for each: its intermediate outputs, and what became of the runs. A run is a separate process, as ops crash.
"""

import json
import os
import signal
import sys
import traceback
from importlib import import_module
from importlib.util import find_spec

SECONDS = 10


def main() -> None:
    """Run the ops of the requests: as they are, several times, and without each of their intermediate outputs."""
    os.environ.update(FLAGS_initial_cpu_memory_in_mb="8", FLAGS_use_pinned_memory="0", OMP_NUM_THREADS="1")
    paddle = import_module("paddle")
    core = import_module("paddle.base.core" if find_spec("paddle.base") else "paddle.fluid.core")
    known = {proto.type: proto for proto in protos(core)}
    sys.stdout.write(json.dumps(paddle.__version__) + "\n")
    for request in json.load(sys.stdin):
        proto = known.get(request["op"])
        outputs = [] if proto is None else [output.name for output in proto.outputs if is_unstated(output)]
        left_out = [] if proto is None else [*[""] * int(sys.argv[1]), *outputs]
        trials = [separate(core, proto, request, name) for name in left_out]
        sys.stdout.write(json.dumps([outputs, trials]) + "\n")


def is_unstated(output):
    """Tell whether no loader checks an output, although it is not dispensable."""
    return (output.intermediate or output.extra) and not output.dispensable


def separate(core, proto, request, without):
    """Run a request in a separate process; return the outcome, and the results or the error."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        with os.fdopen(writing, "w") as stream:
            try:
                json.dump(["ran", attempt(core, proto, request, without)], stream)
            except Exception as error:
                lines = [line for line in str(error).splitlines() if "Error" in line and "[Hint" not in line]
                json.dump(["failed", (lines or traceback.format_exc().splitlines())[-1][:200]], stream)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        answer = stream.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        return ["no_end", ""]
    return json.loads(answer) if answer and not status else ["crashed", status_text(status)]


def status_text(status):
    """Return how a process ended."""
    return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"


def attempt(core, proto, request, without):
    """Run the op of a request, and return its results."""
    program = core.ProgramDesc(build(core, proto, request).serialize_to_string())
    op = program.block(0).op(0)
    if without:
        op.remove_output(without)
    op.check_attrs()
    return run(core, core.ProgramDesc(program.serialize_to_string()), request)


def build(core, proto, request):
    """Return the program of an op; the proto of the release states its outputs."""
    program = core.ProgramDesc()
    block = program.block(0)
    op = block.append_op()
    op.set_type(request["op"])
    for parameter, tensors in request["inputs"].items():
        op.set_input(parameter, [name_of(parameter, index) for index in range(len(tensors))])
        for index, tensor in enumerate(tensors):
            declare(core, block, name_of(parameter, index), tensor)
    for output in proto.outputs:
        count = request["outputs"].get(output.name, 0 if output.dispensable else 1)
        if output.name in request["in_place"]:
            op.set_output(output.name, [name_of(request["in_place"][output.name], 0)])
        elif count:
            op.set_output(output.name, [name_of(output.name, index) for index in range(count)])
        for index in range(count):
            declare(core, block, name_of(output.name, index))
    for name, value in request["attrs"].items():
        op._set_attr(name, value)  # noqa: SLF001 - it has no other name
    return program


def protos(core):
    """Yield the protos of all ops."""
    message = import_module("paddle.base.proto" if find_spec("paddle.base") else "paddle.fluid.proto").framework_pb2
    return map(message.OpProto.FromString, map(bytes, core.get_all_op_protos()))


def declare(core, block, name, tensor=None):
    """Declare a tensor."""
    types = core.VarDesc.VarType
    variable = block.var(name.encode())
    variable.set_type(getattr(types, "DENSE_TENSOR", None) or types.LOD_TENSOR)
    if tensor:
        variable.set_dtype(getattr(types, {"float32": "FP32", "int32": "INT32", "int64": "INT64"}[tensor["dtype"]]))
        variable.set_shape(tensor["shape"])
        variable.set_lod_level(1 if tensor["lod"] else 0)


def run(core, program, request):
    """Return the values of the outputs, as text."""
    numpy = import_module("numpy")
    scope, place, anywhere = core.Scope(), core.CPUPlace(), core.Place()
    anywhere.set_place(place)
    for parameter, tensors in request["inputs"].items():
        for index, tensor in enumerate(tensors):
            made = scope.var(name_of(parameter, index)).get_tensor()
            made.set(numpy.array(tensor["values"], dtype=tensor["dtype"]).reshape(tensor["shape"]), place)
            if tensor["lod"]:
                made.set_recursive_sequence_lengths([tensor["lod"]])
    op = program.block(0).op(0)
    names = [name for parameter in op.output_names() for name in op.output(parameter)]
    core.Executor(anywhere).run(program, scope, 0, False, True, names)
    return {name: text(numpy, scope.find_var(name)) for name in names}


def text(numpy, variable):
    """Return a tensor as text."""
    tensor = None if variable is None else variable.get_tensor()
    if tensor is None or not tensor._is_initialized():  # noqa: SLF001 - it has no other name
        return None
    array = numpy.array(tensor)
    return f"{array.dtype} {list(array.shape)} {array.ravel()[:50].tolist()}"


def name_of(parameter, index):
    """Return the name of a tensor."""
    return f"{parameter}_{index}"


main()
