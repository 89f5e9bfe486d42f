"""Pictures are decoded before they are published: what is whole passes, what is cut off or damaged does not."""

from __future__ import annotations

import pytest
from making_pictures import picture

from paper_notes.markdown.figures import pixels as decoding
from paper_notes.markdown.figures.pixels import damage, found_damage

KINDS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF")


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_whole_or_not(kind: str) -> None:
    data = picture(kind)
    assert found_damage(data, kind) == ""
    assert found_damage(data + bytes(1_000), kind) == ""
    for part in (0.3, 0.6, 0.9):
        assert found_damage(data[: int(len(data) * part)], kind), part
    assert found_damage(data[:20] + b"rubbish" * 200, kind)
    assert found_damage(picture("PNG" if kind != "PNG" else "GIF"), kind) == "is damaged"


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_an_animation_is_looked_at_to_its_end(kind: str) -> None:
    data = picture(kind, frames=5)
    assert found_damage(data, kind) == ""
    assert found_damage(data[: len(data) // 2], kind)


@pytest.mark.nightly
def test_the_work_is_done_in_a_process_with_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert damage(picture("PNG"), "image/png") == ""
    assert damage(picture("PNG")[:200], "image/png") == "ends too early"
    monkeypatch.setattr(decoding, "_LIMITS", decoding.Limits("few pictures", memory=1_000))
    assert damage(picture("PNG", 2_000), "image/png") == "", "nobody could try"
