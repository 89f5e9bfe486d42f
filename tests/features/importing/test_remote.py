"""Pictures of other sites come along on request, and nobody's own network is asked for one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from fake_outside import Answer, FakeOutside
from running import paper_notes, write

from paper_notes.diagnostics import UserError
from paper_notes.features.importing.commands.requested_files import addresses_in
from paper_notes.features.papers.downloads import download_picture
from paper_notes.features.papers.web import Web

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001"
    "5a6f2d7c0000000049454e44ae426082"
)
SITE = {
    "mine/notes_src/site.yaml": "title: Notes\nlanguages: [en]\ntopics: [old]\n",
    "mine/notes_src/old/topic.yaml": "title: Old\n",
    "theirs/a.md": "# A\n\n![a plot](https://pictures.example/x/plot.png?size=2)\n",
    "theirs/b.html": "<title>B</title><h1>B</h1><p><img src='//pictures.example/b.png' alt='bee'></p>",
}


def test_addresses_are_found_in_markdown_and_html() -> None:
    text = (
        '![a](https://x.org/a.png "t") [no](https://x.org/b.png) <img alt=c src=//x.org/c.png?a=1&amp;b=2> ![l](l.png)'
    )
    assert addresses_in(text) == ("https://x.org/a.png", "//x.org/c.png?a=1&b=2")


def test_pictures_of_other_sites_become_figures_on_request(
    outside: FakeOutside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, SITE)
    outside.page.says(Answer(PNG, headers={"Content-Type": "image/png"}))
    monkeypatch.setenv("PAPER_NOTES_PICTURES_URL", outside.page.url)
    done = paper_notes("import", tmp_path / "theirs", "--offline", "--download", "--root", tmp_path / "mine")
    assert done.exit_code == 0, done.output
    assert sorted(question.path.rpartition("/")[2] for question in outside.page.questions) == ["b.png", "plot.png"]
    files = {path.name: path.read_bytes() for path in (tmp_path / "mine/notes_src").rglob("*.png")}
    assert len(files) == 2
    assert set(files.values()) == {PNG}
    assert "remote-image" not in done.stderr


def test_a_picture_that_cannot_be_had_stays_a_link(
    outside: FakeOutside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, SITE)
    outside.page.says(Answer(b"<html>not here</html>", 404))
    monkeypatch.setenv("PAPER_NOTES_PICTURES_URL", outside.page.url)
    done = paper_notes("import", tmp_path / "theirs", "--offline", "--download", "--root", tmp_path / "mine")
    assert done.exit_code == 0, done.output
    assert "answered 404" in done.stderr
    assert (
        "](https://pictures.example/x/plot.png?size=2)" in (tmp_path / "mine/notes_src/theirs/01_a/en.md").read_text()
    )


@pytest.mark.parametrize("address", ["https://[/a.png", "https://x\u2100y/a.png", "https:///a.png"])
def test_what_is_no_address_is_not_asked(address: str) -> None:
    with closing(Web()) as web, pytest.raises(UserError, match="is not a web address"):
        download_picture(web, address)


@pytest.mark.parametrize("host", ["127.0.0.1", "192.168.0.7", "169.254.169.254"])
def test_no_address_of_ones_own_network_is_asked(host: str) -> None:
    with closing(Web()) as web, pytest.raises(UserError, match=rf"^{host} is in your own network \({host}\)$"):
        download_picture(web, f"http://{host}/secret.png")


def test_a_name_that_means_this_machine_only_once_it_is_asked_gets_nothing(outside: FakeOutside) -> None:
    address = outside.page.url.replace("127.0.0.1", "localhost")
    with closing(Web(resolve=lambda host: ("93.184.215.14",))) as web, pytest.raises(UserError, match="own network"):
        download_picture(web, f"{address}/secret.png")
    assert outside.page.questions == []
