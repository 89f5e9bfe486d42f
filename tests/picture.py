"""Takes the picture of README: a note of the sample collection, wide and on a phone, light and dark.

The fonts of one machine are not those of another, so pictures are not compared: what they show has a digest, which is
kept beside them, and `tests/test_docs.py` tells when it is another.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
from typing import Any

from PIL import Image
from running import PROJECT

PAGE = PROJECT / "site/spec-rl/notes/04_ReSpec_2510.26475.html"
FOLDER = PROJECT / ".github/readme"
DIGEST = FOLDER / "shown.sha256"
VIEWS = (("?lang=both", 1000), ("?lang=en#formulas", 380))
"""What is shown side by side, and how wide, in CSS pixels."""
HEIGHT, GAP, SCALE = 700, 20, 1.5
NO_EMOJI = """for (const link of document.querySelectorAll('header a'))
  link.innerHTML = link.innerHTML.replace(/\\p{Emoji_Presentation}/gu, '')"""
"""Few servers have a font for them."""


def shown() -> str:
    """The digest of what decides how the page looks: its texts and styles. Scripts and metadata are not looked at."""
    page = re.sub(r"(?s)<script\b.*?</script>|<meta\b[^>]*>", "", PAGE.read_text("utf-8"))
    return hashlib.sha256(page.encode()).hexdigest()


def take(browser: Any, scheme: str) -> Image.Image:
    """The views beside each other."""
    picture = Image.new("RGBA", (0, int(HEIGHT * SCALE)))
    for address, width in VIEWS:
        page = browser.new_page(
            viewport={"width": width, "height": HEIGHT}, color_scheme=scheme, device_scale_factor=SCALE
        )
        page.goto(PAGE.as_uri() + address)
        page.evaluate(NO_EMOJI)
        page.add_style_tag(content="body { outline: 1px solid #8886; outline-offset: -1px }")
        view = Image.open(io.BytesIO(page.screenshot()))
        left = picture.width + int(GAP * SCALE) * bool(picture.width)
        wider = Image.new("RGBA", (left + view.width, view.height))
        wider.paste(picture, (0, 0))
        wider.paste(view, (left, 0))
        picture = wider
        page.close()
    return picture


def main() -> None:
    """Take both, and keep the digest beside them."""
    from playwright.sync_api import sync_playwright  # `make test-oldest` has none

    FOLDER.mkdir(exist_ok=True)
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"]
        )
        for scheme in ("light", "dark"):
            take(browser, scheme).save(FOLDER / f"note-{scheme}.webp", quality=82, method=6)
        browser.close()
    DIGEST.write_text(f"{shown()}\n", "utf-8")


if __name__ == "__main__":
    main()
