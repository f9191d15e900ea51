"""OpDefs written as the C++ that registers them, the inverse of what tensorflow-source reads."""

from __future__ import annotations

from google.protobuf import text_format

from opspec_lint.frameworks.tensorflow.extract.messages import data_type

_FLAGS = {
    "is_commutative": "SetIsCommutative",
    "is_aggregate": "SetIsAggregate",
    "is_stateful": "SetIsStateful",
    "allows_uninitialized_input": "SetAllowsUninitializedInput",
    "is_distributed_communication": "SetIsDistributedCommunication",
}
_FIELDS = {"s": "string", "i": "int", "f": "float", "b": "bool", "type": "type", "shape": "shape", "tensor": "tensor",
           "func": "func"}  # fmt: skip


def written(opdef):
    """Return the statement that registers an op."""
    calls = [
        *(("Attr", _attr(attr)) for attr in opdef.attr),
        *(("Input", _argument(argument)) for argument in opdef.input_arg),
        *(("Output", _argument(argument)) for argument in opdef.output_arg),
        *(("ControlOutput", name) for name in opdef.control_output),
    ]
    lines = [f"REGISTER_OP({_quoted(opdef.name)})", *(f"    .{method}({_quoted(text)})" for method, text in calls)]
    lines += [f"    .{method}()" for flag, method in _FLAGS.items() if getattr(opdef, flag)]
    if opdef.HasField("deprecation"):
        lines.append(f"    .Deprecated({opdef.deprecation.version}, {_quoted(opdef.deprecation.explanation)})")
    return "\n".join(lines) + ";\n"


def _quoted(text):
    """Return a literal of C++; every character that is not plain is an octal escape of its UTF-8."""
    return f'"{_escaped(text.encode())}"'


def _escaped(data):
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b"\\'\"" else f"\\{byte:03o}" for byte in data)


def _attr(attr):
    kind, element = attr.type, attr.type.removeprefix("list(").removesuffix(")")
    if attr.HasField("allowed_values"):
        allowed = attr.allowed_values.list
        inside = [data_type(number) for number in allowed.type] or [_string(data) for data in allowed.s]
        kind = kind.replace(element, f"{{ {', '.join(inside)} }}", 1)
    minimum = f" >= {attr.minimum}" if attr.has_minimum else ""
    default = f" = {_value(attr.default_value, attr.type)}" if attr.HasField("default_value") else ""
    return f"{attr.name}: {kind}{minimum}{default}"


def _string(data):
    return f"'{_escaped(data)}'"


def _value(value, kind):
    """Return a default value in protobuf's text format, as ParseAttrValue takes it."""
    if not kind.startswith("list("):
        return text_format.MessageToString(value, as_one_line=True).partition(" ")[2]
    field = next(field for field, name in _FIELDS.items() if kind == f"list({name})")
    single = type(value)()
    items = []
    for item in getattr(value.list, field):
        single.Clear()
        if hasattr(item, "CopyFrom"):
            getattr(single, field).CopyFrom(item)
        else:
            setattr(single, field, item)
        items.append(text_format.MessageToString(single, as_one_line=True).partition(" ")[2].strip())
    return f"[{', '.join(items)}]"


def _argument(argument):
    kind = argument.type_attr or argument.type_list_attr or data_type(argument.type)
    many = f"{argument.number_attr} * {kind}" if argument.number_attr else kind
    return f"{argument.name}: {f'Ref({many})' if argument.is_ref else many}"


def edited(rng, opdef):
    """Return an OpDef with single random edit, and what was edited; it may be invalid."""
    new = type(opdef)()
    new.CopyFrom(opdef)
    edits = [edit for edit in EDITS if edit(rng, new, is_try=True)]
    edit = rng.choice(edits)
    edit(rng, new)
    return new, edit.__name__.strip("_")


def _remove(field):
    def remove(rng, opdef, *, is_try=False):
        items = getattr(opdef, field)
        if items and not is_try:
            del items[rng.randrange(len(items))]
        return bool(items)

    remove.__name__ = f"remove_{field}"
    return remove


def _add_argument(field):
    def add(rng, opdef, *, is_try=False):
        if not is_try:
            getattr(opdef, field).add(name=f"more_{rng.randrange(99)}", type=rng.choice((1, 3, 7, 20)))
        return True

    add.__name__ = f"add_{field}"
    return add


def _rename_argument(rng, opdef, *, is_try=False):
    every = [*opdef.input_arg, *opdef.output_arg]
    if every and not is_try:
        rng.choice(every).name += "_x"
    return bool(every)


def _turn_ref(rng, opdef, *, is_try=False):
    every = [*opdef.input_arg, *opdef.output_arg]
    if every and not is_try:
        argument = rng.choice(every)
        argument.is_ref = not argument.is_ref
    return bool(every)


def _change_type(rng, opdef, *, is_try=False):
    every = [argument for argument in (*opdef.input_arg, *opdef.output_arg) if argument.type]
    if every and not is_try:
        rng.choice(every).type = rng.choice((1, 2, 3, 9, 21))
    return bool(every)


def _add_attr(rng, opdef, *, is_try=False):
    if not is_try:
        attr = opdef.attr.add(name=f"more{rng.randrange(99)}", type=rng.choice(("int", "float", "bool", "list(int)")))
        if rng.random() < 0.5:
            attr.default_value.SetInParent()
            if attr.type == "int":
                attr.default_value.i = rng.randrange(-5, 5)
            elif attr.type == "float":
                attr.default_value.f = rng.choice((0.5, -1.25, 3e-5))
            elif attr.type == "bool":
                attr.default_value.b = rng.random() < 0.5
            else:
                attr.default_value.list.i.extend(rng.sample(range(9), rng.randrange(3)))
                attr.default_value.list.SetInParent()
    return True


def _change_allowed(rng, opdef, *, is_try=False):
    every = [attr for attr in opdef.attr if len(attr.allowed_values.list.type) > 1]
    if every and not is_try:
        allowed = rng.choice(every).allowed_values.list.type
        if rng.random() < 0.6:
            del allowed[rng.randrange(len(allowed))]
        else:
            allowed.append(rng.choice((5, 10, 22, 23)))
    return bool(every)


def _change_default(rng, opdef, *, is_try=False):
    every = [attr for attr in opdef.attr if attr.HasField("default_value") and attr.type in ("int", "bool", "float")]
    if every and not is_try:
        attr = rng.choice(every)
        if rng.random() < 0.3:
            attr.ClearField("default_value")
        elif attr.type == "int":
            attr.default_value.i += 1
        elif attr.type == "float":
            attr.default_value.f += 0.5
        else:
            attr.default_value.b = not attr.default_value.b
    return bool(every)


def _change_minimum(rng, opdef, *, is_try=False):
    every = [attr for attr in opdef.attr if attr.type == "int" or attr.type.startswith("list(")]
    if every and not is_try:
        attr = rng.choice(every)
        attr.has_minimum, attr.minimum = True, attr.minimum + rng.choice((-1, 1, 2))
    return bool(every)


def _change_attr_type(rng, opdef, *, is_try=False):
    every = [attr for attr in opdef.attr if attr.type in ("int", "float", "bool")]
    if every and not is_try:
        attr = rng.choice(every)
        attr.ClearField("default_value")
        attr.type = "string"
        attr.has_minimum, attr.minimum = False, 0
    return bool(every)


def _turn_flag(rng, opdef, *, is_try=False):
    if not is_try:
        flag = rng.choice(list(_FLAGS))
        setattr(opdef, flag, not getattr(opdef, flag))
    return True


def _deprecate(rng, opdef, *, is_try=False):
    if not is_try:
        opdef.deprecation.version, opdef.deprecation.explanation = rng.randrange(1, 30), 'Use "Y"\nnow'
    return True


EDITS = (_remove("attr"), _remove("input_arg"), _remove("output_arg"), _add_argument("input_arg"),
         _add_argument("output_arg"), _rename_argument, _turn_ref, _change_type, _add_attr, _change_allowed,
         _change_default, _change_minimum, _change_attr_type, _turn_flag, _deprecate)  # fmt: skip
