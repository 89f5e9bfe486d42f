"""How long an editor waits in a large collection: for what is wrong after a letter, for words, names and numbers.

A client speaks to `paper-notes lsp` over standard input and output, as an editor does. What is printed has no limits.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from collection import make_collection
from lsprotocol import types
from pygls.lsp.client import LanguageClient

EDITS = 20


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def measure(root: Path) -> None:
    """Open a note, change it a letter at a time, and ask at its end."""
    editor, answers = LanguageClient("bench", "1"), asyncio.Queue[types.PublishDiagnosticsParams]()
    note = next(path for path in sorted(root.glob("notes_src/*/*/en.md")) if "[@" in path.read_text("utf-8"))
    uri, text = note.as_uri(), note.read_text("utf-8")
    this = types.TextDocumentIdentifier(uri)

    @editor.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def told(said: types.PublishDiagnosticsParams) -> None:
        if said.uri == uri:
            answers.put_nowait(said)

    await editor.start_io(sys.executable, "-m", "paper_notes", "lsp", "--root", str(root))
    await editor.initialize_async(types.InitializeParams(types.ClientCapabilities(), root_uri=root.as_uri()))
    start = time.perf_counter()
    editor.initialized(types.InitializedParams())
    editor.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "markdown", 1, text)))
    await answers.get()
    say(f"opened: {time.perf_counter() - start:.1f} s")
    waited = []
    for version in range(2, EDITS + 2):
        change = types.TextDocumentContentChangeWholeDocument(f"{text}\n{'x' * version}\n")
        named = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        start = time.perf_counter()
        editor.text_document_did_change(types.DidChangeTextDocumentParams(named, [change]))
        while (await answers.get()).version != version:
            pass
        waited.append((time.perf_counter() - start) * 1000)
        await asyncio.sleep(0.1)  # as people type
    say(f"an edit: {statistics.median(waited):.0f} ms, at most {max(waited):.0f}")
    line = next(number for number, row in enumerate(text.split("\n")) if "[@" in row)
    at = types.Position(line, text.split("\n")[line].index("[@") + 3)
    whole = types.Range(types.Position(0, 0), types.Position(9999, 0))
    context = types.ReferenceContext(include_declaration=False)
    asked: dict[str, Callable[[], Awaitable[Any]]] = {
        "completion": lambda: editor.text_document_completion_async(types.CompletionParams(this, at)),
        "hover": lambda: editor.text_document_hover_async(types.HoverParams(this, at)),
        "outline": lambda: editor.text_document_document_symbol_async(types.DocumentSymbolParams(this)),
        "folding": lambda: editor.text_document_folding_range_async(types.FoldingRangeParams(this)),
        "inlay hints": lambda: editor.text_document_inlay_hint_async(types.InlayHintParams(this, whole)),
        "references": lambda: editor.text_document_references_async(types.ReferenceParams(context, this, at)),
        "rename": lambda: editor.text_document_rename_async(types.RenameParams(this, at, "another2026")),
    }
    for name, ask in asked.items():
        start = time.perf_counter()
        await ask()
        say(f"{name}: {(time.perf_counter() - start) * 1000:.0f} ms")
    await editor.shutdown_async(None)
    editor.exit(None)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=3800)
    parser.add_argument("--real", action="store_true", help="notes of real length")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = make_collection(Path(folder), arguments.notes, real=arguments.real)
        subprocess.run([sys.executable, "-m", "paper_notes", "build", "--root", root], check=True)  # as it is every day
        asyncio.run(measure(root))


if __name__ == "__main__":
    main()
