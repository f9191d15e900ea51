"""The bindings of arguments in saved models, one module each, with the comparison that follows from each."""
