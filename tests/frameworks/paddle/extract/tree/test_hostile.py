"""A tree may come from anybody: bounded time and memory, and every op that is not read is named."""

from __future__ import annotations

import os

import pytest

from opspec_lint.cpp import limits
from opspec_lint.cpp.unresolved import FAILED
from opspec_lint.frameworks.paddle.extract.fluid import makers
from opspec_lint.frameworks.paddle.extract.tree import extraction
from opspec_lint.git import source_tree
from opspec_lint.kit.errors import InputError
from tests.support import limited
from tests.support.hostile import trees as hostile_trees
from tests.support.samples import sampled
from tests.support.trees.paddle_trees import CLASS, OPERATORS, folder, lost, read, read_maker, reasons, shown

OP = "class FOp : public framework::OperatorBase {};"
MAKER = f"{OP}{CLASS.format(name='FOpMaker', body='')}REGISTER_OPERATOR(f, FOp, FOpMaker);"


@pytest.mark.parametrize(
    "body",
    [
        'AddAttr<int>("a", "").SetDefault(' + "(" * 100_000 + "1" + ")" * 100_000 + ");",
        'AddAttr<int>("a", "").SetDefault(' + "-" * 100_000 + "1);",
        'AddAttr<int>("a", "").SetDefault(' + "1 ? " * 50_000 + "1" + " : 2" * 50_000 + ");",
        'AddAttr<int>("a", "").SetDefault(' + "1 + " * 100_000 + "1);",
        'AddAttr<std::vector<int>>("a", "").SetDefault(' + "{" * 100_000 + "}" * 100_000 + ");",
        'AddAttr<std::vector<int>>("a", "").SetDefault(std::vector<int>(2000000000, 1));',
        'AddAttr<int>("a", "").SetDefault(1 << 62 << 62 << 62);',
        'AddAttr<int>("a", "").SetDefault(' + "9" * 100_000 + ");",
        "if (x) " * 50_000 + 'AddInput("X", "");',
        'AddInput("X", "")' + ".AsExtra()" * 60_000 + ";",
        'AddInput("X" ' + '"y" ' * 200_000 + ', "");',
        "AddAttr<" + "std::vector<" * 50_000 + "int" + ">" * 50_000 + '>("a", "");',
        'AddAttr<int>("a", "").SetDefault(f(' + "a<" * 45_000 + "a, b));",
        'AddAttr<int>("a", "").SetDefault(f(' + "a<b," * 22_000 + "a));",
        "a<" * 45_000 + 'AddInput("X", "");',
    ],
    ids=range(15),
)
def test_a_body_without_end(body):
    result = read_maker(body)
    assert len(result.ops) + len(lost(result)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000,
        "}" * 100_000,
        "class A { " * 100_000,
        "(" * 100_000,
        'R"(' * 1000,
        '"' * 99_999,
        "/*" * 50_000,
        "#if 1\n" * 50_000,
        "#define X \\\n" * 50_000,
        "#if " + "(" * 50_000 + "\n",
        "template <" * 20_000,
        "REGISTER_OPERATOR(" * 20_000,
        "\0\xff\xfe" * 1000,
        "enum A { kA = kA };" * 5_000,
        "namespace a { " * 50_000,
    ],
    ids=range(15),
)
def test_text_without_end_before_and_behind_an_op(text):
    behind = read({f"{OPERATORS}/f_op.cc": f"{MAKER}\n{text}"})
    assert "f" in behind.ops or lost(behind)
    read({f"{OPERATORS}/f_op.cc": f"{text}\n{MAKER}"})


@pytest.mark.parametrize("count", [20, 5_000])
def test_an_op_deep_inside_of_braces(count):
    for begin in ("namespace a { ", "{ ", "class A { ", "void f() { "):
        result = read({f"{OPERATORS}/f_op.cc": f"{begin * count}{MAKER}{'}' * count}"})
        assert "f" in result.ops or lost(result) or begin != "namespace a { "


def test_includes_that_run_in_a_circle():
    result = read(
        {
            f"{OPERATORS}/a.h": f'#include "{OPERATORS}/b.h"\nconstexpr int kA = kB;',
            f"{OPERATORS}/b.h": f'#include "{OPERATORS}/a.h"\nconstexpr int kB = kA;',
            f"{OPERATORS}/f_op.cc": f'#include "{OPERATORS}/a.h"\n{OP}'
            + CLASS.format(name="FOpMaker", body='AddAttr<int>("a", "").SetDefault(kA);')
            + "REGISTER_OPERATOR(f, FOp, FOpMaker);",
        }
    )
    assert "depends on itself" in reasons(result)["f"]


def test_namespaces_that_use_a_name_in_a_circle():
    text = CLASS.format(name="FOpMaker", body='AddInput(a::kX, "");')
    include = f'#include "{OPERATORS}/a.h"\n#include "{OPERATORS}/b.h"\n'
    result = read(
        {
            f"{OPERATORS}/a.h": "namespace a { using b::kX; }",
            f"{OPERATORS}/b.h": "namespace b { using a::kX; }",
            f"{OPERATORS}/f_op.cc": f"{include}{OP}{text}REGISTER_OPERATOR(f, FOp, FOpMaker);",
        }
    )
    assert "the name kX depends on itself" in reasons(result)["f"]


def test_includes_without_end():
    many = {f"{OPERATORS}/h{n}.h": f'#include "{OPERATORS}/h{n + 1}.h"\n' for n in range(limits.MAX_INCLUDES + 9)}
    text = f'#include "{OPERATORS}/h0.h"\n{OP}' + CLASS.format(name="FOpMaker", body='AddInput(kX, "");')
    result = read(many | {f"{OPERATORS}/f_op.cc": f"{text}REGISTER_OPERATOR(f, FOp, FOpMaker);"})
    assert f"more than {limits.MAX_INCLUDES} files" in reasons(result)["f"]


def test_an_include_does_not_lead_out_of_the_tree(tmp_path):
    (tmp_path / "secret.h").write_text('constexpr char kX[] = "secret";')
    inside = tmp_path / "tree"
    text = CLASS.format(name="FOpMaker", body='AddInput(kX, "");')
    for include in ("paddle/../../secret.h", str(tmp_path / "secret.h"), "../secret.h"):
        files = {f"{OPERATORS}/f_op.cc": f'#include "{include}"\n{OP}{text}REGISTER_OPERATOR(f, FOp, FOpMaker);'}
        spec = extraction.extract(folder(inside, files), "cpu")
        assert spec.ops == {}
        assert "kX" in reasons(spec)["f"]


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "secret_op.cc").write_text(MAKER)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "g_op.cc").write_text(MAKER.replace("(f,", "(g,"))
    inside = tmp_path / "tree"
    here = folder(inside, {f"{OPERATORS}/h_op.cc": MAKER.replace("(f,", "(h,")})
    os.symlink(tmp_path / "secret_op.cc", inside / OPERATORS / "f_op.cc")
    os.symlink(tmp_path / "outside", inside / OPERATORS / "more")
    assert sorted(extraction.extract(here, "all").ops) == ["h"]


def test_a_file_that_is_no_plain_file_is_not_opened(tmp_path):
    here = folder(tmp_path, {f"{OPERATORS}/h_op.cc": MAKER})
    os.mkfifo(tmp_path / OPERATORS / "f_op.cc")
    assert sorted(extraction.extract(here, "cpu").ops) == ["f"]


def test_bytes_that_are_no_utf_8():
    result = read({f"{OPERATORS}/f_op.cc": MAKER.encode().replace(b"class FOp :", b"// \xff\xfe\xc3\nclass FOp :")})
    assert shown(result) == ([], [], [])


def test_a_source_that_is_far_too_large_is_reported_to_be_so(tmp_path):
    here = folder(tmp_path, {f"{OPERATORS}/h_op.cc": MAKER.replace("(f,", "(h,")})
    with (tmp_path / OPERATORS / "f_op.cc").open("wb") as stream:
        stream.write(MAKER.encode())
        stream.truncate(200 << 20)
    spec = extraction.extract(here, "cpu")
    assert sorted(spec.ops) == ["h"]
    assert reasons(spec) == {f"{OPERATORS}/f_op.cc": "the file is larger than 4 MiB, and was not read"}


def test_too_much_in_all_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(source_tree, "MAX_SOURCES", 1000)
    with pytest.raises(InputError, match="sources to be read"):
        extraction.extract(folder(tmp_path, {f"{OPERATORS}/f_op.cc": MAKER}), "cpu")


def test_an_op_that_has_no_name():
    result = read(
        {f"{OPERATORS}/f_op.cc": f"{MAKER}REGISTER_OPERATOR(#, FOpMaker);REGISTER_OPERATOR(\x1b[31m, FOpMaker);"}
    )
    assert sorted(result.ops) == ["f"]
    assert len(lost(result)) == 2


@pytest.mark.parametrize(
    "body",
    [
        'AddAttr<>("a", "");',
        "AddAttr<int",
        'AddAttr<int("a", "");',
        "AddAttr",
        'AddInput("X", "").',
        'AddInput("X", "").AsExtra<',
        "for",
        "while",
        "if",
        "if (true) for",
        'for (;;) { AddInput("X", ""); }',
        'int n = 0; while (n < 10) { n -= 0; AddInput("X", ""); }',
        "Make(",
        "Make();",
        "auto& a = AddAttr",
        "AddAttr<int>(,).SetDefault(,);",
        'AddAttr<int>("a", "").SetDefault(1 +);',
        'AddAttr<int>("a", "").SetDefault(kA::);',
        'AddAttr<int>("a", "").InEnum({1,,}).SetDefault(::);',
    ],
)
def test_a_body_that_breaks_off_leaves_its_op_unresolved_and_no_other(body):
    damaged = CLASS.format(name="FOpMaker", body=body)
    result = read(
        {
            f"{OPERATORS}/f_op.cc": f"{OP}{damaged}REGISTER_OPERATOR(f, FOp, FOpMaker);",
            f"{OPERATORS}/g_op.cc": MAKER.replace("(f,", "(g,"),
        }
    )
    assert sorted(result.ops) == ["g"]
    assert FAILED not in "".join(reasons(result).values())


@pytest.mark.parametrize(
    "enum",
    [
        "enum E { kA = kB, kB = kA };",
        "enum E { kA = E::kA + 1 };",
        "enum E { kA = (kA, kB = 1 };",
        "enum E { kA = kB + 1, = , 3, kB = };",
        "enum E { " + "".join(f"k{n} = k{n + 1}, " for n in range(3000)) + "kA = k0 };",
        "enum E { " + "".join(f"k{n} = k{n - 1} + 1, " for n in range(1, 3000)) + "kA = k2999 };",
        "#define kA kB\n#define kB kA\n",
        "constexpr int kA = kB + 1; constexpr int kB = kA;",
        "int F(int n) { return F(n + 1); } constexpr int kA = F(0);",
    ],
    ids=range(9),
)
def test_a_damaged_enum_is_no_end_of_the_run(enum):
    result = read_maker('AddAttr<int>("a", "").SetDefault(kA);', enum)
    assert result.ops == {}
    assert FAILED not in "".join(reasons(result).values())


def test_text_that_the_evaluation_does_not_foresee_leaves_a_single_op_unresolved(monkeypatch):
    def fail(*_):
        raise KeyError("oh")

    monkeypatch.setattr(makers.Maker, "make", fail)
    files = {f"{OPERATORS}/f_op.cc": MAKER, f"{OPERATORS}/g_op.cc": "REGISTER_OPERATOR(g, FOp);class FOp {};"}
    result = read(files)
    assert result.without == ("g",)
    assert reasons(result) == {"f": "its reading failed: KeyError: 'oh'"}


@pytest.mark.parametrize("error", [AssertionError, AttributeError, NameError, TypeError])
def test_a_mistake_in_our_own_code_is_no_unresolved_op(monkeypatch, error):
    def fail(*_):
        raise error("oh")

    monkeypatch.setattr(makers.Maker, "make", fail)
    with pytest.raises(error, match="oh"):
        read({f"{OPERATORS}/f_op.cc": MAKER})


@pytest.mark.parametrize("seed", sampled(range(60), range(20)))
def test_a_damaged_tree_is_read_within_its_limits(seed):
    outcome = limited.call(hostile_trees.reading_of, seed)
    assert (outcome.failure, outcome.value) == ("", "")
