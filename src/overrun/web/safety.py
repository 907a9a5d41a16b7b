"""What every request and response goes through: who may write, how much, and what a page may load."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_REQUEST = 1_000_000
"""Bytes; a situation has a few thousand, a log of one overrun some hundred thousand."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": with it browsers send "Origin: null" with forms, and the same-origin check needs the origin.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
WRITES = {"POST", "PUT", "PATCH", "DELETE"}
LOCAL = ("localhost", "127.0.0.1", "[::1]")


class Guard:
    """Refuses requests of other sites and names, and too large ones; adds the headers of safety to each response.

    `hosts` are the names under which the app may be reached, or empty for any. A page of another site cannot write
    here: browsers name the origin of a write, and it must be this app's own.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app, self.hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers, length = Headers(scope=scope), 0

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    out.setdefault(name, value)
                out.setdefault("Cache-Control", "no-store")
            await send(message)

        async def counted() -> Message:
            nonlocal length
            message = await receive()
            length += len(message.get("body", b""))
            if length > LARGEST_REQUEST:
                # An HTTPException passes through whatever reads the body; the app makes a page or JSON of it.
                raise HTTPException(413, f"this request is larger than {LARGEST_REQUEST:,} bytes")
            return message

        if refusal := self._refusal(scope["method"], headers):
            await refusal(scope, receive, send_safely)
            return
        await self.app(scope, counted, send_safely)

    def _refusal(self, method: str, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if self.hosts and name_of(host) not in self.hosts:
            return PlainTextResponse(f"This app is not reached under the name {name_of(host)!r}.\n", 421)
        if method in WRITES and not same_origin(headers, host):
            return PlainTextResponse("Only the app's own pages may change anything here.\n", 403)
        announced = headers.get("content-length", "0")
        if announced.isascii() and announced.isdecimal() and int(announced) > LARGEST_REQUEST:
            return too_much()
        return None


def too_much() -> PlainTextResponse:
    """The refusal of a request that is too large."""
    return PlainTextResponse(f"This request is larger than {LARGEST_REQUEST:,} bytes.\n", 413)


def name_of(host: str) -> str:
    """A host without its port."""
    name, _, port = host.rpartition(":")
    return (name if name and port.isdecimal() else host).lower()


def same_origin(headers: Headers, host: str) -> bool:
    """Does a write come from a page of this app, or from a program that is no browser?"""
    origin = headers.get("origin") or headers.get("referer")
    if origin is not None:
        return urlsplit(origin).netloc == host
    return headers.get("sec-fetch-site", "none") in {"same-origin", "none"}
