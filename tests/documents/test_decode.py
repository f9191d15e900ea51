from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest

from opspec_lint.cli.main import main
from opspec_lint.documents import decode as decode_module
from opspec_lint.documents.decode import read_document
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import recognise
from tests.support.patience import PATIENCE

OP = '{"relu": {"Inputs": {"X": {"duplicable": false}}, "Outputs": {}, "Attrs": {}}}'
ATTR = '{{"relu": {{"Inputs": {{}}, "Outputs": {{}}, "Attrs": {{"a": {{"type": 0, "default_value": {}}}}}}}}}'
OPSPEC = '{{"opspec": {}, "provenance": {{"framework": "paddle"}}, "knows": {{}}, "ops": {{}}}}'

BAD = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\t\r\n", "is empty"),
    "byte order mark alone": (b"\xef\xbb\xbf", "is not a spec"),
    "rubbish": (bytes(range(128, 256)), "is not UTF-8 text: byte 0x80 at offset 0"),
    "zeros": (bytes(100), "is binary"),
    "executable": (b"\x7fELF\x02\x01\x01\x00\x00", "is binary"),
    "zip": (b"PK\x03\x04\x14\x00\x00\x00", "is binary"),
    "utf-16 little": (OP.encode("utf-16"), "is UTF-16"),
    "utf-16 big": (b"\xfe\xff" + OP.encode("utf-16-be"), "is UTF-16"),
    "utf-16 without mark": (OP.encode("utf-16-le"), "is binary"),
    "invalid utf-8": (OP.replace("relu", "rel\xfc").encode("latin-1"), "is not UTF-8 text: byte 0xfc at offset 5"),
    "surrogate in utf-8": (b'{"\xed\xa0\x80": {}}', "is not UTF-8 text: byte 0xed at offset 2"),
    "zero inside": (OP.replace("relu", "re\0lu").encode(), "is binary"),
    "truncated": (OP[:40].encode(), "line 1, column 41: the JSON text ends too early"),
    "truncated in a string": (OP[:5].encode(), "line 1, column 2: is not valid JSON: unterminated string"),
    "two texts": ((OP + OP).encode(), f"line 1, column {len(OP) + 1}: is not valid JSON: extra data"),
    "list": (b"[]", "is not a spec: expected a mapping of ops, found a list"),
    "list of ops": (f"[{OP}]".encode(), "is not a spec: expected a mapping of ops, found a list"),
    "number": (b"42", "is not a spec: expected a mapping of ops, found 42"),
    "string": (b'"relu"', 'is not a spec: expected a mapping of ops, found the string "relu"'),
    "null": (b"null", "is not a spec: expected a mapping of ops, found null"),
    "prose": (b"hello world", 'is not a spec: expected a mapping of ops, found the string "hello world"'),
    "op without Inputs": (b'{"relu": {"Outputs": {}, "Attrs": {}}}', "relu: the key 'Inputs' is missing"),
    "op that is a list": (b'{"relu": []}', "relu: expected a mapping, found a list"),
    "flag that is a string": (
        OP.replace("false", '"no"').encode(),
        'relu.Inputs.X.duplicable: expected true or false, found the string "no"',
    ),
    "type out of range": (
        ATTR.format(0).replace('"type": 0', '"type": 18').encode(),
        "relu.Attrs.a.type: expected at most 17, found 18",
    ),
    "6,000 digits": (
        ATTR.format("9" * 6000).encode(),
        f"line 1, column {ATTR.format('@').index('@') + 1}: holds an integer of thousands of digits",
    ),
    "600 digits": (ATTR.format("9" * 600).encode(), "relu.Attrs.a.default_value: an integer beyond 64 bits"),
    "600 digits in a list": (ATTR.format([10**600]).encode(), "relu.Attrs.a.default_value: a list is not a value"),
    "600 digits as type": (
        ATTR.format(0).replace(": 0,", f": {10**600},").encode(),
        "relu.Attrs.a.type: expected at most 17, found an integer beyond 64 bits",
    ),
    "duplicate op": (f'{{"relu": {{}}, {OP[1:]}'.encode(), 'relu: the key "relu" occurs twice'),
    "duplicate field": (
        OP.replace('"X": {', '"X": {"duplicable": true, ').encode(),
        'relu.Inputs.X.duplicable: the key "duplicable" occurs twice',
    ),
    "later format": (OPSPEC.format(2).encode(), "opspec: is of version 2 of the spec format"),
}


@pytest.fixture(params=BAD.items(), ids=lambda item: item[0])
def bad(request, tmp_path):
    name, (data, message) = request.param
    file = tmp_path / f"{name}.json"
    file.write_bytes(data)
    return str(file), message


def test_bad_input_is_a_single_message_that_names_file_and_place(bad):
    path, message = bad
    with pytest.raises(InputError) as caught:
        recognise.read(path)
    assert caught.value.message.startswith(f"{path}: {message}")
    assert caught.value.message.isprintable()
    assert caught.value.advice
    assert caught.value.file == path


@pytest.mark.parametrize("side", ["base", "head", "extract", "validate", "op versions"])
def test_bad_input_ends_the_program_with_3(bad, side, tmp_path, capsys):
    path, _ = bad
    good = tmp_path / "good.json"
    good.write_text(OP)
    arguments = {
        "base": ["check", path, str(good)],
        "head": ["check", str(good), path],
        "extract": ["extract", path],
        "validate": ["validate", path],
        "op versions": ["check", str(good), str(good), "--head-op-versions", path],
    }[side]
    assert main(arguments) == 3
    out, err = capsys.readouterr()
    assert path in out + err
    assert "Traceback" not in out + err
    assert "internal error" not in out + err
    if side != "validate":
        assert out == ""
        assert err.count("error: ") == 1


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file or directory") as caught:
        read_document(str(tmp_path / "nowhere.json"))
    assert caught.value.advice


def test_directory(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        read_document(str(tmp_path))


@pytest.mark.usefixtures("permissions_apply")
def test_unreadable_file(tmp_path):
    file = tmp_path / "secret.json"
    file.write_text(OP)
    file.chmod(0)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_document(str(file))


@pytest.mark.parametrize(("name", "read"), [("worn.json", read_document), ("worn", recognise.read)])
def test_read_error_is_reported(name, read, tmp_path, monkeypatch):
    file = tmp_path / name
    file.write_text(OP)

    def broken(*_args, **_kwargs):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("builtins.open", broken)
    with pytest.raises(InputError, match="cannot be read: Input/output error"):
        read(str(file))


def test_name_that_no_file_can_have():
    with pytest.raises(InputError, match="cannot be read"):
        read_document("a\0b")


def test_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(decode_module, "MAX_BYTES", 20)
    file = tmp_path / "large.json"
    file.write_text(OP)
    with pytest.raises(InputError, match="is larger than"):
        read_document(str(file))
    file.write_text('{"a":            {}}')
    assert read_document(str(file)).value == {"a": {}}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("space", [b"", b"\n \t\r\n"])
def test_json_is_read_by_the_json_parser(mark, space, tmp_path):
    file = tmp_path / "ops.txt"  # content decides, not the name
    file.write_bytes(mark + space + ATTR.format("1e-05").encode())
    decoded = read_document(str(file))
    assert decoded.value == json.loads(ATTR.format("1e-05"))
    assert decoded.text is not None
    decoded.check_unique_keys(8)


def test_yaml_is_everything_else(tmp_path):
    file = tmp_path / "ops.json"
    file.write_text("relu:\n  Inputs: {}\n")
    decoded = read_document(str(file))
    assert decoded.value == {"relu": {"Inputs": {}}}
    assert decoded.text is None
    decoded.check_unique_keys(0)  # that was done when it was decoded


def test_non_ascii_names_survive(tmp_path):
    file = tmp_path / "ops.json"
    file.write_text('{"größe": {}, "層": {}}', encoding="utf-8")
    assert list(read_document(str(file)).value) == ["größe", "層"]


NESTED = {
    "JSON lists": ('{"relu": ', "["),
    "JSON mappings": ("", '{"a":'),
    "YAML flow lists": ("a: ", "["),
    "YAML flow mappings": ("a: ", "{a: "),
    "YAML block lists": ("", "- "),
}


@pytest.mark.parametrize(("start", "level"), NESTED.values(), ids=NESTED)
def test_100_mb_of_nesting_take_bounded_time_and_memory(start, level, tmp_path):
    file = tmp_path / "deep"
    file.write_text(start + level * (100_000_000 // len(level)))
    result = run_with_limit(["check", str(file), str(file)], megabytes=1200)
    file.unlink()
    assert (result.returncode, result.stdout) == (3, "")
    assert f"{file}: " in result.stderr
    assert "levels deep" in result.stderr
    assert "Traceback" not in result.stderr


def test_100_mb_of_yaml_block_nesting(tmp_path):
    file = tmp_path / "deep"
    with file.open("w") as stream:
        for depth in range(14_000):
            stream.write(" " * depth + "a:\n")
    result = run_with_limit(["check", str(file), str(file)], megabytes=1200)
    file.unlink()
    assert (result.returncode, result.stdout) == (3, "")
    assert "line 65, column 65: is nested more than 64 levels deep" in result.stderr


@pytest.mark.parametrize("depth", [66, 150, 300, 500, 800, 900, 950, 960, 970, 975, 980, 985, 990, 2000, 5000])
@pytest.mark.parametrize("place", ["default_value", "unknown", "type", "op"])
def test_nesting_of_any_depth_is_refused(depth, place, tmp_path, capsys):
    deep = "[" * depth + "]" * depth
    texts = {
        "default_value": ATTR.format(deep),
        "unknown": ATTR.format(f'1, "unknown": {deep}'),
        "type": ATTR.format(0).replace('"type": 0', f'"type": {deep}'),
        "op": f'{{"relu": {deep}}}',
    }
    file = tmp_path / "deep.json"
    file.write_text(texts[place])
    for arguments in (["check", str(file), str(file)], ["validate", str(file)], ["extract", str(file)]):
        assert main(arguments) == 3
        out, err = capsys.readouterr()
        assert str(file) in out + err
        assert "internal error" not in out + err


def run_with_limit(arguments, *, megabytes):
    """Run opspec-lint where no more than so much memory is to be had."""
    program = textwrap.dedent(
        """
        import resource, sys
        limit = int(sys.argv.pop(1)) << 20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        from opspec_lint.cli.main import main
        sys.exit(main())
        """
    )
    command = [sys.executable, "-c", program, str(megabytes), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
