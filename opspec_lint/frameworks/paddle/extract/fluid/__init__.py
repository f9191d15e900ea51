"""The ops that C++ registers: registrations, makers, checkers, op versions."""
