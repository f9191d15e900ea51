"""A call of an rpc_service changed.

Flags:
    A call of an `rpc_service` that was added or removed, or takes or returns another table.

Why it breaks:
    No bytes of a file change. A client that was generated from base and a server from head disagree on the call.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the call '{name}' was {old}, and is {new}",
    witness="a client of base calls '{name}' of '{op}' as {old}, which in head is {new}",
    advice="keep the call '{name}', and add one of another name",
    flagged=(
        (
            "table T { a:int; }\ntable U { a:int; }\nrpc_service S { Get(T):T; Put(T):T; }",
            "table T { a:int; }\ntable U { a:int; }\nrpc_service S { Get(T):U; Put(T):T; }",
        ),
        (
            "table T { a:int; }\nrpc_service S { Get(T):T; Put(T):T; }",
            "table T { a:int; }\nrpc_service S { Put(T):T; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }\nrpc_service S { Get(T):T; Put(T):T; }",
            "table T { a:int; }\nrpc_service S { Put(T):T; Get(T):T; }",
        ),
    ),
)
