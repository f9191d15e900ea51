"""Minimal client of GitHub's REST API: JSON in, JSON out, bounded in time and size, without redirects.

The token is sent to the API's own address alone. A redirect is an error: the event names the repository, and following
a redirect would send the token to whatever address it names.
"""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from time import sleep
from urllib.parse import urljoin, urlsplit

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from email.message import Message
    from http.client import HTTPResponse
    from typing import Any, TypeVar

    _T = TypeVar("_T")

REPOSITORY = pattern(r"[\w.-]+/[\w.-]+", "a")
"""A repository, as "owner/name"."""

_TIMEOUT = 10
"""Seconds that a connection may be silent."""
_PATIENCE = 10
"""Longest `Retry-After`, in seconds, that is waited for, once."""
_LARGEST = 32 * 1024 * 1024
"""Bytes of an answer; a page of a hundred comments has at most 6.5 million characters."""
_PAGES = 30
"""Of a hundred items."""
_PARAMETER = r"""\s*;\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"([^"\\]*)"|([^\s",;<>]+)))?"""
_LINK = pattern(rf"\s*<([^<>]*)>((?:{_PARAMETER})*)\s*(?:,|$)")
"""A link of the header of that name, as RFC 8288 writes it, without escapes in quotes."""
_LOOPBACK = pattern(r"localhost|127(?:\.\d{1,3}){3}|::1")
_PROXIES = ("http", "https", "no")


class ApiError(Exception):
    """A failed call of the API: a message for people, and the status, None if no answer came."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class Answer(Record):
    """An answer: the decoded JSON, and the address of the next page."""

    value: Any
    next_page: str | None


class Api(Record):
    """An API: its address, such as https://api.github.com, a token for it, and the proxies of the environment."""

    root: str
    token: str
    proxies: Mapping[str, str] = {}

    def call(self, method: str, address: str, body: dict[str, Any] | None = None) -> Answer:
        """Send a request, and repeat it once if the API names a short time to wait.

        Args:
            method: GET, POST or PATCH.
            address: a path below the root, or the whole address of a next page.
            body: the value to send as JSON.

        Raises:
            ApiError: the API cannot be reached, refuses, redirects, or does not answer in JSON.
        """
        # An answer names the next page, so its address is not trusted: it could lead to another host.
        url = address if "://" in address else self.root.rstrip("/") + address
        target, own = urlsplit(url), urlsplit(self.root)
        if not is_safe(self.root) or (target.scheme, target.netloc) != (own.scheme, own.netloc):
            raise ApiError("the token may not be sent to this API address")
        # A line break in a header value would let a token that somebody sets inject further headers.
        if not (self.token and self.token.isascii() and self.token.isprintable()):
            raise ApiError("there is no token, or it is not a GitHub token")
        try:
            return self._request(method, url, body)
        except urllib.error.HTTPError as refusal:
            seconds = _pause(refusal.code, refusal.headers)
            if seconds is None:
                raise _refusal_error(refusal) from None
        sleep(seconds)
        try:
            return self._request(method, url, body)
        except urllib.error.HTTPError as refusal:
            raise _refusal_error(refusal) from None

    def pages(self, address: str, what: str) -> Iterator[Any]:
        """Yield the items of a list, page by page.

        Args:
            address: the path of the first page below the root.
            what: the plural of the items, for messages.

        Raises:
            ApiError: a page cannot be loaded or is no list, or there are too many.
        """
        page = address
        for _ in range(_PAGES):
            answer = self.call("GET", page)
            if not isinstance(answer.value, list):
                raise ApiError(f"the API's answer is not a list of {what}")
            yield from answer.value
            if answer.next_page is None:
                return
            page = answer.next_page
        raise ApiError(f"the pull request has more than {_PAGES * 100:,} {what}")

    def _request(self, method: str, url: str, body: dict[str, Any] | None) -> Answer:
        """Send one request and return the answer; raise HTTPError for a refusal, ApiError for any other failure."""
        request = urllib.request.Request(  # noqa: S310 - `is_safe` has checked the scheme
            url,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Accept": "application/vnd.github+json",
                "Content-Type": "application/json",
                "User-Agent": "opspec-lint",
                "X-GitHub-Api-Version": "2022-11-28",
            },
        )
        # urllib drops such a header at a redirect; redirects are refused as well (`_NoRedirect`).
        request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        try:
            with self._opener(url).open(request, timeout=_TIMEOUT) as response:
                return _answer(response, url)
        except (urllib.error.HTTPError, ApiError):
            raise
        except urllib.error.URLError as error:
            reason = error.reason
            raise ApiError(f"the API cannot be reached: {getattr(reason, 'strerror', None) or reason}") from None
        except TimeoutError:
            raise ApiError("the API does not answer in time") from None
        except OSError as error:
            raise ApiError(f"the connection to the API broke: {error.strerror or type(error).__name__}") from None
        except Exception as error:  # http.client raises what is no OSError, such as BadStatusLine
            raise ApiError(f"the API's answer is not HTTP: {type(error).__name__}") from None

    def _opener(self, url: str) -> urllib.request.OpenerDirector:
        """Return an opener that follows no redirect, with the proxy for a host, unless `no_proxy` excepts the host."""
        host = urlsplit(url).hostname or ""
        proxies = {scheme: self.proxies[scheme] for scheme in ("http", "https") if scheme in self.proxies}
        without = [name.strip().lstrip("*.") for name in self.proxies.get("no", "").split(",")]
        is_direct = _LOOPBACK.fullmatch(host) or any(f".{host}".endswith(f".{name}") for name in without if name)
        is_direct = is_direct or self.proxies.get("no", "").strip() == "*"
        return urllib.request.build_opener(urllib.request.ProxyHandler({} if is_direct else proxies), _NoRedirect)


def in_time(work: Callable[[], _T], seconds: float) -> _T:
    """Return the result of a function that calls the API.

    Raises:
        ApiError: the function raised it, raised another exception, or took longer.
    """
    from threading import Thread

    done: list[_T] = []
    troubles = [ApiError("the API took too long")]

    def attempt() -> None:
        try:
            done.append(work())
        except ApiError as error:
            troubles.append(error)
        except Exception as error:
            troubles.append(ApiError(f"internal error: {type(error).__name__}"))

    # urllib has no timeout for the resolution of a name, nor for an answer that arrives byte by byte.
    thread = Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(seconds)
    if done:
        return done[0]
    raise troubles[-1]


def proxies_of(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the proxies of an environment: `http`, `https`, and `no`, the hosts that need none."""
    proxies = {name: environment.get(f"{name}_proxy") or environment.get(f"{name.upper()}_PROXY") for name in _PROXIES}
    return {name: value for name, value in proxies.items() if value}


def is_safe(address: str) -> bool:
    """Return whether a token may be sent to an address: over TLS, or to this machine."""
    parts = urlsplit(address)
    if "@" in parts.netloc or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _LOOPBACK.fullmatch(parts.hostname) is not None)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A handler that follows no redirect: urllib then raises the status as an error."""

    def redirect_request(self, *_: Any) -> None:
        """Return no further request."""


def _answer(response: HTTPResponse, url: str) -> Answer:
    """Return the decoded body of a response, and the address of the next page."""
    # One byte more than allowed tells a body of the greatest size from a larger one; Content-Length may be absent.
    data = response.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ApiError("the API's answer is too large")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise ApiError("the API's answer is not JSON") from None
    return Answer(value=value, next_page=_next_page(url, ", ".join(response.headers.get_all("Link") or ())))


def _next_page(url: str, links: str) -> str | None:
    """Return the address of the next page, None if this is the last.

    A header that cannot be read could hide a page, so it is an error.
    """
    next_pages, at = set(), 0
    while at < len(links):
        link = _LINK.match(links, at)
        if link is None:
            raise ApiError("the API's list of pages cannot be read")
        for name, quoted, plain in re.findall(_PARAMETER, link[2]):
            if name.lower() == "rel" and "next" in (quoted or plain).lower().split():
                next_pages.add(urljoin(url, link[1]))
        at = link.end()
    if len(next_pages) > 1:
        raise ApiError("the API's list of pages cannot be read")
    return next(iter(next_pages), None)


def _pause(status: int, headers: Message) -> float | None:
    """Return the seconds to wait before the request is repeated; None if that would be too long, or useless."""
    retry_after = (headers.get("Retry-After") or "").strip()
    # GitHub answers a secondary rate limit with 403 or 429 ("Rate limits for the REST API").
    if status not in (403, 429) or not retry_after.isdecimal() or len(retry_after) > 4 or int(retry_after) > _PATIENCE:
        return None
    return int(retry_after)


def _refusal_error(refusal: urllib.error.HTTPError) -> ApiError:
    """Return the error for a status that is no success."""
    status, headers = refusal.code, refusal.headers
    if status in (403, 429) and (headers.get("Retry-After") or headers.get("X-RateLimit-Remaining") == "0"):
        return ApiError(f"the API's rate limit is reached (status {status})", 429)
    if 300 <= status < 400:
        return ApiError(f"the API redirects elsewhere (status {status})", status)
    return ApiError(f"the API refuses (status {status})", status)
