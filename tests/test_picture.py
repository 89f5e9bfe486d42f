"""The picture of README shows what the pages look like now."""

from __future__ import annotations

import picture
import pytest
from PIL import Image
from running import PROJECT


def test_the_picture_was_taken_of_the_page_as_it_is() -> None:
    assert picture.DIGEST.read_text("utf-8") == f"{picture.shown()}\n", "run `make picture`"


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_readme_shows_it_light_and_dark(name: str) -> None:
    text = (PROJECT / name).read_text("utf-8")
    sizes = set()
    for scheme in ("light", "dark"):
        path = picture.FOLDER / f"note-{scheme}.webp"
        assert f'="{path.relative_to(PROJECT)}"' in text
        with Image.open(path) as image:
            sizes.add(image.size)
    assert len(sizes) == 1


def test_what_is_not_seen_does_not_count(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    def digest(html: str) -> str:
        (tmp_path / "page.html").write_text(html, "utf-8")
        monkeypatch.setattr(picture, "PAGE", tmp_path / "page.html")
        return picture.shown()

    seen = digest("<meta a><style>p{}</style><script>1</script><p>x")
    assert digest("<meta b><style>p{}</style><script>2\n</script><p>x") == seen
    assert len({seen, digest("<style>q{}</style><p>x"), digest("<meta a><style>p{}</style><p>y")}) == 3
