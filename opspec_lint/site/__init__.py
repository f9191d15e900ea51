"""The site of all ops: in which releases each is, with which arguments, and where a model that uses it loads."""
