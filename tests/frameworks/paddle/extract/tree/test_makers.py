from __future__ import annotations

import pytest

from opspec_lint.spec.model import Origin
from tests.support.trees.paddle_trees import (
    CLASS,
    OPERATORS,
    PROTO,
    attrs_of,
    declared_of,
    lost,
    read,
    read_maker,
    reasons,
    shown,
)


def test_inputs_outputs_and_their_flags():
    result = read_maker(
        """
        AddInput("X", "(Tensor), with } and \\" and // in it");
        AddInput("Ids", R"DOC(a "raw" } text)DOC").AsDuplicable().AsDispensable();
        // AddInput("No", "commented out");
        AddOutput("Out", "one" /* not two */ " text").AsIntermediate().AsExtra();
        this->AddOutput("Q", "").AsQuant();
        """
    )
    assert shown(result)[:2] == (["X", "Ids*?"], ["Out!~", "Q^"])
    assert lost(result) == []


@pytest.mark.parametrize(
    ("kind", "default", "expected"),
    [
        ("int", "-1", "INT = -1"),
        ("int", "(2 << 12) - 1", "INT = 8191"),
        ("int", "0x10", "INT = 16"),
        ("int", "{}", "INT = 0"),
        ("int", "true", "INT = 1"),
        ("int", "framework::proto::VarType::FP32", "INT = 5"),
        ("int", "static_cast<int>(proto::VarType::INT64)", "INT = 3"),
        ("int", "1 < 2 ? 7 : 8", "INT = 7"),
        ("int", "7 / 2 * 2 % 4", "INT = 2"),
        ("int", "INT_MAX", "INT = 2147483647"),
        ("int64_t", "std::numeric_limits<int64_t>::max()", "LONG = 9223372036854775807"),
        ("bool", "false", "BOOLEAN = False"),
        ("bool", "1", "BOOLEAN = True"),
        ("float", "0.1", "FLOAT = 0.10000000149011612"),
        ("float", "1.0e-5f", "FLOAT = 9.999999747378752e-06"),
        ("float", "1", "FLOAT = 1.0"),
        ("double", "0.1", "FLOAT64 = 0.1"),
        ("double", "0.1f", "FLOAT64 = 0.10000000149011612"),
        ("std::string", '"a" "b\\n"', "STRING = 'ab\\n'"),
        ("std::string", 'std::string("x")', "STRING = 'x'"),
        ("std::string", "{}", "STRING = ''"),
        ("std::vector<int>", "{1, 2,}", "INTS = (1, 2)"),
        ("std::vector<int>", "std::vector<int>(2, 3)", "INTS = (3, 3)"),
        ("std::vector<int>", "std::vector<int>()", "INTS = ()"),
        ("std::vector<int64_t>", "{}", "LONGS = ()"),
        ("std::vector<float>", "std::vector<float>{0.1}", "FLOATS = (0.10000000149011612,)"),
        ("std::vector<std::string>", '{"a", "b"}', "STRINGS = ('a', 'b')"),
        ("std::vector<bool>", "{true}", "BOOLEANS = (True,)"),
        ("BlockDesc *", "nullptr", "BLOCK = None"),
        ("std::vector<framework::BlockDesc *>", "{}", "BLOCKS = ()"),
        ("std::vector<paddle::experimental::Scalar>", "{}", "SCALARS = ()"),
    ],
)
def test_defaults_of_every_type(kind, default, expected):
    result = read_maker(f'AddAttr<{kind}>("a", "text").SetDefault({default});')
    assert reasons(result) == {}
    assert attrs_of(result) == [f"a: {expected}"]


def test_modifiers_of_attrs_in_any_order():
    result = read_maker('AddAttr<int>("a", "").AsExtra().InEnum({1, 2}).SetDefault(1).AsQuant().SupportTensor();')
    assert attrs_of(result) == ["a: INT = 1 extra quant support_tensor"]


def test_a_string_as_third_argument_is_a_pointer_that_is_true():
    result = read_maker(
        'AddAttr<int>("a", "text,", "more"); AddAttr<int>("b", "", false); AddAttr<int>("c", "", true);'
    )
    assert attrs_of(result) == ["a: INT = None generated", "b: INT = None", "c: INT = None generated"]


@pytest.mark.parametrize(
    ("before", "name", "expected"),
    [
        ('constexpr char kName[] = "In";', "kName", "In"),
        ('static const char* kName = "In";', "kName", "In"),
        ('const std::string kName{"In"};', "kName", "In"),
        ('#define NAME "In"\n', "NAME", "In"),
        ('constexpr std::array<const char, 3> kName = {"In"};', "kName.data()", "In"),
        ('struct Names { static constexpr char kX[] = "In"; };', "Names::kX", "In"),
        ('class Names { static const char kX[]; };\nconst char Names::kX[] = "In";', "Names::kX", "In"),
        ('inline std::string Name() { auto x = "I"; return std::string(x) + "n"; }', "Name()", "In"),
        ("", 'framework::GradVarName("In")', "In@GRAD"),
        ('constexpr char kName[] = "In";\n#ifdef PADDLE_WITH_CUDA\nconst int other = 1;\n#endif\n', "kName", "In"),
    ],
)
def test_names_that_are_no_literals(before, name, expected):
    result = read_maker(f'AddInput({name}, "");', before)
    assert reasons(result) == {}
    assert shown(result)[0] == [expected]


def test_a_default_of_a_function_that_reads_the_environment_is_its_fallback():
    before = """
    namespace platform {
    static constexpr int kLimit = 512;
    static int LimitImpl() {
      const char* env = std::getenv("FLAGS_limit");
      return env ? boost::lexical_cast<int>(std::string(env)) : kLimit;
    }
    int Limit() { static auto limit = LimitImpl(); return limit; }
    }
    """
    assert attrs_of(read_maker('AddAttr<int>("a", "").SetDefault(platform::Limit());', before)) == ["a: INT = 512"]


@pytest.mark.parametrize(
    ("body", "is_decided"),
    [
        ('if (getenv("ON")) AddInput("X", "");', True),
        ('if (!std::getenv("ON")) { AddInput("X", ""); }', True),
        ('if (getenv("ON")) return; AddInput("X", "");', True),
        ('if (getenv("ON")) throw 1; AddInput("X", "");', True),
        ('if (On()) { AddInput("X", ""); } else { AddInput("Y", ""); }', True),
        ('if (true) { AddInput("X", ""); } else if (getenv("ON")) { AddInput("Y", ""); }', False),
        ('if (true) { AddInput("X", ""); int n = getenv("ON") ? 1 : 2; }', False),
        ('AddInput("X", ""); int n = 0; if (getenv("ON")) n = 1;', False),
        ('if (getenv("ON")) PADDLE_THROW("no"); AddInput("X", "");', True),
        ('if (getenv("ON")) { LOG(FATAL) << "no"; } AddInput("X", "");', True),
        ('if (getenv("ON")) PADDLE_ENFORCE(false, "no"); AddInput("X", "");', True),
        ('if (getenv("ON")) exit(1); AddInput("X", "");', True),
        ('if (getenv("ON")) LOG(WARNING) << "yes"; AddInput("X", "");', False),
        ('if (getenv("ON")) VLOG(3) << "yes"; AddInput("X", "");', False),
        ('PADDLE_ENFORCE(getenv("ON") == nullptr, "no"); AddInput("X", "");', True),
        ('PADDLE_ENFORCE_EQ(On(), false, "no"); AddInput("X", "");', True),
        ('DCHECK(!On()); AddInput("X", "");', False),
        ('while (getenv("ON")) { PADDLE_THROW("no"); } AddInput("X", "");', True),
        ('for (; getenv("ON");) { AddInput("X", ""); break; }', True),
        ('for (int i = 0; i < (getenv("ON") ? 1 : 0); i++) AddInput("X", "");', True),
        ('do { AddInput("X", ""); } while (getenv("ON"));', True),
        ('switch (getenv("ON") != nullptr) { case 1: AddInput("X", ""); }', True),
        ('AddInput("X", ""); int n = 0; switch (On() ? 1 : 0) { case 1: n = 1; break; }', False),
        ('for (int i = 0; i < 2; i++) { if (getenv("ON")) break; if (i == 1) AddInput("X", ""); }', True),
        ('const char* on = getenv("ON"); if (on) AddInput("X", "");', True),
        ('static const bool on = On(); if (on) PADDLE_THROW("no"); AddInput("X", "");', True),
        ('int n = 0; if (getenv("ON")) n = 1; if (n == 1) AddInput("X", "");', True),
        ('int n = 0; if (getenv("ON")) { ++n; } if (n) AddInput("X", "");', True),
        ('bool on = On(); int n = on ? 1 : 0; if (n) AddInput("X", "");', True),
        ('bool on = On(); int n = 1; if (n) AddInput("X", "");', False),
        ('AddInput(getenv("ON") ? "X" : "Y", "");', True),
        ('if (kOn) AddInput("X", "");', True),
        ('AddAttr<bool>("a", "").SetDefault(kOn); if (kOn) AddInput("X", "");', True),
    ],
)
def test_the_environment_decides_no_argument_silently(body, is_decided):
    result = read_maker(body, ENVIRONMENT)
    assert [*reasons(result).values()] == (
        ["the environment of a program decides what it declares (`getenv`)"] if is_decided else []
    )
    assert is_decided or shown(result)[0] == ["X"]


def test_a_constant_of_the_environment_decides_nothing_in_a_second_maker():
    second = (
        CLASS.format(name="GOpMaker", body='if (kOn) AddInput("X", "");') + "\nREGISTER_OPERATOR(g, GOp, GOpMaker);"
    )
    result = read_maker('AddAttr<bool>("a", "").SetDefault(kOn);', ENVIRONMENT, f"class GOp : Base {{}};\n{second}")
    assert [*reasons(result)] == ["g"]


ENVIRONMENT = """
static bool On() { return std::getenv("ON") != nullptr; }
static const bool kOn = std::getenv("ON") != nullptr;
"""


def test_an_inherited_make_calls_the_hooks_of_the_most_derived_class():
    result = read(
        {
            f"{OPERATORS}/base.h": """
            class BaseMaker : public framework::OpProtoAndCheckerMaker {
             public:
              void Make() final {
                AddInput("X", GetName() + " text");
                AddOut();
                Apply();
              }
             protected:
              virtual void Apply() {}
              virtual std::string GetName() const = 0;
              virtual void AddOut() { AddOutput("Out", ""); }
            };
            """,
            f"{OPERATORS}/f_op.cc": """
            #include "paddle/fluid/operators/base.h"
            class FOpMaker : public BaseMaker {
             protected:
              std::string GetName() const override { return "f"; }
              void Apply() override { AddAttr<int>("a", "").SetDefault(kA); }
              static constexpr int kA = 3;
            };
            class GOpMaker : public FOpMaker {
              void AddOut() override { FOpMaker::AddOut(); AddOutput("More", ""); }
            };
            REGISTER_OPERATOR(f, ops::FOp<ops::Functor<float>, int>, ops::FOpMaker);
            REGISTER_OPERATOR(g, ops::FOp<ops::Functor<float>, int>, ops::GOpMaker,
                              ops::FGrad<paddle::imperative::OpBase>);
            class FGrad : public framework::SingleGradOpMaker<T> {};
            class FOp : public framework::OperatorWithKernel {};
            """,
        }
    )
    assert reasons(result) == {}
    assert shown(result) == (["X"], ["Out"], ["a: INT = 3"])
    assert shown(result, "g") == (["X"], ["Out", "More"], ["a: INT = 3"])


def test_a_make_that_goes_on_after_its_base():
    after = 'class GOpMaker : public FOpMaker { void Make() override { AddInput("Y", ""); return FOpMaker::Make(); } };'
    result = read_maker('AddInput("X", "");', after=f"{after}\nREGISTER_OP_WITHOUT_GRADIENT(g, FOp, GOpMaker);")
    assert shown(result, "g")[0] == ["Y", "X"]


def test_a_template_parameter_represents_its_argument():
    before = """
    template <typename T, int N>
    class TMaker : public framework::OpProtoAndCheckerMaker {
      void Make() override { AddAttr<T>("a", "").SetDefault(T(1)); AddAttr<std::vector<T>>("b", ""); }
    };
    template <typename AttrType> class UMaker : public TMaker<AttrType, 2> {};
    """
    after = "REGISTER_OPERATOR(g, FOp, TMaker<float, 1>); REGISTER_OPERATOR(h, FOp, ops::UMaker<int64_t>);"
    result = read_maker("", before, after)
    assert attrs_of(result, "g") == ["a: FLOAT = 1.0", "b: FLOATS = None"]
    assert attrs_of(result, "h") == ["a: LONG = 1", "b: LONGS = None"]


def test_make_and_constants_out_of_line():
    result = read(
        {
            f"{OPERATORS}/f_op.h": """
            struct Keys { static const char kX[]; };
            class FOpMaker : public framework::OpProtoAndCheckerMaker { public: void Make() override; };
            """,
            f"{OPERATORS}/f_op.cc": """
            #include "paddle/fluid/operators/f_op.h"
            const char Keys::kX[] = "X";
            void FOpMaker::Make() { AddInput(Keys::kX, ""); }
            """,
            f"{OPERATORS}/g_op.cc": """
            #include "paddle/fluid/operators/f_op.h"
            class FOp : public framework::OperatorBase {};
            REGISTER_OPERATOR(f, FOp, ops::FOpMaker);
            """,
        }
    )
    assert reasons(result) == {}
    assert shown(result)[0] == ["X"]


def test_constructors_as_until_2018():
    before = """
    class OldMaker : public framework::OpProtoAndCheckerMaker {
     public:
      OldMaker(OpProto* proto, OpAttrChecker* op_checker) : OpProtoAndCheckerMaker(proto, op_checker) {
        AddInput("X", "").AsDuplicable();
        AddComment(R"DOC(text)DOC");
      }
    };
    """
    result = read_maker("", before, "REGISTER_OP(g, FOp, ops::OldMaker, g_grad, FOp);")
    assert shown(result, "g")[0] == ["X*"]


def test_the_same_name_means_its_nearest_declaration():
    maker = CLASS.format(name="FOpMaker", body='AddInput(kCondition, "");')
    files = {
        f"{OPERATORS}/one.h": 'constexpr char kCondition[] = "Cond";',
        f"{OPERATORS}/other.h": 'constexpr char kCondition[] = "Condition";',
        f"{OPERATORS}/f_op.cc": f'#include "paddle/fluid/operators/one.h"\n{maker}REGISTER_OPERATOR(f, FOp, FOpMaker);'
        "class FOp : public framework::OperatorBase {};",
        f"{OPERATORS}/g_op.cc": f'#include "paddle/fluid/operators/other.h"\n{maker}'
        "REGISTER_OPERATOR(g, FOp, FOpMaker);class FOp : public framework::OperatorBase {};",
    }
    result = read(files)
    assert shown(result, "f")[0] == ["Cond"]
    assert shown(result, "g")[0] == ["Condition"]


def test_conditions_that_can_be_determined_and_control_that_declares_nothing():
    result = read_maker(
        """
        std::unordered_set<std::string> places;
        for (size_t i = 0; i < 3; ++i) { places.insert(name(i)); }
        if (kWide) { AddInput("Wide", ""); } else { AddInput("Narrow", ""); }
        AddAttr<std::string>("place", "").InEnum({places}).SetDefault("auto");
        auto& attr = AddAttr<int>("a", "");
        attr.SetDefault(2);
        """,
        "constexpr bool kWide = false;",
    )
    assert reasons(result) == {}
    assert shown(result) == (["Narrow"], [], ["place: STRING = 'auto'", "a: INT = 2"])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('for (auto& name : names) { AddInput(name, ""); }', "the name names has no known value"),
        ('AddInput(name_, "");', "the name name_ has no known value"),
        ('AddInput("X", "").AsSomething();', "the modifier AsSomething of 'X' is not known"),
        ('AddAttr<int>("a", "").SetDefault(Compute());', "the default Compute() is unknown: the function Compute"),
        ('AddAttr<Strange>("a", "");', "the attr type Strange is not known"),
        ('AddInput("X", ""); AddOutput("X", "");', "'X' is declared twice, which Paddle refuses"),
        ('int n = 1; n = read(); AddAttr<int>("a", "").SetDefault(n);', "the variable n is changed"),
        ('helper->AddInputs(AddInput("X", ""));', "is not evaluated"),
        ('if (unknown) { AddInput("X", ""); }', "the name unknown has no known value"),
        ('AddAttr<int>("a", "").SetDefault("text");', "a default of type INT cannot be 'text'"),
        ("Make();", "functions call each other more than"),
    ],
)
def test_what_decides_a_declaration_and_cannot_be_determined_is_unresolved(body, reason):
    result = read_maker(f"\n    {body}")
    assert result.ops == {}
    (op, file, line, why, digest) = lost(result)[0]
    assert (op, file) == ("f", f"{OPERATORS}/f_op.cc")
    assert reason in why
    assert digest
    maker = CLASS.format(name="FOpMaker", body=f"\n    {body}")
    text = f"class FOp : public framework::OperatorWithKernel {{}};\n{maker}"
    assert body[:8] in text.splitlines()[line - 1] or "Make()" in text.splitlines()[line - 1]


def test_every_item_has_the_place_of_its_call():
    result = read_maker('AddInput("X",\n             "text");\n    AddAttr<int>(\n        "a", "");')
    op = declared_of(result)
    (x,), (a,) = op.inputs, op.attrs
    assert op.origin.file == f"{OPERATORS}/f_op.cc"
    assert x.origin == Origin(file=op.origin.file, line=6, column=5)
    assert (a.origin.line, a.origin.column) == (8, 5)
    assert op.origin.line > a.origin.line


def test_every_op_has_the_attrs_of_the_framework():
    result = read_maker("")
    assert [(attr["name"], attr["default_value"]) for attr, _ in result.boilerplate] == [("op_role", 0x1000)]


@pytest.mark.parametrize(
    ("default", "expected"),
    [
        ("framework::DataType::FP32", "INT = 5"),
        ("paddle::framework::DataType::BOOL", "INT = 0"),
        ("other::DataType::FP32", None),
        ("framework::DataType::FP16", None),
        ("framework::Type::FP32", None),
    ],
)
def test_enums_of_framework_proto_before_it_had_a_package_of_its_own(default, expected):
    """Its package was that of the framework until 2017."""
    proto = f"{PROTO}enum DataType {{ BOOL = 0; FP32 = 5; }}"
    result = read_maker(f'AddAttr<int>("a", "").SetDefault({default});', framework_proto=proto)
    assert (attrs_of(result) == [f"a: {expected}"]) if expected else reasons(result)


def test_names_of_2017():
    body = 'AddInput("A", "").SetMultiple(); AddOutput("T", "").SetTemporary(); AddAttr<BlockDescBind*>("b", "");'
    assert shown(read_maker(body)) == (["A*"], ["T!"], ["b: BLOCK = None"])
