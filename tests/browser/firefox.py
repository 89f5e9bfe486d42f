"""A Firefox without a window, driven over WebDriver BiDi: https://www.w3.org/TR/webdriver-bidi/."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from pages import SECONDS
from websockets.sync.client import ClientConnection, connect

PREFERENCES: dict[str, object] = {
    "app.normandy.enabled": False,
    "browser.newtab.preload": False,
    "browser.newtabpage.enabled": False,
    "browser.search.update": False,
    "browser.startup.homepage": "about:blank",
    "browser.startup.page": 0,
    "datareporting.healthreport.uploadEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "nimbus.rollouts.enabled": False,
    "services.settings.server": "data:,",
    "layout.css.prefers-color-scheme.content-override": 1,
    "ui.allPointerCapabilities": 6,
    "ui.primaryPointerCapabilities": 6,
}
"""Firefox by itself asks the network for nothing, shows no page of its own, prefers light pages, and has a mouse."""
_LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_COMING_IN = re.compile(r"Invalid markup: Incorrect number of children for <m\w+/> tag\.$")
"""Said of a formula that is drawn before all of it has come in, as on a busy machine: it is well when it has."""

_MIDDLE = """selector => {
  const shows = one => one.getClientRects().length && getComputedStyle(one).visibility == 'visible';
  const found = [...document.querySelectorAll(selector)].find(shows);
  if (!found) return null;  // as until fonts have come in
  const {top, bottom} = found.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) found.scrollIntoView({block: 'center', behavior: 'instant'});
  const box = found.getClientRects()[0];
  return {x: Math.round(box.left + box.width / 2), y: Math.round(box.top + box.height / 2)};
}"""
_PRESS: list[dict[str, Any]] = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]


@dataclass
class Firefox:
    """One tab. `wrong` is what its pages did that no page may do."""

    socket: ClientConnection
    wrong: list[str] = field(default_factory=list)
    _tab: str = ""
    _ids: Iterator[int] = field(default_factory=count)

    def start(self) -> None:
        self.send("session.new", capabilities={})
        self._tab = self.send("browsingContext.create", type="window")["context"]
        self.send("browsingContext.activate", context=self._tab)  # the window it starts with never has the focus
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Let Firefox do something, and wait until it has done it."""
        own = next(self._ids)
        self.socket.send(json.dumps({"id": own, "method": method, "params": parameters}))
        while (told := json.loads(self.socket.recv(SECONDS))).get("id") != own:
            self._event(told["method"], told["params"])
        assert told["type"] == "success", f"{method}: {told}"
        result: dict[str, Any] = told["result"]
        return result

    def _event(self, method: str, told: dict[str, Any]) -> None:
        if method == "log.entryAdded" and told["level"] in ("error", "warn") and not _COMING_IN.search(told["text"]):
            self.wrong.append(f"says {told['text'][:300]}")
        if method == "network.beforeRequestSent" and not told["request"]["url"].startswith(("data:", "file:")):
            self.wrong.append(f"asks for {told['request']['url'][:200]}")

    def open(self, address: str, *, width: int = 1280, height: int = 900) -> None:
        """Show a page, and wait until it is loaded."""
        viewport = {"width": width, "height": height}
        self.send("browsingContext.setViewport", context=self._tab, viewport=viewport)
        self.send("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def run(self, function: str, *arguments: object) -> Any:
        """What a function of JavaScript gives back for arguments that are JSON, as their result is."""
        body = f"async () => JSON.stringify(await ({function})(...{json.dumps(arguments)})) ?? 'null'"
        told = self.send(
            "script.callFunction",
            functionDeclaration=body,
            target={"context": self._tab},
            awaitPromise=True,
            userActivation=True,
        )
        assert told["type"] == "success", told["exceptionDetails"]["text"]
        return json.loads(told["result"]["value"])

    def wait(self, condition: str) -> None:
        """Until a function is true. It is asked from here: a page that is left answers nothing any more."""
        end = monotonic() + SECONDS
        while not self.run(f"async () => Boolean(await ({condition})())"):
            assert monotonic() < end, f"never true: {condition}"
            sleep(0.02)

    def point(self, selector: str, *, click: bool = False) -> None:
        """Move the mouse to the middle of the first visible element of a selector, which scrolls into view."""
        before: Any = None
        while before != (before := self._middle(selector)):
            self._act({"type": "pointer"}, [{"type": "pointerMove", **before}])
        if click:
            self._act({"type": "pointer"}, _PRESS)

    def tap(self, selector: str) -> None:
        """Touch the middle of the first visible element of a selector, which scrolls into view."""
        finger = {"type": "pointer", "parameters": {"pointerType": "touch"}}
        self._act(finger, [{"type": "pointerMove", **self._middle(selector)}, *_PRESS])

    def _middle(self, selector: str) -> dict[str, int]:
        """Where an element is, once it is seen and stays there: nothing can be pressed before fonts have come in."""
        end, before = monotonic() + SECONDS, None
        while (middle := self.run(_MIDDLE, selector)) is None or middle != before:
            assert monotonic() < end, f"never seen, or never still: {selector}"
            before = middle
        return dict(middle)

    def type(self, keys: str) -> None:
        """Press keys, one after the other; those without a letter have code points of their own in WebDriver."""
        self._act({"type": "key"}, [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")])

    def _act(self, device: dict[str, Any], actions: list[dict[str, Any]]) -> None:
        sources = [{"id": json.dumps(device), **device, "actions": actions}]
        self.send("input.performActions", context=self._tab, actions=sources)

    def printed(self, *ranges: str) -> bytes:
        """Pages of the PDF of what is shown, on A4: `printed("1-2")`."""
        paper = {"width": 21.0, "height": 29.7}
        told = self.send("browsingContext.print", context=self._tab, page=paper, pageRanges=ranges)
        return base64.b64decode(told["data"])


def _address(running: subprocess.Popen[bytes], said: Path) -> str:
    """Where it listens, which it says when it does."""
    end = monotonic() + SECONDS
    while not (found := _LISTENING.search(said.read_text("utf-8", "replace"))):
        assert running.poll() is None, f"Firefox ended: {said.read_text('utf-8', 'replace')}"
        assert monotonic() < end, f"Firefox does not listen: {said.read_text('utf-8', 'replace')}"
        sleep(0.05)
    return found[1]


@contextmanager
def firefox(program: str, profile: Path) -> Iterator[Firefox]:
    """A Firefox with a new profile, in an empty folder; it is stopped afterwards."""
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (profile / "user.js").write_text("".join(lines), "utf-8")
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with (profile / "said.txt").open("w", encoding="utf-8") as said:
        running = subprocess.Popen(command, stdout=said, stderr=said)
        try:
            address = _address(running, profile / "said.txt")
            with connect(f"{address}/session", max_size=None, compression=None, proxy=None) as socket:
                browser = Firefox(socket)
                browser.start()
                yield browser
        finally:
            running.terminate()
            running.wait(SECONDS)
