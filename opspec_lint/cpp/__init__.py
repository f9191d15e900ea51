"""A reader of C++: preprocessor, tokens, types, constant expressions, the statements of small functions."""
