"""The last part of the probe of `legacy_executor`: runs a program that needs no inputs."""


def run_path(path: str) -> "dict[str, str]":
    """Run the ProgramDesc at a path, and return its results; one that stays without a value is an error, as in a fetch.

    Raises NotTriedError for a program with inputs or weights, whose values are not in it.
    """
    file = program(path)  # type: ignore[name-defined]  # noqa: F821 - it stands before
    refuse_trained(file)  # type: ignore[name-defined]  # noqa: F821 - it stands before
    desc = core_modules[0].ProgramDesc(content(file))  # type: ignore[name-defined]  # noqa: F821 - it stands before
    block, nodes = desc.block(0), list(ops(desc))  # type: ignore[name-defined]  # noqa: F821 - it stands before
    if any(node.type() == "feed" for node in nodes):
        raise NotTriedError("its inputs are not in it")  # type: ignore[name-defined]  # noqa: F821 - it stands before
    fetched = [name for node in nodes if node.type() == "fetch" for name in node.input("X")]
    written = [name for node in nodes if node.type() != "fetch" for name in node.output_arg_names()]
    taken = {name for node in nodes for name in node.input_arg_names()}
    outputs = fetched or [name for name in dict.fromkeys(written) if name not in taken]
    # Backwards, as each removal moves the ops behind it.
    for number in reversed(range(block.op_size())):
        if block.op(number).type() == "fetch":
            block._remove_op(number, number + 1)  # noqa: SLF001 - it has no other name
    values = results(desc, [], outputs)  # type: ignore[name-defined]  # noqa: F821 - it stands before
    for name in outputs:
        if name not in values:
            raise RuntimeError(f"the variable {name!r} has no value after the run")
    return dict(values)
