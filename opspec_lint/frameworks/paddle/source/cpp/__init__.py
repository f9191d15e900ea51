"""C++ as far as op declarations need it: preprocessor, tokens, expressions, small functions."""
