"""`paper-notes lsp`, spoken to by a client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from running import paper_notes, write

if os.environ.get("CI") != "true" or ".venv-oldest" in sys.prefix:
    pytest.importorskip("pygls", reason="the extra; the oldest versions lack it")

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.io_ import run_async
from pygls.lsp.client import LanguageClient
from pygls.uris import to_fs_path

from paper_notes.build import build
from paper_notes.built import Build
from paper_notes.features.lsp.server import server_of
from paper_notes.markdown.sections import digest
from paper_notes.sources.tree import SourceChanged

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

    async def start(self, root: Path) -> asyncio.Task[None]:
        """A server of the collection in this process, without the command and its standard input and output."""
        server, (ours, its) = server_of(root), socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=its)
        server.protocol.set_writer(writer)  # type: ignore[arg-type]
        served = run_async(threading.Event(), reader, server.protocol, error_handler=server.report_server_error)
        reader, writer = await asyncio.open_connection(sock=ours)
        self.protocol.set_writer(writer)  # type: ignore[arg-type]
        self._async_tasks.append(asyncio.create_task(run_async(self._stop_event, reader, self.protocol)))
        return asyncio.create_task(served)

    async def until(self, wanted: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """What is said of the text, once that is so."""
        while True:
            said = self.told.get(self.uri, [])
            if said and wanted(list(said[-1].diagnostics)):
                return list(said[-1].diagnostics)
            await asyncio.sleep(0.01)


NOTHING = types.ClientCapabilities()


def edited(
    root: Path,
    work: Callable[[Editor], Awaitable[None]],
    capabilities: types.ClientCapabilities = NOTHING,
    *,
    command: bool = False,
) -> None:
    """Let an editor work with the collection, with the command if that is the point.

    In a thread of its own: in that of the tests a loop may be running.
    """

    async def run() -> None:
        editor = Editor(root)

        @editor.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def told(said: types.PublishDiagnosticsParams) -> None:
            editor.told.setdefault(said.uri, []).append(said)

        @editor.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(message: types.ShowMessageParams) -> None:
            editor.messages.append(message.message)

        if command:
            await editor.start_io(sys.executable, "-m", "paper_notes", "--in", "en", "lsp", "--root", str(root))
        else:
            served = await editor.start(root)
        await editor.initialize_async(types.InitializeParams(capabilities, root_uri=root.as_uri()))
        editor.initialized(types.InitializedParams())
        text = (root / ONE).read_text("utf-8")
        opened = types.TextDocumentItem(editor.uri, "markdown", editor.version, text)
        editor.text_document_did_open(types.DidOpenTextDocumentParams(opened))
        await work(editor)
        await editor.shutdown_async(None)
        if command:
            editor.exit(None)
            await editor.stop()
        else:
            served.cancel()
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

    edited(root, work, command=True)
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


@pytest.mark.nightly
def test_a_collection_behind_a_link_is_the_same_and_drafts_are_looked_at(tmp_path: Path) -> None:
    draft = {YAML: "title: First\nkind: note\ndraft: true\n", ONE: "See [[#98]].\n"}
    write(tmp_path / "real", {**FILES, **draft})
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)

    async def work(editor: Editor) -> None:
        (finding,) = await editor.until(bool)
        assert (finding.code, finding.severity) == ("dangling-reference", types.DiagnosticSeverity.Warning)
        editor.write("See [[#97]].\n")
        assert "#97" in (await editor.until(lambda said: "#97" in said[0].message if said else False))[0].message

    edited(tmp_path / "link", work, command=True)


MOVES = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=[types.ResourceOperationKind.Rename]
        )
    )
)


def carried_out(root: Path, edit: types.WorkspaceEdit) -> None:
    """What editors do with an edit, in their order; its texts are ASCII here."""

    def rewritten(uri: str, edits: Sequence[Any]) -> None:
        path = Path(to_fs_path(uri) or "")
        lines = path.read_text("utf-8").split("\n")
        for change in sorted(edits, key=lambda change: change.range.start, reverse=True):
            start, end = change.range.start, change.range.end
            assert start.line == end.line
            line = lines[start.line]
            lines[start.line] = line[: start.character] + change.new_text + line[end.character :]
        path.write_text("\n".join(lines), "utf-8")

    for uri, edits in (edit.changes or {}).items():
        rewritten(uri, edits)
    for change in edit.document_changes or ():
        if isinstance(change, types.RenameFile):
            Path(to_fs_path(change.old_uri) or "").rename(to_fs_path(change.new_uri) or "")
        else:
            assert isinstance(change, types.TextDocumentEdit)
            rewritten(change.text_document.uri, change.edits)


def test_papers_sections_and_notes_get_other_names_and_all_that_names_them_follows(tmp_path: Path) -> None:
    other = "notes_src/t/02_Second/"
    more = {f"{other}note.yaml": "title: Second\n", f"{other}en.md": "See [[#1#way]] and [@li2025].\n"}
    text = "## Way {#way}\n\nAs [@li2025] says, see [[#2]].\n"
    root = write(tmp_path, {**FILES, **more, ONE: text})

    async def work(editor: Editor) -> None:
        await editor.until(lambda said: not said)
        for line, column, was, now in (
            (2, 6, "li2025", "li2026"),
            (0, 9, "way", "road"),
            (2, 27, "t/02_Second", "t/05_Fifth"),
        ):
            at = types.Position(line, column)
            asked: Any = await editor.text_document_prepare_rename_async(types.PrepareRenameParams(editor.this, at))
            assert asked.placeholder == was
            edit = await editor.text_document_rename_async(types.RenameParams(editor.this, at, now))
            assert edit
            carried_out(root, edit)
            editor.write((root / ONE).read_text("utf-8"))
        nothing = types.PrepareRenameParams(editor.this, types.Position(1, 0))
        assert await editor.text_document_prepare_rename_async(nothing) is None
        at = types.Position(2, 6)
        while not await editor.text_document_prepare_rename_async(types.PrepareRenameParams(editor.this, at)):
            await asyncio.sleep(0.01)  # until the collection with the new names has been read
        taken = types.RenameParams(editor.this, at, "a b")
        with pytest.raises(JsonRpcException, match="cannot be the key of a paper\nuse letters"):
            await editor.text_document_rename_async(taken)

    edited(root, work, MOVES)
    assert (root / ONE).read_text() == "## Way {#road}\n\nAs [@li2026] says, see [[#5]].\n"
    assert (root / "notes_src/t/05_Fifth/en.md").read_text() == "See [[#1#road]] and [@li2026].\n"
    assert "aliases: [t/02_Second]" in (root / "notes_src/t/05_Fifth/note.yaml").read_text()
    assert paper_notes("check", "--root", root).exit_code == 0


def test_a_file_that_another_program_saves_while_it_is_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path, {**FILES, ONE: "See [[#9]].\n"})
    calls: list[Path] = []

    def saved_meanwhile(root: Path, **how: Any) -> Build:
        calls.append(root)
        if len(calls) < 3:
            raise SourceChanged("en.md was changed while it was being used; run the command again")
        return build(root, **how)

    monkeypatch.setattr("paper_notes.features.lsp.server.build", saved_meanwhile)

    async def work(editor: Editor) -> None:
        await editor.until(bool)  # and at the end no message was shown

    edited(root, work)
    assert len(calls) >= 3


def test_an_editor_that_moves_no_files_is_told_what_does(tmp_path: Path) -> None:
    root = write(tmp_path, {**FILES, ONE: "See [[#1]].\n"})

    async def work(editor: Editor) -> None:
        await editor.until(lambda said: not said)
        with pytest.raises(JsonRpcException, match="use `paper-notes move`"):
            await editor.text_document_rename_async(types.RenameParams(editor.this, types.Position(0, 7), "2"))

    edited(root, work)


def test_numbers_and_what_can_be_folded_are_shown(tmp_path: Path) -> None:
    text = "## A {#a}\n\n𝒳 is 86.2% now.\n"
    kept = f"# x\nen\ta\t{digest(text.split(chr(10)))}\n0\t86.2%\tbound\ttable\t2\t5\tli2025\t\t0.00\tT2[a, b]\n"
    root = write(tmp_path, {**FILES, ONE: text, "notes_src/t/01_First/evidence.tsv": kept})

    async def work(editor: Editor) -> None:
        await editor.until(lambda said: not said)
        whole = types.Range(types.Position(0, 0), types.Position(3, 0))
        hints: Any = await editor.text_document_inlay_hint_async(types.InlayHintParams(editor.this, whole))
        assert [(hint.label, hint.position) for hint in hints] == [("Table 2, p. 5", types.Position(2, 11))]
        folds: Any = await editor.text_document_folding_range_async(types.FoldingRangeParams(editor.this))
        assert [(fold.start_line, fold.end_line) for fold in folds] == [(0, 3)]

    edited(root, work)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = paper_notes("lsp", "--root", tmp_path)
    assert (done.exit_code, "needs the library pygls" in done.stderr) == (1, True)
