"""The verdict of `flatc` on a change of a schema: files are written with one schema and read with the other.

A file is JSON that `flatc` makes binary with one schema, and JSON again with the other. Values are compared name by
name, with the names that the change says are new.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess

from tests.support import limited

UNREADABLE = "unreadable"
MANY = 8
LONG = {"byte": -50, "ubyte": 200, "short": -300, "ushort": 60_000, "int": -70_000, "uint": 3_000_000_000,
        "long": -(1 << 40), "ulong": (1 << 63) + 5, "float": -2.5, "double": -2.25}  # fmt: skip


def documents(chance, schema, many=MANY):
    """Return some files of a schema as JSON: one with as little as can be, and others with all there is."""
    return [_table(chance, schema, schema.root, depth=0, full=at > 0, at=at) for at in range(many)]


def _table(chance, schema, table, depth, *, full, at):
    result = {}
    for field in schema.tables[table]:
        if "deprecated" in field.attributes or depth > 3:
            continue
        if "required" not in field.attributes and (not full or chance.random() < 0.25):
            continue
        if field.kind in schema.unions:
            members = schema.unions[field.kind]
            alias, member = members[(at - 1) % len(members)]
            result[f"{field.name}_type"] = alias
            result[field.name] = _table(chance, schema, member, depth + 1, full=chance.random() < 0.8, at=at)
        else:
            result[field.name] = _value(chance, schema, field.kind, depth, at=at)
    return result


def _value(chance, schema, kind, depth, *, at):
    if kind.startswith("["):
        return [_value(chance, schema, kind[1:-1], depth, at=at + n) for n in range(1 + at % 3)]
    if kind == "bool":
        return chance.random() < 0.5
    if kind in LONG:
        return LONG[kind] + chance.randint(0, 40) if at % 2 else chance.randint(1, 120)
    if kind == "string":
        return f"text {chance.randint(0, 999)}"
    if kind in schema.enums:
        return chance.choice(schema.enums[kind]["values"])[0]
    if kind in schema.structs:
        return {name: _value(chance, schema, item, depth, at=at) for name, item in schema.structs[kind]}
    return _table(chance, schema, kind, depth + 1, full=chance.random() < 0.8, at=at)


class Flatc:
    """A folder in which `flatc` runs.

    Args:
        folder: an empty one.
        program: where flatc is.
    """

    def __init__(self, folder, program="flatc"):
        self._folder, self._program = str(folder), program

    def is_valid(self, text):
        """Tell whether flatc takes a schema."""
        return self._run(["--schema", "-b", "-o", "out", self._put("check.fbs", text)]) is None

    def write(self, text, documents):
        """Return files with documents under a schema; None for one that the schema refuses."""
        schema = self._put("write.fbs", text)
        sources = [self._put(f"doc{at}.json", json.dumps(document)) for at, document in enumerate(documents)]
        return self._made([["-b", schema], [f"doc{at}" for at in range(len(sources))]], ".json", ".bin")

    def read(self, text, files):
        """Return the content of files under a schema, `UNREADABLE` where flatc refuses one or crashes."""
        schema = self._put("read.fbs", text)
        for at, data in enumerate(files):
            with open(os.path.join(self._folder, f"doc{at}.bin"), "wb") as stream:
                stream.write(data)
        is_bare = [] if "file_identifier" in text else ["--raw-binary"]
        options = ["--json", "--strict-json", "--defaults-json", *is_bare, schema, "--"]
        made = self._made([options, [f"doc{at}" for at in range(len(files))]], ".bin", ".json")
        return [_decoded(item) for item in made]

    def _made(self, command, source, target):
        """Return the output of flatc for some files: all at once, or if that fails one by one, None for a failure."""
        options, names = command
        targets = [os.path.join(self._folder, name + target) for name in names]
        for item in targets:
            if os.path.exists(item):
                os.remove(item)
        if self._run([*options, *(name + source for name in names)]) is not None:
            for name, item in zip(names, targets, strict=True):
                if os.path.exists(item):
                    os.remove(item)
                if self._run([*options, name + source]) is not None and os.path.exists(item):
                    os.remove(item)
        return [_content(target) for target in targets]

    def _put(self, name, text):
        with open(os.path.join(self._folder, name), "w", encoding="utf-8") as stream:
            stream.write(text)
        return name

    def _run(self, arguments):
        """Run flatc; return None, or why it failed."""
        with subprocess.Popen(
            [self._program, *arguments], cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            # Set from here, as a function to call in the child would make each start a fork of all that tests hold.
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (limited.SECONDS, limited.SECONDS))
            output, _ = process.communicate()
        return None if process.returncode == 0 else f"exit {process.returncode}: {output[-300:]!r}"


def _content(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as stream:
        return stream.read()


def _decoded(data):
    try:
        return UNREADABLE if data is None else json.loads(data)
    except ValueError:
        return UNREADABLE


class Reading:
    """A file of one schema under another one: whose names and numbers are whose."""

    def __init__(self, writer, reader, names, *, is_forward=False):
        self._writer, self._reader, self._names, self._is_forward = writer, reader, names, is_forward

    def differs(self, table, another, meant, read):
        """Return where a table that was written as one is read otherwise, "" for nowhere."""
        if not isinstance(meant, dict) or not isinstance(read, dict):
            return f"{table} is no object"
        kinds = {item.name: item for item in self._writer.tables[table]}
        others = {item.name: item for item in self._reader.tables[another]}
        for name, value in meant.items():
            if name not in kinds:
                continue  # the type of a union, which its value is compared with
            field = kinds[name]
            new = self._names.get(name, name)
            result = others.get(new)
            if result is None or "deprecated" in result.attributes:
                if self._is_there(field, value) and not self._is_forward:
                    return f"{table}.{name} is no longer read"
                continue
            union = (meant.get(f"{name}_type"), read.get(f"{new}_type"))
            at = self._value(field.kind, result.kind, value, read.get(new), union)
            if at:
                return f"{table}.{name}: {at}"
        for name, result in others.items():
            olds = {self._names.get(kind, kind) for kind in kinds}
            if name not in olds and read.get(name) not in (None, *_defaults(self._reader, result)):
                return f"{another}.{name} is read from nowhere: {read.get(name)}"
        return ""

    def _is_there(self, field, value):
        return value is not None and value not in _defaults(self._writer, field)

    def _value(self, kind, another, value, read, union=(None, None)):
        if value is None or read is None:
            return "" if value is read else f"{value} is read as {read}"
        if "string" in (kind, another):
            value, read = (list(item.encode()) if isinstance(item, str) else item for item in (value, read))
            return "" if value == read else f"{value} is read as {read}"
        if kind.startswith("["):
            if not isinstance(read, list) or not isinstance(value, list) or len(read) != len(value):
                return f"{value} is read as {read}"
            if not another.startswith("["):
                return f"{kind} is read as {another}"
            pairs = zip(value, read, strict=True)
            return next((at for a, b in pairs if (at := self._value(kind[1:-1], another[1:-1], a, b))), "")
        if kind in self._writer.unions:
            return self._union(kind, another, value, read, union)
        if kind in self._writer.structs:
            return self._struct(kind, another, value, read)
        if kind in self._writer.tables:
            new = another if another in self._reader.tables else None
            return self.differs(kind, new, value, read) if new else f"{kind} is read as {another}"
        if kind in self._writer.enums or another in self._reader.enums:
            return self._enum(kind, another, value, read)
        return "" if _plain(value) == _plain(read) else f"{value} is read as {read}"

    def _union(self, kind, another, value, read, union):
        if another not in self._reader.unions:
            return f"{kind} is read as {another}"
        meant, result = union
        if self._names.get(meant, meant) != result:
            return f"the member {meant} is read as {result}"
        table, new = dict(self._writer.unions[kind])[meant], dict(self._reader.unions[another])[result]
        return self.differs(table, new, value, read)

    def _struct(self, kind, another, value, read):
        if another not in self._reader.structs or not isinstance(read, dict):
            return f"{kind} is read as {another}"
        for name, item in value.items():
            if _plain(read.get(self._names.get(name, name))) != _plain(item):
                return f"{kind}.{name}: {item} is read as {read.get(name)}"
        return ""

    def _enum(self, kind, another, value, read):
        """Compare values of enums by their names, and with numbers by their numbers."""
        if kind in self._writer.enums and another in self._reader.enums and not isinstance(read, (int, float)):
            meant = " ".join(self._names.get(part, part) for part in str(value).split())
            return "" if meant == read else f"{value} is read as {read}"
        numbers = [_number(self._writer, kind, value), _number(self._reader, another, read)]
        is_named = kind in self._writer.enums and another in self._reader.enums
        if is_named and not isinstance(value, (int, float)):
            return f"{value} is read as the unknown number {read}"
        return "" if numbers[0] == numbers[1] else f"{value} is read as {read}"


def _number(schema, kind, value):
    if kind not in schema.enums or isinstance(value, (int, float)):
        return _plain(value)
    return sum(schema.numbers(kind).get(part, -1) for part in str(value).split())


def _plain(value):
    return int(value) if isinstance(value, bool) else value


def _defaults(schema, field):
    """Return the value of a field in a file without it."""
    if field.default is None:
        names = [name for name, number in schema.numbers(field.kind).items() if number == 0] if (
            field.kind in schema.enums) else []  # fmt: skip
        return (0, 0.0, False, "", *names)
    if field.default in ("true", "false"):
        return (field.default == "true",)
    if field.default == "null" or field.kind in schema.enums:
        return (field.default,)
    return (float(field.default), int(field.default, 0))


def verdict(flatc, documents, writer, reader, names, *, is_forward=False):
    """Return why files that are written with one schema are not what they were under another one, "" where they are.

    Args:
        flatc: the program.
        documents: the files, as JSON.
        writer: the schema that they are written with.
        reader: the schema that they are read with.
        names: what of the writer has another name in the reader.
        is_forward: whether the reader is the older one, which need not know what is new.
    """
    files = flatc.write(writer.text(), documents)
    assert None not in files
    reading = Reading(writer, reader, names, is_forward=is_forward)
    read = flatc.read(reader.text(), files)
    for meant, result in zip(flatc.read(writer.text(), files), read, strict=True):
        at = UNREADABLE if result == UNREADABLE else reading.differs(writer.root, reader.root, meant, result)
        if at:
            return at
    again = flatc.write(reader.text(), read)
    return "a required field is missing" if None in again else ""
