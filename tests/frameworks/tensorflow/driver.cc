// Answers what TensorFlow's own compiled code says of pairs of OpDefs.
//
// In: the old and the new OpDef of each pair, serialized, each behind its length in four bytes (little-endian).
// Out: for each pair the messages of ValidateOpDef(new), OpDefCompatible(old, new) and
// OpDefAttrDefaultsUnchanged(old, new), each behind its length; "" where TensorFlow has nothing to say. An argument that
// names an attr which neither OpDef has would crash OpDefCompatible, so that "not asked" is the answer then.

#include <cstdint>
#include <cstdio>
#include <string>

#include "tensorflow/core/framework/op_def.pb.h"
#include "tensorflow/core/framework/op_def_util.h"

namespace {

bool Read(std::string* data) {
  uint32_t length = 0;
  if (std::fread(&length, sizeof(length), 1, stdin) != 1) return false;
  data->resize(length);
  return length == 0 || std::fread(&(*data)[0], length, 1, stdin) == 1;
}

// TensorFlow's Status had error_message() before it became absl's, with message().
template <typename Status>
auto Message(const Status& status, int) -> decltype(std::string(status.message())) {
  return std::string(status.message());
}

template <typename Status>
std::string Message(const Status& status, ...) {
  return std::string(status.error_message());
}

void WriteText(const std::string& text) {
  const uint32_t length = text.size();
  std::fwrite(&length, sizeof(length), 1, stdout);
  std::fwrite(text.data(), 1, length, stdout);
}

template <typename Status>
void Write(const Status& status) {
  WriteText(status.ok() ? "" : Message(status, 0));
}

bool Has(const tensorflow::OpDef& op, const std::string& name) {
  for (const auto& attr : op.attr()) {
    if (attr.name() == name) return true;
  }
  return name.empty();
}

bool MayBeAsked(const tensorflow::OpDef& old_op, const tensorflow::OpDef& new_op) {
  for (const auto* args : {&old_op.input_arg(), &old_op.output_arg(), &new_op.input_arg(), &new_op.output_arg()}) {
    for (const auto& arg : *args) {
      for (const auto* name : {&arg.type_attr(), &arg.number_attr(), &arg.type_list_attr()}) {
        if (!Has(old_op, *name) && !Has(new_op, *name)) return false;
      }
      if (arg.type() == 0 && arg.type_attr().empty() && arg.type_list_attr().empty()) return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  std::string before, after;
  while (Read(&before) && Read(&after)) {
    tensorflow::OpDef old_op, new_op;
    if (!old_op.ParseFromString(before) || !new_op.ParseFromString(after)) return 1;
    Write(tensorflow::ValidateOpDef(new_op));
    if (MayBeAsked(old_op, new_op)) {
      Write(tensorflow::OpDefCompatible(old_op, new_op));
    } else {
      WriteText("not asked");
    }
    Write(tensorflow::OpDefAttrDefaultsUnchanged(old_op, new_op));
  }
  return 0;
}
