"""The ops that sources declare: in native_functions.yaml, by registrations in C++, by `torch.library` in Python."""
