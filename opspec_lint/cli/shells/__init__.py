"""The shells that complete, one a module: each offers `SUMMARY`, where its script goes, and `render(program)`."""
