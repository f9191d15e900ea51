"""The PIR ops of a package of Paddle: its headers, and what its library says beside them."""

from __future__ import annotations

import struct
import zipfile

import pytest

from opspec_lint.frameworks.paddle.extract.dialect import wheel
from opspec_lint.frameworks.paddle.extract.dialect.library import Library
from opspec_lint.frameworks.paddle.sources import pir_wheel
from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.lint.check import check
from opspec_lint.sources.reading import Reading
from opspec_lint.spec.canonical import dumps
from opspec_lint.spec.model import UNKNOWN, Provenance
from tests.support.trees.paddle_trees import reasons
from tests.support.trees.pir_trees import REFER, library, shown

VERSION = "full_version     = '3.9.1'\ncommit           = '0123456789abcdef0123456789abcdef01234567'\n"
BEGIN = "static void Build(pir::Builder &builder, pir::OperationArgument &argument, "


def op_class(name, op, count, builds, inputs=(), outputs=("out",), more="static OpInfoTuple GetOpInfo();"):
    """The class of an op as the generator writes it."""
    methods = [f"  {BEGIN}{build});" for build in builds]
    methods += [f"  pir::Value {own}() {{ return operand_source({place}); }}" for place, own in enumerate(inputs)]
    methods += [f"  pir::Value {own}() {{ return result({place}); }}" for place, own in enumerate(outputs)]
    return "\n".join(
        [
            f"class  {name} : public pir::Op<{name},paddle::dialect::OpYamlInfoInterface> {{",
            f'  static const char *name() {{ return "{op}"; }}',
            f"  static constexpr uint32_t attributes_num = {count};",
            f"  {more}",
            *methods,
            "};\n",
        ]
    )


REST = 'float s=1.0f, int n=(2 << 3) - 1, const std::string& mode="a,b", phi::DataType dtype=phi::DataType::FLOAT32'
HEADER = op_class(
    "FOp",
    "pd_op.f",
    4,
    [
        f"pir::Value x_, pir::Value y_, const std::vector<int64_t>& shape={{1, 2}}, {REST}",
        f"pir::Value x_, pir::Value y_, pir::Value shape_, {REST}",
        "pir::Value x_, pir::Value y_, pir::AttributeMap attributes",
    ],
    ["x", "y", "shape"],
)
BARE = op_class("BareOp", "pd_op.bare", 1, ["pir::AttributeMap attributes"])
TYPE = "Type of attribute: {} is not {}."


def package(header=HEADER, data=b"", **more):
    """The files of a package."""
    result = {"version/__init__.py": VERSION.encode(), wheel.GENERATED: header.encode(), wheel.LIBRARIES[0]: data}
    return result | {path.replace("__", "/"): text for path, text in more.items()}


class Memory:
    def __init__(self, files):
        self.read = files.get


def provenance(version):
    return Provenance(framework="paddle-pir", version=version, made_by="paddle-pir-wheel")


def read(*arguments, **more):
    return wheel.read(Memory(package(*arguments, **more)))


def test_a_header_shows_inputs_attrs_and_defaults():
    result = read()
    assert reasons(result) == {}
    assert shown(result.ops["pd_op.f"]) == (
        ["x!: None", "y!: None", "shape#: IntArrayAttribute = (1, 2)"],
        ["out!: None"],
        [
            "s: FloatAttribute = 1.0",
            "n: Int32Attribute = 15",
            "mode: StrAttribute = 'a,b'",
            "dtype: DataTypeAttribute = 'FLOAT32'",
        ],
    )
    assert "variadic" not in result.ops["pd_op.f"][0]


def test_names_of_functions_show_which_inputs_are_optional_and_which_are_lists():
    value = "RKN3pir5ValueE"
    optional = "RKN6paddle8optionalIN3pir5ValueEEE"
    name = f"_ZN6paddle7dialect1fE{value}{optional.replace('N6paddle', 'NS_').replace('N3pir5ValueE', 'S2_')}f"
    assert shown(read(data=library([name])).ops["pd_op.f"])[0][:2] == ["x: None", "y?: None"]
    listed = "_ZN6paddle7dialect1fERKSt6vectorIN3pir5ValueESaIS3_EERKS3_f"
    assert shown(read(data=library([listed])).ops["pd_op.f"])[0][:2] == ["x*: None", "y: None"]


def test_a_float_may_be_a_scalar_and_then_its_type_is_not_known_unless_the_api_reports_it():
    only, both = [TYPE.format("s", "paddle::dialect::ScalarAttribute")], [TYPE.format("s", "pir::FloatAttribute")]

    def kind(texts, **more):
        return shown(read(data=library(texts=texts), **more).ops["pd_op.f"])[2][0]

    assert kind(both) == "s: FloatAttribute = 1.0"
    assert kind(only) == "s: ScalarAttribute<float> = 1.0"
    assert kind(only + both) == "s: None = 1.0"
    header = "include__paddle__phi__api__include__api.h"
    for argument, expected in (("const Scalar& s = 1", "ScalarAttribute<float>"), ("float s = 1", "FloatAttribute")):
        text = f"PADDLE_API Tensor f(const Tensor& x, {argument});\n".encode()
        assert kind(only + both, **{header: text}) == f"s: {expected} = 1.0"


def test_attrs_that_the_header_does_not_name_are_those_of_the_table_in_the_library():
    table = {"_ZN6paddle7dialect6BareOp15attributes_nameE": ["place"], "_ZN3pir6BareOp15attributes_nameE": ["other"]}
    result = read(BARE, library(tables=table))
    assert shown(result.ops["pd_op.bare"])[2] == ["place: None"]
    assert Library(library(tables=table)).attr_names() == {
        "paddle::dialect::BareOp": ("place",),
        "pir::BareOp": ("other",),
    }


def test_a_name_in_the_table_may_be_a_constant_with_a_symbol_of_its_own():
    names = ["place", "own_number"]
    table = {
        "_ZN6paddle7dialect7OtherOp15attributes_nameE": names,
        "_ZN6paddle7dialect6BareOp15attributes_nameE": names,
    }
    header = op_class("BareOp", "pd_op.bare", 2, ["pir::AttributeMap attributes"])
    result = read(header, library(tables=table, constants=["place"]))
    assert shown(result.ops["pd_op.bare"])[2] == ["place: None", "own_number: None"]


@pytest.mark.parametrize("symbol", [1, 1 << 31])
def test_a_constant_whose_symbol_is_not_there_has_no_name(symbol):
    table = {"_ZN6paddle7dialect6BareOp15attributes_nameE": ["place"]}
    data = library(tables=table, constants=["place"])
    own, another = (struct.pack("<QQ", 0x9000, number << 32 | 1) for number in (0, symbol))
    assert data.count(own) == 1
    assert Library(data).attr_names() == {"paddle::dialect::BareOp": ("place",)}
    assert set(Library(data.replace(own, another)).attr_names()) == set()


def test_attrs_that_nothing_names_leave_the_op_unresolved():
    result = read(BARE + HEADER)
    assert set(result.ops) == {"pd_op.f"}
    assert reasons(result) == {"pd_op.bare": "neither the header nor the library names the 1 attrs of BareOp"}


def test_a_type_that_is_not_known_leaves_the_op_unresolved():
    assert reasons(read(op_class("FOp", "pd_op.f", 1, ["Strange s"]))) == {
        "pd_op.f": "the type Strange of an attr is not known"
    }


def patch(action):
    return f"op_patches:\n  - {{op_name: pd_op.f, actions: [{{action: {action}}}]}}\n"


LATER = patch("modify_attr, object: s, type: pir::DoubleAttribute")
EARLIER = patch("modify_attr, object: n, type: pir::Int64Attribute")


@pytest.mark.parametrize(
    ("version", "patches", "develop", "numbers", "remarks"),
    [
        ("3.9.1", {1: "", 2: LATER, 3: EARLIER}, 3, [2, 3], []),
        ("3.9.1", {0: LATER, 1: "", 2: EARLIER}, 2, [2], [("patch_not_applied", "pd_op.f")]),
        ("0.0.0", {0: LATER, 1: "", 2: EARLIER}, 0, [0, 2], []),
        ("0.0.0", {1: "", 2: EARLIER}, 2, [2], []),
    ],
)
def test_patches_have_the_numbers_of_their_files(version, patches, develop, numbers, remarks):
    files = package(data=library(patches=patches))
    files["version/__init__.py"] = VERSION.replace("3.9.1", version).encode()
    result = wheel.read(Memory(files))
    spec = result.spec("wheel", provenance(version))
    assert spec.loading == {"develop_version": develop, "release_version": max(patches), "patch_value": "data"}
    assert spec.graph_versions.producer == max(patches)
    assert [item["version"] for item in spec.ops["pd_op.f"].get("patches")] == numbers
    assert [(remark.event, remark.op) for remark in spec.remarks] == remarks


def test_patches_whose_numbers_the_library_does_not_show_are_not_known():
    data = library(patches={1: "", 2: EARLIER}).replace(REFER, b"\x48\x8d\x3d")
    spec = read(data=data).spec("wheel", provenance("3.9.1"))
    assert (spec.graph_versions, spec.loading, spec.ops["pd_op.f"].get("patches")) == (None, {}, None)
    assert [remark.event for remark in spec.remarks] == ["patches_untold"]
    base = spec.replace(ops={name: op.replace(attrs=op.attrs[1:], own={}) for name, op in spec.ops.items()}, remarks=())
    level_by_rule = {finding.rule: finding.level for finding in check(base, spec).findings}
    assert (level_by_rule["change_maybe_patched"], level_by_rule["patches_untold"]) == ("warning", "warning")
    assert "attr_added_unpatched" not in level_by_rule


def test_a_library_without_patches_is_of_the_first_version():
    result = read(data=library())
    assert (result.version, [op for op, _ in result.ops.values() if "patches" in op]) == (1, [])
    assert read(data=b"").version is None


def test_classes_written_by_hand_are_ops_too():
    header = op_class(
        "IfOp", "pd_op.if", 0, ["pir::Value cond", "Block&& block, int k"], ["cond"], (), more=""
    ).encode()
    result = read(**{"include__paddle__fluid__pir__dialect__operator__ir__manual_op.h": header})
    assert shown(result.ops["pd_op.if"]) == (["cond!: None"], [], [])
    assert result.ops["pd_op.if"][0]["variadic"] is True


@pytest.mark.parametrize(("more", "expected"), [("OpInfoTuple GetOpInfo();", ["input!", "starts!"]), ("", ["input!"])])
def test_a_class_with_information_may_lack_methods_for_its_inputs(more, expected):
    header = op_class(
        "FOp", "pd_op.f", 0, ["pir::Value input", "pir::Value input, pir::Value starts"], ["input"], more=more
    )
    inputs = shown(read(header).ops["pd_op.f"])[0]
    assert inputs == [f"{item}: None" for item in expected]


@pytest.mark.parametrize("cut", [0, 10, 63, 64, 100, 400, -1, -70])
def test_a_damaged_library_states_nothing_and_stops_nothing(cut):
    table = {"_ZN6paddle7dialect1fE15attributes_nameE": ["s", "n"], "_ZN6paddle7dialect3FOp15attributes_nameE": ["s"]}
    data = library(["_ZN6paddle7dialect1fEf"], table, [TYPE.format("s", "pir::FloatAttribute")], {1: "", 2: LATER})
    assert "pd_op.f" in read(data=data[:cut] if cut else b"").ops


def installed(folder, files):
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def test_an_interpreter_a_folder_and_a_wheel_file_are_read_alike_and_none_is_run(tmp_path):
    packages = tmp_path / "lib" / "python3.9" / "site-packages"
    installed(packages / "paddle", package())
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\nexit 1\n")
    file = tmp_path / "p.whl"
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in package().items():
            archive.writestr(f"paddle/{name}", data)
    texts = set()
    for argument in (python, tmp_path, packages, packages / "paddle", file):
        spec = pir_wheel.extract(str(argument), Reading())
        assert (spec.provenance.version, spec.provenance.commit) == (
            "3.9.1",
            "0123456789abcdef0123456789abcdef01234567",
        )
        assert spec.file == f"paddle-pir-wheel:{argument}"
        assert spec.ops["pd_op.f"].inputs[0].dispensable is UNKNOWN
        texts.add(dumps(spec))
    assert len(texts) == 1
    environment = {"PATH": str(python.parent)}
    python.chmod(0o755)
    assert dumps(pir_wheel.extract("python", Reading(environment=environment))) in texts


def test_what_is_no_package_is_a_single_message(tmp_path):
    with pytest.raises(InputError, match="there is no 'nowhere'"):
        pir_wheel.extract("nowhere", Reading())
    with pytest.raises(NothingThereError, match="it has no Paddle installed"):
        pir_wheel.extract(str(tmp_path), Reading())
    with pytest.raises(InputError, match=r"there is no file 'none\.whl'"):
        pir_wheel.extract("none.whl", Reading())
    (tmp_path / "bad.whl").write_bytes(b"PK\x03\x04 cut off")
    with pytest.raises(InputError, match="is not a wheel"):
        pir_wheel.extract(str(tmp_path / "bad.whl"), Reading())
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as archive:
        archive.writestr("other/__init__.py", "")
    with pytest.raises(NothingThereError, match="it holds no Paddle"):
        pir_wheel.extract(str(tmp_path / "other.whl"), Reading())
    old = package()
    del old[wheel.GENERATED]
    installed(tmp_path / "paddle", old)
    with pytest.raises(NothingThereError, match=r"Paddle 3\.9\.1 brings no header"):
        pir_wheel.extract(str(tmp_path), Reading())
