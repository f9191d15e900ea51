"""The constructors of the facts that a comparison of two specs can yield, by what they are about."""
