"""Readers of the ops that C++ registers: registrations, maker classes, attr checkers and op versions."""
