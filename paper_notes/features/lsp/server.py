"""The language server: what editors send and get, over standard input and output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument
from pygls.workspace.position_codec import ServerTextPosition, ServerTextRange

from paper_notes import __version__
from paper_notes.build import build
from paper_notes.built import Build
from paper_notes.commands.check import with_findings_in_drafts
from paper_notes.commands.terminal import shown, translated
from paper_notes.corpus.model import NoteId
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import name_of
from paper_notes.diagnostics import Diagnostic, Location, UserError, our_bug
from paper_notes.engine.cache import open_cache
from paper_notes.features.lsp.answers import EditorAnswers, Kind, Named, folds, headings, indented, mark
from paper_notes.features.moving.commands.move import loaded
from paper_notes.features.moving.edits import by_file
from paper_notes.features.moving.keys import rename_paper, rename_section
from paper_notes.features.moving.move import Move, move, wanted_name
from paper_notes.render.notes import NotePageMaker
from paper_notes.sources.tree import SOURCE_FOLDER, Source, SourceChanged, as_read, nearest_collection

_PAUSE = 0.15
"""Seconds without a change after which the whole collection is looked at; longer where that takes longer."""
_LONGEST_PAUSE = 3.0
_ATTEMPTS = 5
_KINDS: dict[Kind, types.CompletionItemKind] = {
    "paper": types.CompletionItemKind.Reference,
    "note": types.CompletionItemKind.File,
    "section": types.CompletionItemKind.Struct,
    "component": types.CompletionItemKind.Class,
    "term": types.CompletionItemKind.Text,
    "tag": types.CompletionItemKind.EnumMember,
    "macro": types.CompletionItemKind.Function,
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
}
_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}

_Where = (
    types.CompletionParams
    | types.HoverParams
    | types.DefinitionParams
    | types.ReferenceParams
    | types.PrepareRenameParams
    | types.RenameParams
)
_Result = TypeVar("_Result")


class EditorServer(LanguageServer):
    """The server of one collection. Texts are read in one thread, the protocol is spoken in another."""

    def __init__(self, root: Path) -> None:
        super().__init__("paper-notes", __version__)
        self.root = root
        self.answers: EditorAnswers | None = None
        self._maker: NotePageMaker | None = None
        self._shown: set[PurePosixPath] = set()
        self._pause = _PAUSE
        self._changes = 0
        self._task: asyncio.Task[None] | None = None
        self._reader = ThreadPoolExecutor(1)

    # Findings

    def look(self) -> None:
        """Find out soon what is wrong now, with all texts as they are in the editor."""
        self._changes += 1
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        seen, loop = -1, asyncio.get_running_loop()
        while seen != self._changes:
            while seen != self._changes:  # until nobody types
                seen = self._changes
                await asyncio.sleep(self._pause)
            unsaved = self.unsaved()
            start = loop.time()
            try:
                built = await loop.run_in_executor(self._reader, _settled, _checked, self.root, unsaved)
            except Exception as error:  # the editor goes on, and so must its server
                message = error.message if isinstance(error, UserError) else our_bug(error)
                self.window_show_message(types.ShowMessageParams(types.MessageType.Error, shown(message)))
                continue
            self._pause = min(max(_PAUSE, loop.time() - start), _LONGEST_PAUSE)
            if built.corpus:
                self.answers, self._maker = EditorAnswers(built.corpus, built.outlines), built.maker
            if seen == self._changes:  # else places have moved meanwhile
                self._show(built)

    async def look_at(self, uri: str, version: int | None) -> None:
        """Find out now what is wrong in a text of a note; what concerns the collection comes when nobody types."""
        path, maker, answers = self.path(uri), self._maker, self.answers
        source = as_read(path, self.text(uri).source.encode()) if path else None
        if not (maker and answers and isinstance(source, Source)):
            return
        found = await asyncio.get_running_loop().run_in_executor(self._reader, maker.found, source)
        if found is not None and self.text(uri).version == version:
            diagnostics = [self._diagnostic(finding) for finding in answers.corpus.severities.judged(found)]
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def unsaved(self) -> Mapping[PurePosixPath, bytes]:
        """What the editor has in place of what is on disk."""
        return {path: text.source.encode() for path, text in self._open().items()}

    def _open(self) -> dict[PurePosixPath, TextDocument]:
        """The texts of the collection that are open."""
        texts = self.workspace.text_documents.values()
        return {path: text for text in texts if (path := self.path(text.uri))}

    def _show(self, built: Build) -> None:
        found: dict[PurePosixPath, list[types.Diagnostic]] = {path: [] for path in (*self._shown, *self._open())}
        for finding in built.diagnostics:
            found.setdefault(finding.location.path, []).append(self._diagnostic(finding))
        for path, diagnostics in found.items():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(self.uri(path), diagnostics))
        self._shown = {path for path, diagnostics in found.items() if diagnostics}

    def _diagnostic(self, finding: Diagnostic) -> types.Diagnostic:
        text = self.text(self.uri(finding.location.path))
        line = finding.location.line - 1
        at = mark(finding, _line(text, line))
        hint = f"\n{shown(finding.hint)}" if finding.hint else ""
        return types.Diagnostic(
            range=_range(text, line, at.start, at.end),
            message=f"{shown(finding.message)}{hint}",
            severity=_SEVERITIES[finding.severity],
            code=finding.rule,
            source="paper-notes",
            data={"instead": at.instead} if at.instead else None,
        )

    # Names

    async def renamed(self, named: Named, name: str) -> types.WorkspaceEdit:
        """What an editor has to change for a new name. Raises JsonRpcException with the words for the user."""
        work = asyncio.get_running_loop().run_in_executor(
            self._reader, _settled, _renamed, self.root, self.unsaved(), named, name
        )
        try:
            result = await work
        except UserError as error:
            places = (f"{found.location}: {found.message}" for found in error.diagnostics)
            raise _refused("\n".join(map(shown, filter(None, (error.message, error.hint, *places))))) from error
        for edit in result.ambiguous:
            said = f"Two notes have this number; look whether {edit.location} means {edit.new}: {edit.old}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, shown(said)))
        changes = {
            self.uri(path): [
                types.TextEdit(_range_of(self.text(self.uri(path)), edit.location, edit.old), edit.new)
                for edit in edits
            ]
            for path, edits in by_file(result.edits).items()
        }
        if not result.renamed:
            return types.WorkspaceEdit(changes)
        if not self._moves_files:
            raise _refused(translated("this editor moves no files for a server; use `paper-notes move` in a terminal"))
        edited = [
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, self._version(uri)), [*edits])
            for uri, edits in changes.items()
        ]
        moved = [types.RenameFile(self.uri(old), (self.root / new).as_uri()) for old, new in result.renamed]
        return types.WorkspaceEdit(document_changes=[*edited, *moved])

    @property
    def _moves_files(self) -> bool:
        workspace = self.client_capabilities.workspace
        known = workspace.workspace_edit if workspace else None
        operations = (known.resource_operations if known else None) or ()
        return bool(known and known.document_changes and types.ResourceOperationKind.Rename in operations)

    def _version(self, uri: str) -> int | None:
        text = self.workspace.text_documents.get(uri)
        return text.version if text else None

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Show what went wrong, unless the editor was told why it was refused."""
        if not isinstance(error, JsonRpcException) or error.code != types.LSPErrorCodes.RequestFailed:
            super().report_server_error(error, source)

    # Places

    def path(self, uri: str) -> PurePosixPath | None:
        """The file's path below the root; None if it is no file of the collection."""
        name = to_fs_path(uri)
        place = Path(name) if name else None
        if place is None or not (place := place.resolve()).is_relative_to(self.root):
            return None
        return PurePosixPath(place.relative_to(self.root).as_posix())

    def uri(self, path: PurePosixPath) -> str:
        """What the editor calls the file: it may have opened it by way of a link."""
        text = self._open().get(path)
        return text.uri if text else (self.root / path).as_uri()

    def text(self, uri: str) -> TextDocument:
        """The text in the editor; else that on disk."""
        return self.workspace.get_text_document(uri)

    def at(self, where: _Where) -> tuple[EditorAnswers, PurePosixPath, str, int, int] | None:
        """What knows the collection, the file, the text of the line, its number and the column in characters."""
        path, text = self.path(where.text_document.uri), self.text(where.text_document.uri)
        if self.answers is None or path is None:
            return None
        place = text.position_from_client_units(where.position)
        return self.answers, path, _line(text, place.line), place.line, place.character

    def place(self, location: Location, length: int = 0) -> types.Location:
        uri = self.uri(location.path)
        start = location.column - 1
        return types.Location(uri, _range(self.text(uri), location.line - 1, start, start + length))


def server_of(root: Path) -> EditorServer:  # noqa: C901 -- a function for each request
    """The server of the collection at `root`, an absolute path."""
    server = EditorServer(root)
    feature = server.feature

    @feature(types.INITIALIZED)
    async def begun(_: types.InitializedParams) -> None:
        opened = server.workspace.root_path
        if opened and not (server.root / SOURCE_FOLDER).is_dir():  # the editor started this elsewhere
            server.root = nearest_collection(Path(opened)).resolve()
        server.look()

    @feature(types.TEXT_DOCUMENT_DID_OPEN)
    @feature(types.TEXT_DOCUMENT_DID_SAVE)
    @feature(types.TEXT_DOCUMENT_DID_CLOSE)
    @feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def changed(ls: EditorServer, _: object) -> None:
        ls.look()

    @feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def edited(edit: types.DidChangeTextDocumentParams) -> None:
        server.look()
        await server.look_at(edit.text_document.uri, edit.text_document.version)

    @feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[*"@[:#/\\"]))
    async def complete(where: types.CompletionParams) -> types.CompletionList:
        items: list[types.CompletionItem] = []
        if known := server.at(where):
            answers, path, line, number, column = known
            text = server.text(where.text_document.uri)
            for offer in answers.offers(path, text.source, number + 1, line[:column]):
                typed = line[column - offer.length : column]
                edit = types.TextEdit(_range(text, number, column - offer.length, column), offer.written)
                item = types.CompletionItem(offer.label, kind=_KINDS[offer.kind], detail=offer.detail, text_edit=edit)
                item.filter_text = typed or offer.label  # what fits is chosen here, also by words of a title
                items.append(item)
        return types.CompletionList(is_incomplete=True, items=items)

    @feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(where: types.HoverParams) -> types.Hover | None:
        known = server.at(where)
        said = known[0].hover(known[1], known[2], known[4]) if known else ""
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said)) if said else None

    @feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(where: types.DefinitionParams) -> types.Location | None:
        known = server.at(where)
        location = known[0].definition(known[1], known[2], known[4]) if known else None
        return server.place(location) if location else None

    @feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(where: types.ReferenceParams) -> list[types.Location]:
        known = server.at(where)
        places = known[0].references(known[1], known[2], known[4]) if known else ()
        return [server.place(location, length) for location, length in places]

    @feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def named(where: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        known = server.at(where)
        name = known[0].named(known[1], known[2], known[4]) if known else None
        if known is None or name is None:
            return None
        whole = _range(server.text(where.text_document.uri), known[3], name.start, name.end)
        return types.PrepareRenamePlaceholder(whole, name.name)

    @feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(where: types.RenameParams) -> types.WorkspaceEdit | None:
        known = server.at(where)
        name = known[0].named(known[1], known[2], known[4]) if known else None
        return await server.renamed(name, where.new_name.strip()) if name else None

    @feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlays(wanted: types.InlayHintParams) -> list[types.InlayHint]:
        text, path = server.text(wanted.text_document.uri), server.path(wanted.text_document.uri)
        first, last = wanted.range.start.line, wanted.range.end.line
        known = server.answers.inlays(path, text.source) if server.answers and path else ()
        return [
            types.InlayHint(
                _range(text, inlay.line - 1, inlay.column, inlay.column).start,
                inlay.label,
                tooltip=inlay.tip or None,
                padding_left=True,
            )
            for inlay in known
            if first <= inlay.line - 1 <= last
        ]

    @feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folded(wanted: types.FoldingRangeParams) -> list[types.FoldingRange]:
        text = server.text(wanted.text_document.uri)
        lines = (folds if wanted.text_document.uri.endswith(".md") else indented)(text.source)
        return [types.FoldingRange(start - 1, end - 1) for start, end in lines if end > start]

    @feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(wanted: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        uri = wanted.text_document.uri
        return _nested(server.text(uri)) if uri.endswith(".md") else []

    @feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    async def repair(wanted: types.CodeActionParams) -> list[types.CodeAction]:
        actions = []
        for finding in wanted.context.diagnostics:
            if finding.source == "paper-notes" and isinstance(finding.data, dict) and finding.data.get("instead"):
                instead = str(finding.data["instead"])
                edit = types.WorkspaceEdit({wanted.text_document.uri: [types.TextEdit(finding.range, instead)]})
                title = translated(f"write this instead: {instead}")
                kind = types.CodeActionKind.QuickFix
                actions.append(types.CodeAction(title, kind, [finding], is_preferred=True, edit=edit))
        return actions

    return server


def _nested(text: TextDocument) -> list[types.DocumentSymbol]:
    """The headings of a text, each with those below it. A section ends where the next of its level begins."""
    found = [*headings(text.source)]
    around: list[tuple[int, list[types.DocumentSymbol]]] = [(0, [])]
    for number, (words, level, line) in enumerate(found):
        end = next((below for _, other, below in found[number + 1 :] if other <= level), len(text.lines) + 1) - 2
        name = _range(text, line - 1, 0, len(_line(text, line - 1)))
        whole = types.Range(name.start, _range(text, end, 0, len(_line(text, end))).end)
        inside: list[types.DocumentSymbol] = []
        while around[-1][0] >= level:
            around.pop()
        around[-1][1].append(types.DocumentSymbol(words or "-", types.SymbolKind.String, whole, name, children=inside))
        around.append((level, inside))
    return around[0][1]


def _settled(read: Callable[..., _Result], *what: Any) -> _Result:
    """What is read, again from the start if a file changes meanwhile: editors save, and move what a rename names.

    Raises SourceChanged if files change faster than they can be read.
    """
    for _ in range(_ATTEMPTS - 1):
        with suppress(SourceChanged):
            return read(*what)
    return read(*what)


def _checked(root: Path, unsaved: Mapping[PurePosixPath, bytes]) -> Build:
    """What `check` finds."""
    return with_findings_in_drafts(build(root, unsaved=unsaved), root, 1, unsaved)


def _renamed(root: Path, unsaved: Mapping[PurePosixPath, bytes], named: Named, name: str) -> Move:
    """What the new name means for the files. Raises UserError."""
    with closing(open_cache(root)) as cache:
        files = loaded(root, cache, unsaved)
        if named.kind == "paper":
            return rename_paper(files, BibKey(named.name), name)
        note = files.corpus.note(named.note or NoteId(named.name))
        if named.kind == "section":
            return rename_section(files, note, named.name, name)
        return move(files, {note.id: wanted_name(name, name_of(note.id), files).id})


def _refused(words: str) -> JsonRpcException:
    return JsonRpcException(words, types.LSPErrorCodes.RequestFailed)


def _range_of(text: TextDocument, location: Location, old: str) -> types.Range:
    """Where the words stand that are to be replaced."""
    line, start = location.line - 1, location.column - 1
    *above, last = old.split("\n")
    end = len(last) if above else start + len(last)
    span = ServerTextRange(ServerTextPosition(line, start), ServerTextPosition(line + len(above), end))
    return text.range_to_client_units(span)


def _line(text: TextDocument, number: int) -> str:
    lines = text.lines
    return lines[number].rstrip("\r\n") if 0 <= number < len(lines) else ""


def _range(text: TextDocument, line: int, start: int, end: int) -> types.Range:
    span = ServerTextRange(ServerTextPosition(line, start), ServerTextPosition(line, end))
    return text.range_to_client_units(span)
