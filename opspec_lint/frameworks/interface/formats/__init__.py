"""What interfaces are read from: one module a format."""
