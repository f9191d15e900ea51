"""Random damage to OpDefs: what a careless, or a careful, change to an op may look like."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random

KINDS = ("string", "int", "float", "bool", "type", "shape", "tensor", "func")
FIELDS = dict(zip(KINDS, ("s", "i", "f", "b", "type", "shape", "tensor", "func"), strict=True))
NAMES = ("zz_new", "T", "N", "dtype", "float", "int32_ref", "x", "y")
FLAGS = ("is_stateful", "is_commutative", "is_aggregate", "allows_uninitialized_input", "is_distributed_communication")


def mutate(op, chance: random.Random, times: int) -> list[str]:
    """Change an OpDef `times` times at random, and return what was done."""
    return [done for done in (chance.choice(MUTATIONS)(op, chance) for _ in range(times)) if done]


def set_value(value, kind: str, chance: random.Random) -> None:
    """Set an AttrValue to some value of a type."""
    value.Clear()
    element = kind.removeprefix("list(").removesuffix(")")
    if element not in FIELDS:
        value.placeholder = "p"
    elif element == kind:
        put(value, FIELDS[kind], chance)
    else:
        value.list.SetInParent()
        for _ in range(chance.choice((0, 1, 2, 3))):
            put(value.list, FIELDS[element], chance)


def put(holder, field: str, chance: random.Random) -> None:
    """Set or append one value."""
    if field in ("shape", "tensor", "func"):
        message = getattr(holder, field)
        message = message.add() if hasattr(message, "add") else message
        message.SetInParent()
        fill(message, field, chance)
        return
    value = {
        "s": lambda: chance.choice((b"SAME", b"VALID", b"", b"\xff\xfe", "ä".encode())),
        "i": lambda: chance.choice((0, 1, 2, 3, -1, 1 << 40)),
        "f": lambda: chance.choice((0.0, -0.0, 0.1, 1.5, float("nan"), float("inf"))),
        "b": lambda: chance.random() < 0.5,
        "type": lambda: chance.choice((1, 2, 3, 7, 9, 19, 1, 3, 0, 101, 9999)),
    }[field]()
    if hasattr(getattr(holder, field), "append"):
        getattr(holder, field).append(value)
    else:
        setattr(holder, field, value)


def fill(message, field: str, chance: random.Random) -> None:
    """Set a shape, tensor or function to something."""
    if field == "shape":
        message.unknown_rank = chance.random() < 0.3
        for _ in range(0 if message.unknown_rank else chance.choice((0, 1, 2))):
            message.dim.add(size=chance.choice((-1, 0, 2)), name=chance.choice(("", "", "batch")))
    elif field == "tensor":
        message.dtype = 3
        message.tensor_shape.dim.add(size=2)
        numbers = chance.choice(([1, 1], [1], [1, 2], [7, 7]))
        if chance.random() < 0.5:
            message.int_val.extend(numbers)
        else:
            numbers = (numbers * 2)[:2]
            message.tensor_content = b"".join(number.to_bytes(4, "little") for number in numbers)
    else:
        message.name = chance.choice(("f", "g"))
        if chance.random() < 0.5:
            message.attr["T"].type = 1


def some_attr(op, chance):
    return chance.choice(op.attr) if op.attr else None


def some_argument(op, chance):
    arguments = [*op.input_arg, *op.output_arg]
    return chance.choice(arguments) if arguments else None


def section(op, chance):
    return chance.choice((op.input_arg, op.input_arg, op.output_arg))


def some_kind(chance):
    kind = chance.choice(KINDS)
    return f"list({kind})" if chance.random() < 0.4 else kind


def reorder(items, chance):
    copies = [type(item).FromString(item.SerializeToString()) for item in items]
    chance.shuffle(copies)
    del items[:]
    items.extend(copies)


def remove_attr(op, chance):
    if op.attr:
        del op.attr[chance.randrange(len(op.attr))]
        return "attr removed"
    return None


def rename_attr(op, chance):
    attr = some_attr(op, chance)
    if attr is None:
        return None
    old, attr.name = attr.name, chance.choice(NAMES)
    if chance.random() < 0.7:
        for argument in (*op.input_arg, *op.output_arg):
            for field in ("type_attr", "number_attr", "type_list_attr"):
                if getattr(argument, field) == old:
                    setattr(argument, field, attr.name)
    return "attr renamed"


def add_attr(op, chance):
    attr = op.attr.add(name=chance.choice(NAMES) + chance.choice(("", "2")), type=some_kind(chance))
    if chance.random() < 0.7:
        set_value(attr.default_value, attr.type, chance)
    return "attr added"


def change_attr_type(op, chance):
    attr = some_attr(op, chance)
    if attr is None:
        return None
    attr.type = chance.choice((some_kind(chance), some_kind(chance), "integer", "list(int", "nothing", ""))
    if chance.random() < 0.5 and attr.HasField("default_value"):
        set_value(attr.default_value, attr.type, chance)
    return "attr type changed"


def change_default(op, chance):
    attr = some_attr(op, chance)
    if attr is None:
        return None
    how = chance.random()
    if how < 0.3:
        attr.ClearField("default_value")
    elif how < 0.9:
        set_value(attr.default_value, attr.type, chance)
    else:
        set_value(attr.default_value, some_kind(chance), chance)
    return "default changed"


def empty_default(op, chance):
    attr = some_attr(op, chance)
    if attr is None:
        return None
    attr.default_value.Clear()
    attr.default_value.SetInParent()
    return "default emptied"


def change_allowed(op, chance):
    attr = some_attr(op, chance)
    if attr is None:
        return None
    element = attr.type.removeprefix("list(").removesuffix(")")
    field = {"type": "type", "string": "s"}.get(element)
    how = chance.random()
    if how < 0.2:
        attr.ClearField("allowed_values")
    elif field is None:
        set_value(attr.allowed_values, f"list({element})", chance)
    else:
        values = list(getattr(attr.allowed_values.list, field))
        if values and how < 0.5:
            values.remove(chance.choice(values))
        elif how < 0.8:
            values += [1, 3] if field == "type" else [b"SAME", b"NEW"]
        chance.shuffle(values)
        attr.allowed_values.list.SetInParent()
        del getattr(attr.allowed_values.list, field)[:]
        getattr(attr.allowed_values.list, field).extend(values)
    return "allowed values changed"


def change_minimum(op, chance):
    attr = some_attr(op, chance)
    if attr is None:
        return None
    attr.has_minimum = chance.random() < 0.8
    attr.minimum = chance.choice((-1, 0, 1, 2, 5)) if attr.has_minimum or chance.random() < 0.2 else 0
    return "minimum changed"


def duplicate_attr(op, chance):
    attr = some_attr(op, chance)
    if attr is not None and chance.random() < 0.3:
        op.attr.add().CopyFrom(attr)
        return "attr duplicated"
    return None


def remove_argument(op, chance):
    arguments = section(op, chance)
    if arguments:
        del arguments[chance.randrange(len(arguments))]
        return "argument removed"
    return None


def add_argument(op, chance):
    argument = section(op, chance).add(name=chance.choice(("zz_arg", "zz_arg2", "x")), is_ref=chance.random() < 0.2)
    how = chance.randrange(5)
    attrs = [attr.name for attr in op.attr]
    if how == 0:
        argument.type = chance.choice((1, 3, 101, 9999))
    elif how == 1 and attrs:
        argument.type_attr = chance.choice(attrs)
    elif how == 2:
        argument.type, argument.number_attr = 1, "zz_n"
        new = op.attr.add(name="zz_n", type="int", has_minimum=True)
        new.default_value.i = chance.choice((0, 0, 1, 2))
    elif how == 3:
        argument.type_list_attr = "zz_list"
        new = op.attr.add(name="zz_list", type="list(type)")
        new.default_value.list.type.extend(chance.choice(([], [], [1], [1, 3])))
    else:
        argument.type_attr = "zz_t"
        op.attr.add(name="zz_t", type="type").default_value.type = 1
    return "argument added"


def rename_argument(op, chance):
    argument = some_argument(op, chance)
    if argument is None:
        return None
    argument.name = chance.choice(("zz_renamed", *(item.name for item in (*op.input_arg, *op.output_arg))))
    return "argument renamed"


def retype_argument(op, chance):
    argument = some_argument(op, chance)
    if argument is None:
        return None
    how = chance.randrange(5)
    if how == 0:
        argument.type = chance.choice((0, 1, 2, 3, 101))
    elif how == 1 and op.attr:
        argument.ClearField("type")
        argument.type_attr = chance.choice(op.attr).name
    elif how == 2 and op.attr:
        argument.number_attr = chance.choice(op.attr).name
    elif how == 3 and op.attr:
        argument.type_list_attr = chance.choice(op.attr).name
    else:
        argument.ClearField("number_attr")
    return "argument retyped"


def generalise(op, chance):
    fixed = [item for item in (*op.input_arg, *op.output_arg) if item.type and not item.type_attr]
    if not fixed:
        return None
    argument = chance.choice(fixed)
    new = op.attr.add(name="zz_g", type="type")
    new.default_value.type = argument.type if chance.random() < 0.7 else 1
    argument.type_attr = "zz_g"
    argument.ClearField("type")
    return "argument generalised"


def toggle_ref(op, chance):
    argument = some_argument(op, chance)
    if argument is None:
        return None
    argument.is_ref = not argument.is_ref
    return "ref toggled"


def reorder_arguments(op, chance):
    arguments = section(op, chance)
    if len(arguments) < 2:
        return None
    reorder(arguments, chance)
    return "arguments reordered"


def reorder_attrs(op, chance):
    reorder(op.attr, chance)
    return "attrs reordered"


def change_flags(op, chance):
    flag = chance.choice(FLAGS)
    setattr(op, flag, not getattr(op, flag))
    return "flag toggled"


def deprecate(op, chance):
    op.deprecation.version = chance.choice((0, 9))
    op.deprecation.explanation = chance.choice(("", "use another"))
    return "deprecated"


def document(op, chance):
    op.summary = chance.choice(("", "Does it."))
    for item in (*op.attr, *op.input_arg, *op.output_arg):
        item.description = chance.choice(("", "A thing."))
    return "documented"


def detail(op, chance):
    argument = some_argument(op, chance)
    if argument is None:
        return None
    argument.experimental_full_type.type_id = chance.choice((0, 1000, 10102))
    op.control_output.append("c")
    return "details changed"


MUTATIONS = (
    remove_attr,
    rename_attr,
    add_attr,
    add_attr,
    change_attr_type,
    change_default,
    change_default,
    change_default,
    empty_default,
    change_allowed,
    change_allowed,
    change_minimum,
    change_minimum,
    duplicate_attr,
    remove_argument,
    add_argument,
    add_argument,
    rename_argument,
    retype_argument,
    generalise,
    toggle_ref,
    toggle_ref,
    reorder_arguments,
    reorder_attrs,
    change_flags,
    deprecate,
    document,
    detail,
)
