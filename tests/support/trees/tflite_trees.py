"""Small source trees with the layout of LiteRT, to be changed file by file: all of their text is our own."""

from __future__ import annotations

SCHEMA = "tflite/converter/schema/schema.fbs"
GENERATED = "tflite/converter/schema/schema_generated.h"
KERNELS = "tflite/core/kernels/register.cc"
REFERENCE = "tflite/kernels/register_ref.cc"
WRITTEN = "tflite/converter/tools/versioning/op_version.cc"
RUNTIMES = "tflite/converter/tools/versioning/runtime_version.cc"
CONVERSIONS = "tflite/core/api/flatbuffer_conversions.cc"
STRUCTS = "tflite/core/c/builtin_op_data.h"
GPU = "tflite/delegates/gpu/common/model_builder.cc"
NNAPI = "tflite/delegates/nnapi/nnapi_delegate.cc"

TREE = {
    SCHEMA: """namespace tflite;

enum BuiltinOperator : int32 {
  ADD = 0,
  CONV_2D = 3,
  RESHAPE = 22,
  CUSTOM = 32,
}

enum Padding : byte { SAME, VALID }

table AddOptions {
  keep:bool;
}

table Conv2DOptions {
  padding:Padding;
  stride_w:int = 1;
  // Parameters for Conv2D version 2 or above.
  bias:int;
}

union BuiltinOptions {
  Conv2DOptions,
  AddOptions,
}
""",
    GENERATED: """
enum BuiltinOperator : int32_t {
  BuiltinOperator_ADD = 0,
  BuiltinOperator_CONV_2D = 3,
  BuiltinOperator_RESHAPE = 22,
  BuiltinOperator_CUSTOM = 32,
  BuiltinOperator_MIN = BuiltinOperator_ADD,
  BuiltinOperator_MAX = BuiltinOperator_CUSTOM
};

enum Padding : int8_t {
  Padding_SAME = 0,
  Padding_VALID = 1,
  Padding_MIN = Padding_SAME,
  Padding_MAX = Padding_VALID
};

enum BuiltinOptions : uint8_t {
  BuiltinOptions_NONE = 0,
  BuiltinOptions_Conv2DOptions = 1,
  BuiltinOptions_AddOptions = 2,
  BuiltinOptions_MIN = BuiltinOptions_NONE,
  BuiltinOptions_MAX = BuiltinOptions_AddOptions
};

struct AddOptions FLATBUFFERS_FINAL_CLASS : private ::flatbuffers::Table {
  enum FlatBuffersVTableOffset FLATBUFFERS_VTABLE_UNDERLYING_TYPE {
    VT_KEEP = 4
  };
};

struct Conv2DOptions FLATBUFFERS_FINAL_CLASS : private ::flatbuffers::Table {
  enum FlatBuffersVTableOffset FLATBUFFERS_VTABLE_UNDERLYING_TYPE {
    VT_PADDING = 4,
    VT_STRIDE_W = 6,
    VT_BIAS = 8
  };
};
""",
    KERNELS: """BuiltinOpResolver::BuiltinOpResolver() {
  AddBuiltin(BuiltinOperator_ADD, Register_ADD(),
             /* min_version = */ 1,
             /* max_version = */ 2);
  AddBuiltin(BuiltinOperator_CONV_2D, Register_CONV_2D(), 1, 2);
  // AddBuiltin(BuiltinOperator_RESHAPE, Register_RESHAPE(), 1, 9);
  AddBuiltin(BuiltinOperator_RESHAPE, Register_RESHAPE());
  AddCustom("Mine", Register_MINE());
}
""",
    REFERENCE: """BuiltinRefOpResolver::BuiltinRefOpResolver() {
  AddBuiltin(BuiltinOperator_ADD, Register_ADD_REF(), 1, 2);
  AddBuiltin(BuiltinOperator_CONV_2D, Register_CONV_REF(), 1, 2);
}
""",
    WRITTEN: """int GetBuiltinOperatorVersion(const OpSignature& op_sig) {
  switch (op_sig.op) {
    case BuiltinOperator_CONV_2D: {
      // return 7 for what is not here yet
      if (op_sig.inputs.at(0).type == kTfLiteInt8) {
        return 2;
      }
      return 1;
    }
    case BuiltinOperator_ADD:
      return op_sig.ext_options.add.wide ? 2 : 1;
    default:
      return 1;
  }
}
""",
    RUNTIMES: """std::string FindMinimumRuntimeVersionForOp(BuiltinOperator op_code, int op_version) {
  static const std::map<std::pair<BuiltinOperator, int>, std::string>*
      op_version_map = new std::map<std::pair<BuiltinOperator, int>, std::string>({
          {{BuiltinOperator_ADD, 1}, "1.5.0"},
          {{BuiltinOperator_ADD, 2}, "1.14.0"},
          {{BuiltinOperator_CONV_2D, 1}, "1.5.0"},
          {{BuiltinOperator_CONV_2D, 2},
           "2.3.0"},
          {{BuiltinOperator_RESHAPE, 1}, "1.5.0"},
      });
}
""",
    CONVERSIONS: """TfLiteStatus ParseOpDataTfLite(const Operator* op, BuiltinOperator op_type) {
  switch (op_type) {
    case BuiltinOperator_ADD: {
      return ParseAdd(op);
    }
    case BuiltinOperator_CONV_2D: {
      auto params = safe_allocator.Allocate<TfLiteConvParams>();
      if (const auto* conv_params = op->builtin_options_as_Conv2DOptions()) {
        params->padding = ConvertPadding(conv_params->padding());
        params->stride_width = conv_params->stride_w();
        TF_LITE_ENSURE_STATUS(ConvertTensorType(conv_params->bias(), &params->bias_type, error_reporter));
      }
      return kTfLiteOk;
    }
    case BuiltinOperator_RESHAPE:
    case BuiltinOperator_CUSTOM:
      return kTfLiteOk;
  }
}

TfLiteStatus ParseAdd(const Operator* op) {
  auto params = safe_allocator.Allocate<TfLiteAddParams>();
  const AddOptions* schema_params = op->builtin_options_as_AddOptions();
  if (schema_params != nullptr) {
    params->keep = schema_params->keep();
  }
  return kTfLiteOk;
}
""",
    STRUCTS: """typedef struct {
  TfLitePadding padding;
  int stride_width;
  // Parameters for Conv2D version 2 or above.
  TfLiteType bias_type;
} TfLiteConvParams;

typedef struct {
  bool keep;
} TfLiteAddParams;
""",
    GPU: """class AddParser : public TFLiteOperationParser {
  absl::Status IsSupported(const TfLiteRegistration* registration) final {
    RETURN_IF_ERROR(CheckMaxSupportedOpVersion(registration, 2));
    return absl::OkStatus();
  }
};

class ConvParser : public TFLiteOperationParser {
  absl::Status IsSupported(const TfLiteRegistration* registration) final {
    // CheckMaxSupportedOpVersion(registration, 9)
    return absl::OkStatus();
  }
};

std::unique_ptr<TFLiteOperationParser> NewOperationParser(const TfLiteRegistration* registration) {
  switch (registration->builtin_code) {
    case kTfLiteBuiltinAdd:
      return std::make_unique<AddParser>();
    case kTfLiteBuiltinConv2d:
      return std::make_unique<ConvParser>();
    default:
      return nullptr;
  }
}
""",
    NNAPI: """bool NNAPIDelegateKernel::Validate(const TfLiteRegistration* registration) {
  auto version = registration->version;
  switch (registration->builtin_code) {
    case kTfLiteBuiltinAdd:
    case kTfLiteBuiltinConv2d: {
      ExpectMaxOpVersion(version, 2, &val_ctx);
    } break;
    case kTfLiteBuiltinReshape: {
    } break;
    default:
      return false;
  }
}
""",
}
"""A tree whose files agree, but for the GPU delegate, which takes any version of CONV_2D."""


def changed(path, *replacements, tree=None):
    """Return the tree with some texts of a file replaced; each must occur exactly once."""
    files = dict(TREE if tree is None else tree)
    for old, new in replacements:
        assert files[path].count(old) == 1, (path, old)
        files[path] = files[path].replace(old, new)
    return files


def without(*paths, tree=None):
    """Return the tree without some files."""
    return {path: text for path, text in (TREE if tree is None else tree).items() if path not in paths}


def write(folder, tree):
    """Write a tree to a folder."""
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def of_parts(parts):
    """Return the tree with the versions of CONV_2D, or the slot of its stride, that a scene states."""
    versions = parts.get("register.cc", "Register_CONV_2D(), 1, 2")
    slot = parts.get("schema_generated.h", "VT_STRIDE_W = 6")
    tree = changed(KERNELS, ("Register_CONV_2D(), 1, 2", versions))
    return changed(GENERATED, ("VT_STRIDE_W = 6", slot), tree=tree)
