"""The addresses that are requested through a proxy of the environment, and those that are requested directly."""

from __future__ import annotations

import pytest

from opspec_lint.github.api import Api

PROXY = "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("url", "no", "is_direct"),
    [
        ("https://api.github.com/x", None, False),
        ("https://api.github.com/x", "", False),
        ("https://api.github.com/x", "*", True),
        ("https://api.github.com/x", "github.com", True),
        ("https://api.github.com/x", "other.org, .github.com", True),
        ("https://api.github.com/x", "*.github.com", True),
        ("https://api.github.com/x", "hub.com", False),
        ("https://api.github.com/x", "api.github.com.org", False),
        ("http://localhost:8080/x", None, True),
        ("http://127.0.0.1/x", None, True),
        ("http://127.0.0.1.org/x", None, False),
    ],
)
def test_what_is_near_or_excepted_is_queried_directly(url, no, is_direct):
    proxies = {"http": PROXY, "https": PROXY} | ({} if no is None else {"no": no})
    opener = Api(root="https://api.github.com", token="t", proxies=proxies)._opener(url)  # noqa: S106
    used = {scheme for handler in opener.handlers for scheme in getattr(handler, "proxies", {})}
    assert used == (set() if is_direct else {"http", "https"})
