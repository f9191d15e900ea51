"""Random schemas, and one random change of each: what is written with one is read with the other by `flatc`.

    python -m tests.frameworks.flatbuffers.schemas   is no program; `test_against_flatc.py` runs them

A schema is made of plain data, so that nothing of the parser under test is needed to write it down.
"""

from __future__ import annotations

import copy

SCALARS = ("bool", "byte", "ubyte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double")
WIDTHS = dict(zip(SCALARS, (1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8), strict=True))
INTEGERS = SCALARS[1:9]
LEAST = {**dict.fromkeys(SCALARS, 3), "bool": True}
"""A value of each type that no default value is."""
UNSIGNED = ("ubyte", "ushort", "uint", "ulong")


class Field:
    """A field of a table: its type, default value as it is written, and attributes."""

    def __init__(self, name, kind, default=None, **attributes):
        self.name, self.kind, self.default, self.attributes = name, kind, default, attributes


class Schema:
    """A schema as plain data; everything in it may be changed."""

    def __init__(self):
        self.namespace = ""
        self.enums = {}
        self.structs = {}
        self.tables = {}
        self.unions = {}
        self.aligned = {}
        self.ids = set()
        self.root = "Root"
        self.identifier = None

    def text(self):
        """Return the schema as `flatc` reads it."""
        lines = [f"namespace {self.namespace};"] if self.namespace else []
        for name, enum in self.enums.items():
            flags = " (bit_flags)" if enum["flags"] else ""
            values = ", ".join(f"{item} = {number}" for item, number in enum["values"])
            lines.append(f"enum {name}:{enum['scalar']}{flags} {{ {values} }}")
        for name, fields in self.structs.items():
            aligned = f" (force_align: {self.aligned[name]})" if name in self.aligned else ""
            lines.append(f"struct {name}{aligned} {{ {' '.join(f'{item}:{kind};' for item, kind in fields)} }}")
        tables = {name: f"table {name} {{ {self._fields(name)} }}" for name in self.tables}
        lines += (line for name, line in tables.items() if name != "Root")
        for name, members in self.unions.items():
            lines.append(f"union {name} {{ {', '.join(f'{alias}:{table}' for alias, table in members)} }}")
        lines.append(tables["Root"])
        lines.append(f"root_type {self.root};")
        if self.identifier:
            lines.append(f'file_identifier "{self.identifier}";')
        return "\n".join(lines) + "\n"

    def _fields(self, table):
        return " ".join(self._field(table, item) for item in self.tables[table])

    def _field(self, table, field):
        attributes = {key: value for key, value in field.attributes.items() if key != "id" or table in self.ids}
        keys = [key if value is True else f"{key}: {value}" for key, value in attributes.items()]
        default = "" if field.default is None else f" = {field.default}"
        return f"{field.name}:{field.kind}{default}{f' ({chr(44).join(keys)})' if keys else ''};"

    def numbers(self, enum):
        """Return the numbers of an enum's values, as they stand in the bytes."""
        result = self.enums[enum]
        return {name: 1 << number if result["flags"] else number for name, number in result["values"]}

    def with_ids(self, table):
        """Give every field of a table its id."""
        slot = -1
        for field in self.tables[table]:
            slot += 2 if field.kind.strip("[]") in self.unions else 1
            field.attributes["id"] = slot
        self.ids.add(table)

    def last_id(self, table):
        """Return the largest id of a table."""
        return max(field.attributes["id"] for field in self.tables[table])

    def copy(self):
        """Return a schema that says the same."""
        return copy.deepcopy(self)


def random_schema(chance):
    """Return a schema with all there is: enums, bit flags, structs, a union, tables with and without ids."""
    schema = Schema()
    schema.namespace = chance.choice(("", "", "a", "a.b"))
    scalar = chance.choice(("byte", "ubyte", "short", "int"))
    schema.enums["Code"] = {
        "scalar": scalar,
        "flags": False,
        "values": [(f"C{n}", n) for n in range(chance.randint(2, 5))],
    }
    schema.enums["Flags"] = {
        "scalar": chance.choice(("ubyte", "ushort")),
        "flags": True,
        "values": [(f"F{n}", n) for n in range(chance.randint(2, 4))],
    }
    schema.structs["Point"] = [(f"p{n}", chance.choice(SCALARS[1:])) for n in range(chance.randint(1, 4))]
    for table in ("Leaf", "Twig", "Bare")[: chance.randint(2, 3)]:
        schema.tables[table] = [_scalar(chance, f"{table[0].lower()}{n}") for n in range(chance.randint(1, 4))]
    if chance.random() < 0.3:
        schema.tables["Leaf"].append(Field("tag", "string", required=True))
    schema.unions["Any"] = [(table, table) for table in schema.tables]
    kinds = ("Leaf", "string", "[ubyte]", "[int]", "[short]", "[Leaf]", "[string]", "[Code]", "[Point]")
    fields = [Field(f"r{n}", kind) for n, kind in enumerate(chance.sample(kinds, chance.randint(2, 6)))]
    fields += [_scalar(chance, f"n{n}") for n in range(chance.randint(2, 5))]
    for field in fields:
        if chance.random() < 0.15:
            field.attributes["deprecated"] = True
    fields += [Field(f"{kind.lower()}1", kind) for kind in ("Code", "Flags", "Point", "Any")]
    chance.shuffle(fields)
    for field in fields:
        if field.kind == "Code" and chance.random() < 0.5:
            field.default = chance.choice(schema.enums["Code"]["values"])[0]
        if field.kind in ("string", "Leaf") and chance.random() < 0.2 and "deprecated" not in field.attributes:
            field.attributes["required"] = True
    schema.tables["Root"] = fields
    if chance.random() < 0.3:
        schema.with_ids("Root")
    if chance.random() < 0.3:
        schema.identifier = "ABCD"
    return schema


def _scalar(chance, name):
    kind = chance.choice(SCALARS)
    if kind == "bool":
        return Field(name, kind, chance.choice((None, "true", "false")))
    default = chance.choice((None, None, "1", "7", "null"))
    return Field(name, kind, default)


class Change:
    """A change: its name, the new schema, what has another name in it, and how files from before are to be written.

    `names` maps a name of base to that of head. `writes` is the schema that old files are written with where that is
    not base itself: of a deprecated field they hold what they held before.
    """

    def __init__(self, name, head, names=None, writes=None):
        self.name, self.head, self.names, self.writes = name, head, names or {}, writes


def random_change(chance, base):
    """Return a change of a schema, of any kind that it allows."""
    kinds = list(CHANGES)
    chance.shuffle(kinds)
    for name in kinds:
        head = base.copy()
        made = CHANGES[name](chance, head, base)
        if made is not None:
            names, writes = made if isinstance(made, tuple) else (made, None)
            return Change(name, head, names, writes)
    raise AssertionError("no change is possible")


def _table(chance, schema, *, is_root=False):
    return "Root" if is_root else chance.choice(sorted(schema.tables))


def _live(fields, *kinds):
    """Return the fields that are not deprecated, of some kinds."""
    return [field for field in fields if "deprecated" not in field.attributes and (not kinds or field.kind in kinds)]


def _new_id(schema, table, field):
    if table in schema.ids:
        width = 2 if field.kind.strip("[]") in schema.unions else 1
        field.attributes["id"] = schema.last_id(table) + width


def _append(chance, head, _):
    table = _table(chance, head)
    kind = chance.choice(("int", "string", "[int]", "Code", "Point", "bool", *(("Leaf", "Any") * (table == "Root"))))
    field = Field("fresh", kind, chance.choice((None, "1")) if kind in ("int", "bool") else None)
    if kind == "bool" and field.default:
        field.default = "true"
    _new_id(head, table, field)
    head.tables[table].append(field)
    return {}


def _append_required(chance, head, _):
    table = chance.choice(("Root", "Leaf"))
    field = Field("fresh", chance.choice(("string", "[int]", "Point")), required=True)
    _new_id(head, table, field)
    head.tables[table].append(field)
    return {}


def _insert(chance, head, _):
    table = _table(chance, head)
    if table in head.ids:
        return None
    fields = head.tables[table]
    fields.insert(chance.randrange(len(fields)), Field("fresh", chance.choice(("int", "string", "byte"))))
    return {}


def _insert_with_id(chance, head, _):
    head.with_ids("Root")
    field = Field("fresh", "int")
    _new_id(head, "Root", field)
    head.tables["Root"].insert(chance.randrange(len(head.tables["Root"])), field)
    return {}


def _remove(chance, head, _):
    table = _table(chance, head)
    fields = head.tables[table]
    if table in head.ids or len(fields) < 2:
        return None
    del fields[chance.randrange(len(fields) - 1)]
    return {}


def _remove_last(chance, head, _):
    table = _table(chance, head)
    fields = head.tables[table]
    last = max(range(len(fields)), key=lambda at: fields[at].attributes.get("id", at))
    if len(fields) < 2:
        return None
    del fields[last]
    return {}


def _swap(chance, head, _):
    table = _table(chance, head)
    fields = head.tables[table]
    if len(fields) < 2 or table in head.ids:
        return None
    first, second = chance.sample(range(len(fields)), 2)
    fields[first], fields[second] = fields[second], fields[first]
    return {}


def _swap_ids(chance, head, _):
    head.with_ids("Root")
    plain = [item for item in head.tables["Root"] if item.kind.strip("[]") not in head.unions]
    first, second = chance.sample(plain, 2)
    first.attributes["id"], second.attributes["id"] = second.attributes["id"], first.attributes["id"]
    return {}


def _give_ids(chance, head, _):  # noqa: ARG001 - all changes are called alike
    if "Root" in head.ids:
        return None
    head.with_ids("Root")
    return {}


def _shuffle_with_ids(chance, head, _):
    head.with_ids("Root")
    chance.shuffle(head.tables["Root"])
    return {}


def _rename_field(chance, head, _):
    table = _table(chance, head)
    field = chance.choice(head.tables[table])
    old, field.name = field.name, "renamed"
    return {old: "renamed", f"{old}_type": "renamed_type"}


def _retype(chance, head, _):
    fields = [item for table in head.tables for item in _live(head.tables[table], *SCALARS)]
    if not fields:
        return None
    field = chance.choice(fields)
    field.kind = chance.choice([kind for kind in SCALARS if kind != field.kind])
    if field.default == "null":
        return {}
    if field.kind == "bool":
        field.default = None if field.default in (None, "false", "0") else "true"
    elif field.default in ("true", "false"):
        field.default = "1" if field.default == "true" else None
    return {}


def _retype_items(chance, head, _):
    fields = _live(head.tables["Root"], "[int]", "[short]", "[ubyte]")
    if not fields:
        return None
    field = chance.choice(fields)
    field.kind = f"[{chance.choice([kind for kind in SCALARS if f'[{kind}]' != field.kind])}]"
    return {}


def _reform(chance, head, _):
    fields = _live(head.tables["Root"], "[int]", "Leaf", "string", "Point")
    if not fields:
        return None
    field = chance.choice(fields)
    others = {"[int]": ("int", "Leaf", "string"), "Leaf": ("Twig", "string", "Point"), "string": ("Leaf", "[int]"),
              "Point": ("Leaf", "int")}  # fmt: skip
    field.kind = chance.choice(others[field.kind])
    if field.kind == "int":
        field.attributes.pop("required", None)
    return {}


def _enum_to_scalar(chance, head, _):  # noqa: ARG001
    fields = _live(head.tables["Root"], "Code")
    if not fields:
        return None
    fields[0].kind = head.enums["Code"]["scalar"]
    if fields[0].default:
        fields[0].default = str(head.numbers("Code")[fields[0].default])
    return {}


def _scalar_to_enum(chance, head, base):
    fields = [item for item in _live(head.tables["Root"], base.enums["Code"]["scalar"]) if item.default is None]
    if not fields:
        return None
    chance.choice(fields).kind = "Code"
    return {}


def _bool_to_byte(chance, head, _):
    fields = [item for table in head.tables for item in _live(head.tables[table], "bool")]
    if not fields:
        return None
    field = chance.choice(fields)
    field.kind = chance.choice(("byte", "ubyte"))
    field.default = {"true": "1", "false": "0"}.get(field.default, field.default)
    return {}


def _string_to_bytes(chance, head, _):
    fields = _live(head.tables["Root"], "string")
    if not fields:
        return None
    chance.choice(fields).kind = "[ubyte]"
    return {}


def _bytes_to_string(chance, head, _):
    fields = _live(head.tables["Root"], "[ubyte]")
    if not fields:
        return None
    chance.choice(fields).kind = "string"
    return {}


def _default(chance, head, _):
    fields = [item for table in head.tables for item in _live(head.tables[table], *SCALARS[1:])]
    if not fields:
        return None
    field = chance.choice(fields)
    field.default = chance.choice([item for item in (None, "1", "5", "null") if item != field.default])
    return {}


def _respell_default(chance, head, _):
    fields = [item for table in head.tables for item in _live(head.tables[table], *INTEGERS) if item.default != "null"]
    if not fields:
        return None
    field = chance.choice(fields)
    field.default = "0" if field.default is None else f"0x{int(field.default):X}"
    return {}


def _deprecate(chance, head, _):
    fields = [item for table in head.tables for item in _live(head.tables[table]) if "required" not in item.attributes]
    if not fields:
        return None
    chance.choice(fields).attributes["deprecated"] = True
    return {}


def _deprecated(schema):
    return [
        (table, at)
        for table, fields in schema.tables.items()
        for at, field in enumerate(fields)
        if "deprecated" in field.attributes and field.kind.strip("[]") not in schema.unions
    ]


def _restore(chance, head, base):
    result = _deprecated(head)
    if not result:
        return None
    table, at = chance.choice(result)
    del head.tables[table][at].attributes["deprecated"]
    writes = base.copy()
    del writes.tables[table][at].attributes["deprecated"]
    return {}, writes


def _reuse(chance, head, base):
    result = _deprecated(head)
    if not result:
        return None
    table, at = chance.choice(result)
    field = head.tables[table][at]
    del field.attributes["deprecated"]
    others = [kind for kind in ("int", "string", "double", "[int]", "byte") if kind != field.kind]
    field.kind, field.default = chance.choice(others), None
    writes = base.copy()
    del writes.tables[table][at].attributes["deprecated"]
    return {}, writes


def _require(chance, head, _):
    fields = [
        item
        for item in _live(head.tables["Root"], "string", "[int]", "Point", "Leaf", "[Leaf]")
        if "required" not in item.attributes
    ]
    if not fields:
        return None
    chance.choice(fields).attributes["required"] = True
    return {}


def _unrequire(chance, head, _):
    fields = [field for fields in head.tables.values() for field in fields if "required" in field.attributes]
    if not fields:
        return None
    del chance.choice(fields).attributes["required"]
    return {}


def _append_value(chance, head, _):
    name = chance.choice(("Code", "Flags"))
    values = head.enums[name]["values"]
    values.append(("FRESH", values[-1][1] + 1))
    return {}


def _insert_value(chance, head, _):
    name = chance.choice(("Code", "Flags"))
    values = head.enums[name]["values"]
    at = chance.randrange(len(values))
    values[:] = [*values[:at], ("FRESH", at), *((item, number + 1) for item, number in values[at:])]
    return {}


def _remove_value(chance, head, _):  # noqa: ARG001
    values = head.enums["Code"]["values"]
    if len(values) < 2 or any(item.default == values[-1][0] for item in head.tables["Root"]):
        return None
    del values[-1]
    return {}


def _rename_value(chance, head, _):
    name = chance.choice(("Code", "Flags"))
    values = head.enums[name]["values"]
    at = chance.randrange(len(values))
    old = values[at][0]
    values[at] = ("RENAMED", values[at][1])
    for fields in head.tables.values():
        for field in fields:
            field.default = "RENAMED" if field.default == old else field.default
    return {old: "RENAMED"}


def _renumber(chance, head, _):  # noqa: ARG001
    values = head.enums["Code"]["values"]
    values[-1] = (values[-1][0], values[-1][1] + 3)
    return {}


def _widen_enum(chance, head, _):
    name = chance.choice(("Code", "Flags"))
    head.enums[name]["scalar"] = "long" if name == "Code" else "uint"
    return {}


def _sign_of_enum(chance, head, _):  # noqa: ARG001
    scalar = head.enums["Code"]["scalar"]
    head.enums["Code"]["scalar"] = scalar[1:] if scalar in UNSIGNED else f"u{scalar}"
    return {}


def _clear_flags(chance, head, _):  # noqa: ARG001
    head.enums["Flags"]["flags"] = False
    return {}


def _append_member(chance, head, _):  # noqa: ARG001
    head.tables["Fresh"] = [Field("f0", "int")]
    head.unions["Any"].append(("Fresh", "Fresh"))
    return {}


def _shuffle_members(chance, head, _):
    members = head.unions["Any"]
    first, second = chance.sample(range(len(members)), 2)
    members[first], members[second] = members[second], members[first]
    return {}


def _remove_first_member(chance, head, _):  # noqa: ARG001
    del head.unions["Any"][0]
    return {}


def _remove_last_member(chance, head, _):  # noqa: ARG001
    del head.unions["Any"][-1]
    return {}


def _rename_member(chance, head, _):
    at = chance.randrange(len(head.unions["Any"]))
    alias, table = head.unions["Any"][at]
    head.unions["Any"][at] = ("Renamed", table)
    return {alias: "Renamed"}


def _retype_member(chance, head, _):  # noqa: ARG001
    head.tables["Other"] = [Field("o0", "string"), Field("o1", "int")]
    alias, _ = head.unions["Any"][0]
    head.unions["Any"][0] = (alias, "Other")
    return {}


def _rename_in_struct(chance, head, _):
    fields = head.structs["Point"]
    at = chance.randrange(len(fields))
    old, kind = fields[at]
    fields[at] = ("renamed", kind)
    return {old: "renamed"}


def _append_to_struct(chance, head, _):
    head.structs["Point"].append(("fresh", chance.choice(("int", "byte"))))
    return {}


def _retype_in_struct(chance, head, _):
    fields = head.structs["Point"]
    at = chance.randrange(len(fields))
    name, kind = fields[at]
    fields[at] = (name, chance.choice([scalar for scalar in SCALARS[1:] if scalar != kind]))
    return {}


def _swap_in_struct(chance, head, _):
    fields = head.structs["Point"]
    if len(fields) < 2:
        return None
    first, second = chance.sample(range(len(fields)), 2)
    fields[first], fields[second] = fields[second], fields[first]
    return {}


def _align_struct(chance, head, _):
    size = max(WIDTHS[kind] for _, kind in head.structs["Point"])
    if size > 8:
        return None
    head.aligned["Point"] = chance.choice((8, 16))
    return {} if head.aligned["Point"] > size else None


def _rename_table(chance, head, _):
    old = chance.choice(sorted(table for table in head.tables if table != "Root"))
    head.tables = {"Renamed" if name == old else name: fields for name, fields in head.tables.items()}
    for fields in head.tables.values():
        for field in fields:
            if field.kind.strip("[]") == old:
                field.kind = field.kind.replace(old, "Renamed")
    members = head.unions["Any"]
    head.unions["Any"] = [(alias, "Renamed" if table == old else table) for alias, table in members]
    return {}


def _another_root(chance, head, _):  # noqa: ARG001
    head.root = "Leaf"
    return {}


def _identifier(chance, head, _):
    head.identifier = chance.choice([item for item in (None, "ABCD", "WXYZ") if item != head.identifier])
    return {}


def _namespace(chance, head, _):
    head.namespace = chance.choice([text for text in ("", "x", "a.c") if text != head.namespace])
    return {}


CHANGES = {
    name[1:]: change
    for name, change in list(globals().items())
    if name.startswith("_") and callable(change) and not name.startswith("__")
    and name not in ("_scalar", "_table", "_live", "_new_id", "_deprecated")
}  # fmt: skip
"""Every kind of change; each changes `head`, and returns what has another name, or None where it is not possible."""
