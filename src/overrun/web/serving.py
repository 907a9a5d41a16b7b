"""Running the app: where it listens, where its sessions lie, and the browser that is opened on it."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import uvicorn

from overrun.kernel import InputError, Problem
from overrun.web.app import create
from overrun.web.safety import LOCAL


def run(host: str, port: int, database: Path | None, *, browser: bool, limit: float) -> None:
    """Serve until it is stopped. Raises `InputError` when it cannot listen there, or cannot keep sessions."""
    file = database or default_database()
    listening = listen(host, port)
    app = create(file, hosts=names(host), limit=limit)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    print(f"Overrun is at {address}  (Ctrl+C ends it)", flush=True)
    print(f"Sessions are kept in {file}", flush=True)
    if not is_loopback(host):
        print("Others can reach it: everybody who can may read and answer every session.", file=sys.stderr, flush=True)
    if browser:
        threading.Timer(0.8, webbrowser.open, args=(address,)).start()
    settings = uvicorn.Config(app, log_level="warning", server_header=False, access_log=False)
    uvicorn.Server(settings).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises `InputError`."""
    try:
        kind = socket.AF_INET6 if ":" in host else socket.AF_INET
        # The protocol is named, for asyncio sends without delay only on sockets that say that they are TCP: else each
        # answer waits some 40 ms for the other side to confirm its head.
        listening = socket.socket(kind, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name != "nt":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError([Problem(f"{host}:{port}", f"the app cannot listen there: {reason}", "--port N")]) from error
    return listening


def is_loopback(host: str) -> bool:
    """Does this name this machine alone?"""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def names(host: str) -> tuple[str, ...]:
    """The names under which the app may be reached; any name once others may reach it."""
    return LOCAL if is_loopback(host) else ()


def default_database() -> Path:
    """The file of sessions in the user's own data folder, as each system has it."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "overrun" / "sessions.db"
