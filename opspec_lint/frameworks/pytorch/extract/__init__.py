"""What source files declare as ops: native_functions.yaml, registrations in C++, `torch.library` in Python."""
