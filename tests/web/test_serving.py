"""The socket that the app listens on."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

from overrun.web.serving import listen


def test_answers_are_sent_without_delay() -> None:
    # Else the body of each answer waits until the browser has confirmed the head, which it puts off for 40 ms.
    async def visited() -> int:
        seen: asyncio.Queue[int] = asyncio.Queue()

        def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            here = writer.get_extra_info("socket")
            seen.put_nowait(here.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = listen("127.0.0.1", 0)
        async with await asyncio.start_server(met, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return await seen.get()

    # The browser of other tests may keep a loop of its own in this thread.
    with ThreadPoolExecutor() as thread:
        assert thread.submit(lambda: asyncio.run(visited())).result(30)
