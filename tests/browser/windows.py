"""Windows that the tests of a worker use one after the other: to open one costs more than the pages shown in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request

Allowed = Callable[[Request], bool]
_STOPPED = "violates the following Content Security Policy"
"""Said as information where the policy is only to be reported about."""
EMPTY = "/empty.html"
"""A page without anything, of the server for windows that remember."""
FORGETFUL = """(() => {
  let kept = new Map();
  const storage = {
    getItem: key => kept.get(`${key}`) ?? null, setItem: (key, value) => void kept.set(`${key}`, `${value}`),
    removeItem: key => void kept.delete(`${key}`), clear: () => void kept.clear(),
    key: place => [...kept.keys()][place] ?? null, get length() { return kept.size },
  };
  Object.defineProperty(window, 'localStorage', {value: storage, configurable: true});
})()"""
"""What a page stores is gone with the page, so that no test sees what another has chosen."""


def cannot(reason: str) -> NoReturn:
    """Skip the test on a machine that lacks something; in CI, where nothing may be lacking, fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@dataclass
class Windows:
    """One browser. `wrong` is what its pages did since a test began that no page may do."""

    browser: Browser
    wrong: list[str] = field(default_factory=list)
    _allowed: Allowed = field(default=lambda _: True)
    _free: dict[str, list[Page]] = field(default_factory=dict)
    _taken: list[tuple[str, Page]] = field(default_factory=list)
    _own: list[BrowserContext] = field(default_factory=list)
    _remembering: list[BrowserContext] = field(default_factory=list)

    @contextmanager
    def watched(self, allowed: Allowed) -> Iterator[Windows]:
        """Windows for one test, whose pages may request what is `allowed`."""
        self.wrong.clear()
        self._allowed = allowed
        try:
            yield self
        finally:
            for key, page in self._taken:
                if page.context in self._remembering and not self._forget(page):
                    continue
                self._free.setdefault(key, []).append(page)
            for context in self._own:
                context.close()
            self._taken, self._own = [], []

    def open(
        self,
        *,
        width: int = 1280,
        height: int = 900,
        color_scheme: str = "light",
        remembers: bool = False,
        alone: bool = False,
        **options: Any,
    ) -> Page:
        """An empty window, which may remember what its pages store, and be one that nobody has after this test."""
        size: Any = {"width": width, "height": height}
        if alone:
            context = self._context(viewport=size, color_scheme=color_scheme, **options)
            self._own.append(context)
            return context.new_page()
        key = repr([remembers, *sorted(options.items())])
        free = [page for page in self._free.pop(key, []) if not page.is_closed()]
        if free:
            page = free.pop()
            page.goto("about:blank")  # Chromium takes seconds to lay out a page of ours anew that has another width
            page.set_viewport_size(size)
            page.mouse.move(0, 0)
        else:
            context = self._context(viewport=size, **options)
            if remembers:
                self._remembering.append(context)
            else:
                context.add_init_script(FORGETFUL)
            page = context.new_page()
        self._free[key] = free
        self._taken.append((key, page))
        scheme: Any = color_scheme
        page.emulate_media(media="null", color_scheme=scheme, reduced_motion="no-preference")
        return page

    def _forget(self, page: Page) -> bool:
        """Empty what is stored, on a page of the same server that has no script to write more.

        A window that shows a page from disk is closed instead: False.
        """
        if not page.url.startswith("http"):
            self._remembering.remove(page.context)
            page.context.close()
            return False
        for tab in page.context.pages:
            if tab != page:
                tab.close()
        page.goto(urljoin(page.url, EMPTY))
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        return True

    def _context(self, **options: Any) -> BrowserContext:
        context = self.browser.new_context(**options)
        context.set_default_timeout(60_000)
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.wrong.append(f"fails: {error.error}"))
        context.on("dialog", self._dialog)
        return context

    def _request(self, request: Request) -> None:
        if not request.url.startswith("data:") and not self._allowed(request):
            self.wrong.append(f"asks for {request.url[:200]}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") or _STOPPED in message.text:
            self.wrong.append(f"says {message.text[:300]}")

    def _dialog(self, dialog: Dialog) -> None:
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@contextmanager
def starting(page: Page, script: str) -> Iterator[None]:
    """Pages that the window goes to inside of the block begin with a script of the test."""
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    try:
        yield
    finally:
        session.detach()
