"""`paper-notes lsp`, spoken to by a client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from running import paper_notes, write

if os.environ.get("CI") != "true" or ".venv-oldest" in sys.prefix:
    pytest.importorskip("pygls", reason="the extra; the oldest versions lack it")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

ONE, YAML = "notes_src/t/01_First/en.md", "notes_src/t/01_First/note.yaml"
FILES = {
    "notes_src/site.yaml": "title: T\nlanguages: [en]\ntopics: [t]\n",
    "notes_src/t/topic.yaml": "title: Topic\n",
    "notes_src/a.bib": "@misc{li2025, title={On acceptance}, author={Li, Ann}, year=2025}\n",
    YAML: "title: First\nkind: paper\npapers: [li2025]\n",
    ONE: "Text.\n",
}


class Editor(LanguageClient):
    """An editor with one text, and what it was told of it."""

    def __init__(self, root: Path) -> None:
        super().__init__("editor", "1")
        self.uri, self.version = (root / ONE).as_uri(), 1
        self.told: dict[str, list[types.PublishDiagnosticsParams]] = {}
        self.messages: list[str] = []

    @property
    def this(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def write(self, text: str) -> None:
        self.version += 1
        named = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(named, [change]))

    async def until(self, wanted: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """What is said of the text, once that is so."""
        while True:
            said = self.told.get(self.uri, [])
            if said and wanted(list(said[-1].diagnostics)):
                return list(said[-1].diagnostics)
            await asyncio.sleep(0.01)


def edited(root: Path, work: Callable[[Editor], Awaitable[None]]) -> None:
    """Let an editor work with the collection. In a thread of its own: in that of the tests a loop may be running."""

    async def run() -> None:
        editor = Editor(root)

        @editor.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def told(said: types.PublishDiagnosticsParams) -> None:
            editor.told.setdefault(said.uri, []).append(said)

        @editor.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(message: types.ShowMessageParams) -> None:
            editor.messages.append(message.message)

        await editor.start_io(sys.executable, "-m", "paper_notes", "--in", "en", "lsp", "--root", str(root))
        await editor.initialize_async(types.InitializeParams(types.ClientCapabilities(), root_uri=root.as_uri()))
        editor.initialized(types.InitializedParams())
        text = (root / ONE).read_text("utf-8")
        opened = types.TextDocumentItem(editor.uri, "markdown", editor.version, text)
        editor.text_document_did_open(types.DidOpenTextDocumentParams(opened))
        await work(editor)
        await editor.shutdown_async(None)
        editor.exit(None)
        await editor.stop()
        assert editor.messages == []

    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, asyncio.wait_for(run(), 60)).result()


def marked(text: str, finding: types.Diagnostic) -> str:
    """The words of the text that a finding marks, by the UTF-16 units that the protocol counts."""
    line = text.split("\n")[finding.range.start.line].encode("utf-16-le")
    return line[finding.range.start.character * 2 : finding.range.end.character * 2].decode("utf-16-le")


def test_an_editor_shows_mistakes_of_texts_that_are_not_saved_completes_leads_and_repairs(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)

    async def work(editor: Editor) -> None:
        assert await editor.until(lambda said: not said) == []
        text = "𝒳 [@li2025] and [@li2O25]; 见 [[#7]]\n\n## A\n\ntext\n\n### B\n\n## C\n"
        editor.write(text)
        found = await editor.until(bool)
        assert [(finding.code, marked(text, finding)) for finding in found] == [
            ("unknown-bibkey", "li2O25"),
            ("dangling-reference", "#7"),
        ]
        assert found[0].message.startswith('no entry "li2O25" in the .bib files\ndid you mean "li2025"?')
        where = types.Position(0, 6)
        hover: Any = await editor.text_document_hover_async(types.HoverParams(editor.this, where))
        assert hover.contents.value.startswith("**On acceptance**")
        entry: Any = await editor.text_document_definition_async(types.DefinitionParams(editor.this, where))
        assert (entry.uri, entry.range.start.line) == ((root / "notes_src/a.bib").as_uri(), 0)
        context = types.CodeActionContext(found[:1])
        actions: Any = await editor.text_document_code_action_async(
            types.CodeActionParams(editor.this, found[0].range, context)
        )
        (action,) = actions
        (change,) = action.edit.changes[editor.uri]
        assert (action.title, change.new_text, change.range) == ("write this instead: li2025", "li2025", found[0].range)
        symbols: Any = await editor.text_document_document_symbol_async(types.DocumentSymbolParams(editor.this))
        assert [(one.name, [below.name for below in one.children]) for one in symbols] == [("A", ["B"]), ("C", [])]
        asked = types.ReferenceParams(types.ReferenceContext(include_declaration=False), editor.this, where)
        places: Any = ()
        while not places:  # until the whole collection has been read again
            places = await editor.text_document_references_async(asked)
        assert [(place.uri, place.range.start.character) for place in places] == [(editor.uri, 5)]

    edited(root, work)
    assert (root / ONE).read_text() == "Text.\n"


def test_what_is_wrong_in_other_files_is_said_of_them_and_taken_back(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)

    async def work(editor: Editor) -> None:
        await editor.until(lambda said: not said)
        facts = (root / YAML).as_uri()
        text = types.TextDocumentItem(facts, "yaml", 1, "title: First\nkind: paper\npapers: [li2024]\n")
        editor.text_document_did_open(types.DidOpenTextDocumentParams(text))
        while not editor.told.get(facts) or not editor.told[facts][-1].diagnostics:
            await asyncio.sleep(0.01)
        (finding,) = editor.told[facts][-1].diagnostics
        assert (finding.code, finding.range.start) == ("unknown-bibkey", types.Position(2, 9))
        wanted = types.CompletionParams(types.TextDocumentIdentifier(facts), types.Position(2, 11))
        offered: Any = await editor.text_document_completion_async(wanted)
        assert [(item.label, item.text_edit.new_text) for item in offered.items] == [("li2025", "li2025")]
        editor.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(facts)))
        while editor.told[facts][-1].diagnostics:
            await asyncio.sleep(0.01)

    edited(root, work)


def test_a_collection_behind_a_link_is_the_same_and_drafts_are_looked_at(tmp_path: Path) -> None:
    draft = {YAML: "title: First\nkind: note\ndraft: true\n", ONE: "See [[#98]].\n"}
    write(tmp_path / "real", {**FILES, **draft})
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)

    async def work(editor: Editor) -> None:
        (finding,) = await editor.until(bool)
        assert (finding.code, finding.severity) == ("dangling-reference", types.DiagnosticSeverity.Warning)
        editor.write("See [[#97]].\n")
        assert "#97" in (await editor.until(lambda said: "#97" in said[0].message if said else False))[0].message

    edited(tmp_path / "link", work)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = paper_notes("lsp", "--root", tmp_path)
    assert (done.exit_code, "needs the library pygls" in done.stderr) == (1, True)
